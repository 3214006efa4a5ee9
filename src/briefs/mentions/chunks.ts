import type { Chunk, Control, NameSpan, Source, Voices } from '../model.ts'
import type { Layout } from '../polarity/sentences.ts'
import { COMMON_WORDS } from '../text/common-words.ts'
import type { Token } from '../text/tokens.ts'
import { Phrases, readEntries, wordSet } from '../words.ts'
import { type Entry, longestEntry } from './lexicon.ts'
import { readPlace } from './place-names.ts'
import { isPlaceWord } from './place-words.ts'

/** Items to chunks: at each position the longest phrase that the vocabulary, the places or the small words know. */

const BREAKS = new Set('.!?;:\n()[]{}—|•…¿¡=→✓·')
const LISTS = new Set(['/', '+', '\\', '-', '–'])
const LONGEST_PHRASE = 7

const STOP_WORDS = wordSet('small.txt', 'stop words')
const IDLE_ADJECTIVES = wordSet('small.txt', 'idle adjectives')
const COMPANY_NOUNS = wordSet('small.txt', 'company nouns')
const PEOPLE_NOUNS = wordSet('small.txt', 'people nouns')
const ANYONE = wordSet('small.txt', 'anyone')
const PORTUGUESE = wordSet('small.txt', 'portuguese')
const DUTCH = wordSet('small.txt', 'dutch')
const EVERYONE = wordSet('polarity.txt', 'everyone')
const REPLACED_BY = wordSet('polarity.txt', 'replaced by')
const LOOSE_CORRECTIONS = wordSet('polarity.txt', 'loose corrections')
/** Corrections that are complete sentences: they need a mark on either side. */
const TIGHT_CORRECTIONS = new Set(['no', 'non', 'no actually'])

export const ROLE_NOUNS: ReadonlyMap<string, string> = new Map(
  readEntries('role-nouns.txt').flatMap(([role, forms]) => forms.map(form => [form, role] as const)),
)

const CONTROLS = readControls()

function readControls(): Phrases<Control> {
  const controls = new Map<string, Control>()
  for (const [file, section, part] of [
    ['polarity.txt', 'not', 'not'],
    ['polarity.txt', 'except', 'except'],
    ['polarity.txt', 'except behind place', 'exceptBehindPlace'],
    ['polarity.txt', 'excluded', 'excluded'],
    ['polarity.txt', 'refuse them', 'refusesThem'],
    ['polarity.txt', 'negates nothing', 'nothing'],
    ['polarity.txt', 'corrections', 'correction'],
    ['polarity.txt', 'instead of', 'insteadOf'],
    ['polarity.txt', 'retractions', 'retraction'],
    ['polarity.txt', 'replacing', 'replacing'],
    ['small.txt', 'headquarters', 'headquarters'],
    ['small.txt', 'conjunctions', 'conjunction'],
  ] as const)
    for (const phrase of wordSet(file, section)) controls.set(phrase, { ...controls.get(phrase), [part]: true })
  return new Phrases(controls)
}

interface Language {
  shouting: boolean
  portuguese: boolean
  dutch: boolean
}

export function readChunks(source: Source, layout: Layout, voices: Voices, names: readonly NameSpan[], consumed: Uint8Array): Chunk[] {
  const { items, tokens, words } = source
  const language: Language = {
    shouting: isShouting(tokens),
    portuguese: looksPortuguese(source),
    dutch: words.some(word => DUTCH.has(word)),
  }
  const nameAt = new Map(names.map(name => [name.first, name]))
  const isOpen = (at: number) => items[at]!.kind === 'word' && voices.of[at] === 'wish' && !consumed[at]
  const chunks: Chunk[] = []
  let at = 0
  while (at < items.length) {
    const item = items[at]!
    const base: Chunk = {
      kind: 'word',
      first: at,
      last: at,
      word: words[at]!,
      capital: tokens[item.first]!.capital,
      small: false,
      idle: false,
      companyNoun: false,
      peopleNoun: false,
      unknown: false,
      label: layout.labels[at],
      sentence: layout.sentence[at]!,
    }
    const name = nameAt.get(at)
    if (name && isOpen(at)) chunks.push({ ...base, kind: 'name', last: name.last })
    else if (item.kind === 'mark') {
      // The full stop of an abbreviation ("excl. Iceland") ends nothing.
      const ends = item.word !== '.' || layout.sentence[at + 1] !== layout.sentence[at]
      chunks.push({ ...base, kind: ends ? markKind(item.word, !consumed[at]) : 'gap' })
    } else if (voices.of[at] !== 'wish' || consumed[at] || item.kind === 'quantity')
      chunks.push({ ...base, kind: 'gap', ...(item.quantity && !item.quantity.plain ? { bound: true } : {}) })
    else if (item.kind === 'domain') chunks.push({ ...base, kind: 'domain' })
    else {
      let limit = at + 1
      while (limit < items.length && limit < at + LONGEST_PHRASE && isOpen(limit) && !nameAt.has(limit)) limit++
      chunks.push(readPhrase(source, at, limit, chunks, language, base))
    }
    at = chunks.at(-1)!.last + 1
  }
  return chunks
}

function markKind(mark: string, isOpen: boolean): Chunk['kind'] {
  if (BREAKS.has(mark)) return 'break'
  if (!isOpen) return 'gap'
  return mark === ',' ? 'comma' : LISTS.has(mark) ? 'list' : 'gap'
}

function readPhrase(source: Source, at: number, limit: number, chunks: readonly Chunk[], language: Language, base: Chunk): Chunk {
  const { words } = source
  const phrase = (length: number) => (length === 1 ? words[at]! : words.slice(at, at + length).join(' '))
  const found = longestEntry(words, at, limit)
  const length = found && isBelievable(source, at, found.length, chunks) ? found.length : 0
  const place = readPlace(source, words, at, limit, chunks, base.label, language.shouting)
  const control = readControl(source, at, limit, chunks, language)
  if (control && control.length >= Math.max(length, place?.length ?? 0))
    return { ...base, kind: control.kind, last: at + control.length - 1, word: phrase(control.length), control: control.parts }
  if (place && (place.length > length || (place.length === length && place.strong))) {
    const { length: _, strong: __, ...read } = place
    return { ...base, kind: 'place', last: at + place.length - 1, word: phrase(place.length), ...read }
  }
  return describe(base, words, at, Math.max(length, 1), length > 0 ? found!.entry : undefined)
}

function describe(base: Chunk, words: readonly string[], at: number, length: number, entry: Entry | undefined): Chunk {
  const word = words.slice(at, at + length).join(' ')
  const role = ROLE_NOUNS.get(words[at + length - 1]!)
  const companyNoun = COMPANY_NOUNS.has(word)
  const peopleNoun = PEOPLE_NOUNS.has(word) || ANYONE.has(word)
  const small = STOP_WORDS.has(word) && !entry
  const idle = IDLE_ADJECTIVES.has(word)
  const unknown = !entry && !role && !companyNoun && !peopleNoun && !small && !idle && !COMMON_WORDS.has(word)
  return {
    ...base,
    last: at + length - 1,
    word,
    companyNoun,
    peopleNoun,
    small,
    idle,
    unknown,
    ...(entry ? { entry } : {}),
    ...(role ? { role } : {}),
  }
}

/** Abbreviations that are a small word without their capitals: only the context tells "it" from "IT". */
const NEEDS_CAPITALS = new Set(['pas', 'ia', 'ea', 'ta', 'pa'])
const NEVER = new Set(['en', 'in', 'on', 'as'])
const LIST_SIGNS = new Set([',', '/', '+', 'and', 'or', 'und', 'oder'])
const AFTER_FUNCTION = new Set(
  'decision leadership leaders departments abteilung services consulting companies firms support security people folks staff team'.split(
    ' ',
  ),
)

function isBelievable({ words, tokens, items }: Source, at: number, length: number, chunks: readonly Chunk[]): boolean {
  if (length > 1) return true
  const word = words[at]!
  const token = tokens[items[at]!.first]!
  if (NEVER.has(word)) return false
  if (NEEDS_CAPITALS.has(word)) return token.allCaps
  if (word !== 'it' && word !== 'pr' && word !== 'pe') return true
  const next = words[at + 1] ?? ''
  if (token.allCaps || ROLE_NOUNS.has(next) || PEOPLE_NOUNS.has(next) || AFTER_FUNCTION.has(next)) return true
  // "it, hr and finance people"
  if (LIST_SIGNS.has(next) && longestEntry(words, at + 2, Math.min(words.length, at + 4))?.entry.function) return true
  const last = chunks.at(-1)
  return word === 'it' && (token.glue === '-' || (last?.entry?.opening !== undefined && /(?:of|in)$/.test(last.word)))
}

interface ControlFind {
  kind: Chunk['kind']
  length: number
  parts: Control
}

function readControl(source: Source, at: number, limit: number, chunks: readonly Chunk[], language: Language): ControlFind | undefined {
  const { words } = source
  let best: ControlFind | undefined
  for (let end = Math.min(limit, at + 6); end > at && !best; end--) {
    const found = CONTROLS.longest(words, at, end)
    if (!found) return undefined
    end = at + found.length
    const kind = controlKind(source, at, end, limit, found.value, chunks, language)
    if (kind) best = { kind, length: found.length, parts: found.value }
  }
  return best
}

/** What a phrase of control is here, if its surroundings allow it to be one. */
function controlKind(
  source: Source,
  at: number,
  end: number,
  limit: number,
  parts: Control,
  chunks: readonly Chunk[],
  language: Language,
): Chunk['kind'] | undefined {
  const { words, items, tokens } = source
  const phrase = words.slice(at, end).join(' ')
  const last = chunks.at(-1)
  if (parts.nothing) return 'gap'
  if (parts.refusesThem) return 'refusal'
  if (parts.insteadOf) return 'instead'
  if (
    parts.replacing &&
    opensClause(chunks) &&
    words.slice(end + 1, limit).some(word => REPLACED_BY.has(word)) &&
    !ROLE_NOUNS.has(words[end] ?? '')
  )
    return 'instead'
  if (parts.headquarters) return 'headquarters'
  // "Banks yes, insurers no."
  if (phrase === 'no' && closesClause(source, end) && last !== undefined && ['word', 'place', 'name'].includes(last.kind) && !last.small)
    return 'excluded'
  if (parts.excluded && closesClause(source, end) && (chunks.length > 0 || words[end] === ':')) return 'excluded'
  if (parts.correction && correctionFits(source, phrase, at, end, chunks)) return 'correction'
  if (parts.retraction && opensClause(chunks) && end < limit) return 'negator'
  if (parts.except || (parts.not && !(language.portuguese && (phrase === 'no' || phrase === 'non')))) return 'negator'
  if (parts.exceptBehindPlace && isExceptionBehind(source, phrase, end, chunks)) return 'negator'
  if (parts.excluded) return 'excluded'
  const isCode =
    tokens[items[at]!.first]!.allCaps && phrase.length === 2 && (phrase !== 'or' || followsPlace(chunks)) && items[end]?.kind !== 'word'
  if (parts.conjunction && (phrase !== 'en' || language.dutch) && !(isCode && !language.shouting)) return 'conjunction'
  return undefined
}

const followsPlace = (chunks: readonly Chunk[]): boolean =>
  chunks.at(-1)?.kind === 'place' || (chunks.at(-1)?.kind === 'comma' && chunks.at(-2)?.kind === 'place')

/** "LATAM besides Brazil", "everyone but interns": behind a place or a word for everyone. "But also" and "but in" turn to something else. */
function isExceptionBehind({ words }: Source, phrase: string, end: number, chunks: readonly Chunk[]): boolean {
  let back = chunks.length - 1
  if (chunks[back]?.kind === 'comma') back--
  const last = chunks[back]
  if (!last) return false
  // "50 to 500 staff ex DHL", "…, menos cadenas"
  if ((phrase === 'ex' && (last.kind === 'gap' || isPlaceWord(words[end] ?? ''))) || (phrase === 'menos' && opensClause(chunks)))
    return true
  if (last.kind === 'place') return !['also', 'in', 'only', 'not'].includes(words[end] ?? '') && (phrase !== 'but' || words[end] !== 'with')
  return (
    (phrase === 'but' || phrase === 'save' || phrase === 'besides' || phrase === 'menos' || phrase === 'moins') && EVERYONE.has(last.word)
  )
}

function closesClause({ items, words }: Source, end: number): boolean {
  const next = items[end]
  return (
    next === undefined ||
    next.kind === 'mark' ||
    ['and', 'und', 'et', 'y', 'please', 'pls', 'bitte', 'though', 'too', 'here', 'for'].includes(words[end]!)
  )
}

/** A command opens its clause: "change Spain to Portugal", but not "who change jobs". */
function opensClause(chunks: readonly Chunk[]): boolean {
  const last = chunks.at(-1)
  if (last === undefined || ['break', 'comma', 'conjunction', 'correction', 'gap', 'list'].includes(last.kind)) return true
  return last.kind === 'word' && OPENS_COMMAND.has(last.word)
}
const OPENS_COMMAND = new Set('please pls then now bitte hmm ok okay let lets s por favor also so but just should to'.split(' '))

function correctionFits({ items, words }: Source, phrase: string, at: number, end: number, chunks: readonly Chunk[]): boolean {
  const before = chunks.at(-1)
  const opens = before === undefined || ['break', 'comma', 'list', 'correction', 'gap'].includes(before.kind)
  const after = items[end]
  const closes = after === undefined || after.kind === 'mark'
  if (TIGHT_CORRECTIONS.has(phrase)) return opens && closes && before !== undefined
  if (phrase === 'instead') return words[end] !== 'of'
  if (phrase === 'should be') return opens && before !== undefined && at > 0
  return !LOOSE_CORRECTIONS.has(phrase) || opens || (closes && before !== undefined)
}

function isShouting(tokens: readonly Token[]): boolean {
  let seen = 0
  let capitals = 0
  for (const token of tokens) {
    if (token.kind !== 'word' || token.word.length < 4) continue
    seen++
    if (token.allCaps) capitals++
  }
  return seen >= 3 && capitals > seen * 0.6
}

function looksPortuguese({ items, tokens, words }: Source): boolean {
  let hits = 0
  for (const [at, word] of words.entries())
    if (PORTUGUESE.has(word) && tokens[items[at]!.first]!.glue !== '.') hits += word === 'em' || word === 'nao' ? 2 : 1
  return hits >= 2
}
