import { expandArea, foldLetters, foldText, type Place, placeKey, singularToken } from '../../lead-terms/src/index.ts'

/** Scoring proposals against annotated briefs: each value of a document is one fact, and facts are counted. */

export interface AnnotatedBrief {
  id: string
  brief: string
  expected: Record<string, unknown>
  tags: string[]
  /** A value for which others are as good. */
  accept?: { value: Triple; alternatives: Triple[] }[]
  /** Facts that may be there or not. */
  optional?: Triple[]
}

type Triple = [field: string, sign: '+' | '-', value: unknown]

const TITLE_WORDS: Record<string, string> = {
  'vice president': 'vp',
  'human resource': 'hr',
  'human resources': 'hr',
  'information technology': 'it',
  'co founder': 'founder',
  cofounder: 'founder',
  ops: 'operations',
  eng: 'engineering',
  bd: 'business development',
}
const IDLE = new Set(['of', 'the', 'for', 'and', 'in', 'a', 'an', 'at'])

function titleFact(value: string): string {
  let text = foldText(value)
  for (const [long, short] of Object.entries(TITLE_WORDS)) text = ` ${text} `.replace(` ${long} `, ` ${short} `).trim()
  const words = text
    .split(' ')
    .filter(word => !IDLE.has(word))
    .map(singularToken)
  return [...new Set(words)].sort().join(' ')
}

// Areas of a handful of members are the same wish as their members.
const SMALL_AREA = 6

function placeFacts(place: Place): string[] {
  if ('area' in place) {
    const members = expandArea(place.area)
    return members.length <= SMALL_AREA ? members.map(placeKey) : [placeKey(place)]
  }
  const withRegion = place.city === undefined || place.country === 'US' || place.country === 'CA'
  const { region, ...rest } = place
  return [placeKey(withRegion && region !== undefined ? place : rest)]
}

function factsOf(field: string, sign: string, value: unknown): string[] {
  if (field === 'jobTitles') return [`${field}${sign}${titleFact(String(value))}`]
  if (field === 'locations' || field === 'companyLocations') return placeFacts(value as Place).map(key => `${field}${sign}${key}`)
  if (field === 'keywords') return [`${field}${sign}${foldText(String(value)).split(' ').map(singularToken).join(' ')}`]
  if (field === 'companies') return [`${field}${sign}${foldLetters(String(value))}`]
  return [`${field}${sign}${typeof value === 'object' ? JSON.stringify(value) : value}`]
}

function documentFacts(document: Record<string, unknown>): Set<string> {
  const facts = new Set<string>()
  for (const [field, value] of Object.entries(document)) {
    if (Array.isArray(value))
      for (const item of value) facts.add(`${field}+${typeof item === 'object' ? rangeFact(item as Record<string, unknown>) : item}`)
    else if (typeof value === 'object' && value !== null) {
      const { include = [], exclude = [] } = value as { include?: unknown[]; exclude?: unknown[] }
      for (const item of include) for (const fact of factsOf(field, '+', item)) facts.add(fact)
      for (const item of exclude) for (const fact of factsOf(field, '-', item)) facts.add(fact)
    } else facts.add(`${field}+${value}`)
  }
  return facts
}

const rangeFact = (range: Record<string, unknown>): string => `${range.min ?? ''}..${range.max ?? ''}${range.currency ?? ''}`

export interface Comparison {
  right: number
  wrong: string[]
  missing: string[]
}

function compareFilters(item: AnnotatedBrief, filters: Record<string, unknown>): Comparison {
  const gold = documentFacts(item.expected)
  const found = documentFacts(filters)
  for (const { value, alternatives } of item.accept ?? []) {
    const canonical = factsOf(...value)
    const present = canonical.every(fact => found.has(fact))
    for (const alternative of alternatives) {
      const facts = factsOf(...alternative)
      if (!facts.every(fact => found.has(fact))) continue
      for (const fact of facts) if (!gold.has(fact)) found.delete(fact)
      if (!present) for (const fact of canonical) found.add(fact)
    }
  }
  for (const optional of item.optional ?? []) for (const fact of factsOf(...optional)) if (!gold.has(fact)) found.delete(fact)
  return {
    right: [...found].filter(fact => gold.has(fact)).length,
    wrong: [...found].filter(fact => !gold.has(fact)),
    missing: [...gold].filter(fact => !found.has(fact)),
  }
}

/** The same fact with the other sign: the first sign of a fact comes after its field. */
const turned = (fact: string): string =>
  fact.replace(/^([a-zA-Z]+)([+-])/, (_, field: string, sign: string) => field + (sign === '+' ? '-' : '+'))

interface Score {
  precision: number
  recall: number
  f1: number
  /** The share of briefs without any error. */
  exact: number
  /** Facts that were read with the opposite sign: an exclusion as a wish, or a wish as an exclusion. */
  inverted: string[]
  /** Briefs of which something was lost while nothing was reported as unmatched. */
  silent: string[]
  errors: { id: string; brief: string; wrong: string[]; missing: string[] }[]
}

interface Reading {
  filters: object
  unmatched: readonly string[]
}

export function scoreBriefs(items: readonly AnnotatedBrief[], propose: (brief: string) => Reading): Score {
  let right = 0
  let wrong = 0
  let missing = 0
  const inverted: string[] = []
  const silent: string[] = []
  const errors: Score['errors'] = []
  for (const item of items) {
    const { filters, unmatched } = propose(item.brief)
    const result = compareFilters(item, filters as Record<string, unknown>)
    for (const fact of result.wrong) if (result.missing.includes(turned(fact))) inverted.push(`${item.id} ${fact}`)
    if (result.missing.length > 0 && unmatched.length === 0) silent.push(item.id)
    right += result.right
    wrong += result.wrong.length
    missing += result.missing.length
    if (result.wrong.length + result.missing.length > 0)
      errors.push({ id: item.id, brief: item.brief, wrong: result.wrong, missing: result.missing })
  }
  const precision = right + wrong === 0 ? 1 : right / (right + wrong)
  const recall = right + missing === 0 ? 1 : right / (right + missing)
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  return { precision, recall, f1, exact: items.length === 0 ? 1 : 1 - errors.length / items.length, inverted, silent, errors }
}
