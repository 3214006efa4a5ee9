import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Reason, type ReasonCode, reasonCatalogue, sumReasons, wordReason, wordTime } from './reasons.ts'

const wording = { now: new Date('2026-03-06T18:00:00Z'), timezone: 'Europe/Berlin' }
const monday = new Date('2026-03-09T08:00:00Z')

function reason(code: ReasonCode, changes: Partial<Reason> = {}): Reason {
  return { reason: code, nextAttemptAt: null, detail: null, ...changes }
}

const many = (count: number, item: Reason): Reason[] => Array.from({ length: count }, () => item)

test('the summary of reasons reads naturally, the largest group first', () => {
  const cap = { mailboxId: 'anna', used: 50, limit: 50 }
  const sums = sumReasons(
    [
      ...many(12, reason('missing_variable', { detail: { variables: ['firstName'] } })),
      ...many(142, reason('waiting_window', { nextAttemptAt: monday })),
      ...many(30, reason('mailbox_cap', { nextAttemptAt: monday, detail: cap })),
      reason('suppressed'),
    ],
    wording,
  )
  assert.deepEqual(
    sums.map(sum => sum.text),
    [
      '142 outside the sending window until Monday 2026-03-09 09:00 Europe/Berlin',
      '30 waiting: daily limit reached (50/50 today), next email on Monday 2026-03-09 09:00 Europe/Berlin',
      '12 without a value for firstName',
      '1 on the suppression list',
    ],
  )
  assert.deepEqual(
    sums.map(sum => sum.count),
    [142, 30, 12, 1],
  )
})

test('leads that wait for different times of the same kind are one group with the earliest time', () => {
  const later = new Date('2026-03-10T10:30:00Z')
  const sums = sumReasons([reason('not_due', { nextAttemptAt: later }), reason('not_due', { nextAttemptAt: monday })], wording)
  assert.deepEqual(
    sums.map(sum => sum.text),
    ['2 not due yet, next on Monday 2026-03-09 09:00 Europe/Berlin'],
  )
})

test('different mailboxes, domains and missing values are different groups', () => {
  const sums = sumReasons(
    [
      reason('mailbox_cap', { detail: { mailboxId: 'anna', used: 5, limit: 5 } }),
      reason('mailbox_cap', { detail: { mailboxId: 'ben', used: 5, limit: 5 } }),
      reason('missing_variable', { detail: { variables: ['company'] } }),
      reason('missing_variable', { detail: { variables: ['firstName'] } }),
      reason('domain_throttle', { detail: { domain: 'a.example' } }),
      reason('domain_throttle', { detail: { domain: 'b.example' } }),
    ],
    wording,
  )
  assert.equal(sums.length, 6)
})

test('a single lead has the same words without a count', () => {
  assert.equal(
    wordReason(reason('waiting_window', { nextAttemptAt: monday }), wording),
    'outside the sending window until Monday 2026-03-09 09:00 Europe/Berlin',
  )
  const missing = reason('missing_variable', { detail: { variables: ['firstName', 'company'] } })
  assert.equal(wordReason(missing, wording), 'without a value for firstName, company')
})

test('a time has the weekday and the date of the time zone, so that a timeline is true later, too', () => {
  assert.equal(wordTime(new Date('2026-03-06T23:30:00Z'), 'Europe/Berlin'), 'Saturday 2026-03-07 00:30 Europe/Berlin')
})

test('every reason of the catalog has words, with and without a time and details', () => {
  for (const code of Object.keys(reasonCatalogue) as ReasonCode[]) {
    for (const nextAttemptAt of [null, monday]) {
      for (const detail of [null, {}]) {
        const text = wordReason({ reason: code, nextAttemptAt, detail }, wording)
        assert.match(text, /^[a-z]/, code)
        assert.doesNotMatch(text, /undefined|null|NaN/, code)
      }
    }
  }
})
