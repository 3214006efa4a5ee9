import type { Source } from '../model.ts'
import { Phrases, phraseSet, wordRows, wordSet } from '../vocabulary/word-files.ts'
import { AT_THE_END, EXCLUDED, NOT, RELATIVES_BEFORE_A_REFUSAL, SPLIT_VERBS } from '../vocabulary/word-lists.ts'

/** Refusals after what they refuse that are put together from parts: the rows of parts are in words/refusals.txt. */

interface Part {
  phrases: Phrases
  /** Up to so many words of it, or none. */
  most?: number
}
const MOST_BETWEEN = 4
const ANY = new Phrases(new Map())

interface Pattern {
  kind: string
  parts: readonly Part[]
}
/** The patterns that may begin with a word, by what they say. */
const PATTERNS = new Map<string, Map<string, Pattern[]>>()
const sections = new Map<string, Phrases>()

for (const [kind, names] of wordRows('refusals.txt', 'patterns')) {
  const parts = names.map(partOf)
  const said = kind === 'none' ? 'excluded' : kind
  const byFirst = PATTERNS.get(said) ?? new Map<string, Pattern[]>()
  PATTERNS.set(said, byFirst)
  for (const word of parts[0]!.phrases.firsts()) byFirst.set(word, [...(byFirst.get(word) ?? []), { kind, parts }])
}

function partOf(name: string): Part {
  const any = /^any (\d)$/.exec(name)
  if (any) return { phrases: ANY, most: Number(any[1]) }
  const section = name.replace('…', '')
  const phrases = sections.get(section) ?? phraseSet('refusals.txt', section)
  sections.set(section, phrases)
  return section === name ? { phrases } : { phrases, most: MOST_BETWEEN }
}

/** The end of the row of parts that begins at a position; 0 if there is none. */
function match(parts: readonly Part[], words: readonly string[], at: number, end: number, from = 0): number {
  const part = parts[from]
  if (!part) return at
  if (part.most === undefined) {
    const found = part.phrases.longest(words, at, end)
    return found ? match(parts, words, at + found.length, end, from + 1) : 0
  }
  let to = at
  while (to < end && to < at + part.most && (part.phrases === ANY ? /\w/.test(words[to]!) : part.phrases.has(words[to]!))) to++
  // The words between may be a part of what follows: "a exclure".
  for (; to >= at; to--) {
    const last = match(parts, words, to, end, from + 1)
    if (last > 0) return last
  }
  return 0
}

function lengthOf(kind: string, words: readonly string[], at: number, end: number): number {
  for (const pattern of PATTERNS.get(kind)!.get(words[at] ?? '') ?? []) {
    const to = match(pattern.parts, words, at, end)
    if (to > 0) return pattern.kind === 'none' ? 0 : to - at
  }
  return 0
}

export const compoundRefusal = (words: readonly string[], at: number, end = words.length): number => lengthOf('excluded', words, at, end)

/** How many words say that a refusal is denied: what it speaks of is kept. */
export const deniedRefusalAt = (words: readonly string[], at: number, end = words.length): number => lengthOf('kept', words, at, end)

/** How many words from here on say that what comes before them is refused; 0 where they do not. */
export const refusalAt = (words: readonly string[], at: number, end = words.length): number =>
  deniedRefusalAt(words, at, end) > 0 || isPurpose(words, at)
    ? 0
    : Math.max(EXCLUDED.longest(words, at, end)?.length ?? 0, compoundRefusal(words, at, end))

/** The end of the refusal right after a position: "… are out", "… bitte weglassen"; 0 if there is none. */
export function endOfRefusal(words: readonly string[], from: number): number {
  let at = from
  while (at < from + 3 && (BETWEEN.has(words[at] ?? '') || IS.has(words[at] ?? '') || words[at] === 'please')) at++
  const length = Math.max(refusalAt(words, at), NOT.longest(words, at)?.length ?? 0, AT_THE_END.longest(words, at)?.length ?? 0)
  return length > 0 ? at + length : 0
}
const BETWEEN = wordSet('refusals.txt', 'between')

/** How many items say that another person looks after what comes before them: "Hilton belongs to Pedro's team". */
export function delegatedLength({ words, items, tokens }: Source, at: number): number {
  if (!PATTERNS.get('handed')!.has(words[at] ?? '')) return 0
  let end = at
  while (end < at + 8 && items[end]?.kind === 'word') end++
  // "Portugal is the open territory"
  if (words.slice(at, end).some(word => UNCLAIMED.has(word))) return 0
  const said = end - at < 2 ? 0 : lengthOf('handed', words, at, end)
  if (said > 0 || end - at !== 3) return said
  // "Paris is with Jean", "Vienna is Anna's"
  const isName = (item: number) => tokens[items[item]!.first]!.capital
  const isHers = IS.has(words[at]!) && words[at + 2] === 's' && isName(at + 1)
  return isHers || (HANDED.has(`${words[at]} ${words[at + 1]}`) && !words[at]!.startsWith('belong') && isName(at + 2)) ? 3 : 0
}
const IS = wordSet('refusals.txt', 'is')
const UNCLAIMED = wordSet('refusals.txt', 'unclaimed')
const HANDED = wordSet('refusals.txt', 'handed over')

/** "such mir Banken raus": what is fetched is wanted, and "raus" belongs to the verb. */
export function fetches({ words, items }: Source, at: number): boolean {
  for (let back = at - 1; back >= 0 && at - back < LONGEST_CLAUSE && (items[back]!.kind === 'word' || words[back] === ','); back--)
    if (FETCHING.has(words[back]!)) return true
  return false
}
export const FETCHED = /^(?:bitte )?(?:he)?raus$/
const FETCHING = wordSet('refusals.txt', 'fetching')
const LONGEST_CLAUSE = 20

/** "um Engpässe zu vermeiden" says what for. */
export const isPurpose = (words: readonly string[], at: number): boolean =>
  (words[at] === 'zu' || words[at - 1] === 'zu') && words.slice(Math.max(0, at - 10), at).includes('um')

const FORGETTING = wordSet('negation.txt', 'forgetting')
/** These need the second part of their verb: "nehmt Banken nicht" refuses. */
const SPLIT = wordSet('refusals.txt', 'split commands')
const BEFORE_VERB = wordSet('refusals.txt', 'before a german command')
const BEHIND_VERB = wordSet('refusals.txt', 'behind a german command')

/**
 * German commands that refuse, and that a "nicht" at the end of their clause denies: "Vergessen Sie Banken nicht", "Lasst Wien nicht
 * weg". They ask for what they name. How many words of one stand here: its verb, or its "nicht" with what follows it.
 */
export function deniedCommand({ words, items }: Source, at: number): number {
  if (words[at] !== 'nicht' && !FORGETTING.has(words[at]!) && !SPLIT.has(words[at]!)) return 0
  let [verb, end] = [at, at]
  while (verb > 0 && at - verb < LONGEST_CLAUSE && items[verb - 1]!.kind !== 'mark') verb--
  while (BEFORE_VERB.has(words[verb]!)) verb++
  while (end < items.length && end - at < LONGEST_CLAUSE && items[end]!.kind !== 'mark') end++
  const denial = words[end - 1] === 'nicht' ? end - 1 : end - 2
  const isCommand = denial === end - 1 ? FORGETTING.has(words[verb]!) : SPLIT.has(words[verb]!) && FETCHED_WITH.has(words[end - 1]!)
  if (words[denial] !== 'nicht' || !isCommand || verb >= denial) return 0
  let object = verb + 1
  while (BEHIND_VERB.has(words[object]!)) object++
  // "Vergessen wir nicht": nothing is named.
  if (at === verb) return object < denial ? object - verb : 0
  return at === denial ? end - denial : 0
}
const FETCHED_WITH = wordSet('refusals.txt', 'fetched with')

/** "Drop me a list", "filter by": a verb that gives, or that has another meaning with this word. */
export const HANDS_OVER = new Set('me us moi nous mir uns it mit nach auf'.split(' '))

/** Whether the verb of a second part is missing: "nehmt A aus" and "lehnt A ab" refuse, "sucht A aus" and "ab sofort" do not. */
export function lacksVerb({ words, items }: Source, phrase: string, at: number): boolean {
  if (!SECOND_PARTS.has(phrase)) return false
  for (let back = at - 1; back >= 0 && at - back < FARTHEST_VERB && (items[back]!.kind === 'word' || words[back] === ','); back--)
    if (SPLIT_VERBS.has(words[back]!)) return HANDS_OVER.has(words[back + 1]!) || RELATIVES_BEFORE_A_REFUSAL.has(words[back - 1] ?? '')
  return true
}
const SECOND_PARTS = wordSet('refusals.txt', 'second parts')
const FARTHEST_VERB = 30
