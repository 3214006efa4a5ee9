import type { FilterDocument } from '../../lead-terms/src/index.ts'
import { account } from './assembly/accounting.ts'
import { assemble, type Explanation, type Quotes } from './assembly/assembly.ts'
import { readChunks } from './mentions/chunks.ts'
import { readCompanyAttributes } from './mentions/company-attributes.ts'
import { findCompanyNames } from './mentions/company-names.ts'
import { readEmployers } from './mentions/employers.ts'
import { readKeywords } from './mentions/keywords.ts'
import { type Measure, readMeasures } from './mentions/measures.ts'
import { readItems } from './mentions/numbers.ts'
import { type Radius, readPlaces } from './mentions/places.ts'
import { readRequirements } from './mentions/requirements.ts'
import { readRoles } from './mentions/roles.ts'
import { type Chunk, type Mention, type NameSpan, REFUSED, type Segments, type Source, type Token } from './model.ts'
import { applyCorrections } from './negation/corrections.ts'
import { applyNegation } from './negation/negation.ts'
import { dropWithdrawnFields, readWithdrawnFields } from './segments/retractions.ts'
import { readSegments, type SenderMode } from './segments/segments.ts'
import { asksFor, startOfCustomers, startOfPeople } from './segments/sender-offer.ts'
import { audiencesOf, type Layout, readLayout } from './segments/sentences.ts'
import { cleanBrief } from './text/clean.ts'
import { correctSpelling, isInnerStop } from './text/spelling.ts'
import { tokenize } from './text/tokens.ts'
import { translateSmallWords } from './text/translations.ts'
import { entryOf, longestEntry } from './vocabulary/lexicon.ts'
import { wordSet } from './vocabulary/word-files.ts'
import { CONJUNCTIONS, REFUSE_THEM, SENDER } from './vocabulary/word-lists.ts'

export interface BriefReading {
  filters: FilterDocument
  explanations: Explanation[]
  /** Words of the brief that asked for something we could not read. */
  unmatched: string[]
  /** Words that were understood to ask for nothing: about the sender, a greeting, something canceled. */
  context: string[]
}

interface ReadOptions {
  /** The year it is, for "founded in the last five years"; without it such a wish is reported as unmatched. */
  year?: number
}

/**
 * A brief in everyday words to a filter document. Offline, deterministic, and every value says where it came from.
 * The stages: text, segments (whose words), mentions (what is named), negation (what is excluded), assembly with accounting.
 */
export function readBrief(brief: string, options: ReadOptions = {}): BriefReading {
  const source = readSource(brief)
  const reading = readOnce(source, options, 'sender')
  const wanted = reading.explanations.filter(({ field }) => !field.endsWith('exclude'))
  const isSilent = wanted.length > 0 && reading.context.length === 0 && !SENDER.isWithin(source.words, 0, source.words.length)
  if (isSilent || wanted.some(({ field }) => PEOPLE_FIELDS.has(field))) return reading
  // "We would like to get rid of recruiters": people who are refused are never read a second time.
  if (reading.explanations.some(({ field }) => REFUSED_PEOPLE.has(field))) return reading
  const { words } = source
  const { bounds } = readLayout(source, new Uint8Array(source.items.length))
  const hasSentence = (find: typeof startOfCustomers) => bounds.some(([first, end]) => find(words, first, end) !== undefined)
  // If no one is asked for, the people in the sender's own sentences are the wish, unless they are his.
  const named = hasSentence(startOfPeople) ? readOnce(source, options, 'all but people') : reading
  if (wanted.length > 0 || named.explanations.some(({ field }) => PEOPLE_FIELDS.has(field))) return named
  // A brief that tells whom he serves, and nothing else, asks for those.
  const refuses = reading.explanations.length > 0 || REFUSE_THEM.isWithin(words, 0, words.length)
  return !refuses && hasSentence(startOfCustomers) ? readOnce(source, options, 'those he serves') : reading
}
const REFUSED_PEOPLE = new Set(['jobTitles.exclude', 'seniorities.exclude', 'departments.exclude'])
const PEOPLE_FIELDS = new Set(['jobTitles.include', 'seniorities.include', 'departments.include'])

function readOnce(source: Source, options: ReadOptions, senderMode: SenderMode): BriefReading {
  const consumed = new Uint8Array(source.items.length)
  const requirements = readRequirements(source, consumed).filter(
    requirement => requirement.field !== 'founded' || options.year !== undefined,
  )
  const layout = readLayout(source, consumed)
  const segments = readSegments(source, layout, consumed, senderMode)
  const withdrawn = readWithdrawnFields(source, layout).filter(({ first }) => segments.of[first] !== 'machine')
  for (const { first, last } of withdrawn) segments.of.fill('past', first, last + 1)
  const names = findCompanyNames(source, layout, segments, consumed)
  keepNamesOnly(segments, layout, source.words, names)
  const measures = readMeasures(source, layout, segments, consumed)
  const chunks = readChunks(source, layout, segments, names, consumed)
  const mentions = readMentions(source, chunks, measures)

  applyNegation(chunks, mentions)
  const start = applyCorrections(chunks, mentions)
  // "…, verified emails. Scrap that. CMOs in Bari": wishes are canceled with the rest.
  for (const requirement of requirements) if (requirement.last < (chunks[start]?.first ?? 0)) Object.assign(requirement, { field: 'none' })
  dropWithdrawnFields(withdrawn, chunks, mentions, requirements)

  const quotes = quotesOf(source, chunks)
  const { filters, explanations } = assemble(chunks, mentions, requirements, quotes, options.year)
  const irrelevant = isIrrelevant(source, chunks, mentions, Object.keys(filters))
  const accounted = account(source, chunks, irrelevant ? [] : mentions, irrelevant ? [] : requirements, segments, quotes.ofItems)
  if (source.rest !== '')
    accounted.unmatched.push(source.rest.length > LONGEST_QUOTE ? `${source.rest.slice(0, LONGEST_QUOTE)} …` : source.rest)
  if (irrelevant) return { filters: {}, explanations: [], ...accounted }
  return { filters, explanations, ...accounted }
}

function readSource(brief: string): Source {
  const text = cleanBrief(brief)
  const pieces = tokenize(text, MOST_PIECES)
  const rest = pieces.length < MOST_PIECES ? '' : text.slice(pieces.at(-1)!.end).trim()
  const written = pieces.filter((token, at, all) => !isPluralOf(token, all[at - 1]) && !isInnerStop(at, all))
  const tokens = translateSmallWords(written)
  if (tokens === written) correctSpelling(tokens)
  const items = readItems(tokens)
  const words = items.map(item => item.word)
  return {
    text,
    tokens,
    items,
    words,
    distinct: new Set(words),
    firstAsked: words.findIndex(asksFor),
    nextAudience: audiencesOf(words),
    rest,
  }
}
/** Half as many again as the longest prose that the API accepts has words and signs. The limit bounds the time. */
const MOST_PIECES = 2400
const LONGEST_QUOTE = 200

/** "CMO's", "VP's": after a role the letter says that several are meant. */
function isPluralOf({ word, glue }: Token, before: Token | undefined): boolean {
  if (word !== 's' || (glue !== "'" && glue !== '’') || before?.kind !== 'word') return false
  const entry = entryOf(before.word)
  return before.word.length <= 5 && (before.allCaps || entry?.title !== undefined || entry?.level !== undefined)
}

/**
 * If the sender speaks of companies only to refuse them, only their names are read. If he names none ("we had trouble with
 * banks, so skip them"), what comes after his last preposition is refused.
 */
function keepNamesOnly({ of, namesOnly }: Segments, { labels }: Layout, words: readonly string[], names: readonly NameSpan[]): void {
  for (let start = 0, end = 0; start < of.length; start = end) {
    end = start + 1
    if (!namesOnly[start]) continue
    while (namesOnly[end]) end++
    const named = names.filter(({ first }) => first >= start && first < end)
    let from = named.length > 0 || namesOnly[start] !== REFUSED ? end : end - 1
    while (from > start && from < end && !BEFORE_NOUNS.has(words[from - 1]!)) from--
    // "museums already know us, so skip them": without a preposition, whom the clause begins with.
    let to = from === start ? endOfSubject(words, start, end) : from
    while (from > start && to < end && !IN.has(words[to]!)) to++
    if (from < to) labels.fill('exclude', from, to)
    for (let at = start; at < end; at++)
      if (at >= from && at < to && of[at] === 'sender') of[at] = 'wish'
      else if (of[at] === 'wish' && (at < from || at >= to) && !named.some(({ first, last }) => first <= at && at <= last))
        of[at] = 'sender'
  }
}
function endOfSubject(words: readonly string[], start: number, end: number): number {
  if (start === end) return end
  const { length, entry } = longestEntry(words, start, end) ?? { length: 1 }
  const isNamed = entry?.industry || entry?.title || asksFor(words[start]!) || CONJUNCTIONS.has(words[start]!)
  return isNamed ? endOfSubject(words, start + length, end) : start
}
const BEFORE_NOUNS = wordSet('segments.txt', 'before those he refuses')
const IN = wordSet('negation.txt', 'in places')

function readMentions(source: Source, chunks: readonly Chunk[], measures: readonly Measure[]): Mention[] {
  const { items, tokens, text } = source
  const sliceOf = (chunk: Chunk) =>
    text.slice(tokens[items[chunk.first]!.first]!.start, tokens[items[chunk.last]!.last]!.end).replace(/\s+/g, ' ').trim()
  const chunkOfItem = new Int32Array(items.length)
  for (const [index, chunk] of chunks.entries()) chunkOfItem.fill(index, chunk.first, chunk.last + 1)
  const people = readRoles(chunks)
  const things = readCompanyAttributes(chunks, people, sliceOf)
  const employers = readEmployers(chunks, people, sliceOf)
  const topics = readKeywords(chunks, isEnglish(source.words))
  const radii = measures.flatMap(({ item, first, last, radiusKm }): Radius[] =>
    radiusKm === undefined ? [] : [{ chunk: chunkOfItem[item]!, km: radiusKm, said: { first, last } }],
  )
  const places = readPlaces(chunks, radii)
  const ranges = measures.flatMap(({ range, first, last }): Mention[] =>
    range
      ? [{ kind: range.field, value: `${range.min ?? ''}-${range.max ?? ''}`, range, first: chunkOfItem[first]!, last: chunkOfItem[last]! }]
      : [],
  )
  return [...people, ...things, ...employers, ...topics, ...places, ...ranges].sort((a, b) => a.first - b.first)
}

const ENGLISH = new Set('the in of and or at with industry title titles role country location employees'.split(' '))
const isEnglish = (words: readonly string[]): boolean =>
  words.some(word => ENGLISH.has(word)) && !words.some(word => word === 'und' || word === 'der')

function quotesOf({ text, tokens, items }: Source, chunks: readonly Chunk[]): Quotes {
  const ofItems = (first: number, last: number) =>
    text.slice(tokens[items[first]!.first]!.start, tokens[items[last]!.last]!.end).replace(/\s+/g, ' ').trim()
  return { ofItems, ofChunks: (first, last) => ofItems(chunks[first]!.first, chunks[last]!.last) }
}

const WEAK_FIELDS = new Set(['locations', 'companyLocations', 'founded', 'fundedWithinMonths', 'keywords'])
const QUESTION =
  /^(?:what|how|why|when|who is|where is|can you|could you|do you|was|wie|warum|wann|comment|pourquoi|quand|quel|que|como|por que|cuando)\b/i

/** A text that only happens to name a place, or an everyday word, asks for no one. */
function isIrrelevant({ text }: Source, chunks: readonly Chunk[], mentions: readonly Mention[], fields: readonly string[]): boolean {
  if (fields.length === 0) return true
  const speaksOfCompanies = chunks.some(chunk => chunk.companyNoun || chunk.peopleNoun || chunk.word === 'leads')
  const words = chunks.filter(chunk => chunk.kind === 'word' || chunk.kind === 'place')
  const idle = words.filter(chunk => chunk.kind === 'word' && !chunk.used && !chunk.companyNoun && !chunk.peopleNoun)
  if (fields.every(field => WEAK_FIELDS.has(field)) && idle.length >= 4 && idle.length * 2 > words.length && !speaksOfCompanies) return true
  const trimmed = text.trim()
  return trimmed.endsWith('?') && QUESTION.test(trimmed) && mentions.every(mention => mention.kind === 'place')
}

/** The brief without markup and without what is said to the machine: the only text a value may be quoted from. */
export function quotableText(brief: string): string {
  const source = readSource(brief)
  const none = new Uint8Array(source.items.length)
  const segments = readSegments(source, readLayout(source, none), none)
  let quotable = ''
  let position = 0
  for (const [at, item] of source.items.entries()) {
    const end = source.tokens[item.last]!.end
    quotable += segments.of[at] === 'machine' ? '\n' : source.text.slice(Math.max(position, source.tokens[item.first]!.start - 1), end)
    position = end
  }
  return quotable
}

/** Loads the vocabulary and the places, and lets the compiler see the common paths: the first brief then costs no more than the next. */
export function warmUp(): void {
  for (const brief of WARM_UP) readBrief(brief)
}

const WARM_UP = [
  'Heads of marketing at SaaS companies in Berlin and Vienna, 50-200 employees, no agencies, verified emails, not contacted in the last 3 months',
  'Geschäftsführer im Maschinenbau in Bayern, ab 50 Mitarbeiter, keine Konzerne',
  'Directeurs financiers à Lyon, entreprises de plus de 100 salariés, sauf banques',
  'dueños de restaurantes en Madrid, no wait, Valencia; acounting mangers',
]
