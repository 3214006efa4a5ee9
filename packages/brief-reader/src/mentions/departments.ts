import type { Chunk, Mention } from '../model.ts'
import { wordSet } from '../vocabulary/word-files.ts'
import { ANYONE, ONLY, TEAMS } from '../vocabulary/word-lists.ts'
import {
  afterSeparators,
  functionName,
  isFunction,
  isSeparator,
  LONGEST_LIST,
  type Modifiers,
  markUsed,
  namesOthersBehind,
  pushTitle,
  takeTitle,
} from './titles.ts'

/** Bare levels ("directors and above") and departments ("marketing people", "anyone in legal"). */

const WORKING_IN = wordSet('titles-grammar.txt', 'working in')
const LEVEL_NOUNS = wordSet('titles-grammar.txt', 'profiles')
const YOUR = wordSet('titles-grammar.txt', 'your')
const SPECIALITIES = wordSet('titles-grammar.txt', 'specialities')
const RARELY_PEOPLE = wordSet('titles-grammar.txt', 'rarely people')
const BEFORE_INDUSTRY = wordSet('titles-grammar.txt', 'department before industry')
/** Departments of any company; the others name an industry at least as often. */
const OF_ANY_COMPANY = wordSet('titles-grammar.txt', 'departments of any company')
const GROUPS = new Set(['leaders', 'executives', 'deciders', 'c_suite', 'senior', 'entry'])

export function readLevel(chunks: readonly Chunk[], at: number, before: Modifiers, mentions: Mention[]): number {
  const { level, levelTitle } = chunks[at]!.entry!
  const next = LEVEL_NOUNS.has(chunks[at + 1]?.word ?? '') ? at + 2 : at + 1
  const isGroup = GROUPS.has(level!)
  const departments = before.departments.filter(department => department.entry?.function?.department)
  if (isGroup && departments.length > 0) {
    // "legal and compliance leaders": the functions before the conjunction are meant too.
    const all = [...departments, ...functionsBefore(chunks, before.from)]
    for (const department of all) pushDepartment(mentions, department, chunks.indexOf(department), at)
    markUsed(chunks, before.from, at)
    for (const department of all) department.used = true
  }
  mentions.push({
    kind: 'level',
    value: level!,
    ...(levelTitle ? { levelTitle } : {}),
    first: at,
    last: next - 1,
  })
  markUsed(chunks, at, next - 1)
  // French and Spanish put the function after: "décideurs informatiques", "Entscheider Marketing".
  const behind = chunks[next]
  const isDepartment = isFunction(behind) && !behind!.entry!.industry && behind!.entry!.function!.department !== undefined
  if (!isGroup || departments.length > 0 || !isDepartment || chunks[next + 1]?.role) return next
  pushDepartment(mentions, behind!, next, next)
  behind!.used = true
  return next + 1
}

function functionsBefore(chunks: readonly Chunk[], from: number): Chunk[] {
  const found: Chunk[] = []
  let at = from
  while (found.length < LONGEST_LIST) {
    let step = at - 1
    while (step >= 0 && at - step < 4 && isSeparator(chunks[step])) step--
    if (step === at - 1 || step < 0 || !isFunction(chunks[step]) || !chunks[step]!.entry!.function!.department) break
    found.unshift(chunks[step]!)
    at = step
  }
  return found
}

function pushDepartment(mentions: Mention[], chunk: Chunk, first: number, last: number): void {
  const department = chunk.entry?.function?.department
  if (department) mentions.push({ kind: 'department', value: department, department, first, last })
}

const isEdge = (chunk: Chunk | undefined): boolean =>
  chunk === undefined || ['correction', 'break', 'comma', 'gap', 'list', 'negator', 'excluded', 'conjunction'].includes(chunk.kind)

/** "Payroll Specialist" is a title. */
const NAMED_ROLES = new Set(['specialist', 'expert'])
const TEAM_NOUNS = new Set('team equipo equipos equipe equipes departamento department abteilung service staff personal'.split(' '))
/** French and Spanish put the function after the noun without a word between: "équipes juridiques". */
const TEAM_FIRST = new Set('equipe equipes equipo equipos'.split(' '))

/** "marketing people", "anyone in legal", "directors in finance or accounting". */
export function readDepartmentPeople(chunks: readonly Chunk[], at: number, mentions: Mention[]): number | undefined {
  const chunk = chunks[at]!
  if (chunk.kind !== 'word' || chunk.used || !isFunction(chunk)) return undefined
  // "legal vetoed casinos": the team that refuses is no one who is asked for.
  if (TEAMS.has(chunk.word) && chunks[at + 1]?.cue?.speaker) {
    chunk.used = true
    return at + 1
  }
  const speciality = readSpeciality(chunks, at, mentions)
  if (speciality !== undefined) return speciality
  if (!chunk.entry!.function!.department || (chunk.companyNoun && !chunks[at + 1]?.peopleNoun)) return undefined
  const { list, next } = readDepartmentList(chunks, at)
  const following = chunks[next]
  const people = following?.kind === 'word' && following.peopleNoun && !following.used && !NAMED_ROLES.has(following.word)
  // "founders of e-commerce brands": before a noun for companies it is their industry.
  if (following?.companyNoun && (chunk.entry!.industry || following.word.endsWith('s'))) return undefined
  // "your billing team" is the team of the reader of the brief.
  if (people && chunks[at - 1]?.kind === 'word' && YOUR.has(chunks[at - 1]!.word)) {
    markUsed(chunks, at, next)
    return next + 1
  }
  const labelled = chunk.label === 'department'
  // "Titles: SRE", 'title contains "sourcing"': under the label of titles the words are one.
  if (chunk.label === 'title' && list.length === 1 && fillsSegment(chunks, at, next))
    return takeTitle(chunks, mentions, functionName(chunk, true), at, next - 1)
  if (!people && !labelled) {
    if (!isIntroduced(chunks, at, mentions) && !fillsSegment(chunks, at, next)) return undefined
    const hasOthers = namesOthersBehind(chunks, at, next)
    if (!list.some(item => OF_ANY_COMPANY.has(item.entry!.function!.department!) && (hasOthers || !isTrade(item)))) return undefined
  }
  for (const item of list) pushDepartment(mentions, item, at, next - 1)
  markUsed(chunks, at, people ? next : next - 1)
  return people ? next + 1 : next
}

/** "SEO people", "RevOps titles", "people who run demand gen": narrower than a department, so it is a title. */
function readSpeciality(chunks: readonly Chunk[], at: number, mentions: Mention[]): number | undefined {
  const chunk = chunks[at]!
  const following = chunks[at + 1]
  if (following?.kind === 'word' && following.peopleNoun && (SPECIALITIES.has(chunk.word) || following.word === 'titles')) {
    pushTitle(mentions, functionName(chunk, true), at, at)
    markUsed(chunks, at, at + 1)
    return at + 2
  }
  let verb = at - 1
  const name = functionName(chunk, true)
  if (!SPECIALITIES.has(chunk.word)) return undefined
  // "sales ops" OR "revenue operations"
  if (isQueryTerm(chunks, at)) return takeTitle(chunks, mentions, name, at, at)
  // "who run growth / demand gen"
  while (verb >= 0 && at - verb < 5 && (isSeparator(chunks[verb]) || (chunks[verb]!.used && chunks[verb]!.entry?.function))) verb--
  if (!RUNS.has(chunks[verb]?.word ?? '') || chunks[verb]!.used) return undefined
  return takeTitle(chunks, mentions, `head of ${name}`, at, at)
}
export const RUNS = wordSet('titles-grammar.txt', 'runs')

/** A term of a query: a capital conjunction on one side, nothing but marks or such a conjunction on the other. */
function isQueryTerm(chunks: readonly Chunk[], at: number): boolean {
  const sides = [chunks[at - 1], chunks[at + 1]]
  const isJoin = (chunk: Chunk | undefined) => chunk?.kind === 'conjunction' && chunk.capital
  return sides.some(isJoin) && sides.every(side => isJoin(side) || side === undefined || side.kind === 'break')
}

function readDepartmentList(chunks: readonly Chunk[], at: number): { list: Chunk[]; next: number } {
  const list = [chunks[at]!]
  let next = at + 1
  const isDepartment = (chunk: Chunk | undefined) => isFunction(chunk) && chunk!.entry!.function!.department !== undefined
  while (next - at < 3 * LONGEST_LIST) {
    if (isDepartment(chunks[next]) && !chunks[next]!.peopleNoun && !chunks[next]!.companyNoun && list.length === 1) {
      // "ad sales people": two functions in a row name one department, the last.
      list[0] = chunks[next]!
      next++
      continue
    }
    const joined = afterSeparators(chunks, next)
    if (joined === next) break
    // "gente de marketing y de ventas"
    let step = joined
    while (step < joined + 2 && chunks[step]?.small && WORKING_IN.has(chunks[step]!.word)) step++
    if (!isDepartment(chunks[step])) break
    // "not HR, warehousing": after a comma an industry is one.
    if (chunks.slice(next, step).every(each => each.kind === 'comma') && isTrade(chunks[step]!)) break
    list.push(chunks[step]!)
    next = step + 1
  }
  return { list, next }
}

const isTrade = ({ entry, word }: Chunk): boolean => Boolean(entry!.industry && !entry!.weakIndustry && !BEFORE_INDUSTRY.has(word))

/** Whether the words before say that people work there: "directors in", "anyone working in", "the team of". */
function isIntroduced(chunks: readonly Chunk[], at: number, mentions: readonly Mention[]): boolean {
  let opener = at - 1
  const leadsThere = ({ kind, word, used }: Chunk) => kind === 'word' && WORKING_IN.has(word) && !used
  while (opener >= 0 && at - opener <= 5 && leadsThere(chunks[opener]!)) opener--
  const hops = at - 1 - opener
  // "Directors (not managers) in product"
  const open = hops > 0 && chunks[opener]?.word === ')' ? chunks.slice(0, opener).findLastIndex(({ word }) => word === '(') : 0
  if (open > 0) opener = open - 1
  const from = chunks[opener]
  if (hops > 1 && chunks.slice(opener + 1, at).some(each => ['work', 'works', 'working'].includes(each.word))) return true
  // "who runs customer support"
  if (hops > 0 && RUNS.has(chunks[at - 1]!.word)) return true
  if (from === undefined || (hops === 0 && !TEAM_FIRST.has(from.word))) return false
  if (hops > 0 && mentions.slice(-6).some(mention => mention.kind === 'level' && mention.first <= opener && mention.last === opener))
    return true
  // "people at stripe.com in partnerships": after companies, "in" a department of theirs.
  if (hops > 0 && (from.kind === 'domain' || from.kind === 'name') && OUT_OF.has(chunks[at - 1]!.word)) return true
  // "but not from legal", "pero no de ventas"
  if (hops > 0 && from.kind === 'negator' && DENIES.test(from.word) && LEADS_TO_TEAM.has(chunks[opener + 1]!.word)) return true
  // "nicht aus dem Vertrieb"; "apart from the people in sales" names people, and then their department.
  const leadsOut = from.kind === 'negator' && from.cue?.not && OUT_OF.has(from.word.slice(from.word.lastIndexOf(' ') + 1))
  if (hops > 0 && leadsOut && !chunks[at]!.peopleNoun) return true
  if (from.kind !== 'word' || from.used) return false
  return (hops > 0 && (ANYONE.has(from.word) || from.peopleNoun)) || TEAM_NOUNS.has(from.word)
}

const OUT_OF = new Set('in aus im dans en from'.split(' '))
const LEADS_TO_TEAM = new Set([...OUT_OF, 'de', 'du', 'del', 'der', 'des'])
const DENIES = /(?:^| )(?:not|nicht|pas|no)$/

/** A department alone between its separators: "IT, hospitals, Florida". */
function fillsSegment(chunks: readonly Chunk[], at: number, next: number): boolean {
  const chunk = chunks[at]!
  const after = chunks[next]
  const ends =
    isEdge(after) ||
    ONLY.has(after!.word) ||
    (['at', 'bei', 'chez'].includes(after!.word) && ['word', 'name', 'place'].includes(chunks[next + 1]?.kind ?? ''))
  // "HR AND director": the capitals of a query part conditions, "sales and marketing managers" are joined.
  const joins = (other: Chunk | undefined) => other?.kind === 'conjunction' && !other.capital
  // "Fleet + logistics managers" share the noun.
  if (after?.kind === 'list' && chunks[next + 1]?.role) return false
  if (!isEdge(chunks[at - 1]) || joins(chunks[at - 1]) || joins(after) || !ends) return false
  const negated = chunks[at - 1]?.kind === 'negator'
  if (chunk.entry!.industry && !(negated && BEFORE_INDUSTRY.has(chunk.word))) return false
  return !RARELY_PEOPLE.has(chunk.word) && chunk.entry!.function!.title !== 'ecommerce'
}
