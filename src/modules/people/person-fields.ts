import { findPlace } from './person-places.ts'
import { tidy } from './person-values.ts'
import type { NewPlace } from './schema.ts'

/** The fields of a person in any source. Every value is text, as in a file. */
export const PERSON_FIELDS = [
  'email',
  'emailStatus',
  'emailType',
  'lastVerifiedAt',
  'firstName',
  'lastName',
  'fullName',
  'jobTitle',
  'seniority',
  'department',
  'location',
  'city',
  'region',
  'country',
  'linkedinUrl',
  'phone',
  'company',
  'companyDomain',
  'industry',
  'employees',
  'companyLocation',
  'companyCity',
  'companyRegion',
  'companyCountry',
  'founded',
  'revenue',
  'fundingStage',
  'fundingTotal',
  'fundedAt',
  'technologies',
  'tags',
  'companyDescription',
] as const
export type PersonField = (typeof PERSON_FIELDS)[number]
export type RawPerson = Partial<Record<PersonField, string>>

const splitPlace = (value: string): NewPlace | null => findPlace(value.split(/\s*,\s*/))

/** Reads the values of one row. A value that is there and cannot be read is listed in `unread`. */
export class FieldReader {
  readonly unread: PersonField[] = []
  readonly #raw: RawPerson

  constructor(raw: RawPerson) {
    this.#raw = raw
  }

  text(field: PersonField, limit = 300): string | null {
    return tidy(this.#raw[field], limit)
  }

  read<T>(field: PersonField, reader: (value: string) => T | null): T | null {
    const value = this.text(field)
    if (value === null) return null
    const result = reader(value)
    if (result === null) this.unread.push(field)
    return result
  }

  /** The place by its parts, which are expected from the narrowest to the widest, or by the field that has the whole of it. */
  place(whole: PersonField, parts: readonly PersonField[]): NewPlace | null {
    let joined: string[] | null = null
    for (const part of parts) {
      const value = this.text(part)
      if (value === null) continue
      if (joined === null) joined = [value]
      else joined.push(value)
    }
    const place = joined === null ? null : findPlace(joined)
    return place ?? this.read(whole, splitPlace)
  }
}
