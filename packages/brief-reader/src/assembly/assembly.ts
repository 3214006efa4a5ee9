import {
  FILTER_LIMITS,
  type FilterDocument,
  INDUSTRIES,
  type InOutField,
  isSeniority,
  mergeRanges,
  type Place,
  placeKey,
  type Seniority,
  seniorityAndAbove,
} from '../../../lead-terms/src/index.ts'
import { namesTrade } from '../mentions/titles.ts'
import type { Chunk, Mention, MentionKind, Range, RangeField, Requirement } from '../model.ts'
import { singular } from '../vocabulary/singular.ts'
import { GENERIC_NOUNS } from '../vocabulary/word-lists.ts'
import { stagesOf } from './funding-stages.ts'
import { dropSuperseded } from './superseded.ts'

/** Mentions and wishes to a filter document; every value keeps the words it came from. */

export interface Explanation {
  field: string
  value: unknown
  /** The words of the brief it came from. */
  text: string
}

interface Assembled {
  filters: FilterDocument
  explanations: Explanation[]
}

export interface Quotes {
  ofChunks(first: number, last: number): string
  ofItems(first: number, last: number): string
}

const FIELD_OF: Partial<Record<MentionKind, InOutField>> = {
  title: 'jobTitles',
  department: 'departments',
  industry: 'industries',
  technology: 'technologies',
  keyword: 'keywords',
  company: 'companies',
  place: 'locations',
  headquarters: 'companyLocations',
}
const GROUP_LEVELS: Record<string, Seniority[]> = {
  leaders: ['director', 'head', 'vp', 'c_suite'],
  executives: ['vp', 'c_suite'],
  deciders: seniorityAndAbove('director'),
}
/** Levels that stay seniorities next to titles: as titles they would say something else. */
const NEVER_TITLES = new Set(['c_suite', 'entry', 'senior', 'intern'])
const SIZES: Record<string, { min?: number; max?: number }> = {
  micro: { max: 9 },
  small: { max: 49 },
  smb: { max: 249 },
  mid: { min: 50, max: 999 },
  large: { min: 1000 },
}
const DEFAULT_LIMIT = 200
const LIMITS: Partial<Record<InOutField, number>> = {
  jobTitles: FILTER_LIMITS.jobTitles,
  locations: FILTER_LIMITS.places,
  companyLocations: FILTER_LIMITS.places,
  keywords: FILTER_LIMITS.keywords,
  technologies: FILTER_LIMITS.technologies,
  companies: FILTER_LIMITS.companies,
}

export function assemble(
  chunks: readonly Chunk[],
  mentions: readonly Mention[],
  requirements: readonly Requirement[],
  quotes: Quotes,
  year: number | undefined,
): Assembled {
  dropSuperseded(chunks, mentions)
  const document = new Document(quotes)
  const live = mentions.filter(mention => !mention.dropped && !mention.unsayable)
  const titled = live.some(mention => mention.kind === 'title' && !mention.negated)
  const stages = live.filter(mention => mention.kind === 'stage')
  const usesSome = live.some(mention => mention.kind === 'technology' && !mention.negated)
  // "gyms and CrossFit boxes": fields are ANDed, so the keyword of some would be asked of all.
  const othersWanted = live.some(mention => mention.kind === 'industry' && !mention.negated && !mention.wider)
  for (const mention of live) {
    mention.unsayable = othersWanted && mention.kind === 'keyword' && !mention.negated && chunks[mention.first]!.entry?.narrower === true
    // "no driving schools" refuses no other training.
    if (mention.unsayable || (mention.wider && mention.negated)) continue
    const field = FIELD_OF[mention.kind]
    // "leave out GitHub and GitLab": where no product is asked for, their makers are refused.
    if (mention.bare && mention.negated && !usesSome) document.add('companies', mention, quotes.ofChunks(mention.first, mention.last))
    else if (field) document.add(field, mention, mention.place ?? mention.department ?? mention.value)
    else if (mention.kind === 'level') addLevel(document, mention, titled && chunks[mention.first]!.label !== 'seniority')
    else if (mention.kind === 'size') document.addRange(mention, { field: 'employees', ...SIZES[mention.value]! })
    else if (mention.kind === 'stage') {
      const next = stages[stages.indexOf(mention) + 1]
      for (const stage of stagesOf(mention, next, chunks)) document.add('fundingStages', mention, stage)
    } else if (mention.range) document.addRange(mention, mention.range)
  }
  document.addRequirements(requirements, year)
  return document.finish()
}

function addLevel(document: Document, mention: Mention, titled: boolean): void {
  const { value, levelTitle, negated } = mention
  const group = GROUP_LEVELS[value]
  // Fields are ANDed: next to a named title a bare level must be a title too, or it would exclude the title's own people.
  if (titled && !negated && !mention.levels && levelTitle && !group && !NEVER_TITLES.has(value)) {
    document.add('jobTitles', mention, levelTitle)
    return
  }
  const levels = mention.levels ?? group ?? (isSeniority(value) ? [value] : [])
  for (const level of levels) document.add('seniorities', mention, level)
}

/** A negated size is its complement: "no companies above 1000" is at most 1000. A closed range has none that is one range. */
function complement({ min, max, ...rest }: Range): Range | undefined {
  const step = rest.currency === undefined ? 1 : 0
  if (min !== undefined && max !== undefined && min > max) return { ...rest, min: max + step, max: min - step }
  if (min !== undefined && max === undefined) return min - step < 1 ? undefined : { ...rest, max: min - step }
  if (max !== undefined && (min === undefined || min <= 1)) return { ...rest, min: max + step }
  return undefined
}

type Bounds = { min?: number; max?: number }

class Document {
  readonly #explanations: Explanation[] = []
  readonly #lists = new Map<InOutField, { include: unknown[]; exclude: unknown[] }>()
  readonly #seen = new Set<string>()
  readonly #explained = new Set<string>()
  readonly #rest: Record<string, unknown> = {}
  readonly #ranges = new Map<RangeField, Bounds[]>()
  /** Refused ranges, which limit the wanted ones. */
  readonly #limits = new Map<RangeField, Bounds[]>()
  readonly #quotes: Quotes

  constructor(quotes: Quotes) {
    this.#quotes = quotes
  }

  add(field: InOutField, mention: Mention, value: unknown): void {
    const lists = this.#listsOf(field)
    const side = mention.negated ? 'exclude' : 'include'
    const key = mention.place ? placeKey(value as Place) : field === 'companies' ? String(value).toLowerCase() : String(value)
    const list = `${field}.${side}`
    const entry = `${list} ${key}`
    if (!this.#seen.has(entry)) lists[side].push(value)
    this.#seen.add(entry)
    // A value that is said twice is explained twice, so that no word is left without its filter.
    this.#explain(list, value, this.#quotes.ofChunks(mention.first, mention.last))
    if (mention.radius) this.#explain(list, value, this.#quotes.ofItems(mention.radius.first, mention.radius.last))
  }

  addRange(mention: Mention, said: Range): void {
    const { min = 0, max = min, ...half } = said
    // "under 30 or over 300"
    if (min > max && !mention.negated) for (const side of [{ max }, { min }]) this.addRange(mention, { ...half, ...side })
    const range = mention.negated ? complement(said) : said
    mention.unsayable = range === undefined
    if (!range || (min > max && !mention.negated)) return
    const { field, ...value } = range
    const ranges = mention.negated ? this.#limits : this.#ranges
    ranges.set(field, [...(ranges.get(field) ?? []), value])
    this.#explain(field, value, this.#quotes.ofChunks(mention.first, mention.last))
  }

  addRequirements(requirements: readonly Requirement[], year: number | undefined): void {
    for (const requirement of requirements) {
      if (requirement.field === 'none') continue
      const text = this.#quotes.ofItems(requirement.first, requirement.last)
      if (requirement.field === 'founded') {
        if (year === undefined) continue
        const value = { [requirement.isOlder ? 'max' : 'min']: year - requirement.value }
        this.#ranges.set('founded', [value])
        this.#explain('founded', value, text)
      } else if (requirement.field === 'emailStatus' || requirement.field === 'emailTypes' || requirement.field === 'suppress') {
        const values = (this.#rest[requirement.field] ?? []) as unknown[]
        if (!values.includes(requirement.value)) this.#rest[requirement.field] = [...values, requirement.value]
        this.#explain(requirement.field, requirement.value, text)
      } else if (this.#rest[requirement.field] === undefined) {
        this.#rest[requirement.field] = requirement.value
        this.#explain(requirement.field, requirement.value, text)
      }
    }
  }

  finish(): Assembled {
    const industries = this.#lists.get('industries')
    if (industries) this.#narrowExclusions(industries)
    const document: Record<string, unknown> = {}
    for (const [field, { include, exclude }] of this.#lists) {
      // A value cannot be both excluded and wanted: exclude wins, as it does when leads are matched.
      const excluded = new Set(exclude.map(value => JSON.stringify(value)))
      const wanted = (field === 'industries' ? withoutParents(include as string[]) : include).filter(
        value => !excluded.has(JSON.stringify(value)),
      )
      const limit = LIMITS[field] ?? DEFAULT_LIMIT
      if (wanted.length + exclude.length === 0) continue
      document[field] = {
        ...(wanted.length > 0 ? { include: wanted.slice(0, limit) } : {}),
        ...(exclude.length > 0 ? { exclude: exclude.slice(0, limit) } : {}),
      }
    }
    Object.assign(document, this.#rest)
    for (const field of new Set([...this.#ranges.keys(), ...this.#limits.keys()])) {
      const wanted = joined(this.#ranges.get(field) ?? [{}])
      const limited = (this.#limits.get(field) ?? []).reduce((ranges, limit) => ranges.map(range => clip(range, limit)), wanted)
      const isMoney = field === 'revenue' || field === 'fundingTotal'
      const merged = isMoney ? limited : mergeRanges(limited, 1, field === 'employees' ? 1 : 1800)
      document[field] = merged.slice(0, FILTER_LIMITS.ranges)
    }
    return { filters: document as FilterDocument, explanations: this.#explanations }
  }

  #listsOf(field: InOutField): { include: unknown[]; exclude: unknown[] } {
    const known = this.#lists.get(field)
    if (known) return known
    const fresh = { include: [], exclude: [] }
    this.#lists.set(field, fresh)
    return fresh
  }

  /** The same words for the same value are one explanation, however often they are said. */
  #explain(field: string, value: unknown, text: string): void {
    const key = `${field} ${typeof value === 'object' ? JSON.stringify(value) : value} ${text}`
    if (this.#explained.has(key)) return
    this.#explained.add(key)
    this.#explanations.push({ field, value, text })
  }

  /** "restaurants but not fast food": both are one industry, so what is unwanted becomes a keyword. */
  #narrowExclusions(lists: { include: unknown[]; exclude: unknown[] }): void {
    const titles = this.#lists.get('jobTitles')?.include.flatMap(title => String(title).split(' ')) ?? []
    const isWanted = (slug: unknown) => lists.include.includes(slug) || titles.some(word => namesTrade(word, String(slug)))
    for (const slug of lists.exclude.filter(isWanted)) {
      const said = this.#explanations.find(each => each.field === 'industries.exclude' && each.value === slug)
      // "Agencies love us. So no agencies.": the same words refused are refused, nothing narrower.
      const same = this.#explanations.some(
        each => each.field === 'industries.include' && each.value === slug && said && bareTrade(each.text) === bareTrade(said.text),
      )
      if (!said || same || titles.includes(singular(said.text.toLowerCase()))) continue
      lists.exclude.splice(lists.exclude.indexOf(slug), 1)
      said.field = 'keywords.exclude'
      said.value = singular(said.text.toLowerCase()).slice(0, FILTER_LIMITS.keywordLength)
      this.#listsOf('keywords').exclude.push(said.value)
    }
  }
}

/** "Staffing companies" are those in staffing, and an agency is one of the agencies. */
const bareTrade = (text: string): string =>
  text
    .toLowerCase()
    .split(' ')
    .filter((word, at) => at === 0 || !GENERIC_NOUNS.has(word))
    .map(singular)
    .join(' ')

/** "no more than fifty staff, at least ten": two bounds that meet are one range. */
function joined(ranges: readonly Bounds[]): Bounds[] {
  const low = ranges.find(range => range.max === undefined)
  const high = ranges.find(range => range.min === undefined)
  if (ranges.length !== 2 || !low || !high || low.min === undefined || high.max === undefined || low.min > high.max) return [...ranges]
  return [{ ...low, ...high, min: low.min }]
}

/** A range within a limit; one that the limit would empty stays as it was said. */
function clip(range: Bounds, limit: Bounds): Bounds {
  const min = Math.max(range.min ?? Number.NEGATIVE_INFINITY, limit.min ?? Number.NEGATIVE_INFINITY)
  const max = Math.min(range.max ?? Number.POSITIVE_INFINITY, limit.max ?? Number.POSITIVE_INFINITY)
  if (min > max) return range
  return { ...limit, ...range, ...(Number.isFinite(min) ? { min } : {}), ...(Number.isFinite(max) ? { max } : {}) }
}

function withoutParents(slugs: readonly string[]): string[] {
  return slugs.filter(slug => !slugs.some(other => other !== slug && INDUSTRIES.get(other)?.parent === slug))
}
