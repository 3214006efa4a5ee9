import { setImmediate as breathe } from 'node:timers/promises'
import { withoutVerification } from '../people/people.ts'
import { PERSON_FIELDS, type PersonField, type RawPerson, readPerson } from '../people/person-input.ts'
import type { NewPerson } from '../people/schema.ts'
import { type VerifyOptions, verifyPeople } from '../people/verify-people.ts'
import type { ColumnMapping } from './csv-columns.ts'
import type { CsvBatch } from './csv-reader.ts'
import type { Rejected } from './reject-file.ts'

/** The number of rows that are read before other work gets a turn: a millisecond or two. */
const SLICE_ROWS = 100

/** `indexes` says which row of the batch each person comes from. */
export interface PreparedBatch {
  people: NewPerson[]
  indexes: number[]
  rejected: Rejected[]
}

export const rejectedRow = (batch: CsvBatch, rowsBefore: number, index: number, reason: string): Rejected => ({
  row: batch.rows[index]!,
  rowNumber: rowsBefore + index + 1,
  reason,
})

/** Reads the people of a batch, and checks their addresses when that was asked for. */
export async function prepareBatch(
  batch: CsvBatch,
  { columns }: ColumnMapping,
  rowsBefore: number,
  { verify, workspaceId }: { verify?: VerifyOptions; workspaceId?: string },
  now: Date,
  unread: Partial<Record<PersonField, number>>,
): Promise<PreparedBatch> {
  const fields = PERSON_FIELDS.filter(field => columns[field] !== undefined)
  const positions = fields.map(field => columns[field]!)
  const rejected: Rejected[] = []
  const people: NewPerson[] = []
  const indexes: number[] = []
  const reject = (index: number, reason: string): void => {
    rejected.push(rejectedRow(batch, rowsBefore, index, reason))
  }
  const raw: RawPerson = {}
  for (let index = 0; index < batch.rows.length; index++) {
    // The database merges the batch before at the same time, so its connection must get turns, too.
    if (index % SLICE_ROWS === SLICE_ROWS - 1) await breathe()
    const row = batch.rows[index]!
    for (let at = 0; at < fields.length; at++) raw[fields[at]!] = row[positions[at]!] ?? ''
    const result = readPerson(raw)
    if ('rejected' in result) {
      reject(index, result.rejected)
      continue
    }
    for (const field of result.unread) unread[field] = (unread[field] ?? 0) + 1
    people.push(workspaceId ? withoutVerification(result.person) : result.person)
    indexes.push(index)
  }
  if (!verify) return { people, indexes, rejected }
  const verdicts = await verifyPeople(people, verify, now)
  verdicts.forEach((reason, position) => {
    if (reason != null) reject(indexes[position]!, reason)
  })
  const isTaken = (_: unknown, position: number): boolean => verdicts[position] == null
  return { people: people.filter(isTaken), indexes: indexes.filter(isTaken), rejected }
}
