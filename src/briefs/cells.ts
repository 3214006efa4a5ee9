import type { Cell } from './cell.ts'
import type { Clauses } from './clauses.ts'
import { COMMON_WORDS } from './lexicon/common.ts'
import { TITLE_HEADS } from './lexicon/levels.ts'
import * as W from './lexicon/words.ts'
import { type Entry, longestEntry } from './lexicon.ts'
import type { Item } from './numbers.ts'
import { inPlaceName, isPlaceWord, readPlace } from './place-cells.ts'
import { isKnownWord, repairBeside, wordRepairer } from './repair.ts'
import type { Token } from './tokens.ts'

const BREAKS = new Set(['.', '!', '?', ';', ':', '\n', '(', ')', '[', ']', '{', '}', '—', '|', '•', '…', '¿', '¡', '=', '→', '✓', '·'])
const LISTS = new Set(['/', '+', '\\', '-', '–'])

export function readCells(items: readonly Item[], tokens: readonly Token[], clauses: Clauses, consumed: Uint8Array): Cell[] {
  const repair = wordRepairer()
  const shouting = isShouting(tokens)
  const portuguese = looksPortuguese(items, tokens)
  const dutch = items.some(item => DUTCH.has(item.word))
  const settled = new Map<string, boolean>()
  const words: string[] = []
  const settle = (item: Item, index: number): string => {
    if (item.kind !== 'word') return item.kind === 'quantity' ? '#' : item.word
    const following = items[index + 1]
    const slip = repairBeside(item.word, words[index - 1], following?.kind === 'word' ? following.word : undefined)
    if (slip) return slip
    const known = settled.get(item.word) ?? (isKnownWord(item.word) || isPlaceWord(item.word))
    settled.set(item.word, known)
    if (known) return item.word
    // "Thermo Fisher": a capitalised word after a capitalised word is a name, not a slip.
    const before = tokens[item.first - 1]
    if (
      tokens[item.first]!.capital &&
      before?.kind === 'word' &&
      before.capital &&
      tokens[item.first]!.glue === '' &&
      !isKnownWord(words[index - 1] ?? before.word)
    )
      return item.word
    if (inPlaceName(items, index)) return item.word
    return repair(item.word) ?? item.word
  }
  for (const [index, item] of items.entries()) words.push(settle(item, index))
  const cells: Cell[] = []
  let at = 0
  while (at < items.length) {
    const item = items[at]!
    const token = tokens[item.first]!
    const base = {
      first: at,
      last: at,
      word: words[at]!,
      capital: token.capital,
      small: false,
      idle: false,
      companyNoun: false,
      peopleNoun: false,
      unknown: false,
      label: clauses.labels[at],
      sentence: clauses.sentence[at]!,
    }
    if (clauses.dropped[at] || consumed[at] || item.kind === 'quantity') {
      const gap: Cell = { ...base, kind: item.kind === 'punct' && BREAKS.has(item.word) ? 'break' : 'gap' }
      if (item.quantity && !item.quantity.plain) gap.bound = true
      cells.push(gap)
      at++
      continue
    }
    if (item.kind === 'domain') {
      cells.push({ ...base, kind: 'domain' })
      at++
      continue
    }
    if (item.kind === 'punct') {
      const kind = item.word === ',' ? 'comma' : LISTS.has(item.word) ? 'list' : BREAKS.has(item.word) ? 'break' : 'gap'
      cells.push({ ...base, kind })
      at++
      continue
    }
    let limit = at
    while (limit < items.length && limit < at + 7 && items[limit]!.kind === 'word' && !clauses.dropped[limit] && !consumed[limit]) limit++
    const cell = readWordCell(items, tokens, words, at, limit, cells, { shouting, portuguese, dutch }, base)
    cells.push(cell)
    at = cell.last + 1
  }
  return cells
}

type Base = Omit<Cell, 'kind'>

function readWordCell(
  items: readonly Item[],
  tokens: readonly Token[],
  words: readonly string[],
  at: number,
  limit: number,
  cells: readonly Cell[],
  text: { shouting: boolean; portuguese: boolean; dutch: boolean },
  base: Base,
): Cell {
  const found = longestEntry(words, at, limit)
  const place = readPlace(items, tokens, words, at, limit, cells, text.shouting)
  const control = readControl(words, at, limit, items, tokens, cells, text)
  const entryLength = found && believable(found.entry, items, tokens, at, found.length, words, cells) ? found.length : 0
  if (control && control.length >= Math.max(entryLength, place?.length ?? 0)) {
    return { ...base, kind: control.kind, last: at + control.length - 1, word: words.slice(at, at + control.length).join(' ') }
  }
  if (place && (place.length > entryLength || (place.length === entryLength && place.strong))) {
    const cell: Cell = {
      ...base,
      kind: 'place',
      last: at + place.length - 1,
      word: words.slice(at, at + place.length).join(' '),
      readings: place.readings,
    }
    if (place.demonym) cell.demonym = true
    return cell
  }
  if (found && entryLength > 0) return wordCell(base, words, at, found.length, found.entry)
  return wordCell(base, words, at, 1, undefined)
}

function wordCell(base: Base, words: readonly string[], at: number, length: number, entry: Entry | undefined): Cell {
  const word = words.slice(at, at + length).join(' ')
  const cell: Cell = { ...base, kind: 'word', last: at + length - 1, word }
  if (entry) cell.entry = entry
  const head = TITLE_HEADS.get(words[at + length - 1]!)
  if (head) cell.head = head
  cell.companyNoun = W.COMPANY_NOUNS.has(word)
  cell.peopleNoun = W.PEOPLE_NOUNS.has(word) || W.ANYONE.has(word)
  cell.small = W.STOP_WORDS.has(word) && !entry
  cell.idle = W.IDLE_ADJECTIVES.has(word)
  cell.unknown = !entry && !head && !cell.companyNoun && !cell.peopleNoun && !cell.small && !cell.idle && !COMMON_WORDS.has(word)
  return cell
}

/** Words that are an abbreviation in capitals and a pronoun without: only the context tells "it" from "IT". */
function believable(
  entry: Entry,
  items: readonly Item[],
  tokens: readonly Token[],
  at: number,
  length: number,
  words: readonly string[],
  cells: readonly Cell[],
): boolean {
  if (length > 1) return true
  const word = words[at]!
  const token = tokens[items[at]!.first]!
  if (word === 'it') return token.allCaps || token.glue === '-' || followsWithHead(words, at + 1) || isLastOf(cells, ['of', 'in'])
  if (
    word === 'ai' ||
    word === 'ia' ||
    word === 'pa' ||
    word === 'ip' ||
    word === 'ta' ||
    word === 'cs' ||
    word === 'ea' ||
    word === 'md' ||
    word === 'ae' ||
    word === 'gas' ||
    word === 'pas' ||
    word === 'ti' ||
    word === 'cre' ||
    word === 'gps'
  ) {
    return token.allCaps || (word !== 'pas' && word !== 'ia' && word !== 'ea' && word !== 'ta')
  }
  if (word === 'pr' || word === 'pe') return token.allCaps || followsWithHead(words, at + 1)
  if (word === 'en' || word === 'in' || word === 'on' || word === 'as') return false
  return entry !== undefined
}

const followsWithHead = (words: readonly string[], at: number): boolean => {
  const next = words[at]
  return (
    next !== undefined &&
    (TITLE_HEADS.has(next) ||
      W.PEOPLE_NOUNS.has(next) ||
      [
        'decision',
        'leadership',
        'leaders',
        'departments',
        'abteilung',
        'services',
        'consulting',
        'companies',
        'firms',
        'support',
        'security',
      ].includes(next))
  )
}

const isLastOf = (cells: readonly Cell[], list: readonly string[]): boolean => {
  const last = cells.at(-1)
  return last !== undefined && last.entry?.prefix !== undefined && list.some(word => last.word.endsWith(word))
}

// ---- negation, correction, headquarters ----

function readControl(
  words: readonly string[],
  at: number,
  limit: number,
  items: readonly Item[],
  tokens: readonly Token[],
  cells: readonly Cell[],
  text: { portuguese: boolean; dutch: boolean },
): { kind: Cell['kind']; length: number } | undefined {
  let phrase = ''
  let best: { kind: Cell['kind']; length: number } | undefined
  const most = CONTROL_REACH.get(words[at]!) ?? 0
  for (let length = 1; length <= most && at + length <= limit; length++) {
    phrase = length === 1 ? words[at]! : `${phrase} ${words[at + length - 1]!}`
    if (FALSE_NEGATIONS.has(phrase)) return { kind: 'gap', length }
    if (W.INSTEAD_OF.has(phrase)) best = { kind: 'instead', length }
    else if (
      W.REPLACING.has(phrase) &&
      opensClause(cells) &&
      leadsOver(words, at + length, limit) &&
      !(phrase === 'change' && followsWithHead(words, at + 1))
    )
      best = { kind: 'instead', length }
    else if (W.RETRACTIONS.has(phrase) && opensClause(cells) && at + length < limit) best = { kind: 'negator', length }
    else if (W.HQ_WORDS.has(phrase)) best = { kind: 'hq', length }
    else if (CORRECTIONS.has(phrase) && correctionFits(phrase, words, at, length, items, cells)) best = { kind: 'correction', length }
    else if (W.NEGATORS.has(phrase) && !(text.portuguese && (phrase === 'no' || phrase === 'non'))) best = { kind: 'negator', length }
    else if (EXCEPT_AFTER_PLACE.has(phrase) && cells.at(-1)?.kind === 'place') best = { kind: 'negator', length }
    else if (W.TRAILING_NEGATORS.has(phrase)) best = { kind: 'negator', length }
    else if (W.CONJUNCTIONS.has(phrase) && (phrase !== 'en' || text.dutch) && !isCode(phrase, tokens[items[at]!.first]!, cells))
      best = { kind: 'conjunction', length }
  }
  return best
}

/** "Portland, OR": a conjunction in capitals behind a place is a code; "Salesforce AND Outreach" only raises its voice. */
function isCode(phrase: string, token: Token, cells: readonly Cell[]): boolean {
  if (!token.allCaps || phrase.length > 2) return false
  const last = cells.at(-1)
  return phrase !== 'or' || last?.kind === 'place' || (last?.kind === 'comma' && cells.at(-2)?.kind === 'place')
}

/** "Europe bar the UK", "Latinoamérica menos Brasil": a word that subtracts from a place, and is something else elsewhere. */
const EXCEPT_AFTER_PLACE = new Set(['bar', 'less', 'menos', 'moins', 'meno', 'save', 'but not', 'minus'])
const CORRECTIONS = new Set(W.CORRECTIONS)
const FALSE_NEGATIONS = new Set(W.FALSE_NEGATIONS)
const CONTROL_REACH = new Map<string, number>()
for (const phrases of [
  EXCEPT_AFTER_PLACE,
  FALSE_NEGATIONS,
  CORRECTIONS,
  W.INSTEAD_OF,
  W.REPLACING,
  W.RETRACTIONS,
  W.HQ_WORDS,
  W.NEGATORS,
  W.TRAILING_NEGATORS,
  W.CONJUNCTIONS,
]) {
  for (const phrase of phrases) {
    const parts = phrase.split(' ')
    if ((CONTROL_REACH.get(parts[0]!) ?? 0) < parts.length) CONTROL_REACH.set(parts[0]!, parts.length)
  }
}
/** A command opens its clause: "change Spain to Portugal", but not "who change jobs". */
function opensClause(cells: readonly Cell[]): boolean {
  const last = cells.at(-1)
  return (
    last === undefined ||
    ['break', 'comma', 'conjunction', 'correction', 'gap', 'list'].includes(last.kind) ||
    (last.kind === 'word' && /^(?:please|pls|then|now|bitte|hmm|ok|okay|let|lets|s|por|favor|also|so|but|just|should|to)$/.test(last.word))
  )
}

function leadsOver(words: readonly string[], from: number, limit: number): boolean {
  for (let at = from + 1; at < limit; at++) if (W.REPLACED_BY.has(words[at]!)) return true
  return false
}

/** Words of correction that are also ordinary words: they count with punctuation around them only. */
const LOOSE = new Set([
  'wait',
  'sorry',
  'better',
  'rather',
  'update',
  'edit',
  'moment',
  'lieber',
  'besser',
  'enfin',
  'mejor',
  'instead',
  'eigentlich',
  'digo',
  'espera',
  'correction',
  'nope',
  'ops',
  'oops',
  'nee',
  'nein',
  'warte',
  'make it',
  'make them',
  'go for',
  'go with',
  'que sean',
  'nehmen wir',
  'change to',
  'actually',
  'perdon',
  'pardon',
  'finalement',
  'plutot',
  'anzi',
  'scusa',
])
const TIGHT = new Set(['non', 'no actually'])

function correctionFits(
  phrase: string,
  words: readonly string[],
  at: number,
  length: number,
  items: readonly Item[],
  cells: readonly Cell[],
): boolean {
  const before = cells.at(-1)
  const opens =
    before === undefined ||
    before.kind === 'break' ||
    before.kind === 'comma' ||
    before.kind === 'list' ||
    before.kind === 'correction' ||
    before.kind === 'gap'
  const after = items[at + length]
  const closes = after === undefined || after.kind === 'punct'
  if (TIGHT.has(phrase)) return opens && closes && before !== undefined
  if (phrase === 'instead') return words[at + length] !== 'of'
  if (LOOSE.has(phrase)) return opens || (closes && before !== undefined)
  return true
}

function isShouting(tokens: readonly Token[]): boolean {
  let wordsSeen = 0
  let caps = 0
  for (const token of tokens) {
    if (token.kind !== 'word' || token.word.length < 4) continue
    wordsSeen++
    if (token.allCaps) caps++
  }
  return wordsSeen >= 3 && caps > wordsSeen * 0.6
}

const PORTUGUESE = new Set(
  'diretores diretor diretora nao com em setor varejo gerentes sao dos das funcionarios brasil rio ao pela empresas'.split(' '),
)
const DUTCH = new Set('van bij het een voor met medewerkers bedrijven werknemers niet geen nederland zoek'.split(' '))
function looksPortuguese(items: readonly Item[], tokens: readonly Token[]): boolean {
  let hits = 0
  for (const item of items)
    if (PORTUGUESE.has(item.word) && tokens[item.first]!.glue !== '.') hits += item.word === 'em' || item.word === 'nao' ? 2 : 1
  return hits >= 2
}
