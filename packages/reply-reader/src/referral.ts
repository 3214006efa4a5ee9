import { sentencesOf } from './clauses.ts'
import { startOfDay } from './days.ts'
import { normalizeText } from './normalize.ts'
import { type PhraseSet, readPhraseSets } from './phrases.ts'
import { datedSentences, isoDay } from './return-date.ts'

/** A reply that names a later day or another person instead of a yes or no. */

export interface Referral {
  email: string
  name: string | null
}

const people = readPhraseSets('people.txt')
const machine = readPhraseSets('machine.txt')
const speaksOf = (ideas: PhraseSet[], sentence: string): boolean =>
  sentencesOf(sentence).some(({ text }) => ideas.some(idea => idea.test(text)))

/** The last day in a sentence about later, or in a sentence that it refers to, as YYYY-MM-DD. */
export function findDeferral(text: string, writtenAt: Date): string | null {
  const today = startOfDay(writtenAt)
  const later = [people('later'), people('not now'), people('that day')]
  let found: number | null = null
  let last: number | null = null
  for (const { sentence, days } of datedSentences(text, writtenAt)) {
    const day = days.findLast(named => named.day > today)?.day
    if (day === undefined) continue
    last = day
    // "We signed with another vendor in December" names a past day, not one to write again on.
    const isOfSomeTime = () => speaksOf([people('some time')], sentence) && !speaksOf([people('done')], sentence)
    if (speaksOf(later, sentence) || isOfSomeTime()) found = day
  }
  // "She starts on 1 April. Write to me then."
  if (found === null && last !== null && speaksOf([people('then')], normalizeText(text))) found = last
  return found === null ? null : isoDay(found)
}

const ADDRESS = /[^\s@<>()[\]",;:]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/gi
const CAPITALISED = String.raw`\p{Lu}[\p{Ll}'-]+(?:-\p{Lu}\p{Ll}+)?`
const TITLED = new RegExp(
  String.raw`(?:(?:Herrn?|Frau|Mr\.?|Mrs\.?|Ms\.?|Mme|M\.|Monsieur|Madame|Sr\.?|Sra\.?|Don|Doña)\s)?${CAPITALISED}(?:\s${CAPITALISED}){0,2}`,
  'gu',
)
const MAX_NAME_DISTANCE_CHARS = 60
const MAX_REFERRALS_READ = 20

/** The person to contact instead of the writer: the first address that is not theirs, and the name before or after it. */
export function findReferral(text: string, writer: string | null): Referral | null {
  const elsewhere = [people('somebody else'), machine('left'), machine('mailbox'), machine('urgent')]
  if (!speaksOf(elsewhere, normalizeText(text))) return null
  let read = 0
  for (const match of text.matchAll(ADDRESS)) {
    if (read++ === MAX_REFERRALS_READ) break
    const email = match[0].replace(/\.$/, '').toLowerCase()
    if (email === writer?.toLowerCase()) continue
    return { email, name: nameNear(text, match.index, match.index + match[0].length) }
  }
  return null
}

/** A capitalized name next to an address. "Please" is capitalized too, but only at the start of a sentence. */
function nameNear(text: string, from: number, to: number): string | null {
  const before = text.slice(Math.max(0, from - MAX_NAME_DISTANCE_CHARS), from)
  const line = before.slice(Math.max(before.lastIndexOf('\n'), before.search(/[.!?]\s(?!.*[.!?]\s)/)) + 1)
  const named = [...line.matchAll(TITLED)].filter(match => /\p{L}/u.test(line.slice(0, match.index)) || match[0].includes(' ')).at(-1)?.[0]
  const behind = /^\)?\s*\(([^()\n]{2,60})\)/.exec(text.slice(to, to + MAX_NAME_DISTANCE_CHARS))?.[1]
  return named ?? (behind && /^\p{Lu}/u.test(behind) ? behind : null)
}
