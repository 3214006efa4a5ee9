import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { full, seed } from '../full.ts'
import { runAnswerFaults } from './answers.ts'

describe('answers to replies, while workers are killed', () => {
  it('arrive at most once, and the request learns the outcome, when one worker is killed', async t => {
    const outcome = await runAnswerFaults({ kills: 1, workers: 1, seed })
    t.diagnostic(JSON.stringify(outcome))
    assert.ok(outcome.received > outcome.answers / 2)
  })

  // The test above is the short one.
  it('arrive at most once, and every request learns its outcome, again and again', full, async t => {
    const outcome = await runAnswerFaults({ kills: 3, seed })
    t.diagnostic(JSON.stringify(outcome))
    assert.ok(outcome.received > outcome.answers / 2)
  })
})
