import { DAY_MS } from '../lib/time.ts'
import type { ContactReason, ReasonDetail } from './reasons.ts'

// Whether a person may be written to, given the messages of the other campaigns of the workspace. Two promises:
// - Two campaigns never block each other forever. When each could wait for the other, one order decides which goes first:
//   the campaign that wrote before, then the older lead. `aheadElsewhere` follows that order.
// - A sequence that has begun continues. The last contact by other campaigns, and the number of people of a company in a
//   sequence, are checked only before the first message.

export type ContactRules = {
  /** A first message waits until nothing has been sent to the person by another campaign for this many days. */
  contactedElsewhereWithinDays: number | null
  /** The effect on a person if another active campaign has priority. */
  inOtherActiveCampaign: 'allow' | 'hold'
  /** The effect on other people at a company after one of them has replied. */
  companyReplied: 'ignore' | 'pause' | 'stop'
  /** People of one company who may be in a sequence at a time. */
  maxPerCompanyAtOnce: number | null
}

/** The rules that a workspace or a campaign sets; for the others, the layer below decides. */
export type ContactOverrides = { [K in keyof ContactRules]?: ContactRules[K] }

const NO_RULES: ContactRules = {
  contactedElsewhereWithinDays: null,
  inOtherActiveCampaign: 'allow',
  companyReplied: 'ignore',
  maxPerCompanyAtOnce: null,
}

/** The resulting rules; a later layer overrides an earlier one. */
export const effectiveRules = (...layers: readonly ContactOverrides[]): ContactRules => Object.assign({}, NO_RULES, ...layers)

export const asksAboutPerson = (rules: ContactRules): boolean =>
  rules.contactedElsewhereWithinDays !== null || rules.inOtherActiveCampaign === 'hold'

export const asksAboutCompany = (rules: ContactRules): boolean => rules.companyReplied !== 'ignore' || rules.maxPerCompanyAtOnce !== null

export const asksAnything = (rules: ContactRules): boolean => asksAboutPerson(rules) || asksAboutCompany(rules)

type ContactHold = { reason: ContactReason; nextAttemptAt?: Date | null; detail: ReasonDetail }

export type ContactFacts = {
  /** When another campaign last emailed the person, or may have. */
  contactedElsewhereAt: Date | null
  /** The other active campaign that comes first for the person. */
  aheadElsewhere: string | null
  /** Another person at the company has replied. */
  hasCompanyReplied: boolean
  /** The addresses of others at the company who are in a sequence. At most as many as the rule needs. */
  inSequence: readonly string[]
}

export type Contact = {
  campaignId: string
  /** In lower case. */
  address: string
  /** The domain of the company; null when the domain belongs to no company. */
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

  /** The rule that forbids a message; null when it may be sent. */
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
    // It is not known yet whether that message will leave, so no time is given.
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
