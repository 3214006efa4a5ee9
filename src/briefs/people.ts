import type { Cell } from './cell.ts'
import { readDepartmentPeople, readLevel } from './departments.ts'
import type { Entity } from './entities.ts'
import { COMPOUND_HEADS } from './lexicon/levels.ts'
import { lexicon, longestEntry } from './lexicon.ts'
import {
  afterSeparators,
  ellipsisBefore,
  englishWords,
  fill,
  functionName,
  isFunction,
  LEVEL_FORMS,
  LIST_KINDS,
  LONGEST_LIST,
  markUsed,
  modifiersBefore,
  producesGoods,
  pushTitle,
  RANKS,
  ranksBefore,
} from './title-parts.ts'

/** Titles, levels and departments: who is asked for. Cells that were read are marked used. */
export function readPeople(cells: readonly Cell[]): Entity[] {
  const entities: Entity[] = []
  let at = 0
  while (at < cells.length) {
    const next =
      readPrefixTitle(cells, at, entities) ??
      readHeadTitle(cells, at, entities) ??
      readDepartmentPeople(cells, at, entities) ??
      readCompound(cells, at, entities)
    at = next ?? at + 1
  }
  if (entities.length === 0) readUnknownRole(cells, entities)
  return entities
}

const BEFORE_WHERE = new Set('in at from near across within around en a au aux dans chez bei aus im nel nella em te bij'.split(' '))
const DOERS =
  /(?:[^aeiou]ers|[aeiou]rs|ors|ists|ians|men|smiths|wrights|eurs|euses|istes|iens|iennes|istas|eros|eras|adores|arios|isten|inhaber|macher|bauer|pfleger|lehrer)$/

/** "falconers in Qatar": a plural that nothing explains, where a brief begins and a place or an industry follows, is a role. */
function readUnknownRole(cells: readonly Cell[], entities: Entity[]): void {
  let first = 0
  while (
    first < cells.length &&
    first < 8 &&
    cells[first]!.kind !== 'place' &&
    (cells[first]!.kind !== 'word' || cells[first]!.small || cells[first]!.idle)
  ) {
    if (cells[first]!.kind === 'negator') return
    first++
  }
  let last = first
  const fits = (cell: Cell | undefined) => cell?.kind === 'word' && !cell.used && cell.unknown
  if (!fits(cells[first])) return
  while (last - first < 2 && fits(cells[last + 1])) last++
  const role = cells[last]!
  const doer = DOERS.test(role.word)
  if (role.word.length < 5 || !(doer || (/[^su]s$/.test(role.word) && !role.capital && cells.length <= 12))) return
  const where = cells[last + 1]
  const target = cells[last + 2]
  const follows =
    where?.kind === 'word' && BEFORE_WHERE.has(where.word) && target !== undefined && (target.kind === 'place' || target.kind === 'word')
  const listed = doer && where?.kind === 'comma' && target?.kind === 'place'
  if (!follows && !listed) return
  const words = cells.slice(first, last + 1).map(cell => cell.word)
  words[words.length - 1] = /men$/.test(role.word) ? role.word.replace(/men$/, 'man') : role.word.replace(/ies$/, 'y').replace(/s$/, '')
  pushTitle(entities, words.join(' '), first, last)
  markUsed(cells, first, last)
}

const OF_WORDS = new Set([
  'of',
  'de',
  'du',
  'des',
  'd',
  'la',
  'le',
  'l',
  'les',
  'der',
  'die',
  'das',
  'den',
  'fur',
  'del',
  'el',
  'los',
  'las',
  'di',
  'della',
  'dei',
  'van',
  'do',
  'da',
  'the',
  'for',
  'dem',
  'im',
  'bereich',
  'departement',
  'departamento',
  'abteilung',
  'service',
  'area',
  'dello',
  'dell',
  'delle',
  'dipartimento',
  'global',
  'the global',
])

/** English titles keep the words they were written with; others are written with the English name of the function. */
const ENGLISH_PREFIX =
  /(?:^|\b)(?:head|heads|director|directors|vp|vps|svp|svps|evp|evps|avp|vice president|vice presidents|manager|managers|chief|lead|leads)(?: of| for| the)*$/

interface FunctionList {
  names: string[]
  /** The first cell after the list. */
  next: number
}

/** After "head of" or "directeur": one or more functions. */
function readFunctions(cells: readonly Cell[], from: number, english: boolean, open: boolean): FunctionList | undefined {
  let at = from
  let skipped = 0
  while (skipped < 3 && cells[at]?.kind === 'word' && OF_WORDS.has(cells[at]!.word) && !isFunction(cells[at])) {
    at++
    skipped++
  }
  const names: string[] = []
  const first = readOneFunction(cells, at, english, open)
  if (!first) return undefined
  names.push(first.name)
  at = first.next
  while (names.length < LONGEST_LIST) {
    let step = at
    if (!LIST_KINDS.has(cells[step]?.kind ?? '')) break
    const isComma = cells[step]!.kind === 'comma'
    step++
    if (cells[step]?.kind === 'conjunction') step++
    while (cells[step]?.kind === 'word' && OF_WORDS.has(cells[step]!.word) && step < at + 4 && !isFunction(cells[step])) step++
    const another = readOneFunction(cells, step, english, false)
    // "head of sales, marketing managers": the second function belongs to the next title.
    if (!another || cells[another.next]?.head || cells[another.next]?.companyNoun || cells[another.next]?.peopleNoun) break
    if (isComma && (cells[step]!.entry?.industry || cells[step]!.entry?.technology) && !listClosesWithConjunction(cells, another.next))
      break
    names.push(another.name)
    at = another.next
  }
  return { names, next: at }
}

/** "hospitals", "care homes": a plural whose singular is as common. "logistics", "textiles" and their like are trades. */
function namesCompanies({ word, entry }: Cell): boolean {
  if (!word.endsWith('s') || word.length < 5 || TRADES.test(word)) return false
  const single = word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1)
  return lexicon().exact.get(single)?.industry === entry!.industry
}
const TRADES =
  /(?:ics|sports|textiles|metals|chemicals|games|services|utilities|goods|foods|media|beverages|sales|events|payments|products)$/

function listClosesWithConjunction(cells: readonly Cell[], at: number): boolean {
  return cells[at]?.kind === 'conjunction' || (cells[at]?.kind === 'comma' && cells[at + 1]?.kind === 'conjunction')
}

function readOneFunction(cells: readonly Cell[], at: number, english: boolean, open: boolean): { name: string; next: number } | undefined {
  const parts: string[] = []
  let next = at
  while (next < cells.length && parts.length < 4) {
    const cell = cells[next]!
    // "Head of Store Design": a noun for companies may stand in front of the function.
    if (cell.kind === 'word' && !cell.used && open && english && parts.length === 0 && cell.companyNoun && isFunction(cells[next + 1])) {
      parts.push(cell.word)
      next++
      continue
    }
    if (cell.kind !== 'word' || cell.used || cell.companyNoun || (cell.peopleNoun && !isFunction(cell))) break
    if (isFunction(cell)) parts.push(functionName(cell, english))
    else if (open && cell.entry?.industry && parts.length === 0) {
      // "directors of care homes": companies have directors; a line of business ("director of retail") is a title.
      const after = cells[next + 1]
      if (after?.kind === 'word' && !after.used && (after.companyNoun || (after.unknown && after.word.endsWith('s')))) break
      if (namesCompanies(cell)) break
      parts.push(cell.word)
    } else if ((open || parts.length > 0) && cell.unknown && english) parts.push(englishWords(cell.word))
    else if (open && english && RANKS.has(cell.word)) parts.push(cell.word)
    else break
    next++
    // A second function right behind the first is one name ("product marketing") in English only.
    if (!english) break
  }
  return parts.length === 0 ? undefined : { name: parts.join(' '), next }
}

/** "VP, Director, Head or Lead of Sales": more ranks than this for one function nobody lists. */
const MOST_OPENINGS = 6

/** "Head of X", "VP X", "Directeur X", and lists of such openings: "VP or Head of Engineering". */
function readPrefixTitle(cells: readonly Cell[], at: number, entities: Entity[]): number | undefined {
  if (!opensTitle(cells[at])) return undefined
  const openings = [at]
  let last = at
  for (;;) {
    let step = last + 1
    step = afterSeparators(cells, step)
    if (step === last + 1 || openings.length === MOST_OPENINGS || !opensTitle(cells[step])) break
    openings.push(step)
    last = step
  }
  const cell = cells[last]!
  const english = ENGLISH_PREFIX.test(cell.word)
  const open = / (?:of|for|de|del|du|des)$/.test(cell.word)
  // "marketing managers for pet brands": the title is complete before the preposition.
  if (/ for$/.test(cell.word) && isFunction(cells[at - 1])) return undefined
  const list = readFunctions(cells, last + 1, english, open && english) ?? lineOfBusiness(cells, last)
  if (!list) return undefined
  // "directors marketing" is not English; but "VP marketing" is, and so are "directeur marketing" and "Leiter Einkauf".
  const following = cells[list.next]
  if (
    !cell.entry!.prefix ||
    (following?.head && following.kind === 'word' && !following.used && cell.entry!.level && !open && !/^v|^s?e?vp/.test(cell.word))
  )
    return undefined
  if (cell.entry!.prefix === 'chief % officer') {
    if (following?.head !== 'officer') return undefined
    for (const name of list.names) pushTitle(entities, `chief ${name} officer`, at, list.next)
    markUsed(cells, at, list.next)
    return list.next + 1
  }
  if (english && !open && /^(?:director|directors|manager|managers|head|heads)$/.test(cell.word)) return undefined
  // "Leaders and VPs of sales": department and levels when the noun says people.
  for (const opening of openings) {
    const entry = cells[opening]!.entry!
    const form = entry.prefix ?? LEVEL_FORMS[entry.level ?? '']
    if (form) for (const name of list.names) pushTitle(entities, fill(form, name), at, list.next - 1)
  }
  markUsed(cells, at, list.next - 1)
  return list.next
}

/** "VP Retail": a line of business right behind the rank, with nothing after it. */
function lineOfBusiness(cells: readonly Cell[], at: number): FunctionList | undefined {
  const cell = cells[at + 1]
  if (!/^(?:s|e|a)?vp$/.test(cells[at]!.word) || cell?.kind !== 'word' || cell.used || !cell.entry?.industry || !cell.capital)
    return undefined
  const after = cells[at + 2]
  if (after !== undefined && after.kind !== 'comma' && after.kind !== 'break' && after.kind !== 'conjunction') return undefined
  return { names: [cell.word], next: at + 2 }
}

function opensTitle(cell: Cell | undefined): boolean {
  if (cell?.kind !== 'word' || cell.used || !cell.entry) return false
  return cell.entry.prefix !== undefined || LEVEL_FORMS[cell.entry.level ?? ''] !== undefined
}

/** A noun of role with what stands in front of it: "warehouse managers", "React developers", "founders". */
function readHeadTitle(cells: readonly Cell[], at: number, entities: Entity[]): number | undefined {
  const cell = cells[at]!
  if (cell.kind !== 'word' || cell.used) return undefined
  const { entry } = cell
  const isRole = (entry?.title && !entry.weakTitle) || entry?.level || cell.head
  if (entry?.prefix && !entry.level && / for$/.test(cell.word) && isFunction(cells[at - 1])) {
    const front = modifiersBefore(cells, at)
    const noun = cell.word.split(' ')[0]!.replace(/s$/, '')
    const lists = ellipsisBefore(cells, front.from)
    for (const other of lists.names) pushTitle(entities, `${other} ${noun}`, lists.from, at)
    pushTitle(entities, `${front.words.join(' ')} ${noun}`, front.from, at)
    markUsed(cells, lists.from, at)
    return at + 1
  }
  if (entry?.prefix && !entry.level && cell.word.includes(' ')) {
    // "directores de empresas": no function followed, so the noun is a bare level.
    const bare = longestEntry(cell.word.split(' '), 0, 1)?.entry
    if (bare?.level && LEVEL_FORMS[bare.level]) {
      entities.push({ kind: 'level', value: bare.level, ...(bare.levelTitle ? { levelTitle: bare.levelTitle } : {}), first: at, last: at })
      cell.used = true
      return at + 1
    }
  }
  if (entry?.prefix && !cell.head) {
    // "IT-Leiter", "Marketing-Direktor": the function stands in front, the word itself is not English.
    const front = modifiersBefore(cells, at)
    const name = front.departments[0]?.entry?.function?.title
    if (name !== undefined && front.departments.length === 1 && front.from === at - 1) {
      pushTitle(entities, fill(entry.prefix, name), front.from, at)
      markUsed(cells, front.from, at)
      return at + 1
    }
  }
  if (!isRole || describesThings(cells, at)) return undefined
  // "ab Abteilungsleiter", "department heads and above": a rank from which the ranks count, not a title.
  if (entry?.level && reachesUp(cells, at))
    return readLevel(cells, at, { words: [], from: at, functional: false, departments: [] }, entities)
  if (cell.word === 'lead' && cells[at + 1]?.head) return undefined
  if (producesGoods(cells, at)) return undefined
  // "50+ developers" measures a company; "50 developers" may be what is wanted.
  if (cells[at - 1]?.bound) return undefined
  // A modifier of a longer title that follows ("executive chef", "partner manager") is not a role of its own.
  if (modifiesNext(cells, at)) return undefined
  if (entry?.title && !entry.weakTitle && !cell.head) {
    const extended = ranksBefore(cells, at)
    pushTitle(entities, [...extended.words, entry.title].join(' '), extended.from, at)
    markUsed(cells, extended.from, at)
    return at + 1
  }
  const before = modifiersBefore(cells, at)
  const plain = before.words.length === 0
  const level = entry?.level
  const group =
    level === 'leaders' ||
    level === 'executives' ||
    level === 'deciders' ||
    level === 'c_suite' ||
    level === 'senior' ||
    level === 'entry' ||
    level === 'intern' ||
    level === 'founder' ||
    level === 'owner'
  if (level && (plain || group)) return readLevel(cells, at, before, entities)
  if (plain && !(entry?.title && !entry.weakTitle)) {
    if (cell.head && (cell.word === 'marketers' || cell.word === 'marketer')) {
      entities.push({ kind: 'department', value: 'marketing', department: 'marketing', first: at, last: at })
      cell.used = true
      return at + 1
    }
    return undefined
  }
  const noun = entry?.title && !entry.weakTitle ? entry.title : (cell.head ?? '')
  const tool = cells[before.from]
  const sharesTool = before.from < at && tool?.entry?.technology !== undefined && !tool.entry.function
  const lists = ellipsisBefore(cells, before.from, sharesTool ? before.words.slice(1).join(' ') : undefined)
  const qualifier = before.words.join(' ')
  // "leads" without a function are the people wanted, not a role.
  if (noun === 'lead' && !before.functional) return undefined
  if (noun === 'operator' || noun === 'expert' || noun === 'worker' || noun === 'master' || noun === 'leader') {
    if (noun === 'operator' || noun === 'worker') return undefined
  }
  // "HR, finance and legal directors": only the last word is shared, also where "legal director" is a title of its own.
  const shared = entry?.title && cell.word.includes(' ') && !sharesTool ? (cell.head ?? noun) : noun
  for (const other of lists.names) pushTitle(entities, `${other} ${shared}`, lists.from, at)
  pushTitle(entities, `${qualifier} ${noun}`, before.from, at)
  markUsed(cells, lists.from, at)
  return shareQualifier(
    cells,
    at,
    entry?.title && cell.word.includes(' ') ? cell.word.slice(0, cell.word.lastIndexOf(' ')) : qualifier,
    before.functional || (entry?.title !== undefined && cell.word.includes(' ')),
    entities,
  )
}

const LEVEL_ADJECTIVES = new Set('senior junior seniors juniors executive'.split(' '))

/**
 * "senior citizens", "junior football clubs", "executive education": in front of a noun that is nobody's role the word
 * is an adjective of that noun; "agences indépendantes": behind a noun for companies it is one of theirs.
 */
function describesThings(cells: readonly Cell[], at: number): boolean {
  const cell = cells[at]!
  const before = cells[at - 1]
  const named = before?.kind === 'word' && (before.companyNoun || before.entry?.industry !== undefined || before.entry?.title !== undefined)
  if (cell.idle && named) return true
  if (!LEVEL_ADJECTIVES.has(cell.word) || cell.label === 'seniority') return false
  const next = cells[at + 1]
  if (next?.kind !== 'word' || next.used || next.small || next.peopleNoun || next.head) return false
  const { entry } = next
  return !(entry?.title || entry?.level || entry?.prefix || (entry?.function && !entry.industry))
}

function reachesUp(cells: readonly Cell[], at: number): boolean {
  const before = cells[at - 1]
  const after = cells[at + 1]
  if (before?.kind === 'word' && before.word === 'ab') return true
  return after?.kind === 'word' && ['aufwarts', 'upwards', 'upward'].includes(after.word)
}

/** "sales directors and VPs", "marketing managers or directors": the second noun has the first one's function. */
function shareQualifier(cells: readonly Cell[], at: number, qualifier: string, functional: boolean, entities: Entity[]): number {
  const next = cells[at + 2]
  if (!functional || cells[at + 1]?.kind !== 'conjunction' || next?.kind !== 'word' || next.used) return at + 1
  const form = LEVEL_FORMS[next.entry?.level ?? '']
  if (!form || next.word.includes(' ') || !next.head || !LEVEL_FORMS[cells[at]!.head ?? '']) return at + 1
  const after = cells[at + 3]
  if (after?.kind === 'word' && (after.word === 'in' || after.word === 'of') && isFunction(cells[at + 4])) return at + 1
  pushTitle(entities, fill(form, qualifier), at + 2, at + 2)
  next.used = true
  return at + 3
}

function modifiesNext(cells: readonly Cell[], at: number): boolean {
  const next = cells[at + 1]
  if (next?.kind !== 'word' || next.used || !next.head) return false
  const cell = cells[at]!
  if (cell.entry?.level === 'founder' || cell.entry?.level === 'owner' || cell.entry?.level === 'c_suite' || cell.entry?.level === 'entry')
    return false
  // A plural ends its own noun phrase: "directors managers" are two.
  if (cell.word.endsWith('s') && cell.head && !/(?:ss|sales|operations|news)$/.test(cell.word) && cell.head !== cell.word) return false
  return next.entry?.level !== 'leaders' || cell.entry?.function !== undefined
}

/** "Vertriebsleiter", "Nachhaltigkeitsmanager": German nouns that carry their function. */
function readCompound(cells: readonly Cell[], at: number, entities: Entity[]): number | undefined {
  const cell = cells[at]!
  if (cell.kind !== 'word' || cell.used || cell.entry || !cell.unknown || cell.word.length < 8 || cell.word.includes(' ')) return undefined
  for (const [suffix, form] of COMPOUND_HEADS) {
    if (!cell.word.endsWith(suffix)) continue
    const stem = cell.word.slice(0, -suffix.length)
    for (const variant of [stem, stem.replace(/s$/, ''), stem.replace(/en$/, ''), stem.replace(/n$/, ''), stem.replace(/es$/, '')]) {
      if (variant.length < 2) continue
      const found = longestEntry([variant], 0, 1)
      if (!found?.entry.function) continue
      pushTitle(entities, fill(form, found.entry.function.title), at, at)
      cell.used = true
      return at + 1
    }
    return undefined
  }
  return undefined
}
