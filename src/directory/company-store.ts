import {
  CURRENCIES,
  employeesInRange,
  foldTokens,
  INDUSTRIES,
  type MoneyRange,
  moneyInRange,
  type NumberRange,
  normalizeCompanyName,
  numberInRange,
  singularToken,
} from '#lead-terms'
import { DAY_MS } from '../lib/time.ts'
import { BUCKETS, bucketOf, industryCodes, sizeCodes, stageCodes } from './columns.ts'
import { MarkCache } from './dictionaries.ts'
import type { CompanyRecord } from './records.ts'

const NO_DAY = -0x8000_0000
const SEPARATOR = 0

/** Days since 1970 of a `YYYY-MM-DD`. */
const dayNumber = (date: string): number => Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS)

/**
 * The companies, in columns of numbers, because half a million objects would need too much memory. Each different word of the directory has
 * a number, so a phrase is found by comparing numbers.
 */
export class CompanyStore {
  readonly industry = new GrowingColumn(Uint8Array)
  readonly size = new GrowingColumn(Uint8Array)
  readonly place = new GrowingColumn(Uint32Array)
  /** For a company that a workspace imported: the operator's record of the same company. Limits per company count both as one. */
  readonly twin = new GrowingColumn(Uint32Array)
  readonly owner = new GrowingColumn(Uint32Array)
  readonly #employees = new GrowingColumn(Int32Array)
  readonly #founded = new GrowingColumn(Uint16Array)
  readonly #revenue = new GrowingColumn(Float64Array)
  readonly #revenueCurrency = new GrowingColumn(Uint8Array)
  readonly #stage = new GrowingColumn(Uint8Array)
  readonly #funding = new GrowingColumn(Float64Array)
  readonly #fundingCurrency = new GrowingColumn(Uint8Array)
  readonly #fundedDay = new GrowingColumn(Int32Array)
  readonly #nameHash = new GrowingColumn(Float64Array)
  readonly #textStart = new GrowingColumn(Uint32Array)
  readonly #textLength = new GrowingColumn(Uint32Array)
  readonly #technologyLength = new GrowingColumn(Uint32Array)
  /** Technologies, then words with a separator after each text. The words of a changed company are appended again at the end. */
  #words = new GrowingColumn(Uint32Array)
  #wordsUsed = 0
  #wordsLost = 0
  readonly #wordNumbers = new Map<string, number>()
  readonly #companyByDomain = new Map<number, number>()
  #marked: MarkCache | null = null
  /** Companies are numbered 1 to `count - 1`; 0 stands for none. */
  count = 1

  set(record: CompanyRecord): void {
    const { id } = record
    this.#marked = null
    if (id >= this.count) this.count = id + 1
    this.industry.set(id, industryCodes.of(record.industry))
    this.size.set(id, sizeCodes.of(record.employees === null ? record.size : bucketOf(record.employees)))
    this.place.set(id, record.placeId)
    this.twin.set(id, record.twinId ?? 0)
    this.owner.set(id, record.owner ?? 0)
    this.#employees.set(id, record.employees ?? 0)
    this.#founded.set(id, record.founded ?? 0)
    this.#revenue.set(id, record.revenue ?? -1)
    this.#revenueCurrency.set(id, CURRENCIES.indexOf(record.revenueCurrency ?? 'USD'))
    this.#stage.set(id, stageCodes.of(record.fundingStage))
    this.#funding.set(id, record.fundingTotal ?? -1)
    this.#fundingCurrency.set(id, CURRENCIES.indexOf(record.fundingCurrency ?? 'USD'))
    this.#fundedDay.set(id, record.fundedAt === null ? NO_DAY : dayNumber(record.fundedAt))
    this.#nameHash.set(id, hashText(normalizeCompanyName(record.name)))
    for (const domain of record.domains) this.#companyByDomain.set(domainKey(domain, record.owner ?? 0), id)
    this.#setWords(record)
  }

  #setWords(record: CompanyRecord): void {
    const { id } = record
    this.#wordsLost += this.#textLength.get(id)
    if (this.#wordsLost > 1_000_000 && this.#wordsLost * 2 > this.#wordsUsed) this.#compact()
    const start = this.#wordsUsed
    for (const technology of record.technologies) this.#push(this.#number(`\0${technology}`))
    this.#technologyLength.set(id, this.#wordsUsed - start)
    const label = record.industry === null ? null : (INDUSTRIES.get(record.industry)?.label ?? null)
    for (const text of [record.name, ...record.tags, record.description, label]) {
      if (text === null) continue
      for (const token of foldTokens(text)) this.#push(this.#number(singularToken(token)))
      this.#push(SEPARATOR)
    }
    this.#textStart.set(id, start)
    this.#textLength.set(id, this.#wordsUsed - start)
  }

  #push(word: number): void {
    this.#words.set(this.#wordsUsed++, word)
  }

  #number(word: string): number {
    let number = this.#wordNumbers.get(word)
    if (number === undefined) {
      number = this.#wordNumbers.size + 1
      this.#wordNumbers.set(word, number)
    }
    return number
  }

  #compact(): void {
    const fresh = new GrowingColumn(Uint32Array)
    let used = 0
    for (let id = 1; id < this.count; id++) {
      const start = this.#textStart.get(id)
      const length = this.#textLength.get(id)
      this.#textStart.set(id, used)
      for (let offset = 0; offset < length; offset++) fresh.set(used++, this.#words.get(start + offset))
    }
    this.#words = fresh
    this.#wordsUsed = used
    this.#wordsLost = 0
  }

  /** Returns the cached marks of the same question, unless a company has changed since. */
  marks(key: string, mark: (marks: Uint8Array) => void): Uint8Array {
    this.#marked ??= new MarkCache()
    return this.#marked.get(key, this.count, mark)
  }

  /** Marks the companies that satisfy `test`. Companies with an unknown value are left to the caller. */
  #mark(marks: Uint8Array, test: (id: number) => boolean): void {
    for (let id = 1; id < this.count; id++) if (test(id)) marks[id] = 1
  }

  markKeyword(marks: Uint8Array, keyword: string): void {
    const wanted = foldTokens(keyword).map(token => this.#wordNumbers.get(singularToken(token)))
    if (wanted.length === 0 || wanted.includes(undefined)) return
    const words = this.#words.values
    const [first, ...rest] = wanted as [number, ...number[]]
    this.#mark(marks, id => {
      const start = this.#textStart.get(id) + this.#technologyLength.get(id)
      const end = this.#textStart.get(id) + this.#textLength.get(id) - rest.length
      for (let at = start; at < end; at++) {
        if (words[at] === first && rest.every((word, offset) => words[at + 1 + offset] === word)) return true
      }
      return false
    })
  }

  markTechnology(marks: Uint8Array, technology: string): void {
    const wanted = this.#wordNumbers.get(`\0${technology}`)
    if (wanted === undefined) return
    const words = this.#words.values
    this.#mark(marks, id => {
      const start = this.#textStart.get(id)
      const end = start + this.#technologyLength.get(id)
      for (let at = start; at < end; at++) if (words[at] === wanted) return true
      return false
    })
  }

  /** Expects `names` from `normalizeCompanyName` and registrable `domains`. Marks companies of the operator and of `owner`. */
  markNamed(marks: Uint8Array, names: readonly string[], domains: readonly string[], owner: number): void {
    const wanted = new Set(names.filter(name => name !== '').map(hashText))
    if (wanted.size > 0) this.#mark(marks, id => wanted.has(this.#nameHash.get(id)))
    for (const domain of domains) {
      for (const key of new Set([domainKey(domain, 0), domainKey(domain, owner)])) {
        const id = this.#companyByDomain.get(key)
        if (id !== undefined) marks[id] = 1
      }
    }
  }

  markEmployees(marks: Uint8Array, ranges: readonly NumberRange[]): void {
    this.#mark(marks, id => {
      const exact = this.#employees.get(id)
      return employeesInRange(exact > 0 ? exact : BUCKETS[this.size.get(id) - 1], ranges)
    })
  }

  markFounded(marks: Uint8Array, ranges: readonly NumberRange[]): void {
    this.#mark(marks, id => this.#founded.get(id) > 0 && numberInRange(this.#founded.get(id), ranges))
  }

  markRevenue(marks: Uint8Array, ranges: readonly MoneyRange[]): void {
    this.#markMoney(marks, this.#revenue, this.#revenueCurrency, ranges)
  }

  markFundingTotal(marks: Uint8Array, ranges: readonly MoneyRange[]): void {
    this.#markMoney(marks, this.#funding, this.#fundingCurrency, ranges)
  }

  #markMoney(
    marks: Uint8Array,
    amounts: GrowingColumn<Float64Array>,
    currencies: GrowingColumn<Uint8Array>,
    ranges: readonly MoneyRange[],
  ) {
    this.#mark(marks, id => amounts.get(id) >= 0 && moneyInRange(amounts.get(id), CURRENCIES[currencies.get(id)]!, ranges))
  }

  markFundingStage(marks: Uint8Array, stage: string): void {
    const code = stageCodes.of(stage)
    this.#mark(marks, id => code !== 0 && this.#stage.get(id) === code)
  }

  markFundedSince(marks: Uint8Array, date: string): void {
    const day = dayNumber(date)
    this.#mark(marks, id => this.#fundedDay.get(id) >= day)
  }

  /** `table` has a 1 for each matching place. */
  markPlace(marks: Uint8Array, table: Uint8Array): void {
    this.#mark(marks, id => table[this.place.get(id)] === 1)
  }
}

/** A domain belongs to at most one company of each owner. */
const domainKey = (domain: string, owner: number): number => hashText(owner === 0 ? domain : `${owner} ${domain}`)

type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

/** A typed array that grows by half its size when a value is written past its end. */
class GrowingColumn<A extends NumberArray> {
  values: A
  readonly #make: new (
    length: number,
  ) => A

  constructor(make: new (length: number) => A) {
    this.#make = make
    this.values = new make(1024)
  }

  get(index: number): number {
    return this.values[index] ?? 0
  }

  set(index: number, value: number): void {
    if (index >= this.values.length) {
      const grown = new this.#make(Math.max(index + 1, Math.floor(this.values.length * 1.5)))
      grown.set(this.values)
      this.values = grown
    }
    this.values[index] = value
  }
}

/** A 53-bit hash of a text, to recognize a million names without storing them. */
function hashText(text: string): number {
  let low = 0x811c9dc5
  let high = 0x9747b28c
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x5bd1e995)
    high ^= high >>> 15
  }
  return (low >>> 0) * 0x20_0000 + ((high >>> 0) & 0x1f_ffff)
}
