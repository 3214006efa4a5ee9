import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Facts, PlayedLead, PlayedMail } from './expectations.ts'
import { judge } from './expectations.ts'
import { castFile, castOf, makeUpLeads } from './script.ts'
import type { Rehearsal } from './section.ts'

const lead = (email: string, more: Partial<PlayedLead> = {}): PlayedLead => ({
  email,
  timezone: null,
  status: 'sequence_completed',
  holdReason: null,
  nextAt: null,
  ...more,
})
const mail = (to: PlayedLead, at: string, more: Partial<PlayedMail> = {}): PlayedMail => ({
  lead: to,
  at: new Date(at),
  step: 1,
  mailbox: 'ada@sender.example',
  content: 'Hello',
  ...more,
})
const factsOf = (facts: Partial<Facts>): Facts => ({
  startedAt: new Date('2026-03-02T00:00:00Z'),
  endedAt: new Date('2026-03-30T00:00:00Z'),
  status: 'completed',
  attentionReason: null,
  schedule: { daysOfWeek: ['monday', 'tuesday'], timeWindow: { start: '09:00', end: '17:00' }, timezone: 'UTC', useLeadTimezone: false },
  mailboxZones: new Map([['ada@sender.example', 'UTC']]),
  leads: [],
  mails: [],
  ends: [],
  autoReplies: 0,
  ...facts,
})
const only = (facts: Partial<Facts>, expected: NonNullable<Rehearsal['expect']>) => judge(factsOf(facts), expected)[0]!

describe('an expectation of a rehearsal', () => {
  const ann = lead('ann@one.example', { timezone: 'America/New_York' })
  const ben = lead('ben@two.example')

  it('names the email that was sent to a lead after its end', () => {
    const at = new Date('2026-03-02T11:00:00Z')
    for (const [kind, name] of [
      ['replied', 'repliedLeadsGetNothingMore'],
      ['unsubscribed', 'unsubscribedLeadsGetNothingMore'],
      ['bounced', 'bouncedLeadsGetNothingMore'],
    ] as const) {
      const ends = [{ lead: ann, at, kind }]
      const before = mail(ann, '2026-03-02T10:00:00Z')
      assert.equal(only({ ends, mails: [before, mail(ben, '2026-03-03T10:00:00Z')] }, { [name]: true }).ok, true)
      const broken = only({ ends, mails: [before, mail(ann, '2026-03-03T10:00:00Z', { step: 2 })] }, { [name]: true })
      assert.equal(broken.ok, false)
      assert.match(broken.broken[0]!, /step 2 to ann@one\.example/)
    }
  })

  it('checks the window in the time zone that applies, with an exclusive end', () => {
    const mails = [mail(ann, '2026-03-02T09:00:00Z'), mail(ben, '2026-03-02T16:59:59Z')]
    assert.equal(only({ mails }, { noSendOutsideWindow: true }).ok, true)
    for (const at of ['2026-03-02T08:59:59Z', '2026-03-02T17:00:00Z', '2026-03-04T10:00:00Z'])
      assert.equal(only({ mails: [mail(ben, at)] }, { noSendOutsideWindow: true }).ok, false, at)
    const schedule = { ...factsOf({}).schedule, useLeadTimezone: true }
    const late = only({ schedule, mails }, { noSendOutsideWindow: true })
    assert.deepEqual([late.ok, late.brokenCount], [false, 1])
    assert.match(late.broken[0]!, /ann@one\.example.*04:00 in America\/New_York/)
  })

  it('counts by day, mailbox and domain, and names the first email beyond the limit', () => {
    const mails = [10, 11, 12].map(hour => mail(hour === 12 ? ben : ann, `2026-03-02T${hour}:00:00Z`, { step: hour }))
    assert.equal(only({ mails }, { maxPerDay: 3 }).ok, true)
    assert.match(only({ mails }, { maxPerDay: 2 }).broken[0]!, /3 emails on 2026-03-02; number 3 is step 12 to ben/)
    assert.match(only({ mails }, { maxPerMailboxPerDay: 1 }).broken[0]!, /3 emails on 2026-03-02 ada@sender\.example; number 2 is step 11/)
    assert.match(only({ mails }, { maxPerDomainPerDay: 1 }).broken[0]!, /2 emails on 2026-03-02 one\.example/)
    const zones = new Map([['ada@sender.example', 'Pacific/Auckland']])
    assert.equal(only({ mails, mailboxZones: zones }, { maxPerMailboxPerDay: 2 }).ok, true)
    assert.equal(only({}, { maxPerDay: 0 }).ok, true)
  })

  it('requires every step for leads that were not stopped', () => {
    const replied = lead('c@three.example', { status: 'interested' })
    const waiting = lead('d@four.example', { status: 'contacted', nextAt: new Date('2026-04-10T08:00:00Z') })
    const mails = [mail(ann, '2026-03-02T10:00:00Z'), mail(ann, '2026-03-03T10:00:00Z'), mail(waiting, '2026-03-02T10:00:00Z')]
    const verdict = only({ leads: [ann, replied, waiting], mails }, { everyLeadGets: 2 })
    assert.deepEqual(verdict.broken, ['d@four.example got 1: the next email is due at 2026-04-10T08:00Z, after the rehearsal'])
  })

  it('does not hold while an email is planned', () => {
    const mails = [mail(ann, '2026-03-10T10:00:00Z')]
    assert.deepEqual([only({ mails }, { endsWithinDays: 9 }).ok, only({ mails }, { endsWithinDays: 8 }).ok], [true, false])
    const open = lead('d@four.example', { nextAt: new Date('2026-04-10T08:00:00Z') })
    assert.equal(only({ mails, leads: [open] }, { endsWithinDays: 9 }).ok, false)
  })

  it('finds missing variables and unfilled placeholders', () => {
    const lacking = lead('e@five.example', { holdReason: 'missing_variable', status: 'skipped' })
    assert.match(only({ leads: [lacking] }, { noUnfilledVariables: true }).broken[0]!, /e@five\.example has no value for a variable/)
    assert.equal(
      only({ mails: [mail(ann, '2026-03-02T10:00:00Z', { content: 'Hi {{ name }}' })] }, { noUnfilledVariables: true }).ok,
      false,
    )
  })
})

describe('the leads of a rehearsal', () => {
  it('have the requested personas, and the rest is silent', () => {
    const cast = castOf({ interested: 3, bounces: 2 }, 40)
    const count = (persona: string) => cast.filter(each => each === persona).length
    assert.deepEqual([count('interested'), count('bounces'), count('silent'), cast.length], [3, 2, 35, 40])
    const addresses = makeUpLeads({ leads: 500, personas: { outOfOffice: 500 } }, false).map(({ email }) => email)
    assert.equal(new Set(addresses).size, 500)
    assert.ok(addresses.every(address => /^away\+[a-z.]+@[a-z0-9-]+\.example$/.test(address)))
  })

  it('replace the addresses of a list, and nothing else', () => {
    const text = 'Name;E-Mail;Firma\r\n"Bäcker; Söhne";Ann@One.example;One\r\nBen;ben@two.example;\r\nAnn;ann@one.example;One\r\n'
    const { csv, real } = castFile(Buffer.from(`\ufeff${text}`), { interested: 1 })!
    const lines = csv.trimEnd().split('\r\n')
    assert.equal(lines[0], '"Name","E-Mail","Firma"')
    assert.equal(lines[1], '"Bäcker; Söhne","interested+ann.1@one.example","One"')
    assert.equal(lines[2], '"Ben","silent+ben.2@two.example",""')
    assert.deepEqual([...real.values()], ['ann@one.example', 'ben@two.example'])
    assert.equal(castFile(Buffer.from('a,b\r\n1,2\r\n'), {}), undefined)
  })
})
