import { DEPARTMENTS, EMAIL_STATUSES, EMAIL_TYPES, SENIORITIES } from '#lead-terms'
import { departmentCodes, IMPORTED, mailCode, seniorityCodes } from './codes.ts'
import type { PersonRecord, SetRow } from './records.ts'

/** The position of each number in a packed row. */
const PACKED = { id: 0, mail: 1, seniority: 2, department: 3, title: 4, company: 5, place: 6, owner: 7 } as const
const PACKED_LENGTH = 8

/** People as rows of eight numbers. A catch-up over millions of people keeps them in this form until all are applied at once. */
export class PackedPeople implements Iterable<PersonRecord> {
  #values = new Int32Array(PACKED_LENGTH * 1024)
  count = 0

  readonly push: SetRow = (id, mail, seniority, department, title, company, place, owner) => {
    const start = this.count++ * PACKED_LENGTH
    if (start + PACKED_LENGTH > this.#values.length) {
      const grown = new Int32Array(this.#values.length * 2)
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values.set([id, mail, seniority, department, title, company, place, owner], start)
  };

  *[Symbol.iterator](): Iterator<PersonRecord> {
    for (let index = 0; index < this.count; index++) {
      const row = this.#values.subarray(index * PACKED_LENGTH, (index + 1) * PACKED_LENGTH)
      const mail = (row[PACKED.mail]! - 1) % IMPORTED
      yield {
        id: row[PACKED.id]!,
        emailStatus: EMAIL_STATUSES[mail >> 2]!,
        emailType: EMAIL_TYPES[(mail & 3) - 1] ?? null,
        seniority: SENIORITIES[row[PACKED.seniority]! - 1] ?? null,
        department: DEPARTMENTS[row[PACKED.department]! - 1] ?? null,
        titleId: row[PACKED.title]!,
        companyId: row[PACKED.company]!,
        placeId: row[PACKED.place]!,
        owner: row[PACKED.owner]!,
      }
    }
  }
}

/** The code of a label by a hash of its bytes, so that reading a row creates no string. */
class LabelCodes {
  readonly #table: Uint8Array
  readonly #mask: number

  constructor(labels: readonly { label: string; code: number }[]) {
    for (let size = 256; ; size *= 2) {
      const table = new Uint8Array(size)
      const taken = new Set<number>()
      for (const { label, code } of labels) {
        const slot = hashBytes(Buffer.from(label)) & (size - 1)
        taken.add(slot)
        table[slot] = code
      }
      this.#table = table
      this.#mask = size - 1
      if (taken.size === labels.length) return
    }
  }

  /** `hash` comes from `hashBytes`. An unknown label can return any code, so the database must contain only known labels. */
  at(hash: number): number {
    return this.#table[hash & this.#mask]!
  }
}

export const nextHash = (hash: number, byte: number): number => (Math.imul(hash, 31) + byte) >>> 0

function hashBytes(bytes: Uint8Array): number {
  let hash = 0
  for (const byte of bytes) hash = nextHash(hash, byte)
  return hash
}

export const seniorityLabels = new LabelCodes(SENIORITIES.map(label => ({ label, code: seniorityCodes.of(label) })))
export const departmentLabels = new LabelCodes(DEPARTMENTS.map(label => ({ label, code: departmentCodes.of(label) })))
export const statusLabels = new LabelCodes(EMAIL_STATUSES.map(label => ({ label, code: mailCode(label, null) })))
export const typeLabels = new LabelCodes(EMAIL_TYPES.map((label, index) => ({ label, code: index + 1 })))
