import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runSendingFaults } from './sending.ts'

const seed = Number(process.env.OVERTURE_FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31))

it(`at most one message per lead and step, none to the suppressed and none after a pause, while workers are killed (seed ${seed})`, async t => {
  const outcome = await runSendingFaults({ kills: 5, seed })
  t.diagnostic(JSON.stringify(outcome))
  assert.ok(outcome.received > 200)
})
