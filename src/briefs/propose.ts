import { FILTER_LIMITS, type FilterDocument, type InOutField } from '../search/filters/filter-schema.ts'
import { type Place, placeKey } from '../search/terms/places.ts'
import { mergeRanges } from '../search/terms/ranges.ts'
import { FUNDING_STAGES, type FundingStage, isSeniority, type Seniority, seniorityAndAbove } from '../search/terms/vocabulary.ts'
import type { Cell } from './cell.ts'
import { readCells } from './cells.ts'
import { readClauses, TO_MACHINE } from './clauses.ts'
import type { Entity } from './entities.ts'
import { readItems } from './numbers.ts'
import { type Facts, readPatterns } from './patterns.ts'
import { readPeople } from './people.ts'
import { readPlaces } from './place-mentions.ts'
import { complement, type RangeFind, readQuantities } from './quantities.ts'
import { applyScope } from './scope.ts'
import { dropParents, readThings } from './things.ts'
import { cleanBrief, tokenize } from './tokens.ts'

export interface Explanation {
  field: string
  value: unknown
  /** The words of the brief it came from. */
  text: string
}

export interface Proposal {
  filters: FilterDocument
  explanations: Explanation[]
  /** Words of the brief that asked for something we could not read. */
  unmatched: string[]
  engine: 'rules' | 'llm'
  fallbackReason?: string
}

export interface ProposeOptions {
  /** The year it is, for "founded in the last five years"; without it such a wish is reported as unmatched. */
  year?: number
}

/** A brief in everyday words to a filter document. Offline, deterministic, and every value says where it came from. */
export function proposeFilters(brief: string, options: ProposeOptions = {}): Proposal {
  const text = cleanBrief(brief)
  const tokens = tokenize(text)
  const items = readItems(tokens)
  const consumed = new Uint8Array(items.length)
  const facts = readPatterns(items, consumed)
  const clauses = readClauses(items, tokens, consumed)
  const { ranges, radii } = readQuantities(items, clauses, consumed)
  const cells = readCells(items, tokens, clauses, consumed)
  const cellOfItem = new Int32Array(items.length)
  for (const [index, cell] of cells.entries()) cellOfItem.fill(index, cell.first, cell.last + 1)
  const people = readPeople(cells)
  const context = { cells, items, tokens, text, people }
  const things = readThings(context)
  const places = readPlaces(
    context,
    radii.map(radius => ({ cell: cellOfItem[radius.item]!, km: radius.km })),
  )
  const rangeEntities = ranges.map((range): Entity => {
    const cell = cellOfItem[range.item]!
    return { kind: range.field, value: String(range.item), first: cell, last: cell }
  })
  const entities = [...people, ...things, ...places, ...rangeEntities].sort((a, b) => a.first - b.first)
  applyScope(cells, entities)

  const quote = (first: number, last: number): string => {
    const from = tokens[items[cells[first]!.first]!.first]!.start
    const to = tokens[items[cells[last]!.last]!.last]!.end
    return text.slice(from, to).replace(/\s+/g, ' ').trim()
  }
  const document = new DocumentBuilder(quote)
  document.addEntities(entities, ranges, cells)
  document.addFacts(facts, options, (first, last) => {
    const from = tokens[items[first]!.first]!.start
    return text.slice(from, tokens[items[last]!.last]!.end).replace(/\s+/g, ' ').trim()
  })
  const unmatched = unmatchedWords(cells, quote)
  if (isIrrelevant(document, cells, entities, text)) return { filters: {}, explanations: [], unmatched, engine: 'rules' }
  return { filters: document.filters(), explanations: document.explanations, unmatched, engine: 'rules' }
}

/** Loads the vocabulary and the places, and lets the compiler see the common paths: the first brief then costs as little as the next. */
export function warmUpBriefs(): void {
  for (const brief of WARM_UP) proposeFilters(brief)
}

const WARM_UP = [
  'Heads of marketing at SaaS companies in Berlin and Vienna, 50-200 employees, no agencies, verified emails, not contacted in the last 3 months',
  'Geschäftsführer im Maschinenbau in Bayern, ab 50 Mitarbeiter, keine Konzerne',
  'Directeurs financiers à Lyon, entreprises de plus de 100 salariés, sauf banques',
  'dueños de restaurantes en Madrid, no wait, Valencia; acounting mangers',
]

/** The brief without markup and without what is said to the machine: the only text a value may be quoted from. */
export function quotableText(brief: string): string {
  const text = cleanBrief(brief)
  const tokens = tokenize(text)
  const items = readItems(tokens)
  const { dropped } = readClauses(items, tokens, new Uint8Array(items.length))
  let quotable = ''
  let position = 0
  for (const [index, item] of items.entries()) {
    const end = tokens[item.last]!.end
    if (dropped[index] !== TO_MACHINE) quotable += text.slice(Math.max(position, tokens[item.first]!.start - 1), end)
    else quotable += '\n'
    position = end
  }
  return quotable
}

const GROUP_LEVELS: Record<string, Seniority[]> = {
  leaders: ['director', 'head', 'vp', 'c_suite'],
  executives: ['vp', 'c_suite'],
  deciders: seniorityAndAbove('director'),
}
const DECIDES = /\b(?:decides?|deciden|decident|entscheiden)\b/
const SIZES: Record<string, { min?: number; max?: number }> = {
  micro: { max: 9 },
  small: { max: 49 },
  smb: { max: 249 },
  mid: { min: 50, max: 999 },
  large: { min: 1000 },
}

class DocumentBuilder {
  readonly explanations: Explanation[] = []
  #lists = new Map<InOutField, { include: unknown[]; exclude: unknown[] }>()
  #seen = new Set<string>()
  #rest: Partial<FilterDocument> = {}
  #quote: (first: number, last: number) => string

  constructor(quote: (first: number, last: number) => string) {
    this.#quote = quote
  }

  #add(field: InOutField, negated: boolean | undefined, value: unknown, entity: Entity, key: (value: unknown) => string = String): void {
    const lists = this.#lists.get(field) ?? { include: [], exclude: [] }
    this.#lists.set(field, lists)
    const list = negated ? lists.exclude : lists.include
    const id = `${field}${negated ? '-' : '+'}${key(value)}`
    if (this.#seen.has(id)) return
    this.#seen.add(id)
    list.push(value)
    this.explanations.push({
      field: negated ? `${field}.exclude` : `${field}.include`,
      value,
      text: this.#quote(entity.first, entity.last),
    })
  }

  addEntities(entities: readonly Entity[], ranges: readonly RangeFind[], cells: readonly Cell[]): void {
    const live = entities.filter(entity => !entity.dropped)
    const titled = live.some(entity => entity.kind === 'title' && !entity.negated)
    const numbered = live.some(entity => entity.kind === 'employees' && !entity.negated)
    const staged = live.some(entity => entity.kind === 'stage' && !entity.negated)
    for (const entity of live) {
      switch (entity.kind) {
        case 'title':
          this.#add('jobTitles', entity.negated, entity.value, entity)
          break
        case 'level':
          // "people who decide about cleaning: facility managers": the titles say who decides.
          if (!(titled && DECIDES.test(cells[entity.first]!.word))) this.#addLevel(entity, titled)
          break
        case 'department':
          this.#add('departments', entity.negated, entity.department, entity)
          break
        case 'industry':
          this.#add('industries', entity.negated, entity.value, entity)
          break
        case 'technology':
          this.#add('technologies', entity.negated, entity.value, entity)
          break
        case 'keyword':
          this.#add('keywords', entity.negated, entity.value, entity)
          break
        case 'company':
          this.#add('companies', entity.negated, entity.value, entity, value => String(value).toLowerCase())
          break
        case 'place':
          this.#add('locations', entity.negated, entity.place, entity, value => placeKey(value as Place))
          break
        case 'hq':
          this.#add('companyLocations', entity.negated, entity.place, entity, value => placeKey(value as Place))
          break
        case 'size':
          if (!numbered && !(staged && entity.value === 'small' && /start|pousse/.test(cells[entity.first]!.word))) this.#addSize(entity)
          break
        case 'employees':
        case 'revenue':
        case 'fundingTotal':
        case 'founded':
          this.#addRange(entity, ranges)
          break
        case 'stage':
          break
      }
    }
    this.#addStages(
      live.filter(entity => entity.kind === 'stage'),
      cells,
    )
  }

  #addLevel(entity: Entity, titled: boolean): void {
    const group = GROUP_LEVELS[entity.value]
    const levels: Seniority[] =
      entity.above && isSeniority(entity.value)
        ? seniorityAndAbove(entity.value)
        : (group ?? (isSeniority(entity.value) ? [entity.value] : []))
    // Fields are ANDed: beside a named title a bare level must be a title too, or it would exclude the title's own people.
    if (
      titled &&
      !entity.negated &&
      !entity.above &&
      entity.levelTitle &&
      !group &&
      !['c_suite', 'entry', 'senior', 'intern'].includes(entity.value)
    ) {
      this.#add('jobTitles', false, entity.levelTitle, entity)
      return
    }
    for (const level of levels) this.#add('seniorities', entity.negated, level, entity)
  }

  #addSize(entity: Entity): void {
    const size = SIZES[entity.value]!
    const range = entity.negated ? complementSize(size) : { ...size }
    if (!range) return
    this.#rest.employees = [...(this.#rest.employees ?? []), range]
    this.explanations.push({ field: 'employees', value: range, text: this.#quote(entity.first, entity.last) })
  }

  #addRange(entity: Entity, ranges: readonly RangeFind[]): void {
    const found = ranges.find(range => String(range.item) === entity.value)
    const range = found && entity.negated ? complement(found) : found
    if (!range) return
    const value = {
      ...(range.min === undefined ? {} : { min: range.min }),
      ...(range.max === undefined ? {} : { max: range.max }),
      ...(range.currency === undefined ? {} : { currency: range.currency }),
    }
    this.#rest[range.field] = [...((this.#rest[range.field] as object[] | undefined) ?? []), value] as never
    this.explanations.push({ field: range.field, value, text: this.#quote(entity.first, entity.last) })
  }

  /** "seed to series B", "Series B+", "C or later": stages stand on a ladder. */
  #addStages(stages: readonly Entity[], cells: readonly Cell[]): void {
    const ladder = FUNDING_STAGES.slice(0, FUNDING_STAGES.indexOf('private_equity'))
    for (const [index, entity] of stages.entries()) {
      if (entity.value === 'vc_backed') {
        for (const stage of ladder.slice(ladder.indexOf('seed'))) this.#add('fundingStages', entity.negated, stage, entity)
        continue
      }
      const stage = entity.value as FundingStage
      const from = ladder.indexOf(stage)
      const after = cells.slice(entity.last + 1, entity.last + 5)
      if (from >= 0 && goesUp(after)) {
        for (const higher of ladder.slice(from)) this.#add('fundingStages', entity.negated, higher, entity)
        continue
      }
      const next = stages[index + 1]
      const upTo = from >= 0 ? spanTo(cells, entity, next) : undefined
      if (upTo !== undefined && upTo > from) {
        for (const between of ladder.slice(from, upTo + 1)) this.#add('fundingStages', entity.negated, between, entity)
        continue
      }
      this.#add('fundingStages', entity.negated, stage, entity)
      for (const letter of moreLetters(after)) this.#add('fundingStages', entity.negated, letter, entity)
    }
  }

  addFacts(facts: Facts, options: ProposeOptions, quote: (first: number, last: number) => string): void {
    if (facts.emailStatus.length > 0) this.#rest.emailStatus = facts.emailStatus
    if (facts.emailTypes.length > 0) this.#rest.emailTypes = facts.emailTypes
    if (facts.suppress.length > 0) this.#rest.suppress = facts.suppress
    if (facts.contactedWithinDays !== undefined) this.#rest.contactedWithinDays = facts.contactedWithinDays
    if (facts.maxPerCompany !== undefined) this.#rest.maxPerCompany = facts.maxPerCompany
    if (facts.fundedWithinMonths !== undefined) this.#rest.fundedWithinMonths = facts.fundedWithinMonths
    if (facts.companyAge?.max !== undefined && options.year !== undefined)
      this.#rest.founded = [{ min: options.year - facts.companyAge.max }]
    for (const fact of facts.quotes) {
      if (fact.field === 'founded' && this.#rest.founded === undefined) continue
      this.explanations.push({
        field: fact.field,
        value: fact.field === 'founded' ? this.#rest.founded : fact.value,
        text: quote(fact.first, fact.last),
      })
    }
  }

  isEmpty(): boolean {
    return this.#lists.size === 0 && Object.keys(this.#rest).length === 0
  }

  onlyHas(...fields: string[]): boolean {
    return [...this.#lists.keys(), ...Object.keys(this.#rest)].every(field => fields.includes(field))
  }

  /** "restaurants but not fast food": both are one industry, so what is unwanted becomes a keyword. */
  #narrowExclusions(lists: { include: unknown[]; exclude: unknown[] }): void {
    for (const slug of lists.exclude.filter(value => lists.include.includes(value))) {
      const said = this.explanations.find(each => each.field === 'industries.exclude' && each.value === slug)
      if (!said) continue
      lists.exclude.splice(lists.exclude.indexOf(slug), 1)
      said.field = 'keywords.exclude'
      said.value = said.text.toLowerCase().slice(0, FILTER_LIMITS.keywordLength)
      const keywords = this.#lists.get('keywords') ?? { include: [], exclude: [] }
      keywords.exclude.push(said.value)
      this.#lists.set('keywords', keywords)
    }
  }

  filters(): FilterDocument {
    const document: Record<string, unknown> = {}
    const limits: Record<string, number> = {
      jobTitles: FILTER_LIMITS.jobTitles,
      locations: FILTER_LIMITS.places,
      companyLocations: FILTER_LIMITS.places,
      keywords: FILTER_LIMITS.keywords,
      technologies: FILTER_LIMITS.technologies,
      companies: FILTER_LIMITS.companies,
    }
    const industries = this.#lists.get('industries')
    if (industries) this.#narrowExclusions(industries)
    for (const [field, lists] of this.#lists) {
      let { include } = lists
      if (field === 'industries') include = dropParents(include as string[])
      // What is excluded cannot be wanted as well; exclude wins, as it does when leads are matched.
      const excluded = new Set(lists.exclude.map(value => JSON.stringify(value)))
      include = include.filter(value => !excluded.has(JSON.stringify(value)))
      const value: Record<string, unknown> = {}
      if (include.length > 0) value.include = include.slice(0, limits[field] ?? 200)
      if (lists.exclude.length > 0) value.exclude = lists.exclude.slice(0, limits[field] ?? 200)
      if (Object.keys(value).length > 0) document[field] = value
    }
    Object.assign(document, this.#rest)
    for (const field of ['employees', 'founded'] as const) {
      if (this.#rest[field])
        document[field] = mergeRanges(this.#rest[field], 1, field === 'employees' ? 1 : 1800).slice(0, FILTER_LIMITS.ranges)
    }
    for (const field of ['revenue', 'fundingTotal'] as const) {
      if (this.#rest[field]) document[field] = this.#rest[field].slice(0, FILTER_LIMITS.ranges)
    }
    return document as FilterDocument
  }
}

function complementSize(size: { min?: number; max?: number }): { min?: number; max?: number } | undefined {
  if (size.min === undefined && size.max !== undefined) return { min: size.max + 1 }
  if (size.max === undefined && size.min !== undefined) return { max: size.min - 1 }
  return undefined
}

const LATER = new Set(
  'later above beyond up onwards higher more spater hoher aufwarts plus ulterieur superieur posterior posteriores superior adelante mas after following daruber hoger hinaus dela au suivants en'.split(
    ' ',
  ),
)

function goesUp(after: readonly Cell[]): boolean {
  const [first, second, third] = after
  if (first?.kind === 'list' && first.word === '+') return !(second?.kind === 'word' && second.entry?.stage)
  if (first?.kind === 'word' && ['onwards', 'aufwarts', 'upwards', 'plus'].includes(first.word)) return true
  const joins =
    first?.kind === 'conjunction' ||
    (first?.kind === 'word' && ['and', 'or', 'und', 'oder', 'et', 'ou', 'y', 'o', 'en'].includes(first.word))
  return (
    joins &&
    ((second?.kind === 'word' && LATER.has(second.word) && !(second.word === 'en' && third?.kind === 'place')) ||
      (third?.kind === 'word' && LATER.has(third.word) && second?.kind === 'word' && second.small))
  )
}

const SPAN_WORDS = new Set('to through until bis a hasta thru up till jusqu - – al tot'.split(' '))

/** The index on the ladder a span ends at: "seed to series B", "Series A-C". */
function spanTo(cells: readonly Cell[], entity: Entity, next: Entity | undefined): number | undefined {
  const after = cells.slice(entity.last + 1, entity.last + 4)
  const joins = after[0] && (SPAN_WORDS.has(after[0].word) || after[0].kind === 'list')
  const ladder: readonly string[] = FUNDING_STAGES
  if (next && next.first - entity.last <= 4 && next.first > entity.last + 1) {
    const between = cells.slice(entity.last + 1, next.first)
    if (between.every(cell => SPAN_WORDS.has(cell.word))) return ladder.indexOf(next.value)
  }
  if (entity.last + 1 < cells.length && /^[a-e]$/.test(cells[entity.last + 1]!.word))
    return ladder.indexOf(stageOfLetter(cells[entity.last + 1]!.word))
  if (joins && after[1] && /^[a-f]$/.test(after[1].word) && after[0]!.word !== '/' && after[0]!.word !== '+')
    return ladder.indexOf(stageOfLetter(after[1].word))
  return undefined
}

const stageOfLetter = (letter: string): FundingStage => (letter > 'd' ? 'series_e_plus' : (`series_${letter}` as FundingStage))

/** "Series A or B", "Series A/B": the letters after the first. */
function moreLetters(after: readonly Cell[]): FundingStage[] {
  const found: FundingStage[] = []
  for (let at = 0; at + 1 < after.length; at += 2) {
    const joins = ['comma', 'conjunction', 'list'].includes(after[at]!.kind)
    if (!joins || !/^[a-f]$/.test(after[at + 1]!.word)) break
    found.push(stageOfLetter(after[at + 1]!.word))
  }
  return found
}

function unmatchedWords(cells: readonly Cell[], quote: (first: number, last: number) => string): string[] {
  const found = new Set<string>()
  for (let at = 0; at < cells.length && found.size < 50; at++) {
    const cell = cells[at]!
    if (cell.kind === 'word' && !cell.used && cell.unknown && cell.word.length > 2) found.add(quote(at, at))
  }
  return [...found]
}

/** A text that only happens to name a place, or an everyday word, asks for nobody. */
function isIrrelevant(document: DocumentBuilder, cells: readonly Cell[], entities: readonly Entity[], text: string): boolean {
  if (document.isEmpty()) return true
  const weak = document.onlyHas('locations', 'companyLocations', 'founded', 'fundedWithinMonths', 'keywords')
  const idle = cells.filter(cell => cell.kind === 'word' && !cell.used && !cell.companyNoun && !cell.peopleNoun)
  const words = cells.filter(cell => cell.kind === 'word' || cell.kind === 'place').length
  if (
    weak &&
    idle.length >= 4 &&
    idle.length * 2 > words &&
    !cells.some(cell => cell.companyNoun || cell.peopleNoun || cell.word === 'leads')
  )
    return true
  const question =
    /\?\s*$/.test(text.trim()) &&
    /^(?:what|how|why|when|who is|where is|can you|could you|do you|was|wie|warum|wann|comment|pourquoi|quand|quel|que|como|por que|cuando)\b/i.test(
      text.trim(),
    )
  return question && entities.filter(entity => entity.kind !== 'place').length === 0
}
