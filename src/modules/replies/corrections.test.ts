import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { examples } from '../../../test/full.ts'
import { LEAD_STATUSES } from '../leads/schema.ts'
import { statusAfterCorrection } from './corrections.ts'
import { REPLY_KINDS } from './schema.ts'

const NONE = new Set<string>()
const kinds = fc.constantFrom(...REPLY_KINDS)
const corrected = fc.constantFrom(...REPLY_KINDS.filter(kind => kind !== 'opt_out'))
const statuses = fc.constantFrom(...LEAD_STATUSES)
const others = fc.uniqueArray(kinds).map(list => new Set<string>(list))

describe('a correction of a reply', () => {
  it('decides the status of a lead without a stronger signal', () => {
    assert.equal(statusAfterCorrection('negative', 'positive', 'not_interested', NONE), 'interested')
    assert.equal(statusAfterCorrection('positive', 'negative', 'interested', NONE), 'not_interested')
    assert.equal(statusAfterCorrection('positive', 'neutral', 'interested', NONE), 'replied')
  })

  it('keeps a reported meeting and a closed deal', () => {
    const reported = fc.constantFrom('meeting_booked', 'meeting_completed', 'closed')
    fc.assert(
      fc.property(kinds, corrected, reported, others, (before, after, status, more) => {
        assert.equal(statusAfterCorrection(before, after, status, more), status)
      }),
      { numRuns: examples(1000) },
    )
  })

  it('undoes an opt-out only if this reply was its only reason', () => {
    assert.equal(statusAfterCorrection('opt_out', 'neutral', 'unsubscribed', NONE), 'replied')
    assert.equal(statusAfterCorrection('opt_out', 'neutral', 'unsubscribed', new Set(['opt_out'])), 'unsubscribed')
    assert.equal(statusAfterCorrection('negative', 'positive', 'unsubscribed', NONE), 'unsubscribed')
  })

  it("keeps the effect of the lead's other replies if it has none", () => {
    assert.equal(statusAfterCorrection('negative', 'neutral', 'not_interested', new Set(['positive', 'negative'])), 'interested')
    assert.equal(statusAfterCorrection('positive', 'neutral', 'interested', new Set(['negative'])), 'not_interested')
  })

  it('repeated has no further effect', () => {
    fc.assert(
      fc.property(kinds, corrected, statuses, others, (before, after, status, more) => {
        const once = statusAfterCorrection(before, after, status, more)
        assert.equal(statusAfterCorrection(after, after, once, more), once)
      }),
      { numRuns: examples(1000) },
    )
  })
})
