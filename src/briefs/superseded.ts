import { RUNS } from './mentions/departments.ts'
import { isSeparator } from './mentions/titles.ts'
import type { Chunk, Mention, MentionKind } from './model.ts'
import { wordSet } from './words.ts'

/** Mentions that give way to others of the same brief before a document is made of them. */
export function dropSuperseded(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  dropLesser(chunks, mentions)
  widenRefused(chunks, mentions)
  keepWhole(chunks, mentions)
  keepNarrower(chunks, mentions)
}

const STARTUP = /start|pousse/
const DECIDES = /\b(?:decides?|deciden|decident|entscheiden|entscheidet|sign|signs|signing)\b/
/**
 * What says less than something else in the brief: a word for size beside a number, a start-up beside a funding stage, "who
 * decides about cleaning" beside the titles that do.
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

/** "Schweiz, …, Kantone Graubünden und Wallis": places of a country say where in it, unless the country is listed beside them. */
function keepNarrower(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  const wanted = mentions.filter(mention => mention.kind === 'place' && !mention.negated && !mention.dropped && !mention.unsayable)
  const within = new Set(
    wanted.flatMap(({ place }) => (place && 'country' in place && (place.region ?? place.city) ? [place.country] : [])),
  )
  for (const [index, mention] of wanted.entries()) {
    const { place } = mention
    if (!place || !('country' in place) || place.region || place.city || !within.has(place.country) || isWhole(chunks, mention)) continue
    const beside = [wanted[index - 1], wanted[index + 1]].some(other => {
      if (!other) return false
      const [from, to] = other.first < mention.first ? [other.last, mention.first] : [mention.last, other.first]
      return chunks.slice(from + 1, to).every(chunk => isSeparator(chunk) || chunk.small)
    })
    if (!beside) mention.dropped = true
  }
}

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
  for (const mention of mentions) {
    if (mention.kind !== 'industry' || !mention.negated || mention.dropped || !wanted.has(mention.value)) continue
    const before = chunks[mention.first - 1]
    if (before?.kind === 'word' && !before.small && !before.used) mention.first--
  }
}
