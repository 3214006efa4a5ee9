import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { full, seed } from '../full.ts'
import { runSendingFaults } from './sending.ts'

describe('at most one message per lead and step, none to the suppressed and none after a pause', () => {
  it('while one worker is killed', async t => {
    const outcome = await runSendingFaults({ kills: 1, workers: 2, messages: 240, seed })
    t.diagnostic(JSON.stringify(outcome))
    assert.ok(outcome.received > 80)
  })

  // The test above is the short one.
  it('while workers are killed again and again', full, async t => {
    const outcome = await runSendingFaults({ kills: 5, seed })
    t.diagnostic(JSON.stringify(outcome))
    assert.ok(outcome.received > 200)
  })
})
