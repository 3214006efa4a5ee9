import { DAY_MS } from '../lib/time.ts'
import type { ContactReason } from './contact-reasons.ts'
import type { ReasonDetail } from './reasons.ts'

// Whether a person may be written to, in view of what the other campaigns of the workspace do. Two promises:
// - Two campaigns never hold each other for ever. Where each could wait for the other, one order decides who goes first:
//   the campaign that wrote before, then the older lead. `aheadElsewhere` follows that order.
// - A sequence that has begun goes on. How recently somebody was contacted elsewhere, and how many of a company are in a
//   sequence, is asked before the first message only.

export type ContactRules = {
  /** A first message waits until nothing has been sent to the person by another campaign for this many days. */
  contactedElsewhereWithinDays: number | null
  /** What happens to a person for whom another active campaign has priority. */
  inOtherActiveCampaign: 'allow' | 'hold'
  /** What happens to other people at a company after one of them has answered. */
  companyReplied: 'ignore' | 'pause' | 'stop'
  /** People of one company who may be in a sequence at a time. */
  maxPerCompanyAtOnce: number | null
}

/** What a workspace, or a campaign, says for itself; what it leaves out is decided by the layer below. */
export type ContactOverrides = { [K in keyof ContactRules]?: ContactRules[K] }

const NO_RULES: ContactRules = {
  contactedElsewhereWithinDays: null,
  inOtherActiveCampaign: 'allow',
  companyReplied: 'ignore',
  maxPerCompanyAtOnce: null,
}

/** The rules in force; a later layer decides over an earlier one. */
export function effectiveRules(...layers: readonly ContactOverrides[]): ContactRules {
  return Object.assign({}, NO_RULES, ...layers)
}

export const asksAboutPerson = (rules: ContactRules): boolean =>
  rules.contactedElsewhereWithinDays !== null || rules.inOtherActiveCampaign === 'hold'

export const asksAboutCompany = (rules: ContactRules): boolean => rules.companyReplied !== 'ignore' || rules.maxPerCompanyAtOnce !== null

type ContactHold = { reason: ContactReason; nextAttemptAt?: Date | null; detail: ReasonDetail }

export type ContactFacts = {
  /** When another campaign last wrote to the person, or may have. */
  contactedElsewhereAt: Date | null
  /** The other active campaign that comes first for the person. */
  aheadElsewhere: string | null
  /** Somebody else at the company has answered. */
  hasCompanyReplied: boolean
  /** The addresses of others at the company who are in a sequence. As many as the rule asks about will do. */
  inSequence: readonly string[]
}

export type Contact = {
  campaignId: string
  /** In lower case. */
  address: string
  /** The domain of the company; null where the domain stands for no company. */
  company: string | null
  /** Nothing has been sent to the lead yet. */
  isFirst: boolean
  rules: ContactRules
  facts: ContactFacts
}

/** Checks the messages of one moment, one after the other: an allowed message counts for those after it. */
export class ContactJudge {
  readonly #nowMs: number
  readonly #campaignsOf = new Map<string, Set<string>>()
  readonly #newcomersOf = new Map<string, Set<string>>()

  constructor(now: Date) {
    this.#nowMs = now.getTime()
  }

  /** What the rules say against a message; null when it may go. */
  judge(contact: Contact): ContactHold | null {
    const hold = judgeAnswer(contact) ?? judgeOrder(contact) ?? (contact.isFirst ? this.#judgeFirst(contact) : null)
    if (hold === null) this.#admit(contact)
    return hold
  }

  #judgeFirst(contact: Contact): ContactHold | null {
    return this.#judgeRecency(contact) ?? this.#judgeCompany(contact)
  }

  #judgeRecency({ rules, facts, address, campaignId }: Contact): ContactHold | null {
    const days = rules.contactedElsewhereWithinDays
    if (days === null) return null
    const untilMs = facts.contactedElsewhereAt === null ? 0 : facts.contactedElsewhereAt.getTime() + days * DAY_MS
    const detail = { days }
    if (untilMs > this.#nowMs) return { reason: 'contacted_elsewhere', nextAttemptAt: new Date(untilMs), detail }
    const now = this.#campaignsOf.get(address)
    // Whether that message will have left is not known yet, so no time is promised.
    return now !== undefined && [...now].some(id => id !== campaignId) ? { reason: 'contacted_elsewhere', detail } : null
  }

  #judgeCompany({ rules, facts, address, company }: Contact): ContactHold | null {
    const limit = rules.maxPerCompanyAtOnce
    if (limit === null || company === null) return null
    const others = new Set([...facts.inSequence, ...(this.#newcomersOf.get(company) ?? [])])
    others.delete(address)
    return others.size >= limit ? { reason: 'company_limit', detail: { domain: company, used: others.size, limit } } : null
  }

  #admit({ campaignId, address, company, isFirst }: Contact): void {
    addTo(this.#campaignsOf, address, campaignId)
    if (company !== null && isFirst) addTo(this.#newcomersOf, company, address)
  }
}

function judgeAnswer({ rules, facts, company }: Contact): ContactHold | null {
  if (company === null || rules.companyReplied === 'ignore' || !facts.hasCompanyReplied) return null
  return { reason: 'company_replied', detail: { domain: company } }
}

function judgeOrder({ rules, facts }: Contact): ContactHold | null {
  if (rules.inOtherActiveCampaign === 'allow' || facts.aheadElsewhere === null) return null
  return { reason: 'in_other_campaign', detail: { campaignId: facts.aheadElsewhere } }
}

function addTo(sets: Map<string, Set<string>>, key: string, member: string): void {
  const known = sets.get(key)
  if (known === undefined) sets.set(key, new Set([member]))
  else known.add(member)
}
