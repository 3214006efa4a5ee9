import type { AddRequirement, Requirement, Source } from '../model.ts'
import { namesRoles } from '../segments/sender-offer.ts'
import { phraseSet, wordSet } from '../vocabulary/word-files.ts'
import { AT_THE_END, EXCLUDED, LEADS, ONLY, REFUSE_THEM, STOP_WORDS } from '../vocabulary/word-lists.ts'
import { readEmailRequirements } from './email-requirements.ts'
import { negationBefore } from './requirement-negation.ts'
import { readAges, recent, windowAfter, windowBefore } from './time-windows.ts'

/** The requirements of a brief other than people, places and companies: earlier contact, ownership, windows of time, contacts per company. */

const list = (name: string) => phraseSet('requirements.txt', name)
const CONTACTED = list('contacted')
const UNCONTACTED = list('uncontacted')
const AFTERTHOUGHTS = wordSet('requirements.txt', 'afterthoughts')
const REPLIED = list('replied')
const CAMPAIGN = list('campaign')
const ANOTHER = wordSet('requirements.txt', 'another')
const STORE = list('store')
const OURS = wordSet('requirements.txt', 'ours')
const IN_STORE = wordSet('requirements.txt', 'in store')
const BEHIND_STORE = wordSet('requirements.txt', 'behind store')
const NEW = list('new')
const EXISTING = list('existing')
const CUSTOMERS = wordSet('requirements.txt', 'customers')
const OWNED_PHRASES = list('owned phrases')
const DUPLICATES = list('duplicates')
const PER = list('per')
const PER_EACH = wordSet('requirements.txt', 'per each')
const COMPANIES = wordSet('requirements.txt', 'companies')
const PER_MEASURE = wordSet('requirements.txt', 'per measure')
const ONE = list('one')
const PERSONS = wordSet('requirements.txt', 'persons')
const LIMITS = wordSet('requirements.txt', 'limits')
const AFTER_DUPLICATES = wordSet('requirements.txt', 'after duplicates')
const EXACT_TITLES = list('exact titles')
const ALREADY = new Set('already bereits schon deja ya'.split(' '))
/** No one wishes for more than this; the limit bounds the time for hostile texts. */
const MOST_WISHES = 40

/** Items that were read are marked consumed: the negation in "not contacted" must reach nothing else. */
export function readRequirements(source: Source, consumed: Uint8Array): Requirement[] {
  const found: Requirement[] = []
  const { words, items } = source
  const add: AddRequirement = (requirement, first, last, uses = [first, last]) => {
    consumed.fill(1, uses[0], uses[1] + 1)
    found.push({ ...requirement, first, last })
  }
  for (let at = 0; at < words.length && found.length < MOST_WISHES; at++) {
    const counts = items[at - 1]?.quantity || PERSONS.has(words[at - 1] ?? '')
    if (words[at] === '/' && counts && COMPANIES.has(words[at + 1] ?? '')) readPerCompany(source, at, add)
    if (items[at]!.kind !== 'word' || consumed[at]) continue
    readPerCompany(source, at, add)
    readContact(source, at, add)
    readOwned(source, at, add)
    readAges(source, at, add)
    const exact = EXACT_TITLES.longest(words, at)
    // "not sure about the exact title" asks for none.
    if (!exact || negationBefore(source, at) !== undefined) continue
    const last = at + exact.length - 1
    // Its noun may be the label of the line, and stays one.
    add({ field: 'jobTitleMatch', value: 'exact' }, at, last, [at, words[at]!.startsWith('ti') ? last : at])
  }
  readEmailRequirements(source, consumed, add)
  return found
}

function readContact(source: Source, at: number, add: AddRequirement): void {
  const { words } = source
  const replied = REPLIED.longest(words, at)
  if (replied) {
    const behind = refusedBehind(source, at, replied.length)
    const from = negationBefore(source, at, true) ?? conditionBefore(source, at) ?? behind?.first
    if (from !== undefined) add({ field: 'suppress', value: 'replied' }, from, Math.max(at + replied.length - 1, behind?.last ?? 0))
    return
  }
  const campaign = CAMPAIGN.longest(words, at)
  if (campaign) {
    readCampaign(source, at, campaign.length, add)
    return
  }
  const told = CONTACT.has(words[at]!) && (windowAfter(source, at, 0) !== undefined || /^(?:yet|before)$/.test(words[at + 1] ?? ''))
  const fresh = UNCONTACTED.longest(words, at)
  const contacted = fresh ?? CONTACTED.longest(words, at) ?? (told ? { length: 1 } : undefined)
  // "Haven't talked to you in a while" is small talk.
  if (!contacted || ADDRESSEES.has(words[at + contacted.length] ?? '') || REPLIED.longest(words, at + contacted.length)) return
  const last = at + contacted.length - 1
  // German puts the time first: "in den letzten 6 Monaten nicht angeschrieben".
  const window = windowAfter(source, last, 4) ?? recent(windowBefore(source, at))
  const said = negationBefore(source, at, words[at - 1] === ':') ?? conditionBefore(source, at)
  const behind = said === undefined ? refusedBehind(source, at, contacted.length) : undefined
  const from = said ?? behind?.first ?? (fresh || window?.isLongAgo ? at : undefined)
  if (from === undefined) return
  // "Acme asked not to be contacted", "no contactar con Acme" speak of Acme.
  if (
    ASKED.has(words[from - 1] ?? '') ||
    ((INFINITIVES.has(words[at]!) || INFINITIVES.has(`${words[at - 1]} ${words[at]}`)) &&
      source.items[last + 1] !== undefined &&
      !AFTERTHOUGHTS.has(words[last + 1]!) &&
      !DAYS_AHEAD.has(words[last + 1]!))
  )
    return
  if (window && window.days >= 1 && window.days <= 3650) {
    const until = Math.max(last, window.last, behind?.last ?? 0)
    add({ field: 'contactedWithinDays', value: window.days }, Math.min(from, window.first), until)
    return
  }
  let until = behind?.last ?? last
  while (AFTERTHOUGHTS.has(words[until + 1] ?? '')) until++
  add({ field: 'suppress', value: 'contacted' }, from, until)
}

/** "If somebody heard from us this quarter, leave them alone", "Quien ya esté en otra campaña, fuera": the refusal comes after the condition. */
function conditionBefore({ words }: Source, at: number): number | undefined {
  let first = at
  while (first > 0 && at - first < 8 && !SENTENCE_ENDS.has(words[first - 1]!)) first--
  if (!CONDITIONS.has(words[first]!)) return undefined
  for (let next = at + 1; next < words.length && next < at + 20 && !SENTENCE_ENDS.has(words[next]!); next++)
    if (REFUSE_THEM.longest(words, next) || ([',', ':'].includes(words[next - 1]!) && refusalAt(words, next))) return first
  return undefined
}
/** "Leute, die wir in den letzten sechs Monaten angeschrieben haben, raus", "people we emailed this year are out": where their clause begins. */
function refusedBehind(source: Source, at: number, length: number): { first: number; last: number } | undefined {
  const { words, items } = source
  let next = at + length
  // A name or a role after the verb is its object: "we've spoken to Acme, leave them out", "we spoke to brokers last year, skip them".
  const isObject = () => namesObject(source, next) || namesRoles(words, next, next + 1)
  const goesOn = () => !SENTENCE_ENDS.has(words[next]!) && !refusalAt(words, next) && !isObject()
  while (next < words.length && next < at + length + 8 && goesOn()) next++
  const refusal = refusalAt(words, next)
  if (!refusal) return undefined
  // "We emailed banks, insurers are out": after the comma others are refused.
  const comma = words.lastIndexOf(',', next)
  if (comma >= at && !words.slice(comma + 1, next).every(word => STOP_WORDS.has(word))) return undefined
  let first = at
  while (first > 0 && at - first < 9 && items[first - 1]!.kind !== 'mark') first--
  return words.slice(first, at).some(word => CONTACTERS.has(word)) ? { first, last: next + refusal.length - 1 } : undefined
}
const refusalAt = (words: readonly string[], at: number) => EXCLUDED.longest(words, at) ?? AT_THE_END.longest(words, at)
const CONTACTERS = wordSet('requirements.txt', 'contacters')
const CONDITIONS = new Set('if when anyone anybody wer wenn falls si cuando quien'.split(' '))
const SENTENCE_ENDS = new Set(['.', '!', '?', '\n', ';'])

/** "no contact in the last 3 months", "whom we did not email during the past two months" */
const CONTACT = new Set('contact contacto kontakt contatto email mail call approach message reach'.split(' '))
const ADDRESSEES = new Set('you dir euch ihnen vous toi ti usted ustedes'.split(' '))
const ASKED = new Set('asked want wants wish wished prefer prefers wollen wollten quieren demande'.split(' '))
const INFINITIVES = new Set(['contactar', 'contacting', 'no contactes'])
const DAYS_AHEAD = new Set([',', '.', ';', '\n', 'en', 'in', 'desde', 'within', 'hace', 'durante', 'during', 'over', 'since', 'for'])

/** "not in another campaign", "anyone who is in one of our active sequences". */
function readCampaign(source: Source, at: number, length: number, add: AddRequirement): void {
  const { words } = source
  let from = at
  while (at - from < 6 && ANOTHER.has(words[from - 1] ?? '')) from--
  const inside = ['in', 'to', 'on', 'into', 'dans', 'en', 'aus', 'bei', 'enrolled', 'part'].includes(words[from - 1] ?? '')
  if (from === at || !(inside || words[from] === 'in')) return
  const negation = negationBefore(source, from, true) ?? conditionBefore(source, at)
  if (negation !== undefined) add({ field: 'suppress', value: 'in_campaign' }, negation, at + length - 1)
}

/** "whom we already have in HubSpot": where they are kept says nothing more. */
function endOfStore(words: readonly string[], last: number): number {
  if (!IN_STORE.has(words[last + 1] ?? '')) return last
  let at = last + 2
  while (at < last + 5 && OURS.has(words[at] ?? '')) at++
  const store = STORE.longest(words, at)
  return store ? at + store.length - 1 : last
}

const namesObject = ({ items, tokens }: Source, at: number): boolean => items[at]?.kind === 'word' && tokens[items[at]!.first]!.capital

const LISTS = new Set(['list', 'lists', 'lista', 'liste'])
const THE = new Set(['the', 'la', 'der'])

/** "not in our CRM", "net new leads only", "no existing customers", "people we already have". */
function readOwned(source: Source, at: number, add: AddRequirement): void {
  const { words } = source
  const duplicates = DUPLICATES.longest(words, at)
  if (duplicates) {
    let last = at + duplicates.length - 1
    while (AFTER_DUPLICATES.has(words[last + 1] ?? '')) last++
    add({ field: 'none' }, negationBefore(source, at) ?? at, last)
    return
  }
  const phrase = OWNED_PHRASES.longest(words, at)
  // "We already have Schneider" names whom the sender has; "people we already have" names them before.
  const isContact = phrase && CONTACTED.longest(words, at + phrase.length)
  if (phrase && !isContact && !namesObject(source, THE.has(words[at + phrase.length]!) ? at + phrase.length + 1 : at + phrase.length)) {
    let last = at + phrase.length - 1
    while (BEHIND_STORE.has(words[last + 1] ?? '')) last++
    last = endOfStore(words, last)
    add({ field: 'suppress', value: 'owned' }, negationBefore(source, at, true) ?? at, last)
    return
  }
  const store = STORE.longest(words, at)
  if (store) {
    let from = at
    while (at - from < 3 && OURS.has(words[from - 1] ?? '')) from--
    const merged = words[from - 1] === 'im' || words[from - 1] === 'ins'
    const already = words.slice(Math.max(0, from - 6), at + 3).some(word => ALREADY.has(word))
    if (!IN_STORE.has(words[from - 1] ?? '') || (from === at && !merged && !already)) return
    // "Acme must not be on the list": the list that is asked for, not one that the sender keeps.
    if (LISTS.has(words[at]!) && from === at - 1 && THE.has(words[from]!)) return
    const negation = negationBefore(source, from - 1, true)
    if (negation === undefined && !already) return
    let last = at + store.length - 1
    while (BEHIND_STORE.has(words[last + 1] ?? '')) last++
    add({ field: 'suppress', value: 'owned' }, negation ?? from - 1, last)
    return
  }
  const fresh = NEW.longest(words, at)
  if (fresh) {
    readFresh(source, at, fresh.length, add)
    return
  }
  const existing = EXISTING.longest(words, at)
  if (!existing) return
  // "existing CRM contacts"
  const noun = at + existing.length + (STORE.longest(words, at + existing.length)?.length ?? 0)
  if (!CUSTOMERS.has(words[noun] ?? '')) return
  // On a line that excludes ("Suppress: existing contacts") the label stays what it is.
  const negation = negationBefore(source, at) ?? (negationBefore(source, at, true) === undefined ? undefined : at)
  const out = EXCLUDED.longest(words, noun + 1) ?? (words[noun + 1] === 'out' ? { length: 1 } : undefined)
  if (negation !== undefined || out)
    add({ field: 'suppress', value: 'owned' }, negation ?? at, noun + (negation === undefined ? out!.length : 0))
}

function readFresh({ words }: Source, at: number, length: number, add: AddRequirement): void {
  let next = at + length
  const leads = LEADS.has(words[next] ?? '')
  if (leads) next++
  const netNew = words[at] === 'net'
  const onlyBehind = ONLY.has(words[next] ?? '')
  // Spanish and French put the adjective after: "solo contactos nuevos".
  let before = LEADS.has(words[at - 1] ?? '') ? at - 2 : at - 1
  const leadsBefore = before === at - 2
  while (at - before < 4 && ['want', 'need', 'the', 'show', 'des', 'de', 'les', 'los'].includes(words[before] ?? '')) before--
  const onlyBefore = ONLY.has(words[before] ?? '')
  if (!netNew && !((leads || leadsBefore) && (onlyBehind || onlyBefore))) return
  add({ field: 'suppress', value: 'owned' }, onlyBefore ? before : at, onlyBehind ? next : next - 1)
}

const LABEL_SIGNS = new Set([':', '='])
/** "per company 50 people" and "per company 8 employees" tell of its size. */
const MOST_BEHIND = 10
const STAFF = new Set(['employee', 'employees'])
const BEHIND_LIMIT = new Set('max maximum tops at most hochstens maximal maximo'.split(' '))

/** "max 2 per company", "one contact per hotel", "nur ein Ansprechpartner pro Firma". */
function readPerCompany(source: Source, at: number, add: AddRequirement): void {
  const { words, items } = source
  const per = words[at] === '/' ? { length: 1 } : PER.longest(words, at)
  if (!per) return
  let noun = at + per.length
  while (PER_EACH.has(words[noun] ?? '') && noun < at + 4) noun++
  const name = words[noun] ?? ''
  const company = COMPANIES.has(name)
  const loose =
    ['per', 'pro', 'je', 'par', 'por'].includes(words[at]!) && items[noun]?.kind === 'word' && name.length > 2 && !PER_MEASURE.has(name)
  // "up to 3 contacts each"
  const alone =
    words[at] === 'each' && (PERSONS.has(words[at - 1] ?? '') || items[at - 1]?.kind === 'quantity') && items[noun]?.kind !== 'word'
  if (!company && !loose && !alone) return
  let first = at - 1
  while (first > 0 && at - first < 5 && items[first]!.kind === 'word' && PERSONS.has(words[first]!) && !ONE.longest(words, first)) first--
  // "Max contacts per company: 2", "pro Firma höchstens zwei (Personen)"
  let behind = noun + 1
  while (behind < noun + 4 && (LABEL_SIGNS.has(words[behind] ?? '') || LIMITS.has(words[behind] ?? ''))) behind++
  const isPeople = PERSONS.has(words[behind + 1] ?? '') && !STAFF.has(words[behind + 1]!)
  const isBare = items[behind]?.quantity?.min === undefined && items[behind + 1]?.kind !== 'word'
  const isFew = (isPeople || isBare) && (items[behind]?.quantity?.max ?? MOST_BEHIND) < MOST_BEHIND
  const labelled = LABEL_SIGNS.has(words[noun + 1] ?? '') || isFew ? items[behind]?.quantity : undefined
  const quantity = labelled ?? items[first]?.quantity
  const one = ONE.longestBefore(words, first + 1, 2)
  if (!quantity && (!one || words[at] === 'a')) return
  const count = quantity ? Math.round(quantity.max ?? quantity.min ?? 1) : 1
  if (count < 1 || count > 100) return
  let from = labelled ? at : quantity ? first : first - one!.length + 1
  while (LIMITS.has(words[from - 1] ?? '') || (labelled && PERSONS.has(words[from - 1] ?? ''))) from--
  let last = alone ? at : labelled ? behind + Number(isFew && isPeople) : noun
  while (BEHIND_LIMIT.has(words[last + 1] ?? '')) last++
  add({ field: 'maxPerCompany', value: count }, from, last)
}
