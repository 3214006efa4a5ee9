import assert from 'node:assert/strict'
import { it } from 'node:test'
import { seed } from '../full.ts'
import { runAnswerFaults } from './answers.ts'

it('no answer arrives twice, and every request learns its outcome, while workers are killed', async t => {
  const outcome = await runAnswerFaults({ kills: 3, seed })
  t.diagnostic(JSON.stringify(outcome))
  assert.ok(outcome.received > outcome.answers / 2)
})
