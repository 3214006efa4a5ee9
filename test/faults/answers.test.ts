import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runAnswerFaults } from './answers.ts'

const seed = Number(process.env.OVERTURE_FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31))

it(`no answer arrives twice, and every request learns its outcome, while workers are killed (seed ${seed})`, async t => {
  const outcome = await runAnswerFaults({ kills: 3, seed })
  t.diagnostic(JSON.stringify(outcome))
  assert.ok(outcome.received > outcome.answers / 2)
})
