import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DEPARTMENTS, EMAIL_STATUSES, EMAIL_TYPES, FUNDING_STAGES, INDUSTRY_SLUGS, SENIORITIES } from '#lead-terms'
import { ColumnIndex } from './column-index.ts'
import { SEGMENT_BYTES } from './columns.ts'
import type { NumberArray } from './company-store.ts'
import type { PlaceRecord } from './records.ts'

/** Increased with every change of the layout, so that older snapshots are built again instead of being misread. */
const FORMAT = 2

/** Columns contain codes, so a snapshot is only valid for the vocabularies of its release. */
const VOCABULARY = createHash('sha256')
  .update(JSON.stringify([SENIORITIES, DEPARTMENTS, EMAIL_STATUSES, EMAIL_TYPES, FUNDING_STAGES, INDUSTRY_SLUGS]))
  .digest('base64url')

const ARRAYS = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array }
type ArrayKind = keyof typeof ARRAYS

interface Header {
  format: number
  vocabulary: string
  version: number
  versionId: string
  rowCount: number
  ownerCount: number
  segments: number
  companyCount: number
  arrays: { kind: ArrayKind; length: number }[]
  /** Bytes of the JSON that ends the file: titles, places, words. */
  textBytes: number
}

interface Texts {
  titles: string[]
  places: PlaceRecord[]
  words: string[]
}

const HEADER_BYTES = 4096

/**
 * Writes the index to a file, so that a restart reads a hundred megabytes instead of millions of rows. The index can change meanwhile: the
 * file states the version at the start of the writing, and a reader applies all changes after it again.
 */
export async function writeSnapshot(index: ColumnIndex, versionId: string, file: string): Promise<void> {
  const { columns, version } = index
  const dump = index.companies.dump()
  const texts: Texts = { titles: index.titles.titles, places: index.places.records.slice(1) as PlaceRecord[], words: dump.words }
  const text = Buffer.from(JSON.stringify(texts))
  const arrays = [...dump.columns, dump.domains]
  const memories = [...columns.memories]
  const header: Header = {
    format: FORMAT,
    vocabulary: VOCABULARY,
    version,
    versionId,
    rowCount: columns.rowCount,
    ownerCount: index.ownerCount,
    segments: memories.length,
    companyCount: dump.count,
    arrays: arrays.map(array => ({ kind: array.constructor.name as ArrayKind, length: array.length })),
    textBytes: text.length,
  }
  const head = Buffer.alloc(HEADER_BYTES, ' ')
  head.write(JSON.stringify(header))
  await mkdir(dirname(file), { recursive: true })
  const fresh = `${file}.${process.pid}`
  const handle = await open(fresh, 'w', 0o600)
  try {
    await writeAll(handle, head)
    for (const memory of memories) await writeAll(handle, new Uint8Array(memory))
    for (const array of arrays) await writeAll(handle, new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
    await writeAll(handle, text)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  await rename(fresh, file)
}

/** Reads a snapshot of this release; undefined when there is none. */
export async function readSnapshot(file: string): Promise<{ index: ColumnIndex; versionId: string } | undefined> {
  const handle = await open(file, 'r').catch(() => undefined)
  if (!handle) return undefined
  try {
    const head = Buffer.alloc(HEADER_BYTES)
    await readAll(handle, head)
    const header = JSON.parse(head.toString()) as Header
    if (header.format !== FORMAT || header.vocabulary !== VOCABULARY) return undefined
    const index = new ColumnIndex()
    for (let number = 0; number < header.segments; number++) {
      const memory = new SharedArrayBuffer(SEGMENT_BYTES)
      await readAll(handle, new Uint8Array(memory))
      index.columns.add(memory)
    }
    index.columns.rowCount = header.rowCount
    index.ownerCount = header.ownerCount
    const arrays: NumberArray[] = []
    for (const { kind, length } of header.arrays) {
      const array = new ARRAYS[kind](length)
      await readAll(handle, new Uint8Array(array.buffer))
      arrays.push(array)
    }
    const text = Buffer.alloc(header.textBytes)
    await readAll(handle, text)
    const texts = JSON.parse(text.toString()) as Texts
    texts.titles.forEach((title, id) => {
      if (id > 0) index.titles.add({ id, title })
    })
    for (const place of texts.places) index.places.add(place)
    const domains = arrays.pop() as Float64Array
    index.companies.restore({ count: header.companyCount, columns: arrays, words: texts.words, domains })
    index.version = header.version
    return { index, versionId: header.versionId }
  } catch {
    return undefined // Cut short or damaged: the store of record is asked instead.
  } finally {
    await handle.close()
  }
}

const PIECE_BYTES = 8 * 1024 * 1024

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, Math.min(PIECE_BYTES, bytes.length - at))
    at += bytesWritten
  }
}

async function readAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, at, Math.min(PIECE_BYTES, bytes.length - at))
    if (bytesRead === 0) throw new Error('the file ends too early')
    at += bytesRead
  }
}
