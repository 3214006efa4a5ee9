import type { Cell } from './cells.ts'
import type { Entity } from './entities.ts'
import { longestEntry } from './lexicon.ts'
import { COMPOUND_HEADS } from './lexicon/levels.ts'
import { ANYONE } from './lexicon/words.ts'

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
  return entities
}

const LIST_KINDS = new Set(['comma', 'conjunction', 'list'])
const OF_WORDS = new Set(['of', 'de', 'du', 'des', 'd', 'la', 'le', 'l', 'les', 'der', 'die', 'das', 'den', 'fur', 'del', 'el', 'los', 'las', 'di', 'della', 'dei', 'van', 'do', 'da', 'the', 'for', 'dem', 'im', 'bereich', 'departement', 'departamento', 'abteilung', 'service', 'area', 'dello', 'dell', 'delle', 'dipartimento', 'global', 'the global'])

const LEVEL_FORMS: Record<string, string> = { director: '% director', vp: 'vp %', head: 'head of %', manager: '% manager' }
/** Words that belong into a title in front of its function. */
const RANKS = new Set('senior junior lead principal staff chief deputy assistant global regional group international technical digital national interim key enterprise commercial field inside corporate strategic associate executive vice sr jr main major central local divisional acting mid-level graduate trainee certified independent freelance self-employed managing general'.split(' '))
const WORD_FORMS: Record<string, string> = { eng: 'engineering', ops: 'operations', mktg: 'marketing', mkt: 'marketing', bd: 'business development', sr: 'senior', jr: 'junior', dev: 'development', mfg: 'manufacturing', comms: 'communications', 'biz dev': 'business development', bizdev: 'business development', fin: 'finance', tech: 'technology', acct: 'account' }

const isFunction = (cell: Cell | undefined): boolean => cell !== undefined && cell.kind === 'word' && cell.entry?.function !== undefined && !cell.used
const fill = (form: string, name: string): string => form.replace('%', name)
const englishWords = (word: string): string => WORD_FORMS[word] ?? word.split(' ').map(part => WORD_FORMS[part] ?? part).join(' ')

/** English titles keep the words they were written with; others are written with the English name of the function. */
const ENGLISH_PREFIX = /(?:^|\b)(?:head|heads|director|directors|vp|vps|svp|svps|evp|evps|avp|vice president|vice presidents|manager|managers|chief|lead|leads)(?: of| for| the)*$/

interface FunctionList {
  names: string[]
  /** The first cell after the list. */
  next: number
}

function functionName(cell: Cell, english: boolean): string {
  if (!english) return cell.entry!.function!.title
  if (cell.word === 'r and d') return 'r&d'
  if (cell.word === 'm and a') return 'm&a'
  return /^[a-z ]+$/.test(cell.word) && NON_ENGLISH.has(cell.word) ? cell.entry!.function!.title : englishWords(cell.word)
}
const NON_ENGLISH = new Set('vertrieb,einkauf,personal,technik,verkauf,produktion,entwicklung,forschung,finanzen,recht,lager,qualitat,logistik,instandhaltung,achats,compras,ventas,produit,ressources humaines,rh,recursos humanos,calidad,marca,informatik,beschaffung,fertigung,nachhaltigkeit,kommunikation'.split(','))

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
  for (;;) {
    let step = at
    if (!LIST_KINDS.has(cells[step]?.kind ?? '')) break
    const isComma = cells[step]!.kind === 'comma'
    step++
    if (cells[step]?.kind === 'conjunction') step++
    while (cells[step]?.kind === 'word' && OF_WORDS.has(cells[step]!.word) && step < at + 4 && !isFunction(cells[step])) step++
    const another = readOneFunction(cells, step, english, false)
    // "head of sales, marketing managers": the second function belongs to the next title.
    if (!another || cells[another.next]?.head || cells[another.next]?.companyNoun || cells[another.next]?.peopleNoun) break
    if (isComma && (cells[step]!.entry?.industry || cells[step]!.entry?.technology) && !listClosesWithConjunction(cells, another.next)) break
    names.push(another.name)
    at = another.next
  }
  return { names, next: at }
}

function listClosesWithConjunction(cells: readonly Cell[], at: number): boolean {
  return cells[at]?.kind === 'conjunction' || (cells[at]?.kind === 'comma' && cells[at + 1]?.kind === 'conjunction')
}

function readOneFunction(cells: readonly Cell[], at: number, english: boolean, open: boolean): { name: string; next: number } | undefined {
  const parts: string[] = []
  let next = at
  while (next < cells.length && parts.length < 4) {
    const cell = cells[next]!
    if (cell.kind !== 'word' || cell.used || cell.companyNoun || (cell.peopleNoun && !isFunction(cell))) break
    if (isFunction(cell)) parts.push(functionName(cell, english))
    else if (open && cell.entry?.industry && parts.length === 0) parts.push(cell.word)
    else if ((open || parts.length > 0) && cell.unknown && english) parts.push(englishWords(cell.word))
    else if (open && english && RANKS.has(cell.word)) parts.push(cell.word)
    else break
    next++
    // A second function right behind the first is one name ("product marketing") in English only.
    if (!english) break
  }
  return parts.length === 0 ? undefined : { name: parts.join(' '), next }
}

/** "Head of X", "VP X", "Directeur X", and lists of such openings: "VP or Head of Engineering". */
function readPrefixTitle(cells: readonly Cell[], at: number, entities: Entity[]): number | undefined {
  if (!opensTitle(cells[at])) return undefined
  const openings = [at]
  let last = at
  for (;;) {
    let step = last + 1
    if (!LIST_KINDS.has(cells[step]?.kind ?? '')) break
    while (LIST_KINDS.has(cells[step]?.kind ?? '')) step++
    if (!opensTitle(cells[step])) break
    openings.push(step)
    last = step
  }
  const cell = cells[last]!
  const english = ENGLISH_PREFIX.test(cell.word)
  const open = / (?:of|for|de|del|du|des)$/.test(cell.word)
  const list = readFunctions(cells, last + 1, english, open && english)
  if (!list) return undefined
  // "directors marketing" is not English; but "VP marketing" is, and so are "directeur marketing" and "Leiter Einkauf".
  const following = cells[list.next]
  if (!cell.entry!.prefix || (following?.head && following.kind === 'word' && !following.used && cell.entry!.level && !open && !/^v|^s?e?vp/.test(cell.word))) return undefined
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

function opensTitle(cell: Cell | undefined): boolean {
  if (!cell || cell.kind !== 'word' || cell.used || !cell.entry) return false
  return cell.entry.prefix !== undefined || LEVEL_FORMS[cell.entry.level ?? ''] !== undefined
}

function pushTitle(entities: Entity[], value: string, first: number, last: number): void {
  const title = value.replace(/\s+/g, ' ').trim()
  if (title !== '') entities.push({ kind: 'title', value: title.slice(0, 100), first, last })
}

function markUsed(cells: readonly Cell[], first: number, last: number): void {
  for (let at = first; at <= last; at++) cells[at]!.used = true
}

/** A noun of role with what stands in front of it: "warehouse managers", "React developers", "founders". */
function readHeadTitle(cells: readonly Cell[], at: number, entities: Entity[]): number | undefined {
  const cell = cells[at]!
  if (cell.kind !== 'word' || cell.used) return undefined
  const { entry } = cell
  const isRole = (entry?.title && !entry.weakTitle) || entry?.level || cell.head
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
  if (!isRole) return undefined
  if (cell.word === 'lead' && cells[at + 1]?.head) return undefined
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
  const group = level === 'leaders' || level === 'executives' || level === 'deciders' || level === 'c_suite' || level === 'senior' || level === 'entry' || level === 'intern' || level === 'founder' || level === 'owner'
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
  const lists = ellipsisBefore(cells, before.from)
  const qualifier = before.words.join(' ')
  // "leads" without a function are the people wanted, not a role.
  if (noun === 'lead' && !before.functional) return undefined
  if (noun === 'operator' || noun === 'expert' || noun === 'worker' || noun === 'master' || noun === 'leader') {
    if (noun === 'operator' || noun === 'worker') return undefined
  }
  // "HR, finance and legal directors": only the last word is shared, also where "legal director" is a title of its own.
  const shared = entry?.title && cell.word.includes(' ') ? (cell.head ?? noun) : noun
  for (const other of lists.names) pushTitle(entities, `${other} ${shared}`, lists.from, at)
  pushTitle(entities, `${qualifier} ${noun}`, before.from, at)
  markUsed(cells, lists.from, at)
  return at + 1
}

function modifiesNext(cells: readonly Cell[], at: number): boolean {
  const next = cells[at + 1]
  if (!next || next.kind !== 'word' || next.used || !next.head) return false
  const cell = cells[at]!
  if (cell.entry?.level === 'founder' || cell.entry?.level === 'owner' || cell.entry?.level === 'c_suite' || cell.entry?.level === 'entry') return false
  // A plural ends its own noun phrase: "directors managers" are two.
  if (cell.word.endsWith('s') && cell.head && !/(?:ss|sales|operations|news)$/.test(cell.word) && cell.head !== cell.word) return false
  return next.entry?.level !== 'leaders' || cell.entry?.function !== undefined
}

function ranksBefore(cells: readonly Cell[], at: number): { words: string[]; from: number } {
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

interface Modifiers {
  words: string[]
  from: number
  /** At least one of them is a function of the lexicon. */
  functional: boolean
  departments: Cell[]
}

function modifiersBefore(cells: readonly Cell[], at: number): Modifiers {
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
    else if (entry?.title && !cell.word.endsWith('s') && result.words.length === 0) result.words.unshift(entry.title)
    else if (entry?.technology && !entry.industry && TECH_ROLES.has(head.head ?? '')) result.words.unshift(cell.word)
    else if (entry) break
    else if (cell.companyNoun || cell.peopleNoun || cell.idle) {
      if (cell.word === 'facility' || cell.word === 'store' || cell.word === 'shop' || cell.word === 'account' || cell.word === 'group' || cell.word === 'platform' || cell.word === 'network') result.words.unshift(cell.word)
      else break
    } else if (cell.unknown) result.words.unshift(englishWords(cell.word))
    else break
    result.from--
  }
  // A rank alone in front of a bare level ("senior managers", "general partner") stays a title; idle words were cut.
  return result
}

const TECH_ROLES = new Set('developer engineer consultant admin administrator architect specialist expert analyst programmer manager designer strategist'.split(' '))

/** "facilities or energy managers": functions before the conjunction share the noun. */
function ellipsisBefore(cells: readonly Cell[], from: number): { names: string[]; from: number } {
  const names: string[] = []
  let start = from
  for (;;) {
    let step = start - 1
    let separators = 0
    while (step >= 0 && LIST_KINDS.has(cells[step]!.kind) && separators < 2) {
      step--
      separators++
    }
    if (separators === 0 || step < 0) break
    const cell = cells[step]!
    if (cell.kind !== 'word' || cell.used || !cell.entry?.function) break
    if (cell.entry.industry && !cell.entry.weakIndustry && cells[start - 1]!.kind === 'comma') break
    const words = [functionName(cell, true)]
    let first = step
    while (first > 0 && cells[first - 1]!.kind === 'word' && !cells[first - 1]!.used && (RANKS.has(cells[first - 1]!.word) || (cells[first - 1]!.entry?.function && !cells[first - 1]!.entry?.industry))) {
      first--
      words.unshift(englishWords(cells[first]!.word))
    }
    const before = cells[first - 1]
    // "work in sales and marketing managers": a preposition before it makes it something else.
    if (before && before.kind === 'word' && before.small && !['the', 'for', 'find', 'all', 'looking', 'with', 'target', 'need', 'want', 'get', 'reach', 'contact', 'list', 'of', 'les', 'des', 'die', 'los', 'a', 'an', 'any', 'to'].includes(before.word)) break
    names.unshift(words.join(' '))
    start = first
  }
  return { names, from: start }
}

const ABOVE = new Set(['above', 'up', 'higher', 'upwards', 'upward', 'beyond', 'hoher', 'aufwarts', 'daruber', 'superiores', 'superior', 'mas', 'arriba', 'plus', 'dessus', 'hoger', 'senior', 'over'])

function readLevel(cells: readonly Cell[], at: number, before: Modifiers, entities: Entity[]): number {
  const cell = cells[at]!
  const level = cell.entry!.level!
  const departments = before.departments.filter(department => department.entry?.function?.department)
  const entity: Entity = { kind: 'level', value: level, first: at, last: at }
  if (cell.entry!.levelTitle) entity.levelTitle = cell.entry!.levelTitle
  let next = at + 1
  if (cells[next]?.kind === 'word' && ['level', 'levels', 'ebene', 'niveau', 'nivel', 'roles', 'positions', 'people', 'team', 'contacts'].includes(cells[next]!.word)) next++
  const joins = cells[next]?.kind === 'conjunction' || (cells[next]?.kind === 'word' && ['et', 'und', 'y', 'o', 'ou', 'oder', 'or', 'and', 'en', 'au', 'de'].includes(cells[next]!.word))
  if (cells[next]?.kind === 'list' && cells[next]!.word === '+' && !(cells[next + 1]?.kind === 'word' && cells[next + 1]!.head)) {
    entity.above = true
    next++
  } else if (joins && cells[next + 1]?.kind === 'word' && ABOVE.has(cells[next + 1]!.word)) {
    entity.above = true
    next += 2
  } else if (joins && cells[next + 1]?.kind === 'word' && ['adelante', 'au'].includes(cells[next + 1]!.word)) {
    entity.above = true
    next += 2
  } else if (cells[next]?.kind === 'word' && ['aufwarts', 'upwards', 'plus', 'higher', 'above'].includes(cells[next]!.word)) {
    entity.above = true
    next++
  }
  const group = level === 'leaders' || level === 'executives' || level === 'deciders' || level === 'c_suite' || level === 'senior' || level === 'entry'
  if (group && departments.length > 0) {
    // "legal and compliance leaders": the functions before the conjunction are meant too.
    const cellsOf = [...departments, ...functionsBefore(cells, before.from)]
    for (const department of cellsOf) pushDepartment(entities, department, cells.indexOf(department), at)
    for (let position = before.from; position < at; position++) cells[position]!.used = true
    for (const department of cellsOf) department.used = true
  } else if (before.departments.length > 0 && (level === 'founder' || level === 'owner')) {
    // "tech founders", "store owners": what stands in front is not a function of theirs.
  }
  entity.last = next - 1
  entities.push(entity)
  markUsed(cells, at, next - 1)
  // French and Spanish put the function behind: "décideurs informatiques", "Entscheider Marketing".
  if (group && departments.length === 0 && isFunction(cells[next]) && !cells[next]!.entry!.industry && cells[next]!.entry!.function!.department && !cells[next + 1]?.head) {
    pushDepartment(entities, cells[next]!, next, next)
    cells[next]!.used = true
    return next + 1
  }
  return next
}

function functionsBefore(cells: readonly Cell[], from: number): Cell[] {
  const found: Cell[] = []
  let at = from
  for (;;) {
    let step = at - 1
    while (step >= 0 && LIST_KINDS.has(cells[step]!.kind)) step--
    if (step === at - 1 || step < 0 || !isFunction(cells[step])) return found
    if (!cells[step]!.entry!.function!.department) return found
    found.unshift(cells[step]!)
    at = step
  }
}

function pushDepartment(entities: Entity[], cell: Cell, first: number, last: number): void {
  const department = cell.entry?.function?.department
  if (department) entities.push({ kind: 'department', value: department, department, first, last })
}

const IN_WORDS = new Set(['in', 'within', 'from', 'for', 'of', 'im', 'aus', 'en', 'dans', 'de', 'del', 'des', 'du', 'across', 'at', 'der', 'nel', 'bei', 'fur', 'the', 'their', 'working', 'work', 'works', 'who', 'that', 'la', 'el', 'l', 'da', 'do', 'dem', 'bereich', 'area', 'departamento', 'department', 'departement', 'service', 'abteilung', 'responsible', 'charge', 'any', 'roles', 'leading', 'running', 'heading', 'overseeing', 'dedicated', 'to'])
/** Functions that are departments of any company; the others name an industry at least as often. */
const DEPARTMENTAL = new Set(['engineering', 'it', 'data', 'product', 'marketing', 'sales', 'business_development', 'customer_success', 'support', 'operations', 'supply_chain', 'procurement', 'finance', 'legal', 'hr', 'administration', 'design', 'security', 'research'])

/** "marketing people", "anyone in legal", "directors in finance or accounting". */
function readDepartmentPeople(cells: readonly Cell[], at: number, entities: Entity[]): number | undefined {
  const cell = cells[at]!
  if (cell.kind !== 'word' || cell.used || !isFunction(cell) || !cell.entry!.function!.department) return undefined
  const list = [cell]
  let next = at + 1
  for (;;) {
    let step = next
    if (isFunction(cells[step]) && !cells[step]!.peopleNoun && cells[step]!.entry!.function!.department && list.length === 1 && !LIST_KINDS.has(cells[step - 1]?.kind ?? '')) {
      // "ad sales people": two functions in a row name one department, the last.
      list[0] = cells[step]!
      next = step + 1
      continue
    }
    if (!LIST_KINDS.has(cells[step]?.kind ?? '')) break
    while (LIST_KINDS.has(cells[step]?.kind ?? '')) step++
    if (!isFunction(cells[step]) || !cells[step]!.entry!.function!.department) break
    list.push(cells[step]!)
    next = step + 1
  }
  const following = cells[next]
  const people = following?.kind === 'word' && following.peopleNoun && !following.used
  let opener = at - 1
  let hops = 0
  while (opener >= 0 && hops < 5 && cells[opener]!.kind === 'word' && IN_WORDS.has(cells[opener]!.word) && !cells[opener]!.used) {
    opener--
    hops++
  }
  const from = cells[opener]
  const afterLevel = hops > 0 && from !== undefined && from.used === true && entities.some(entity => entity.kind === 'level' && entity.first <= opener && entity.last === opener)
  const afterAnyone = hops > 0 && from !== undefined && from.kind === 'word' && ANYONE.has(from.word)
  const labelled = cell.label === 'department'
  const aloneInSegment = isEdge(cells[at - 1]) && isEdge(cells[next]) && !cell.entry!.industry && !RARELY_PEOPLE.has(cell.word) && cell.entry!.function!.title !== 'ecommerce'
  if (!people && !afterLevel && !afterAnyone && !labelled && !aloneInSegment) return undefined
  if (!people && !labelled && !list.some(item => DEPARTMENTAL.has(item.entry!.function!.department!) && !ambiguousIndustry(item))) return undefined
  if (people && next === at + 1 && ['service', 'services', 'area', 'function', 'team'].includes(following.word) && cell.entry!.industry && !cell.entry!.function) return undefined
  for (const item of list) pushDepartment(entities, item, at, next - 1)
  markUsed(cells, at, people ? next : next - 1)
  return people ? next + 1 : next
}

const isEdge = (cell: Cell | undefined): boolean => cell === undefined || cell.kind === 'break' || cell.kind === 'comma' || cell.kind === 'gap' || cell.kind === 'list'
/** Words that name sums or things more often than people. */
const RARELY_PEOPLE = new Set(['revenue', 'revenues', 'billing', 'credit', 'risk', 'events', 'event', 'growth', 'brand', 'content', 'service', 'services', 'quality', 'people', 'personal', 'technology', 'technical', 'development', 'training', 'projects', 'project', 'program', 'export', 'exports', 'digital', 'commercial', 'operation', 'strategy', 'talent', 'learning', 'category', 'planning', 'transport', 'warehouse', 'maintenance', 'office', 'production', 'plant', 'innovation', 'research', 'support', 'administration', 'education', 'account management', 'channel'])
const ambiguousIndustry = (cell: Cell): boolean => cell.entry!.industry !== undefined && !cell.entry!.weakIndustry && !['supply chain', 'it', 'legal', 'data', 'finance', 'logistics', 'supply chain management', 'design', 'marketing', 'accounting', 'audit'].includes(cell.word)

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
