import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { to as copyTo } from 'pg-copy-streams'
import { type Db, limited, sql, type Tx } from '../../db/client.ts'
import { type CsvColumn, csvRecords } from '../../db/csv-records.ts'

const text = (column: string): CsvColumn => ({ column, type: 'text' })

/** What is in a file, in the order of its columns. */
const COLUMNS: Record<string, CsvColumn> = {
  email: text('email'),
  firstName: text('first_name'),
  lastName: text('last_name'),
  fullName: text('full_name'),
  jobTitle: text('job_title'),
  seniority: text('seniority'),
  department: text('department'),
  company: text('company'),
  companyDomain: text('company_domain'),
  industry: text('industry'),
  employees: { column: 'employees', type: 'number' },
  companySize: text('company_size'),
  city: text('city'),
  region: text('region'),
  country: text('country'),
  linkedinUrl: text('linkedin_url'),
  phone: text('phone'),
  lastVerifiedAt: { column: 'last_verified_at', type: 'time' },
}

export const EXPORT_COLUMNS = Object.keys(COLUMNS)

const RECORDS = csvRecords(
  Object.values(COLUMNS),
  `export_rows
        where export_id = $1 and n > $2 and n <= $3
        order by n`,
  'n',
)

const LAST_ROW = sql(`
  select coalesce(max(n), 0) as n
  from export_rows
  where export_id = $1`)

export const lastRowNumber = async (db: Db, exportId: string): Promise<number> => (await db.first<{ n: number }>(LAST_ROW, [exportId]))!.n

const RENDER = sql(`
  select string_agg(record, '' order by n) as body
  from ${RECORDS} as records`)

/** The part of the file with the rows behind `after`, up to `to`; empty when there are none. */
export const renderRows = async (db: Db, exportId: string, after: number, to: number): Promise<string> =>
  (await db.first<{ body: string | null }>(RENDER, [exportId, after, to]))!.body ?? ''

const INSERT_CHUNK = sql(`
  insert into export_chunks (export_id, n, body)
  values ($1, $2, $3)`)

export async function insertChunk(tx: Tx, exportId: string, n: number, body: string): Promise<void> {
  await tx.run(INSERT_CHUNK, [exportId, n, body])
}

// The file is made inside PostgreSQL, so no row has to leave it. A chunk of a thousand rows is about a quarter of a megabyte.
const WRITE_CHUNKS = sql(`
  with made as (
    insert into export_chunks (export_id, n, body)
    select $1, (n - 1) / 1000 + 1, string_agg(record, '' order by n)
    from ${RECORDS} as records
    group by (n - 1) / 1000
    returning body
  )
  select coalesce(sum(octet_length(body)), 0)::int as length
  from made`)

/** Writes the same into the file in the database, and returns the number of bytes. */
export const writeChunks = async (tx: Tx, exportId: string, after: number, to: number): Promise<number> =>
  (await tx.first<{ length: number }>(WRITE_CHUNKS, [exportId, after, to]))!.length

const DELETE_CHUNKS = sql(`
  delete from export_chunks
  where export_id = $1`)

export async function deleteChunks(tx: Tx, exportId: string): Promise<void> {
  await tx.run(DELETE_CHUNKS, [exportId])
}

const UUID = /^[0-9a-f-]{36}$/

// COPY takes no parameters, so the values are checked before they are inserted into the text.
function copyChunks(exportId: string, after: number, count: number): string {
  if (!UUID.test(exportId) || !Number.isInteger(after) || !Number.isInteger(count)) throw new Error('COPY of what is no export')
  return `
  copy (
    select n, body
    from export_chunks
    where export_id = '${exportId}' and n > ${after}
    order by n
    limit ${count}
  ) to stdout (format binary)`
}

interface Chunk {
  n: number
  body: Buffer
}

/**
 * Reads the next chunks of a file as bytes. By COPY, because a column would be converted to text and back. A few at a time, so that a
 * slow client does not keep the connection.
 */
export async function readChunks(tx: Tx, exportId: string, after: number, count: number): Promise<Chunk[]> {
  const pieces: Buffer[] = []
  const collector = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece)
      done()
    },
  })
  await pipeline(tx.client.query(limited(copyTo(copyChunks(exportId, after, count)))), collector)
  return parseCopy(Buffer.concat(pieces))
}

/** PostgreSQL's binary COPY: a signature, flags, an extension, then rows of fields with their lengths, and -1 as the end. */
function parseCopy(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  let at = 15 + 4 + bytes.readInt32BE(15)
  while (bytes.readInt16BE(at) !== -1) {
    const n = bytes.readInt32BE(at + 2 + 4)
    const length = bytes.readInt32BE(at + 2 + 4 + 4)
    const start = at + 2 + 4 + 4 + 4
    chunks.push({ n, body: bytes.subarray(start, start + length) })
    at = start + length
  }
  return chunks
}
