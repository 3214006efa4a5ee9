import { setImmediate as breathe } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import { readRow } from '../../lib/csv-rows.ts'
import type { ColumnMapping } from './csv-columns.ts'
import { withoutVerification } from './people.ts'
import { type CsvSlice, type Rejected, readCsv } from './people-file.ts'
import { PERSON_FIELDS, type PersonField, type RawPerson, readPerson } from './person-input.ts'
import type { NewPerson } from './schema.ts'
import type { VerifyOptions } from './verify-people.ts'

/** The number of rows that are read before other work gets a turn: a millisecond or so. */
const SLICE_ROWS = 50

/** The first batch is small, and each one twice as large as the one before, so that the database gets something to do soon. */
const FIRST_ROWS = 1000

interface PeopleFile {
  file: string
  delimiter: string
  original: (cell: string) => string
  withLineFeeds: (text: string) => string
  mapping: ColumnMapping
  batchRows: number
  clock: Clock
  verify?: VerifyOptions
  workspaceId?: string
}

/** Some rows of a file, ready to be merged. Cells would cost the garbage collector too much, so they are not kept. */
export class PreparedBatch {
  people: NewPerson[] = []
  /** The row of each person. */
  indexes: number[] = []
  readonly rejected: Rejected[] = []
  readonly lines: string[] = []
  /** The position behind the last row. */
  bytePosition = 0
  readonly #file: Pick<PeopleFile, 'delimiter' | 'original'>
  readonly #rowsBefore: number

  constructor(file: Pick<PeopleFile, 'delimiter' | 'original'>, rowsBefore: number) {
    this.#file = file
    this.#rowsBefore = rowsBefore
  }

  rejectedRow(index: number, reason: string): Rejected {
    const { delimiter, original } = this.#file
    const row = readRow(this.lines[index]!, 0, delimiter, true)!.cells.map(original)
    return { row, rowNumber: this.#rowsBefore + index + 1, reason }
  }
}

/** Reads the people of a file, batch by batch, and checks their addresses when that was asked for. Counts values that cannot be read. */
export async function* prepareBatches(
  people: PeopleFile,
  from: { bytePosition: number; rowCount: number },
  unread: Partial<Record<PersonField, number>>,
): AsyncGenerator<PreparedBatch> {
  const { batchRows, delimiter, withLineFeeds } = people
  let rowsBefore = from.rowCount
  let rowsOfBatch = Math.min(FIRST_ROWS, batchRows)
  let batch = new PreparedBatch(people, rowsBefore)
  const addSlice = sliceReader(people, unread)
  for await (const slice of readCsv(people.file, delimiter, from.bytePosition, Math.min(SLICE_ROWS, batchRows), withLineFeeds)) {
    // The database merges the batch before at the same time, so its connection must get turns, too.
    await breathe()
    addSlice(batch, slice)
    if (batch.lines.length < rowsOfBatch) continue
    yield await verified(batch, people)
    rowsBefore += batch.lines.length
    rowsOfBatch = Math.min(rowsOfBatch * 2, batchRows)
    batch = new PreparedBatch(people, rowsBefore)
  }
  if (batch.lines.length > 0) yield await verified(batch, people)
}

function sliceReader(
  { mapping, workspaceId, original }: PeopleFile,
  unread: Partial<Record<PersonField, number>>,
): (batch: PreparedBatch, slice: CsvSlice) => void {
  const fields = PERSON_FIELDS.filter(field => mapping.columns[field] !== undefined)
  const positions = fields.map(field => mapping.columns[field]!)
  const raw: RawPerson = {}
  return (batch, { rows, lines, problems, bytePosition }) => {
    batch.bytePosition = bytePosition
    for (let n = 0; n < rows.length; n++) {
      const row = rows[n]!
      const index = batch.lines.push(lines[n]!) - 1
      const problem = problems.get(n)
      if (problem !== undefined) {
        batch.rejected.push(batch.rejectedRow(index, problem))
        continue
      }
      for (let at = 0; at < fields.length; at++) raw[fields[at]!] = original(row[positions[at]!] ?? '')
      const result = readPerson(raw)
      if ('rejected' in result) {
        batch.rejected.push(batch.rejectedRow(index, result.rejected))
        continue
      }
      for (const field of result.unread) unread[field] = (unread[field] ?? 0) + 1
      batch.people.push(workspaceId ? withoutVerification(result.person) : result.person)
      batch.indexes.push(index)
    }
  }
}

async function verified(batch: PreparedBatch, { verify, clock }: PeopleFile): Promise<PreparedBatch> {
  if (!verify) return batch
  const { people, indexes } = batch
  const { verifyPeople } = await import('./verify-people.ts')
  const verdicts = await verifyPeople(people, verify, clock.now())
  verdicts.forEach((reason, position) => {
    if (reason != null) batch.rejected.push(batch.rejectedRow(indexes[position]!, reason))
  })
  const isTaken = (_: unknown, position: number): boolean => verdicts[position] == null
  batch.people = people.filter(isTaken)
  batch.indexes = indexes.filter(isTaken)
  return batch
}
