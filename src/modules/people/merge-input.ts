import type { NewCompany, NewPerson } from './schema.ts'

/**
 * The people of a batch, with all that can be known of them without the directory. An import collects it row by row, while PostgreSQL
 * stores the batch before.
 */
export class MergeInput {
  /** All records, in their order. */
  readonly records: NewPerson[] = []
  /** Their companies, in their order. A record that says the same as the last one of its company is left out. */
  readonly companies: NewCompany[] = []
  readonly #lastPrints = new Map<string, number>()
  readonly #keys = new SeenKeys()
  #mayRepeat = false
  #people: readonly NewPerson[] | undefined

  static of(records: Iterable<NewPerson>): MergeInput {
    const input = new MergeInput()
    for (const record of records) input.add(record)
    return input
  }

  add(record: NewPerson): void {
    this.records.push(record)
    if (!this.#mayRepeat) this.#mayRepeat = this.#keys.wasSeen(record.matchKey)
    this.#people = undefined
    const { company } = record
    if (company === null || this.#lastPrints.get(company.matchKey) === company.print) return
    this.#lastPrints.set(company.matchKey, company.print)
    this.companies.push(company)
  }

  /** One record per key: values of later records replace earlier ones. */
  people(): readonly NewPerson[] {
    this.#people ??= this.#mayRepeat ? combined(this.records) : this.records
    return this.#people
  }
}

function combined(records: readonly NewPerson[]): NewPerson[] {
  const byKey = new Map<string, NewPerson>()
  for (const record of records) {
    const known = byKey.get(record.matchKey)
    byKey.set(record.matchKey, known ? overlay(known, record) : record)
  }
  return [...byKey.values()]
}

/**
 * Notices a key that comes twice. It keeps a number of 32 bits for each, in an array that costs the garbage collector nothing, so it may
 * take two keys for the same, in one of thirty batches.
 */
class SeenKeys {
  #table = new Int32Array(1024)
  #count = 0

  wasSeen(key: string): boolean {
    if (this.#count * 2 === this.#table.length) this.#grow()
    let hash = 0x811c9dc5
    for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
    // An empty place has zero.
    return this.#has(this.#table, hash || 1)
  }

  #has(table: Int32Array, hash: number): boolean {
    let at = (hash ^ (hash >>> 15)) & (table.length - 1)
    for (; table[at] !== 0; at = (at + 1) & (table.length - 1)) if (table[at] === hash) return true
    table[at] = hash
    this.#count++
    return false
  }

  #grow(): void {
    const before = this.#table
    this.#table = new Int32Array(before.length * 2)
    this.#count = 0
    for (const hash of before) if (hash !== 0) this.#has(this.#table, hash)
  }
}

export function overlay<T extends NewPerson | NewCompany>(known: T, record: T): T {
  const result = { ...known }
  for (const [field, value] of Object.entries(record) as [keyof T, T[keyof T]][]) {
    if (value !== null && value !== false && !(Array.isArray(value) && value.length === 0)) result[field] = value
  }
  // The same address in another spelling is no change.
  if ('email' in known && 'email' in result) result.email = known.email
  // An older head count does not apply to a newer bucket.
  if ('size' in record && 'employees' in result && record.size !== null) result.employees = record.employees
  return result
}
