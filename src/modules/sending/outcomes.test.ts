import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judgeAnswer } from './outcomes.ts'

const now = new Date('2026-03-02T08:00:00Z')
const rejected = (code: number, enhanced: string | null, scope: 'recipient' | 'mailbox' = 'recipient') =>
  ({ kind: 'rejected', permanent: code >= 500, code, enhanced, stage: 'rcpt_to', scope, response: `${code} ${enhanced ?? ''} no` }) as const

describe("the meaning of a mail server's response", () => {
  it('a dead address is a hard bounce, a full mailbox or an unclear refusal a soft one', () => {
    const typeOf = (code: number, enhanced: string | null) => {
      const { outcome } = judgeAnswer(rejected(code, enhanced), 1, now)
      return outcome.kind === 'refused' ? outcome.type : outcome.kind
    }
    assert.equal(typeOf(550, '5.1.1'), 'hard')
    assert.equal(typeOf(550, null), 'hard')
    assert.equal(typeOf(552, '5.2.2'), 'soft')
    assert.equal(typeOf(554, null), 'soft')
  })

  it('a deferring recipient is retried less and less often, from the same mailbox, and not forever', () => {
    const waits = Array.from({ length: 8 }, (_, attempt) => {
      const { outcome } = judgeAnswer(rejected(451, '4.7.1'), attempt + 1, now)
      return outcome.kind === 'retry' ? (outcome.at.getTime() - now.getTime()) / 60_000 : outcome.kind
    })
    assert.deepEqual(waits, [5, 15, 60, 240, 720, 1440, 'refused', 'refused'])
    const { outcome } = judgeAnswer(rejected(451, '4.7.1'), 1, now)
    assert.ok(outcome.kind === 'retry' && outcome.sticky)
  })

  it('a refusal of the mailbox does not affect the lead', () => {
    const { outcome, mailbox } = judgeAnswer(rejected(535, '5.7.8', 'mailbox'), 1, now)
    assert.equal(outcome.kind, 'retry')
    assert.deepEqual(mailbox, { failed: '535 5.7.8 no', permanent: true, signsIn: false })
  })

  it('after a lost connection it is safe to resend before the body was handed over, and uncertain after it', () => {
    assert.equal(judgeAnswer({ kind: 'not_sent', reason: 'reset' }, 1, now).outcome.kind, 'retry')
    assert.equal(judgeAnswer({ kind: 'unknown', reason: 'reset' }, 1, now).outcome.kind, 'unknown')
  })
})
