import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { LEAD_STATUSES } from '../leads/schema.ts'
import { statusAfterCorrection } from './corrections.ts'
import { REPLY_KINDS } from './schema.ts'

const NONE = new Set<string>()
const kinds = fc.constantFrom(...REPLY_KINDS)
const corrected = fc.constantFrom(...REPLY_KINDS.filter(kind => kind !== 'opt_out'))
const statuses = fc.constantFrom(...LEAD_STATUSES)
const others = fc.uniqueArray(kinds).map(list => new Set<string>(list))

describe('what a person says about a reply', () => {
  it('decides the status of a lead about which nobody has said more', () => {
    assert.equal(statusAfterCorrection('negative', 'positive', 'not_interested', NONE), 'interested')
    assert.equal(statusAfterCorrection('positive', 'negative', 'interested', NONE), 'not_interested')
    assert.equal(statusAfterCorrection('positive', 'neutral', 'interested', NONE), 'replied')
  })

  it('leaves a meeting that was reported, and a deal that was closed, as they are', () => {
    const reported = fc.constantFrom('meeting_booked', 'meeting_completed', 'closed')
    fc.assert(
      fc.property(kinds, corrected, reported, others, (before, after, status, more) => {
        assert.equal(statusAfterCorrection(before, after, status, more), status)
      }),
      { numRuns: 1000 },
    )
  })

  it('takes an opt-out back only when it was this reply alone that said so', () => {
    assert.equal(statusAfterCorrection('opt_out', 'neutral', 'unsubscribed', NONE), 'replied')
    assert.equal(statusAfterCorrection('opt_out', 'neutral', 'unsubscribed', new Set(['opt_out'])), 'unsubscribed')
    assert.equal(statusAfterCorrection('negative', 'positive', 'unsubscribed', NONE), 'unsubscribed')
  })

  it('leaves what the other replies of the lead said when it says nothing itself', () => {
    assert.equal(statusAfterCorrection('negative', 'neutral', 'not_interested', new Set(['positive', 'negative'])), 'interested')
    assert.equal(statusAfterCorrection('positive', 'neutral', 'interested', new Set(['negative'])), 'not_interested')
  })

  it('said twice is said once', () => {
    fc.assert(
      fc.property(kinds, corrected, statuses, others, (before, after, status, more) => {
        const once = statusAfterCorrection(before, after, status, more)
        assert.equal(statusAfterCorrection(after, after, once, more), once)
      }),
      { numRuns: 1000 },
    )
  })
})
