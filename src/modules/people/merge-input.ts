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
  readonly #byKey = new Map<string, NewPerson>()
  readonly #lastOfCompany = new Map<string, NewCompany>()

  static of(records: Iterable<NewPerson>): MergeInput {
    const input = new MergeInput()
    for (const record of records) input.add(record)
    return input
  }

  add(record: NewPerson): void {
    this.records.push(record)
    const known = this.#byKey.get(record.matchKey)
    this.#byKey.set(record.matchKey, known ? overlay(known, record) : record)
    const { company } = record
    if (company === null) return
    const last = this.#lastOfCompany.get(company.matchKey)
    if (last?.print === company.print) {
      // Both say the same. The garbage collector has less to do when only one of them lives as long as the batch.
      record.company = last
      return
    }
    this.#lastOfCompany.set(company.matchKey, company)
    this.companies.push(company)
  }

  /** One record per key: values of later records replace earlier ones. */
  people(): readonly NewPerson[] {
    return this.#byKey.size === this.records.length ? this.records : [...this.#byKey.values()]
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
