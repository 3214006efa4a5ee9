import type { Chunk, Cue, Source } from '../model.ts'
import {
  compoundRefusal,
  delegatedLength,
  deniedCommand,
  deniedRefusalAt,
  endOfRefusal,
  FETCHED,
  fetches,
  HANDS_OVER,
  isPurpose,
  lacksVerb,
} from '../segments/compound-refusals.ts'
import { correctionFits, restarts } from '../segments/retractions.ts'
import { addsMore as addsMoreBehind } from '../segments/sender-offer.ts'
import { isPlaceWord } from '../vocabulary/place-words.ts'
import { Phrases, wordMap, wordSet } from '../vocabulary/word-files.ts'
import {
  CLOSINGS,
  NOT,
  ONLY,
  PLACE_KINDS,
  RELATIVES_BEFORE_A_REFUSAL,
  REPLACED_BY,
  ROLE_NOUNS,
  STOP_WORDS,
  TEAMS,
} from '../vocabulary/word-lists.ts'
import { isCountryCode, isPlaceCode } from './place-codes.ts'

/** Phrases that reverse a wish, take something back, or join: what each is depends on what is next to it. */

const EVERYONE = wordSet('negation.txt', 'everyone')
/** The signs of the whole text of how it is written. */
export interface Language {
  shouting: boolean
  dutch: boolean
}

const CUE_PHRASES = readCuePhrases()

function readCuePhrases(): Phrases<Cue> {
  const controls = new Map<string, Cue>()
  // A hundred thousand phrases have a few dozen meanings, and an object for each phrase takes 5 MB.
  const cues = new Map<string, Cue>()
  const add = (phrase: string, more: Cue): void => {
    const cue = { ...controls.get(phrase), ...more }
    const key = JSON.stringify(cue)
    controls.set(phrase, cues.get(key) ?? cue)
    if (!cues.has(key)) cues.set(key, cue)
  }
  for (const [file, section, part] of [
    ['negation.txt', 'not', 'not'],
    ['negation.txt', 'except', 'except'],
    ['negation.txt', 'only as a command', 'command'],
    ['segments.txt', 'others refuse', 'speaker'],
    ['negation.txt', 'except behind place', 'exceptBehindPlace'],
    ['negation.txt', 'excluded', 'excluded'],
    ['negation.txt', 'excluded at the end', 'excludedAtEnd'],
    ['negation.txt', 'refuse them', 'refusesThem'],
    ['negation.txt', 'negates nothing', 'nothing'],
    ['negation.txt', 'indifferent', 'indifferent'],
    ['negation.txt', 'corrections', 'correction'],
    ['negation.txt', 'takes all back', 'restart'],
    ['negation.txt', 'instead of', 'insteadOf'],
    ['negation.txt', 'retractions', 'retraction'],
    ['negation.txt', 'replacing', 'replacing'],
    ['small.txt', 'headquarters', 'headquarters'],
    ['small.txt', 'conjunctions', 'conjunction'],
  ] as const)
    for (const phrase of wordSet(file, section)) add(phrase, { [part]: true })
  for (const [phrase, reference] of wordMap('negation.txt', 'references', value => value)) add(phrase, { reference })
  return new Phrases(controls)
}

export const isPluralOfCapitals = (text: string): boolean => /^\p{Lu}{2,5}s$/u.test(text)

interface FoundCue {
  kind: Chunk['kind']
  length: number
  parts: Cue
}

export function readCue(
  source: Source,
  at: number,
  limit: number,
  chunks: readonly Chunk[],
  language: Language,
  label: string | undefined,
): FoundCue | undefined {
  const { words, items, tokens } = source
  // "EAs and PAs" deny nothing, "Rede D'Or" joins nothing.
  const { text, glue, capital } = tokens[items[at]!.first]!
  if (isPluralOfCapitals(text) || (capital && /['’]/.test(glue))) return undefined
  const handed = delegatedLength(source, at)
  if (handed > 0 && chunks.length > 0) return { kind: 'excluded', length: handed, parts: { excluded: true, delegated: true } }
  const kept = deniedRefusalAt(words, at, limit) || deniedCommand(source, at)
  if (kept > 0) return { kind: 'gap', length: kept, parts: { nothing: true } }
  const composed = compoundRefusal(words, at, limit)
  let best: FoundCue | undefined
  for (let end = Math.min(limit, at + 6); end > at && !best; end--) {
    const found = CUE_PHRASES.longest(words, at, end)
    if (!found) break
    end = at + found.length
    const kind = cueKind(source, at, end, limit, found.value, chunks, language, label)
    if (kind) best = { kind, length: found.length, parts: found.value }
  }
  // "Grenoble, en fait non, Lyon" corrects, "Grenoble en fait non" refuses.
  const isSaidOfNoun = composed > 0 && composed === best?.length && isNoun(chunks.at(-1))
  if ((composed > (best?.length ?? 0) || isSaidOfNoun) && chunks.length > 0 && closesClause(source, at + composed))
    return { kind: 'excluded', length: composed, parts: { excluded: true } }
  return best
}

/** The meaning of a phrase of control here, if its surroundings allow it to be one. */
function cueKind(
  source: Source,
  at: number,
  end: number,
  limit: number,
  parts: Cue,
  chunks: readonly Chunk[],
  language: Language,
  label: string | undefined,
): Chunk['kind'] | undefined {
  const { words, items, tokens } = source
  const phrase = words.slice(at, end).join(' ')
  if (parts.indifferent && !endsClause(source, end)) return 'negator'
  if (parts.nothing) return 'gap'
  if (parts.reference && pointsBack(source, end, chunks)) return 'reference'
  if (phrase.length === 2 && !language.shouting && isCountryCode(source, at, label)) return undefined
  if (lacksVerb(source, phrase, at)) return undefined
  // "weder Banken noch Versicherer", but "noch nie kontaktiert"
  if (phrase === 'noch' && !words.slice(Math.max(0, at - LONGEST_CLAUSE), at).some(word => NEITHER.test(word))) return undefined
  if ((FETCHED.test(phrase) && fetches(source, at)) || isPurpose(words, at)) return undefined
  if (parts.restart && restarts(source, end, chunks)) return 'correction'
  // "excluez les agences", "skip those in Berlin": where the clause continues, the pronoun is an article or has its own noun.
  // "exclude these two: A, B": the list comes after the colon.
  if (parts.refusesThem && words[end] === ':' && POINTS_AHEAD.test(phrase)) return 'negator'
  if (parts.refusesThem && (closesClause(source, end) || REASONS.has(words[end]!))) return 'refusal'
  if (parts.insteadOf) return 'instead'
  // "Marie refuse les agences": after a person who speaks the verb refuses.
  if (parts.speaker && isSaid(chunks.at(-1)) && !closesClause(source, end)) return 'negator'
  if (
    parts.replacing &&
    opensClause(chunks) &&
    words.slice(end + 1, limit).some(word => REPLACED_BY.has(word)) &&
    (!ROLE_NOUNS.has(words[end] ?? '') || chunks.some(({ word }) => word === words[end]))
  )
    return 'instead'
  if (parts.headquarters) return 'headquarters'
  // "Banks yes, insurers no.", "Infineon bitte nicht"
  const said = answered(source, end, chunks)
  const isSaidOfNoun = isNoun(said) || isMeasure(said, chunks)
  if ((parts.not || parts.excludedAtEnd) && (endsClause(source, end) || turnsToOthers(words, end)) && isSaidOfNoun) return 'excluded'
  // "Les banques, non.": the answer to what was named, at the end of its sentence.
  const isBehindComma = chunks.at(-1)?.kind === 'comma' && (isNoun(chunks.at(-2)) || isMeasure(chunks.at(-2), chunks))
  if ((parts.not || parts.excludedAtEnd) && isBehindComma && endsSentence(source, end)) return 'excluded'
  if (parts.excluded && closesClause(source, end) && (chunks.length > 0 || words[end] === ':')) return 'excluded'
  if (parts.correction && correctionFits(source, phrase, end, chunks)) return 'correction'
  // "nix acme nix globex": a plain negation refuses after anyone.
  if ((parts.retraction || parts.command) && !parts.not && (tellsOfSomebody(chunks) || HANDS_OVER.has(words[end] ?? ''))) return undefined
  if ((parts.retraction || parts.command) && A_LIST.has(words.slice(end, end + 2).join(' '))) return undefined
  // "the client excluded agencies"
  if (parts.excluded && TEAMS.has(chunks.at(-1)?.word ?? '') && items[end]?.kind === 'word' && !closesClause(source, end)) return 'negator'
  if (parts.retraction && opensClause(chunks) && items[end] && items[end].kind !== 'mark') return 'negator'
  if (parts.except && (opensClause(chunks) || BESIDES.has(phrase)) && wantsBoth(source, at)) return 'gap'
  if (parts.except || parts.refusesThem || parts.not) return 'negator'
  if (parts.exceptBehindPlace && isExceptionBehind(source, phrase, end, chunks)) return 'negator'
  // "agents with on-hold listings": before its own noun it is an adjective.
  if (parts.excluded && (items[end]?.kind !== 'word' || STOP_WORDS.has(words[end]!) || opensClause(chunks))) return 'excluded'
  const isOregon = phrase === 'or' ? words[at - 1] === 'in' : phrase === 'and or' && chunks.at(-1)?.kind === 'place'
  if (isOregon && tokens[items[end - 1]!.first]!.allCaps && !language.shouting) return undefined
  const isCode =
    tokens[items[at]!.first]!.allCaps && phrase.length === 2 && (phrase !== 'or' || followsPlace(chunks)) && items[end]?.kind !== 'word'
  if (parts.conjunction && (phrase !== 'en' || language.dutch) && !(isCode && !language.shouting)) return 'conjunction'
  return undefined
}

/** Words of a person who speaks, as against a mark. */
const isSaid = (chunk: Chunk | undefined): boolean => chunk?.kind === 'gap' && /^\p{L}/u.test(chunk.word) && !chunk.requirement

/** "skip the last one", "los dos últimos no": the words point at a list only next to a refusal that says nothing more. */
function pointsBack(source: Source, end: number, chunks: readonly Chunk[]): boolean {
  const { words } = source
  if (chunks.at(-1)?.kind === 'negator' && closesClause(source, end)) return true
  const refusal = endOfRefusal(words, end)
  return refusal > 0 && closesClause(source, refusal)
}

/** "Apart from CFOs, controllers are welcome too", but not "außer Portugal und auch keine Berater". */
function wantsBoth({ words, items }: Source, at: number): boolean {
  let end = at + 1
  while (end < words.length && end < at + MOST_ADDED && (items[end]!.kind !== 'mark' || words[end] === ',')) end++
  return addsMoreBehind(words, at, end) && !NOT.isWithin(words, at + 1, end)
}
const MOST_ADDED = 24
const BESIDES = new Set(['al margen de', 'aparte de', 'ademas de', 'apart from', 'aside from', 'besides', 'abgesehen von', 'en dehors de'])

/** "Portland, OR", "WA and OR" */
const followsPlace = (chunks: readonly Chunk[]): boolean =>
  chunks.at(-1)?.kind === 'place' || (IN_LIST.has(chunks.at(-1)?.kind ?? 'break') && chunks.at(-2)?.kind === 'place')

/** These make an exception of what follows also after anything and a comma. */
const BUT = /^(?:but|save|besides|menos|moins|bar)$/
const OPENS_EXCEPTION = new Set(['bar', 'short of'])
const BEHIND_COMMA = new Set(['besides', 'beside', 'bar', 'less', 'moins', 'bis auf', 'save', 'but for', 'nur nicht', 'short of'])

/** "LATAM besides Brazil", "everyone but interns": after a place or a word for everyone. "But also" and "but in" turn to something else. */
function isExceptionBehind({ words }: Source, phrase: string, end: number, chunks: readonly Chunk[]): boolean {
  if (phrase === 'bis auf' && opensClause(chunks)) return true
  // "bar and restaurant managers"
  if (phrase === 'bar' && /^(?:and|or|[+/,])$/.test(words[end] ?? '')) return false
  let back = chunks.length - 1
  if (chunks[back]?.kind === 'comma') back--
  // "APAC markets besides China"
  if (PLACE_KINDS.has(chunks[back]?.word ?? '') && chunks[back - 1]?.kind === 'place') back--
  const last = chunks[back]
  // "Menos agencias. …"
  if (phrase === 'menos' && (!last || last.kind === 'break')) return words[end] !== 'de'
  // "Bar Texas, anywhere in the South", but "Bar owners"
  if (OPENS_EXCEPTION.has(phrase) && (!last || last.kind === 'break')) return !ROLE_NOUNS.has(words[end] ?? '')
  if (!last) return false
  // "50 to 500 staff ex DHL", "…, menos cadenas", "…, besides agencies"
  if ((phrase === 'ex' && (last.kind === 'gap' || isPlaceWord(words[end] ?? ''))) || (phrase === 'menos' && opensClause(chunks)))
    return true
  if (back < chunks.length - 1 && BEHIND_COMMA.has(phrase)) return true
  // "Europe but the UK"; "France, but honestly we only want Lyon" continues with something else.
  if (last.kind === 'place' && phrase === 'but') return namesPlace(words[words[end] === 'the' ? end + 1 : end]) && !isDenied(chunks, back)
  if (last.kind === 'place') return !['also', 'in', 'only', 'not'].includes(words[end] ?? '')
  return BUT.test(phrase) && EVERYONE.has(last.word)
}

/** "not Ohio but Michigan": after places that are refused, "but" turns to those that are wanted. */
function isDenied(chunks: readonly Chunk[], place: number): boolean {
  let at = place
  while (at >= 0 && place - at < LONGEST_CLAUSE && (chunks[at]!.kind === 'place' || IN_LIST.has(chunks[at]!.kind) || chunks[at]!.small))
    at--
  return chunks[at]?.kind === 'negator'
}
const IN_LIST: ReadonlySet<Chunk['kind']> = new Set(['comma', 'conjunction', 'list'])

const namesPlace = (word: string | undefined): boolean => word !== undefined && (isPlaceWord(word) || isPlaceCode(word))

const NEITHER = /^(?:weder|kein.*|nicht|ohne|noch|noch nie)$/
const POINTS_AHEAD = /(?:these|the)(?: two)?$/
const REASONS = new Set('as since because they we it that already denn da weil sie car puisque ils elles ya porque out'.split(' '))

/** The words that a refusal refers to: "Banks no", "Banks: no", "Banks? No thanks." */
function answered({ words }: Source, end: number, chunks: readonly Chunk[]): Chunk | undefined {
  const last = chunks.at(-1)
  const answers = last?.kind === 'break' && (ANSWERS_TO.has(last.word) || (last.word === '?' && ![',', '—'].includes(words[end] ?? '')))
  // "banks (no)"
  if (last?.word === '(' && words[end] === ')') return chunks.at(-2)
  return answers ? chunks.at(-2) : last
}
const ANSWERS_TO = new Set([':', '—', '→', '='])
const isNoun = (chunk: Chunk | undefined): boolean =>
  chunk !== undefined && ['word', 'place', 'name', 'domain'].includes(chunk.kind) && !chunk.small

/** "Betriebe ab 500 Mitarbeitern bitte nicht": the number and its noun are read already. */
const isMeasure = (chunk: Chunk | undefined, chunks: readonly Chunk[]): boolean =>
  chunk?.kind === 'gap' && chunks.slice(-3).some(({ kind, bound }) => kind === 'gap' && bound)

/** "agents no: only the owners" */
const turnsToOthers = (words: readonly string[], end: number): boolean => words[end] === ':' && ONLY.has(words[end + 1] ?? '')

/** Whether nothing but a courtesy is between a phrase and the mark that ends its clause. */
function endsClause({ items, words }: Source, from: number): boolean {
  const end = from + (CLOSINGS.longest(words, from)?.length ?? 0)
  return items[end] === undefined || CLAUSE_ENDS.has(words[end]!)
}
const CLAUSE_ENDS = new Set([',', '.', ';', '!', '?', ')', '\n', '—', '|'])

function endsSentence({ items, words }: Source, end: number): boolean {
  return items[end] === undefined || ['.', ';', '!', '\n', ':'].includes(words[end]!)
}

function closesClause({ items, words }: Source, end: number): boolean {
  const next = items[end]
  return (
    next === undefined ||
    next.kind === 'mark' ||
    ['and', 'und', 'et', 'y', 'please', 'pls', 'bitte', 'though', 'tho', 'too', 'here', 'for'].includes(words[end]!)
  )
}

/** A command opens its clause: "change Spain to Portugal", but not "who change jobs". */
function opensClause(chunks: readonly Chunk[]): boolean {
  const last = chunks.at(-1)
  if (last === undefined || ['break', 'comma', 'conjunction', 'correction', 'gap', 'list'].includes(last.kind)) return true
  return last.kind === 'word' && OPENS_COMMAND.has(last.word)
}
const TURNS = wordSet('negation.txt', 'turns to the sender')
const OPENS_COMMAND = new Set([...TURNS, ...wordSet('negation.txt', 'opens a command')])

/** "banks that want to ditch SAP": after a person who does it, a verb of refusal commands nothing. */
function tellsOfSomebody(chunks: readonly Chunk[]): boolean {
  const from = Math.max(0, chunks.length - LONGEST_CLAUSE)
  for (let at = chunks.length - 1; at >= from && !BEGINS_CLAUSE.has(chunks[at]!.kind); at--) {
    const { kind, word, role, companyNoun, peopleNoun, entry } = chunks[at]!
    // "CFOs in Europe but leave out France": what is said after it is the sender's.
    if (TURNS.has(word)) return false
    // "legal vetoed banks"
    const first = chunks[at - 1]?.small ? at - 1 : at
    if (TEAMS.has(word) && (first === 0 || BEGINS_CLAUSE.has(chunks[first - 1]!.kind))) return false
    if (kind !== 'word' || role || companyNoun || peopleNoun || entry || RELATIVES_BEFORE_A_REFUSAL.has(word)) return true
  }
  return false
}
/** Readers look back no further than this, because a brief may be one clause of thousands of words. */
const LONGEST_CLAUSE = 30
const BEGINS_CLAUSE: ReadonlySet<Chunk['kind']> = new Set(['break', 'comma', 'conjunction', 'correction', 'gap', 'list', 'negator'])

/** "retirer une liste de DAF": what is fetched is no refusal. */
const A_LIST = new Set(['une liste', 'eine liste', 'una lista', 'a list'])
