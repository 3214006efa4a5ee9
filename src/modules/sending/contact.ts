import type { Db, Tx } from '../../db/client.ts'
import { domainOf } from '../../lib/email.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { isFreeMail } from '../../mail/transport/free-mail.ts'
import {
  asksAboutCompany,
  asksAboutPerson,
  type Contact,
  type ContactFacts,
  ContactJudge,
  type ContactOverrides,
  type ContactRules,
  effectiveRules,
} from '../../scheduling/contact-rules.ts'
import type { Hold } from '../../scheduling/planner.ts'
import { lockContacts, readCompanies, readPeople } from './contact-queries.ts'

// Turns rows into the input of the contact rules.

/** How far a lead moves back in the queue when it waits for another lead and not for a time. An answer never passes. */
const LOOK_AGAIN_MS = HOUR_MS
const LOOK_AGAIN_AFTER_REPLY_MS = DAY_MS

interface ContactLead {
  id: string
  workspaceId: string
  campaignId: string
  email: string
  step: number
}

type Ruled = { contactRules: ContactOverrides; workspaceContactRules: ContactOverrides }

export const rulesOf = (campaign: Ruled): ContactRules => effectiveRules(campaign.workspaceContactRules, campaign.contactRules)

/** Whether the rules end the sequence of a lead, instead of only making it wait. */
export const isStopped = (reason: string, campaign: Ruled): boolean =>
  reason === 'company_replied' && rulesOf(campaign).companyReplied === 'stop'

/** When a lead that the rules hold back is looked at again. */
export const lookAgainAt = ({ reason, nextAttemptAt }: { reason: string; nextAttemptAt?: Date | null }, now: Date): Date =>
  nextAttemptAt ?? new Date(now.getTime() + (reason === 'company_replied' ? LOOK_AGAIN_AFTER_REPLY_MS : LOOK_AGAIN_MS))

/** A domain that stands for a company; null for a provider of personal mailboxes. */
function companyOf(email: string): string | null {
  const domain = domainOf(email)
  return isFreeMail(domain) ? null : domain
}

/** Until the commit, no other transaction with these locks writes to the same people or companies. */
export async function holdContacts(tx: Tx, leads: ContactLead[]): Promise<void> {
  const keys = leads.flatMap(({ workspaceId, email }) => {
    const company = companyOf(email)
    return [`${workspaceId} ${email.toLowerCase()}`, ...(company === null ? [] : [`${workspaceId} @${company}`])]
  })
  if (keys.length > 0) await lockContacts(tx, keys)
}

/** The reasons of the rules against writing to these leads now, checked in the given order. */
export async function judgeContacts<L extends ContactLead>(
  db: Db,
  leads: readonly L[],
  campaignOf: (lead: L) => Ruled,
  now: Date,
): Promise<Map<string, Hold>> {
  const asked = leads.map(lead => ({ lead, rules: rulesOf(campaignOf(lead)), company: companyOf(lead.email) }))
  const ofPerson = asked.filter(({ rules }) => asksAboutPerson(rules))
  const ofCompany = asked.filter(({ rules, company }) => company !== null && asksAboutCompany(rules))
  const holds = new Map<string, Hold>()
  if (ofPerson.length + ofCompany.length === 0) return holds
  const most = ofCompany.reduce((most, { rules }) => Math.max(most, rules.maxPerCompanyAtOnce ?? 0), 0)
  const facts = new Map<string, Partial<ContactFacts>>()
  const people = await readPeople(db, idsOf(ofPerson))
  const companies = await readCompanies(db, idsOf(ofCompany), most)
  for (const { leadId, ...fact } of [...people, ...companies]) facts.set(leadId, { ...facts.get(leadId), ...fact })
  // Messages of several workspaces are judged together, and no workspace may see anything of another.
  const judges = new Map(asked.map(({ lead }) => [lead.workspaceId, new ContactJudge(now)]))
  for (const { lead, rules, company } of asked) {
    const contact: Contact = {
      campaignId: lead.campaignId,
      address: lead.email.toLowerCase(),
      company,
      isFirst: lead.step === 0,
      rules,
      facts: { contactedElsewhereAt: null, aheadElsewhere: null, hasCompanyReplied: false, inSequence: [], ...facts.get(lead.id) },
    }
    const hold = judges.get(lead.workspaceId)!.judge(contact)
    if (hold) holds.set(lead.id, hold)
  }
  return holds
}

const idsOf = (asked: readonly { lead: ContactLead }[]): string[] => asked.map(({ lead }) => lead.id)
