import type { Source } from '../model.ts'
import { LABELS, labelOf } from '../vocabulary/form-labels.ts'
import { isPlaceWord } from '../vocabulary/place-words.ts'
import { wordSet } from '../vocabulary/word-files.ts'
import { IDLE_ADJECTIVES, NEGATES_NOTHING, NOT, REQUESTS, TAKES_ALL_BACK } from '../vocabulary/word-lists.ts'
import { AUDIENCE_ALONE, namesRoles } from './sender-offer.ts'

/** How the brief is laid out: its sentences, and the labels of lines that are written as a form. */
export interface Layout {
  /** The sentence an item belongs to. */
  sentence: Int32Array
  /** First and last item (exclusive) of each sentence. */
  bounds: [start: number, end: number][]
  /** The label a line began with ("Countries:"), by item. */
  labels: (string | undefined)[]
  /** The items of the labels themselves. */
  isLabel: Uint8Array
}

export const MONTHS = wordSet('segments.txt', 'months')
const ABBREVIATIONS = wordSet('small.txt', 'abbreviations')
const ENDS = new Set(['.', '!', '?', '\n', '¿', '¡', '•'])
const LONGEST_LABEL = 5

export function readLayout(source: Source, consumed: Uint8Array): Layout {
  const { words } = source
  const layout: Layout = {
    sentence: new Int32Array(words.length),
    bounds: [],
    labels: new Array(words.length).fill(undefined),
    isLabel: new Uint8Array(words.length),
  }
  let start = 0
  for (let at = 0; at <= words.length; at++) {
    if (at < words.length && !endsSentence(source, at)) continue
    readLabels(source, start, at, layout, consumed)
    layout.sentence.fill(layout.bounds.length, start, Math.min(at + 1, words.length))
    layout.bounds.push([start, at])
    start = at + 1
  }
  readHeadings(source, layout)
  return layout
}

/** A line that is nothing but a label ("Not", "Companies:") speaks of the lines of the list below it. */
function readHeadings(source: Source, layout: Layout): void {
  const { words, items } = source
  let label: string | undefined
  let bullet: string | undefined
  let colon = false
  for (const [start, end] of layout.bounds) {
    let first = start
    while (first < end && (words[first] === '*' || words[first] === '>')) first++
    const last = words[end - 1] === ':' ? end - 1 : end
    // "Wen nicht? Acme.": a question may be a label too.
    const own = ownLabel(source, first, last) === 'note'
    const named = own ? 'note' : words[end] === '\n' || words[end] === '?' ? labelOf(words.slice(first, last)) : undefined
    const heads = own || (named !== undefined && named !== 'note')
    if (heads) {
      layout.isLabel.fill(1, first, end)
      layout.labels.fill(undefined, first, end)
      label = named
      colon = last < end && !own
      bullet = undefined
      continue
    }
    if (label === undefined || first >= end) continue
    // The list ends where its bullets do; without bullets it is the next line, and after a colon all short lines.
    // "•" ends the sentence before it.
    const mark = items[first]!.kind === 'mark' ? words[first]! : words[start - 1] === '•' ? '•' : undefined
    const isFirst = bullet === undefined
    bullet ??= mark ?? ''
    const goesOn = mark === undefined ? colon && bullet === '' && end - first <= SHORT_LINE : mark === bullet
    if (!isFirst && !goesOn) label = undefined
    else if (label !== 'any') for (let at = first; at < end; at++) layout.labels[at] ??= label
  }
}

/** An entry of a list without bullets has no more items than this. */
const SHORT_LINE = 5

/** "am 4. Mai", but "Firmen ab 50. Mai ist unser Start" */
export const isDay = (item: Source['items'][number] | undefined): boolean =>
  item?.quantity?.plain === true && (item.quantity.min ?? 0) <= 31

function endsSentence({ items, words }: Source, at: number): boolean {
  if (items[at]!.kind !== 'mark' || !ENDS.has(words[at]!)) return false
  const abbreviated = words[at] === '.' && items[at - 1]?.kind === 'word' && ABBREVIATIONS.has(words[at - 1]!)
  return !abbreviated || at + 1 >= words.length || words[at + 1] === '\n'
}

/** "Countries: Italy, Greece": one to five words and a colon. */
function readLabels(source: Source, from: number, end: number, layout: Layout, consumed: Uint8Array): void {
  const { words } = source
  // "- Min size: 500", "> Geo: Spain"
  let start = from
  while (start < end && OPENS_LINE.has(words[start]!)) start++
  for (let colon = start; colon < end; colon++) {
    const isDash = words[colon] === '—' || words[colon] === '-'
    if ((words[colon] !== ':' && !isDash) || consumed[colon - 1]) continue
    const found = labelBefore(source, start, colon)
    // "Geo – Texas": a dash makes a label of what opens its line only; "no — Greece" answers a question.
    if (!found || (isDash && (found.length !== colon - start || ANSWERS.has(words[start]!)))) continue
    // "agents no: only owners": the word answers what comes before it.
    if (found.length === 1 && ANSWERS.has(words[colon - 1]!) && colon - 1 > start && source.items[colon - 2]!.kind === 'word') continue
    layout.isLabel.fill(1, colon - found.length, colon + 1)
    const isOpen = found.value === 'note' && !found.isOwn
    const until = isOpen ? end : nextLabel(source, colon + 1, end, found.value === 'exclude')
    if (found.value !== 'any') layout.labels.fill(found.value, colon + 1, until)
  }
}

const OPENS_LINE = new Set(['-', '—', '>', '('])

interface Label {
  value: string
  length: number
  /** It is one of a form that says who the sender is. */
  isOwn?: boolean
}

/** A label before its colon; "exclude_companies", "excluded industries": with a word of exclusion in front, it excludes. */
function labelBefore(source: Source, start: number, colon: number): Label | undefined {
  const { words } = source
  // "No exceptions: CFOs in Berlin", "no idea about titles: CFOs in Berlin"
  // "New plan: CFOs in Berlin" cancel what was said before.
  if (NEGATES_NOTHING.isWithin(words, Math.max(start, colon - LONGEST_LABEL), colon) || TAKES_ALL_BACK.longestBefore(words, colon))
    return undefined
  const own = ownLabel(source, start, colon)
  if (own) return { value: own, length: colon - start, isOwn: true }
  const whole = labelOf(words.slice(start, colon))
  const opening = whole === 'exclude' ? (NOT.longest(words, start, colon)?.length ?? 0) : 0
  if (opening > 0 && start + opening < colon) return deniedLabel(words, start, start + opening, colon)
  if (whole === 'exclude' || (whole !== undefined && colon - start <= 3)) return { value: whole, length: colon - start }
  const found = LABELS.longestBefore(words, colon, Math.min(LONGEST_LABEL, colon - start))
  if (!found || colon - found.length <= start) return found
  // "here is what we need for the campaign: CFOs": within a sentence the noun opens no note.
  if (found.value === 'note' && BEFORE_NOUNS.has(words[colon - found.length - 1]!)) return undefined
  // "no big cities: New York"
  let noun = colon - found.length
  while (noun > start && IDLE_ADJECTIVES.has(words[noun - 1]!)) noun--
  const denied = NOT.longestBefore(words, noun, 2)
  if (denied) return deniedLabel(words, noun - denied.length, noun, colon)
  const before = LABELS.longestBefore(words, colon - found.length, Math.min(2, colon - found.length - start))
  return before?.value === 'exclude' ? { value: 'exclude', length: found.length + before.length } : found
}

/** "Your company: …", "Submitted by: …" hold what the sender is, "Sourcing: …" and "Summary of the user's request: …" the wish. */
function ownLabel({ words, nextAudience }: Source, start: number, end: number): 'note' | 'any' | undefined {
  const label = end - start > LONGEST_OWN ? '' : words.slice(start, end).join(' ')
  if (REQUEST_LABELS.has(label)) return 'any'
  if (SENDER_LABELS.has(label)) return 'note'
  // "Client: …" is the sender where a line below it says who is wanted.
  return DOUBTED_LABELS.has(label) && nextAudience[end + 1]! < end + LONGEST_FORM ? 'note' : undefined
}
/** By item, the next mark that comes after an audience; where there is none, one that is too far for everyone. */
export function audiencesOf(words: readonly string[]): Int32Array {
  const next = new Int32Array(words.length + 2).fill(words.length + LONGEST_FORM)
  for (let at = words.length - 1; at >= 0; at--)
    next[at] = (words[at] === ':' || words[at] === '?') && isAudience(words, at) ? at : next[at + 1]!
  return next
}
const isAudience = (words: readonly string[], mark: number): boolean =>
  AUDIENCE_ALONE.has(words[mark - 1]!) ||
  (LABELS.longestBefore(words, mark)?.value ?? (REQUESTS.longestBefore(words, mark) && 'any')) === 'any'
const SENDER_LABELS = wordSet('segments.txt', 'labels of the sender')
const DOUBTED_LABELS = wordSet('segments.txt', 'doubted labels of the sender')
const REQUEST_LABELS = wordSet('segments.txt', 'labels of a request')
const LONGEST_OWN = 8
const LONGEST_FORM = 50

const BEFORE_NOUNS = new Set('the this our die diese unsere la cette notre esta nuestra'.split(' '))

/**
 * "no big cities: New York" excludes what is of its field. "No size limit: CFOs in Spain" takes a field away, and "No industry: CFOs"
 * names nothing of it: what follows is the wish.
 */
function deniedLabel(words: readonly string[], from: number, noun: number, colon: number): { value: string; length: number } | undefined {
  const field = LABELS.longestBefore(words, colon, colon - noun)?.value
  const length = colon - from
  if (OPEN_FIELDS.has(field ?? '') || words.slice(noun, colon).some(word => LIMITS.has(word))) return { value: 'any', length }
  const isPlaced = field !== 'place' || words.slice(colon + 1, colon + 4).some(isPlaceWord)
  const isOther = (field === 'place' || field === 'industry' || field === 'company') && namesRoles(words, colon + 1, colon + 2)
  return isPlaced && !isOther ? { value: 'exclude', length } : undefined
}
const OPEN_FIELDS = new Set(['employees', 'revenue', 'founded', 'note'])
/** If one of these is denied, everything is possible. */
const LIMITS = wordSet('negation.txt', 'limits')

const ANSWERS = new Set('no not non nein nee nope'.split(' '))

/** "We do not want: banks; insurers": one or two words, and no one who is asked for. */
function listsMore(words: readonly string[], from: number, end: number): boolean {
  const length = [...words.slice(from, end), ';'].indexOf(';')
  return length <= 2 && !namesRoles(words, from, from + length)
}

function nextLabel({ words, items, tokens }: Source, from: number, end: number, excludes: boolean): number {
  let depth = 0
  for (let at = from; at < end; at++) {
    if (words[at] === '(') depth++
    else if (words[at] === ')') depth--
    // "(our product: pumps) CFOs in Spain"
    if (depth < 0) return at
    // "country: France AND sector: retail": in a query the next condition begins here.
    if (depth === 0 && tokens[items[at]!.first]!.text === 'AND') return at
    // In a form of several lines a semicolon parts the values of one label.
    if (
      words[at] === ';' &&
      !words.includes('\n') &&
      !(excludes && (at - from <= 2 || words.lastIndexOf(';', at - 1) > from) && listsMore(words, at + 1, end))
    )
      return at
    if (words[at] === '|' || words[at] === '—') return at
    if (words[at] === ':' && at - from > 1) return Math.max(from, at - (LABELS.longestBefore(words, at, LONGEST_LABEL)?.length ?? 1))
  }
  return end
}
