import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { examples } from '../../test/full.ts'
import { DAY_MS } from '../lib/time.ts'
import { type Contact, type ContactFacts, ContactJudge, type ContactOverrides, effectiveRules } from './contact-rules.ts'

const now = new Date('2026-03-02T08:00:00Z')
const daysAgo = (days: number): Date => new Date(now.getTime() - days * DAY_MS)

function contact(rules: ContactOverrides, facts: Partial<ContactFacts> = {}, changes: Partial<Contact> = {}): Contact {
  const nothing = { contactedElsewhereAt: null, aheadElsewhere: null, hasCompanyReplied: false, inSequence: [] }
  return {
    campaignId: 'a',
    address: 'ann@acme.example',
    company: 'acme.example',
    isFirst: true,
    rules: effectiveRules(rules),
    facts: { ...nothing, ...facts },
    ...changes,
  }
}

const judge = (asked: Contact) => new ContactJudge(now).judge(asked)

test('without rules, other campaigns hold no lead', () => {
  const facts = { contactedElsewhereAt: now, aheadElsewhere: 'b', hasCompanyReplied: true, inSequence: ['bob@acme.example'] }
  assert.equal(judge(contact({}, facts)), null)
})

test('a campaign overrides its workspace, even to turn a rule off, and inherits omitted rules', () => {
  const workspace = { contactedElsewhereWithinDays: 30, companyReplied: 'stop', maxPerCompanyAtOnce: 2 } as const
  assert.deepEqual(effectiveRules(workspace, { contactedElsewhereWithinDays: null, companyReplied: 'pause' }), {
    contactedElsewhereWithinDays: null,
    inOtherActiveCampaign: 'allow',
    companyReplied: 'pause',
    maxPerCompanyAtOnce: 2,
  })
})

test('a person contacted elsewhere waits until the days have passed, to the millisecond', () => {
  const rules = { contactedElsewhereWithinDays: 7 }
  const hold = judge(contact(rules, { contactedElsewhereAt: daysAgo(3) }))
  assert.deepEqual(hold, { reason: 'contacted_elsewhere', nextAttemptAt: new Date(now.getTime() + 4 * DAY_MS), detail: { days: 7 } })
  assert.equal(judge(contact(rules, { contactedElsewhereAt: daysAgo(7) })), null)
  assert.equal(judge(contact(rules, { contactedElsewhereAt: new Date(daysAgo(7).getTime() + 1) }))?.reason, 'contacted_elsewhere')
})

test('a started sequence continues, whatever is sent elsewhere and however many of the company are in one', () => {
  const rules = { contactedElsewhereWithinDays: 7, maxPerCompanyAtOnce: 1 }
  const facts = { contactedElsewhereAt: now, inSequence: ['bob@acme.example'] }
  assert.equal(judge(contact(rules, facts, { isFirst: false })), null)
})

test('a reply from the company, and a campaign with priority, also hold follow-ups', () => {
  const rules = { companyReplied: 'pause', inOtherActiveCampaign: 'hold' } as const
  assert.equal(judge(contact(rules, { hasCompanyReplied: true }, { isFirst: false }))?.reason, 'company_replied')
  assert.deepEqual(judge(contact(rules, { aheadElsewhere: 'b' }, { isFirst: false })), {
    reason: 'in_other_campaign',
    detail: { campaignId: 'b' },
  })
})

test('a personal mailbox provider is not a company', () => {
  const rules = { companyReplied: 'stop', maxPerCompanyAtOnce: 1 } as const
  const facts = { hasCompanyReplied: true, inSequence: ['bob@gmail.com'] }
  assert.equal(judge(contact(rules, facts, { address: 'ann@gmail.com', company: null })), null)
})

test('the same person twice at one moment gets one message, and the other gets no time', () => {
  const moment = new ContactJudge(now)
  const rules = { contactedElsewhereWithinDays: 7 }
  assert.equal(moment.judge(contact(rules)), null)
  assert.deepEqual(moment.judge(contact(rules, {}, { campaignId: 'b' })), { reason: 'contacted_elsewhere', detail: { days: 7 } })
})

test('at one moment, no more people of a company start than there is room for', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.uniqueArray(fc.nat(20), { maxLength: 6 }),
      fc.array(fc.nat(30), { maxLength: 20 }),
      (limit, there, asked) => {
        const inSequence = there.map(n => `p${n}@acme.example`)
        const moment = new ContactJudge(now)
        const people = new Set(inSequence)
        for (const n of asked) {
          const address = `p${n}@acme.example`
          const others = inSequence.filter(other => other !== address)
          const before = new Set(people).size
          if (moment.judge(contact({ maxPerCompanyAtOnce: limit }, { inSequence: others }, { address })) === null) people.add(address)
          assert.ok(people.size <= Math.max(limit, before), `${people.size} of ${limit}`)
        }
      },
    ),
    { numRuns: examples(300) },
  )
})
