import { expandArea, type Place, placeWithin, samePlace } from '../../../lead-terms/src/index.ts'
import { RUNS } from '../mentions/departments.ts'
import { isSeparator } from '../mentions/titles.ts'
import type { Chunk, Mention, MentionKind } from '../model.ts'
import { isNamed } from '../negation/scopes.ts'
import { singular } from '../vocabulary/singular.ts'
import { wordSet } from '../vocabulary/word-files.ts'
import { IS } from '../vocabulary/word-lists.ts'

/** Mentions that give way to others of the same brief before a document is made of them. */
export function dropSuperseded(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  dropLesser(chunks, mentions)
  dropRepeated(chunks, mentions)
  widenRefused(chunks, mentions)
  keepWhole(chunks, mentions)
  for (const kind of ['place', 'headquarters'])
    keepNarrower(
      chunks,
      mentions.filter(mention => mention.kind === kind && !mention.dropped && !mention.unsayable),
    )
}

const STARTUP = /start|pousse/
const DECIDES = /\b(?:decides?|deciden|decident|entscheiden|entscheidet|sign|signs|signing)\b/
/**
 * Mentions that say less than another one in the brief: a word for size next to a number, a start-up next to a funding stage, "who
 * decides about cleaning" next to the titles that do.
 */
function dropLesser(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  const has = (kind: MentionKind) => mentions.findLast(mention => mention.kind === kind && !mention.negated && !mention.dropped)
  const [titled, numbered, staged] = [has('title'), has('employees'), has('stage')]
  for (const mention of mentions) {
    const { word } = chunks[mention.first]!
    if (mention.kind === 'level' && titled && DECIDES.test(word)) mention.dropped = true
    // "who runs payroll? payroll manager / HR manager": a sentence or a bracket of its own names the titles that are meant.
    const runs = mention.kind === 'department' && RUNS.has(chunks[mention.first - 1]?.word ?? '')
    if (runs && titled && chunks.slice(mention.last + 1, Math.min(titled.first, mention.last + 40)).some(({ kind }) => kind === 'break'))
      mention.dropped = true
    if (mention.kind !== 'size' || mention.negated) continue
    if (numbered || (staged && mention.value === 'small' && STARTUP.test(word))) mention.dropped = true
  }
}

/** "Vet clinics in Halifax. Clinics with fewer than 25 staff": in a later sentence the bare noun of a trade means the same trade. */
function dropRepeated(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  const named = new Map<string, { value: string; sentence: number }>()
  for (const mention of mentions) {
    if (mention.kind !== 'industry' || mention.dropped) continue
    const { word, sentence } = chunks[mention.last]!
    const noun = singular(word.slice(word.lastIndexOf(' ') + 1))
    const before = named.get(noun)
    if (before && before.sentence < sentence && before.value !== mention.value && !word.includes(' ')) mention.dropped = true
    else if (word.includes(' ') && !mention.negated) named.set(noun, { value: mention.value, sentence })
  }
}

/** "NRW, ohne das Münsterland": a part that the gazetteer knows only as the whole cannot be taken from it. */
function keepWhole(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  for (const mention of mentions) {
    const { kind, value, negated } = mention
    // "carmakers' suppliers, not the carmakers themselves"
    if (negated && kind === 'industry' && SELVES.has(chunks[mention.last + 1]?.word ?? ''))
      mention.unsayable = mentions.some(other => other.kind === kind && !other.negated && other.value === value)
    if (mention.kind !== 'place' || !mention.negated || mention.dropped) continue
    const whole = mentions.find(other => other.kind === 'place' && !other.negated && other.value === mention.value)
    if (!whole) continue
    if (chunks[mention.first]!.group) mention.dropped = true
    // "NYC, not Manhattan"
    else if (!chunks[whole.first]!.group && chunks[whole.first]!.word !== chunks[mention.first]!.word) mention.unsayable = true
  }
}

const SELVES = new Set('themselves itself selbst selber memes mismos mismas proper'.split(' '))

/** "Schweiz, …, Kantone Graubünden und Wallis", "the Maritimes: Halifax, Moncton": places within a bigger one say where in it. */
function keepNarrower(chunks: readonly Chunk[], places: readonly Mention[]): void {
  // "No companies in Texas: Dallas, Houston": what tells where in a place that is refused is not asked for.
  for (const [index, whole] of places.entries())
    for (let at = index + 1; whole.negated && chunks[whole.last + 1]?.kind !== 'comma' && at < places.length; at++) {
      const isNext = at === index + 1 ? narrows(chunks, whole, [places[at]!]) : isListed(chunks, places[at - 1]!, places[at]!)
      if (places[at]!.negated || !isNext) break
      places[at]!.unsayable = true
    }
  const wanted = places.filter(mention => !mention.negated && !mention.unsayable)
  const parts = wanted.flatMap(({ place }) => (place && 'country' in place && (place.region ?? place.city) ? [place.country] : []))
  for (const [index, mention] of wanted.entries()) {
    const { place, first, last } = mention
    if (!place || ('country' in place && place.city && !chunks[first]!.group) || isWhole(chunks, mention)) continue
    // A name for several places has a mention for each of them.
    let behind = index + 1
    while (wanted[behind]?.first === first) behind++
    const next = wanted[behind]
    const listed = (index > 0 && isListed(chunks, wanted[index - 1]!, mention)) || (next && isListed(chunks, mention, next))
    const isCountry = 'country' in place && !place.region && !place.city && parts.includes(place.country)
    // "Tennessee (Nashville first)": what is only preferred does not narrow, nor does what comes after something refused.
    const prefers = [chunks[(next?.first ?? 0) - 1], chunks[(next?.last ?? 0) + 1]].some(chunk => PREFERRED.has(chunk?.word ?? ''))
    const isOpen = next && !prefers && !places.some(each => each.negated && each.first > last && each.first < next.first)
    if ((isCountry && !listed && !prefers) || (isOpen && narrows(chunks, mention, wanted.slice(behind, behind + MOST_LISTED))))
      mention.dropped = true
  }
}
const MOST_LISTED = 12
const PREFERRED = wordSet('things-grammar.txt', 'preferred')

/** Nothing but what joins a list is between two places. */
const isListed = (chunks: readonly Chunk[], left: Mention, right: Mention): boolean =>
  !chunks[left.first]!.demonym && chunks.slice(left.last + 1, right.first).every(chunk => isSeparator(chunk) || chunk.small)

/**
 * Whether the places after one say where in it: in its bracket, after its colon or dash, or as the rest of a list that it opens ("UK,
 * London"). What goes by an everyday name has no exact borders, so that its country is enough right after the colon.
 */
function narrows(chunks: readonly Chunk[], { place, first, last, negated }: Mention, behind: readonly Mention[]): boolean {
  const next = behind[0]!
  if (chunks[next.first]!.sentence !== chunks[first]!.sentence) return false
  const wholes = chunks[first]!.group ?? [place!]
  const partsOf = (inner: Place) => ('area' in inner ? expandArea(inner.area) : [inner])
  const lies = (inner: Mention) =>
    partsOf(inner.place!).every(part => wholes.some(whole => placeWithin(part, whole))) && !samePlace(inner.place!, place!)
  let opener = chunks[last + 1]?.kind === 'comma' && OPENERS.has(chunks[last + 2]?.word ?? '') ? last + 2 : last + 1
  const opens = () => OPENERS.has(chunks[opener]?.word ?? '')
  while (opener < last + 3 && chunks[opener]?.kind === 'word' && !chunks[opener]!.used && !opens()) opener++
  if (opens()) {
    const isNear = next.first - opener < 3
    const town = isNear && !negated && 'country' in next.place! && next.place.city ? next.place.country : ''
    return ((isNear || chunks[opener]!.word === ':') && lies(next)) || wholes.some(whole => 'country' in whole && whole.country === town)
  }
  // German "OWL, also Bielefeld und Herford" tells which.
  const thus = chunks[last + 2]?.word === 'also' && behind.length > 1 ? 1 : 0
  if (chunks[last + 1]?.kind !== 'comma' || next.first !== last + 2 + thus) return false
  if (isSeparator(chunks[first - 1]) && chunks[first - 2]?.kind === 'place') return false
  const end = behind.findIndex((each, at) => at > 0 && !isListed(chunks, behind[at - 1]!, each))
  const list = behind.slice(0, end < 0 ? undefined : end)
  // "Texas, Houston is a must" continues with its own clause.
  return list.every(lies) && !IS.has(chunks[list.at(-1)!.last + 1]?.word ?? '')
}
const OPENERS = new Set([':', '—', '(', ...wordSet('things-grammar.txt', 'before places within')])

/** "not just Paris: all of France", "ganz Deutschland", "la France entière": the whole of it was said. */
function isWhole(chunks: readonly Chunk[], { first, last }: Mention): boolean {
  let before = first - 1
  while (first - before < 3 && OF_THE.has(chunks[before]?.word ?? '')) before--
  return [chunks[before]?.word ?? '', chunks[first]!.word.split(' ')[0]!, chunks[last + 1]?.word ?? ''].some(word => WHOLE.has(word))
}
const OF_THE = new Set('of the in la le el les l de du'.split(' '))
const WHOLE = wordSet('small.txt', 'whole')

/** "schools, no state schools": what is said of a noun that is wanted is what is refused, so it belongs to the mention. */
function widenRefused(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  const wanted = new Set(mentions.filter(({ kind, negated }) => kind === 'industry' && !negated).map(mention => mention.value))
  const titles = mentions.filter(({ kind }) => kind === 'title')
  for (const mention of mentions) {
    if (mention.kind !== 'industry' || !mention.negated || mention.dropped) continue
    if (!wanted.has(mention.value) && !isNamed(titles, mention)) continue
    const before = chunks[mention.first - 1]
    if (before?.kind === 'word' && !before.small && !before.used) mention.first--
  }
}
