import type { AddRequirement, Source } from '../model.ts'
import { endOfRefusal } from '../segments/compound-refusals.ts'
import { phraseSet, wordSet } from '../vocabulary/word-files.ts'
import { EXCEPT, LEADS, NEGATES_NOTHING, ONLY, STOP_WORDS } from '../vocabulary/word-lists.ts'
import { negationBefore } from './requirement-negation.ts'

/** Wishes about addresses: verified ones, work ones, none at free providers, any at all. */

const list = (name: string) => phraseSet('requirements.txt', name)
const MAIL = list('mail')
const TRADES = wordSet('requirements.txt', 'mail trades')
const VERIFIED = wordSet('requirements.txt', 'verified')
const VERIFIED_ONES = list('verified')
const WORK = list('work')
const PRIVATE = list('private')
const PRIVATE_ALONE = list('private alone')
const SHARED = list('shared')
const SHARED_ALONE = list('shared alone')
const UNVERIFIED = list('unverified')
const CATCH_ALL = list('catch all')
const HAVING = list('having mail')
const NEEDED = list('mail needed')
const ANSWERS = list('mail answers')
const JOINS = wordSet('requirements.txt', 'joins')
/** Adjectives stand no further from their noun than this. */
const REACH = 6

export function readEmailRequirements(source: Source, consumed: Uint8Array, add: AddRequirement): void {
  const { words, items } = source
  for (let at = 0; at < words.length; at++) {
    if (items[at]!.kind === 'mark' || consumed[at]) continue
    const mail = MAIL.longest(words, at)
    if (mail && !TRADES.has(words[at + mail.length] ?? '')) readMail(source, at, at + mail.length - 1, consumed, add)
    else if (VERIFIED.has(words[at]!)) readVerifiedAlone(source, at, add)
    else readPrivateAlone(source, at, add)
  }
}

/** "verified only", "only verified contacts": mail is what can be verified. */
function readVerifiedAlone({ words }: Source, at: number, add: AddRequirement): void {
  const next = words[at + 1] ?? ''
  if (MAIL.longest(words, at + 1)) return
  const before = ONLY.has(words[at - 1] ?? '') ? 1 : 0
  if (LEADS.has(next) || next === 'data' || next === 'profiles') add({ field: 'emailStatus', value: 'verified' }, at - before, at + 1)
  else if (before === 1 || next === 'only') add({ field: 'emailStatus', value: 'verified' }, at - before, next === 'only' ? at + 1 : at)
}

/** "no gmail/hotmail", "no catch-alls": providers need no word for mail. */
function readPrivateAlone(source: Source, at: number, add: AddRequirement): void {
  const { words } = source
  const isShared = SHARED_ALONE.longest(words, at) !== undefined
  const alone = isShared ? SHARED_ALONE : PRIVATE_ALONE
  const found = alone.longest(words, at)
  if (!found || MAIL.longest(words, at + found.length)) return
  let last = at + found.length - 1
  for (let next = last + 1; next < words.length && next <= last + 2; next++) {
    const more = alone.longest(words, next)
    if (more) {
      last = next + more.length - 1
      next = last
      if (MAIL.longest(words, last + 1)) return
    } else if (!JOINS.has(words[next]!)) break
  }
  const from = negationBefore(source, at)
  const behind = from === undefined ? endOfRefusal(words, last + 1) : 0
  if (from === undefined && behind === 0) return
  for (const value of isShared ? (['work', 'personal'] as const) : (['work'] as const))
    add({ field: 'emailTypes', value }, from ?? at, behind > 0 ? behind - 1 : last)
}

function readMail(source: Source, first: number, last: number, consumed: Uint8Array, add: AddRequirement): void {
  const { words, items } = source
  const said = { verified: false, unverified: false, work: false, private: false, shared: false, catchAll: false }
  let from = first
  let to = last
  const look = (at: number, step: -1 | 1): number => {
    const phrase = (phrases: { longest: typeof WORK.longest; longestBefore: typeof WORK.longestBefore }) =>
      (step > 0 ? phrases.longest(words, at) : phrases.longestBefore(words, at + 1, 2))?.length ?? 0
    for (const [name, phrases] of [
      ['unverified', UNVERIFIED],
      ['verified', VERIFIED_ONES],
      ['catchAll', CATCH_ALL],
      ['work', WORK],
      ['shared', SHARED],
      ['private', PRIVATE],
    ] as const) {
      const length = phrase(phrases)
      if (length === 0) continue
      said[name] = true
      return length
    }
    return 0
  }
  for (let at = first - 1; at >= 0 && first - at <= REACH && !consumed[at]; ) {
    const length = look(at, -1)
    if (length > 0) {
      from = at - length + 1
      at -= length
    } else if (JOINS.has(words[at]!) && items[at]!.kind !== 'quantity' && words[at] !== 'no') at--
    else break
  }
  for (let at = last + 1; at < words.length && at - last <= REACH && !consumed[at]; ) {
    const length = look(at, 1)
    if (length > 0) {
      to = at + length - 1
      at += length
    } else if (JOINS.has(words[at]!) && items[at]!.kind === 'word' && words[at] !== 'no') at++
    // "work emails only, verified": the second wish comes after the comma.
    else if ([',', ':', '='].includes(words[at]!) && VERIFIED.has(words[at + 1] ?? '')) at++
    // "Emails: business only"
    else if ([':', '='].includes(words[at]!) && (WORK.longest(words, at + 1) ?? SHARED.longest(words, at + 1))) at++
    else break
  }
  const before = negationBefore(source, from)
  const negation = before !== undefined && from - before <= 4 ? before : undefined
  const start = ONLY.has(words[from - 1] ?? '') ? from - 1 : from
  while (['only', 'please', 'bitte', 'nur', 'solo', 'uniquement', 'seulement'].includes(words[to + 1] ?? '')) to++
  // "Gmail addresses are useless to me"
  const behind = negation === undefined && !NEGATES_NOTHING.longest(words, to + 1) ? endOfRefusal(words, to + 1) : 0
  const refused = behind > 0 ? from : negation
  if (behind > 0) to = behind - 1
  if (refused !== undefined && (said.private || said.shared)) {
    add({ field: 'emailTypes', value: 'work' }, refused, to)
    if (said.shared && !said.private) add({ field: 'emailTypes', value: 'personal' }, refused, to)
    return
  }
  if (refused !== undefined && (said.catchAll || said.unverified)) {
    add({ field: 'emailStatus', value: 'verified' }, refused, to)
    return
  }
  if (said.verified || said.catchAll) add({ field: 'emailStatus', value: 'verified' }, start, to)
  if (said.catchAll) add({ field: 'emailStatus', value: 'accept_all' }, start, to)
  if (said.work) add({ field: 'emailTypes', value: 'work' }, start, to)
  if (said.private) add({ field: 'emailTypes', value: 'personal' }, start, to)
  if (said.shared) add({ field: 'emailTypes', value: 'role' }, start, to)
  // "with an address in Berlin": without a word for mail it is a street.
  if (Object.values(said).some(Boolean) || words[first] === 'address') return
  readBareMail(source, first, last, negation, add)
}

/** "with an email", "email required", "without email": any address, or none. */
function readBareMail({ words, items }: Source, first: number, last: number, negation: number | undefined, add: AddRequirement): void {
  const answer = words[last + 1] === ':' ? last + 2 : last + 1
  const found = NEEDED.longest(words, answer) ?? (answer > last + 1 ? ANSWERS.longest(words, answer) : undefined)
  const needed = found && { length: found.length + answer - last - 1 }
  const having = HAVING.longestBefore(words, first, 4)
  // "no long emails" speaks of the mail that is sent.
  const isBare = negation !== undefined && words.slice(negation + 1, first).every(word => STOP_WORDS.has(word))
  // "do not email juniors" refuses whom it names.
  if (isBare && EXCEPT.longestBefore(words, last + 1) && items[last + 1]?.kind === 'word' && !STOP_WORDS.has(words[last + 1]!)) return
  if (isBare && first - negation <= 2 && !having) {
    add({ field: 'emailStatus', value: 'missing' }, negation, last)
    return
  }
  if (!needed && !having) return
  const from = first - (having?.length ?? 0)
  const to = last + (needed?.length ?? 0)
  for (const value of ['verified', 'accept_all', 'unverified'] as const) add({ field: 'emailStatus', value }, from, to)
}
