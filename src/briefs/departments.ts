import type { Cell } from './cell.ts'
import type { Entity } from './entities.ts'
import { ANYONE } from './lexicon/words.ts'
import { afterSeparators, isFunction, LIST_KINDS, LONGEST_LIST, type Modifiers, markUsed } from './title-parts.ts'

/** Bare levels ("directors and above") and departments ("marketing people", "anyone in legal"). */

const ABOVE = new Set(
  'above up higher upwards upward beyond hoher aufwarts daruber superiores superior mas arriba plus dessus hoger senior over'.split(' '),
)

export function readLevel(cells: readonly Cell[], at: number, before: Modifiers, entities: Entity[]): number {
  const cell = cells[at]!
  const level = cell.entry!.level!
  const departments = before.departments.filter(department => department.entry?.function?.department)
  const entity: Entity = { kind: 'level', value: level, first: at, last: at }
  if (cell.entry!.levelTitle) entity.levelTitle = cell.entry!.levelTitle
  let next = at + 1
  if (
    cells[next]?.kind === 'word' &&
    ['level', 'levels', 'ebene', 'niveau', 'nivel', 'roles', 'positions', 'people', 'team', 'contacts'].includes(cells[next]!.word)
  )
    next++
  const joins =
    cells[next]?.kind === 'conjunction' ||
    (cells[next]?.kind === 'word' && ['et', 'und', 'y', 'o', 'ou', 'oder', 'or', 'and', 'en', 'au', 'de'].includes(cells[next]!.word))
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
  const group =
    level === 'leaders' || level === 'executives' || level === 'deciders' || level === 'c_suite' || level === 'senior' || level === 'entry'
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
  if (
    group &&
    departments.length === 0 &&
    isFunction(cells[next]) &&
    !cells[next]!.entry!.industry &&
    cells[next]!.entry!.function!.department &&
    !cells[next + 1]?.head
  ) {
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
    while (step >= 0 && at - step < 4 && LIST_KINDS.has(cells[step]!.kind)) step--
    if (found.length === LONGEST_LIST || step === at - 1 || step < 0 || !isFunction(cells[step])) return found
    if (!cells[step]!.entry!.function!.department) return found
    found.unshift(cells[step]!)
    at = step
  }
}

function pushDepartment(entities: Entity[], cell: Cell, first: number, last: number): void {
  const department = cell.entry?.function?.department
  if (department) entities.push({ kind: 'department', value: department, department, first, last })
}

const IN_WORDS = new Set(
  'in within from for of im aus en dans de del des du across at der nel bei fur the their working work works who that la el l da do dem bereich area departamento department departement service abteilung responsible charge any roles leading running heading overseeing dedicated to runs run heads manages handles oversees verantwortet leitet dirige dirigent gere dirigen gestiona gestionan'.split(
    ' ',
  ),
)

/** Functions that are departments of any company; the others name an industry at least as often. */
const DEPARTMENTAL = new Set(
  'engineering it data product marketing sales business_development customer_success support operations supply_chain procurement finance legal hr administration design security research'.split(
    ' ',
  ),
)

/** Words that name sums or things more often than people. */
const RARELY_PEOPLE = new Set([
  'revenue',
  'revenues',
  'billing',
  'credit',
  'risk',
  'events',
  'event',
  'growth',
  'brand',
  'content',
  'service',
  'services',
  'quality',
  'people',
  'personal',
  'technology',
  'technical',
  'development',
  'training',
  'projects',
  'project',
  'program',
  'export',
  'exports',
  'digital',
  'commercial',
  'operation',
  'strategy',
  'talent',
  'learning',
  'category',
  'planning',
  'transport',
  'warehouse',
  'maintenance',
  'office',
  'production',
  'plant',
  'innovation',
  'research',
  'support',
  'administration',
  'education',
  'account management',
  'channel',
])

const ambiguousIndustry = (cell: Cell): boolean =>
  cell.entry!.industry !== undefined &&
  !cell.entry!.weakIndustry &&
  ![
    'supply chain',
    'it',
    'legal',
    'data',
    'finance',
    'logistics',
    'supply chain management',
    'design',
    'marketing',
    'accounting',
    'audit',
    'recruiting',
    'recruitment',
    'training',
    'payroll',
    'recrutement',
    'reclutamiento',
    'personalbeschaffung',
  ].includes(cell.word)

const isEdge = (cell: Cell | undefined): boolean =>
  cell === undefined ||
  cell.kind === 'correction' ||
  cell.kind === 'break' ||
  cell.kind === 'comma' ||
  cell.kind === 'gap' ||
  cell.kind === 'list'

const YOURS = new Set('your yours ihr ihre ihrem ihrer eurem eurer votre vos vuestro vuestra su tu'.split(' '))
const TEAM_FIRST = new Set('equipe equipes equipo equipos'.split(' '))

/** "marketing people", "anyone in legal", "directors in finance or accounting". */
export function readDepartmentPeople(cells: readonly Cell[], at: number, entities: Entity[]): number | undefined {
  const cell = cells[at]!
  if (cell.kind !== 'word' || cell.used || !isFunction(cell) || !cell.entry!.function!.department) return undefined
  if (cell.companyNoun && !cells[at + 1]?.peopleNoun) return undefined
  const list = [cell]
  let next = at + 1
  while (next - at < 3 * LONGEST_LIST) {
    let step = next
    if (
      isFunction(cells[step]) &&
      !cells[step]!.peopleNoun &&
      cells[step]!.entry!.function!.department &&
      list.length === 1 &&
      !LIST_KINDS.has(cells[step - 1]?.kind ?? '')
    ) {
      // "ad sales people": two functions in a row name one department, the last.
      list[0] = cells[step]!
      next = step + 1
      continue
    }
    step = afterSeparators(cells, step)
    if (step === next || !isFunction(cells[step]) || !cells[step]!.entry!.function!.department) break
    list.push(cells[step]!)
    next = step + 1
  }
  const following = cells[next]
  const people = following?.kind === 'word' && following.peopleNoun && !following.used
  // "your billing team" is the team of whoever reads the brief.
  if (people && cells[at - 1]?.kind === 'word' && YOURS.has(cells[at - 1]!.word)) {
    markUsed(cells, at, next)
    return next + 1
  }
  let opener = at - 1
  let hops = 0
  while (opener >= 0 && hops < 5 && cells[opener]!.kind === 'word' && IN_WORDS.has(cells[opener]!.word) && !cells[opener]!.used) {
    opener--
    hops++
  }
  const from = cells[opener]
  const afterLevel =
    hops > 0 &&
    from !== undefined &&
    from.used === true &&
    entities.slice(-6).some(entity => entity.kind === 'level' && entity.first <= opener && entity.last === opener)
  const afterAnyone = hops > 0 && from !== undefined && from.kind === 'word' && ANYONE.has(from.word)
  const labelled = cell.label === 'department'
  const working =
    hops > 1 && cells.slice(opener + 1, at).some(each => each.word === 'work' || each.word === 'works' || each.word === 'working')
  // French and Spanish put the function behind the noun without a word between: "équipes juridiques".
  const team =
    (hops > 0 || TEAM_FIRST.has(from?.word ?? '')) &&
    from !== undefined &&
    from.kind === 'word' &&
    !from.used &&
    ['team', 'equipo', 'equipos', 'equipe', 'equipes', 'departamento', 'department', 'abteilung', 'service', 'staff', 'personal'].includes(
      from.word,
    )
  const aloneInSegment =
    isEdge(cells[at - 1]) &&
    (isEdge(cells[next]) || (['at', 'bei', 'chez'].includes(cells[next]!.word) && cells[next + 1]?.capital === true)) &&
    !cell.entry!.industry &&
    !RARELY_PEOPLE.has(cell.word) &&
    cell.entry!.function!.title !== 'ecommerce'
  if (!people && !afterLevel && !afterAnyone && !labelled && !aloneInSegment && !working && !team) return undefined
  if (!people && !labelled && !list.some(item => DEPARTMENTAL.has(item.entry!.function!.department!) && !ambiguousIndustry(item)))
    return undefined
  if (
    people &&
    next === at + 1 &&
    ['service', 'services', 'area', 'function', 'team'].includes(following.word) &&
    cell.entry!.industry &&
    !cell.entry!.function
  )
    return undefined
  for (const item of list) pushDepartment(entities, item, at, next - 1)
  markUsed(cells, at, people ? next : next - 1)
  return people ? next + 1 : next
}
