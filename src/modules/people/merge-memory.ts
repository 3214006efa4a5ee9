import type { NewCompany } from './schema.ts'

const LIMIT = 500_000
const DICTIONARY_LIMIT = 200_000

/**
 * Remembers ids from earlier batches of an import, because a file of people repeats the same titles, places and companies. It belongs to
 * one import and ends when a batch fails, because ids from a transaction that was rolled back are not valid.
 */
export class MergeMemory {
  readonly titles = new Map<string, number>()
  readonly places = new Map<string, number>()
  readonly companies = new CompanyMemory()
  /** Domains that belong to some company. */
  readonly domains = new Set<string>()
  /** The keys and domains of companies that the current batch has added or moved. */
  readonly touched = new Set<string>()
  readonly newcomers = new Newcomers()
  #version = -1

  /**
   * Called under the lock of the directory, with its current version. Titles, places and domains are only ever added. Companies may have
   * been changed by others if the version has increased since, so they are forgotten. Returns whether they are still known.
   */
  openAt(version: number): boolean {
    const isUnchanged = version === this.#version
    if (!isUnchanged) this.companies.clear()
    this.#version = version
    this.touched.clear()
    for (const known of [this.titles, this.places, this.domains]) if (known.size > DICTIONARY_LIMIT) known.clear()
    return isUnchanged
  }

  closeAt(version: number): void {
    this.#version = version
  }
}

/**
 * Whether the next batch probably has only new people, as the last one had. Then it is stored without looking for them first, which
 * saves a tenth of the time. A wrong guess costs a batch, so there is no further one after it.
 */
class Newcomers {
  areExpected = false
  #wasWrong = false

  learn(wereAllNew: boolean): void {
    if (this.areExpected && !wereAllNew) this.#wasWrong = true
    this.areExpected = wereAllNew && !this.#wasWrong
  }
}

/**
 * The companies of an import by match key, with the last record merged into each: merging the same record again changes nothing and can be
 * left out. There may be very many, so only a fingerprint of each record is kept, in arrays of numbers that cost the garbage collector
 * nothing.
 */
class CompanyMemory {
  readonly #slots = new Map<string, number>()
  #ids = new Int32Array(1024)
  #prints = new Float64Array(1024)
  #count = 0

  /** The id of the company, if the last record merged into it had this fingerprint. */
  find(matchKey: string, print: number): number | undefined {
    const slot = this.#slots.get(matchKey)
    return slot !== undefined && this.#prints[slot] === print ? this.#ids[slot] : undefined
  }

  set(matchKey: string, id: number, print: number): void {
    let slot = this.#slots.get(matchKey)
    if (slot === undefined) {
      if (this.#count === LIMIT) this.clear()
      slot = this.#count++
      this.#slots.set(matchKey, slot)
      if (slot === this.#ids.length) this.#grow()
    }
    this.#ids[slot] = id
    this.#prints[slot] = print
  }

  delete(matchKey: string): void {
    this.#slots.delete(matchKey)
  }

  clear(): void {
    this.#slots.clear()
    this.#count = 0
  }

  #grow(): void {
    const [ids, prints] = [this.#ids, this.#prints]
    this.#ids = new Int32Array(ids.length * 2)
    this.#ids.set(ids)
    this.#prints = new Float64Array(prints.length * 2)
    this.#prints.set(prints)
  }
}

/** A 53-bit number from all values of a record. Different records have the same one with a probability of 1 in 10^15. */
export function fingerprintOf(company: NewCompany): number {
  let [a, b] = [0x9e3779b9, 0x85ebca6b]
  const mix = (code: number): void => {
    a = Math.imul(a ^ code, 0x9e3779b1)
    b = Math.imul(b ^ code, 0x85ebca77)
    a ^= b >>> 15
    b ^= a >>> 13
  }
  const add = (text: string | null): void => {
    mix(text === null ? -1 : text.length)
    if (text === null) return
    const last = text.length - 1
    for (let at = 0; at < last; at += 2) mix(text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16))
    if (last % 2 === 0) mix(text.charCodeAt(last))
  }
  const addNumber = (value: number | null): void => {
    mix(value === null ? -1 : value % 0x7fffffff)
    if (value !== null) mix(Math.floor(value / 0x7fffffff))
  }
  mix(company.isDomainOfWebsite ? 1 : 0)
  add(company.name)
  add(company.domain)
  add(company.industry)
  add(company.size)
  add(company.place?.key ?? null)
  add(company.revenueCurrency)
  add(company.fundingStage)
  add(company.fundingCurrency)
  add(company.fundedAt)
  add(company.description)
  addNumber(company.employees)
  addNumber(company.founded)
  addNumber(company.revenue)
  addNumber(company.fundingTotal)
  for (const list of [company.technologies, company.tags]) {
    mix(list.length)
    for (const value of list) add(value)
  }
  return (a >>> 0) * 0x200000 + (b >>> 11)
}
