import type { Cell } from './cell.ts'
import type { Entity } from './entities.ts'
import { NOUN_MODIFIERS } from './lexicon/roles.ts'

/** What stands before and after the noun of a title, and how its words are written in English. */

export const LIST_KINDS = new Set(['comma', 'conjunction', 'list'])

/**
 * Nobody lists more functions or ranks in one breath than this, nor puts more separators between two of them. Without an
 * end, a text of nothing but list would be read from every one of its words to its end.
 */
export const LONGEST_LIST = 12
const MOST_SEPARATORS = 3

/** The first cell after the separators at `at`; `at` itself where there are none, or more than anyone writes. */
export function afterSeparators(cells: readonly Cell[], at: number): number {
  let step = at
  while (LIST_KINDS.has(cells[step]?.kind ?? '')) if (++step - at > MOST_SEPARATORS) return at
  return step
}

export const LEVEL_FORMS: Record<string, string> = { director: '% director', vp: 'vp %', head: 'head of %', manager: '% manager' }

/** Words that belong into a title in front of its function. */
export const RANKS = new Set(
  'senior junior lead principal staff chief deputy assistant global regional group international technical digital national interim key enterprise commercial field inside corporate strategic associate executive vice sr jr main major central local divisional acting mid-level graduate trainee certified independent freelance self-employed managing general'.split(
    ' ',
  ),
)

const WORD_FORMS: Record<string, string> = {
  eng: 'engineering',
  ops: 'operations',
  mktg: 'marketing',
  mkt: 'marketing',
  bd: 'business development',
  sr: 'senior',
  jr: 'junior',
  dev: 'development',
  mfg: 'manufacturing',
  comms: 'communications',
  'biz dev': 'business development',
  bizdev: 'business development',
  fin: 'finance',
  tech: 'technology',
  acct: 'account',
  'e commerce': 'ecommerce',
  ecom: 'ecommerce',
  'e com': 'ecommerce',
}

export const isFunction = (cell: Cell | undefined): boolean =>
  cell !== undefined && cell.kind === 'word' && cell.entry?.function !== undefined && !cell.used

export const fill = (form: string, name: string): string => form.replace('%', name)

export const englishWords = (word: string): string =>
  WORD_FORMS[word] ??
  word
    .split(' ')
    .map(part => WORD_FORMS[part] ?? part)
    .join(' ')

const NON_ENGLISH = new Set(
  'vertrieb,einkauf,personal,technik,verkauf,produktion,entwicklung,forschung,finanzen,recht,lager,qualitat,logistik,instandhaltung,achats,compras,ventas,produit,ressources humaines,rh,recursos humanos,calidad,marca,informatik,beschaffung,fertigung,nachhaltigkeit,kommunikation'.split(
    ',',
  ),
)

export function functionName(cell: Cell, english: boolean): string {
  if (!english) return cell.entry!.function!.title
  if (cell.word === 'r and d') return 'r&d'
  if (cell.word === 'm and a') return 'm&a'
  return /^[a-z ]+$/.test(cell.word) && NON_ENGLISH.has(cell.word) ? cell.entry!.function!.title : englishWords(cell.word)
}

export function pushTitle(entities: Entity[], value: string, first: number, last: number): void {
  const title = value.replace(/\s+/g, ' ').trim()
  if (title !== '') entities.push({ kind: 'title', value: title.slice(0, 100), first, last })
}

export function markUsed(cells: readonly Cell[], first: number, last: number): void {
  for (let at = first; at <= last; at++) cells[at]!.used = true
}

export function ranksBefore(cells: readonly Cell[], at: number): { words: string[]; from: number } {
  const words: string[] = []
  let from = at
  while (from > 0 && words.length < 2) {
    const cell = cells[from - 1]!
    if (cell.kind !== 'word' || cell.used || !RANKS.has(cell.word) || cell.entry?.level) break
    words.unshift(englishWords(cell.word))
    from--
  }
  return { words, from }
}

export interface Modifiers {
  words: string[]
  from: number
  /** At least one of them is a function of the lexicon. */
  functional: boolean
  departments: Cell[]
}

const TECH_ROLES = new Set(
  'developer engineer consultant admin administrator architect specialist expert analyst programmer manager designer strategist'.split(' '),
)

/** Nouns of rank and of ownership: an industry in front of them is the company's, not a part of the title. */
const RANK_HEADS = new Set(
  'manager director head vp officer lead leader executive owner founder partner president chairman principal chief associate entrepreneur investor marketer operator worker master expert'.split(
    ' ',
  ),
)
/** "glass producers" are companies, "music producers" are people. */
const MEDIA = new Set('music film tv television video radio podcast event game theatre theater movie media show concert audio'.split(' '))

/** "packaging engineers": in front of a role noun an industry says what the person does. */
const namesTheWork = (head: Cell, cell: Cell): boolean => {
  if (!head.head || RANK_HEADS.has(head.head)) return false
  return head.head === 'producer' ? MEDIA.has(cell.word) : !cell.entry?.size && !cell.entry?.stage
}

/** "stage managers" work in theatres; "early stage" is something else. */
const isStage = (cells: readonly Cell[], at: number): boolean =>
  cells[at]!.word === 'stage' && !cells[at - 1]?.idle && !cells[at - 1]?.entry

/** "building materials producers": what they produce stands in front, so the noun names companies. */
export const producesGoods = (cells: readonly Cell[], at: number): boolean => {
  const before = cells[at - 1]
  return cells[at]!.head === 'producer' && before?.kind === 'word' && before.entry?.industry !== undefined && !MEDIA.has(before.word)
}

export function modifiersBefore(cells: readonly Cell[], at: number): Modifiers {
  const result: Modifiers = { words: [], from: at, functional: false, departments: [] }
  const head = cells[at]!
  while (result.from > 0 && result.words.length < 4) {
    const cell = cells[result.from - 1]!
    if (cell.kind !== 'word' || cell.used || cell.small) break
    const { entry } = cell
    if (entry?.function) {
      // "SaaS marketing managers": an industry that is a function as well belongs to the title only next to the noun.
      if (entry.industry && result.words.length > 0 && !RANKS.has(cell.word) && !['logistics', 'supply chain'].includes(cell.word)) break
      result.words.unshift(functionName(cell, true))
      result.functional = true
      result.departments.push(cell)
    } else if (RANKS.has(cell.word)) result.words.unshift(englishWords(cell.word))
    else if (entry?.keyword || entry?.size || entry?.stage) break
    else if (entry?.industry && result.words.length === 0 && namesTheWork(head, cell)) result.words.unshift(cell.word)
    else if (entry?.title && !cell.word.endsWith('s') && result.words.length === 0) result.words.unshift(entry.title)
    else if (entry?.technology && !entry.industry && TECH_ROLES.has(head.head ?? '')) result.words.unshift(cell.word)
    else if (entry) break
    else if (
      (cell.companyNoun || cell.peopleNoun || cell.idle) &&
      !(NOUN_MODIFIERS.has(cell.word) && (namesTheWork(head, cell) || isStage(cells, result.from - 1)))
    ) {
      if (
        cell.word === 'facility' ||
        cell.word === 'store' ||
        cell.word === 'shop' ||
        cell.word === 'account' ||
        cell.word === 'group' ||
        cell.word === 'platform' ||
        cell.word === 'network'
      )
        result.words.unshift(cell.word)
      else break
    } else if (cell.unknown || (NOUN_MODIFIERS.has(cell.word) && result.words.length < 2)) result.words.unshift(englishWords(cell.word))
    else break
    result.from--
  }
  // A rank alone in front of a bare level ("senior managers", "general partner") stays a title; idle words were cut.
  return result
}

/** "facilities or energy managers": functions before the conjunction share the noun. */
export function ellipsisBefore(cells: readonly Cell[], from: number, shared?: string): { names: string[]; from: number } {
  const names: string[] = []
  let start = from
  while (names.length < LONGEST_LIST) {
    let step = start - 1
    let separators = 0
    while (step >= 0 && LIST_KINDS.has(cells[step]!.kind) && separators < 2) {
      step--
      separators++
    }
    if (separators === 0 || step < 0) break
    const cell = cells[step]!
    if (
      cell.kind === 'word' &&
      !cell.used &&
      cell.entry?.technology &&
      !cell.entry.industry &&
      !cell.entry.function &&
      shared !== undefined
    ) {
      // "Golang or Rust backend engineers": a second technology shares the rest of the title.
      names.unshift(`${cell.word} ${shared}`.trim())
      start = step
      continue
    }
    if (cell.kind !== 'word' || cell.used || !cell.entry?.function) break
    if (cell.entry.industry && !cell.entry.weakIndustry && cells[start - 1]!.kind === 'comma') break
    const words = [functionName(cell, true)]
    let first = step
    while (
      first > 0 &&
      cells[first - 1]!.kind === 'word' &&
      !cells[first - 1]!.used &&
      words.length < 5 &&
      (RANKS.has(cells[first - 1]!.word) || (cells[first - 1]!.entry?.function && !cells[first - 1]!.entry?.industry))
    ) {
      first--
      words.unshift(englishWords(cells[first]!.word))
    }
    const before = cells[first - 1]
    // "work in sales and marketing managers": a preposition before it makes it something else.
    if (
      before &&
      before.kind === 'word' &&
      before.small &&
      ![
        'the',
        'for',
        'find',
        'all',
        'looking',
        'with',
        'target',
        'need',
        'want',
        'get',
        'reach',
        'contact',
        'list',
        'of',
        'les',
        'des',
        'die',
        'los',
        'a',
        'an',
        'any',
        'to',
      ].includes(before.word)
    )
      break
    names.unshift(words.join(' '))
    start = first
  }
  return { names, from: start }
}
