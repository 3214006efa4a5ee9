import assert from 'node:assert/strict'
import { it } from 'node:test'
import { seed } from '../full.ts'
import { runSendingFaults } from './sending.ts'

it('at most one message per lead and step, none to the suppressed and none after a pause, while workers are killed', async t => {
  const outcome = await runSendingFaults({ kills: 5, seed })
  t.diagnostic(JSON.stringify(outcome))
  assert.ok(outcome.received > 200)
})
