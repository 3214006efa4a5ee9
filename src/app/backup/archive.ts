import { createHash, type Hash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

/**
 * An archive is a gzip stream of frames: a letter, the length of the content in four bytes (big-endian), and the content. `H` (JSON) comes
 * first and says what it is; then for each table `T` (JSON: its name and columns), its rows in `D` as the text format of COPY, and `E` (JSON:
 * how many rows). `Z` (JSON) is the last: the sequences, and the SHA-256 of all bytes before it.
 */
type FrameType = 'H' | 'T' | 'D' | 'E' | 'Z'

export interface Frame {
  type: FrameType
  payload: Buffer
}

export const FORMAT = 'overture-backup-1'

export interface Head {
  format: typeof FORMAT
  createdAt: string
  /** Of the program that wrote it. */
  version: string
  migrations: string[]
  /** Of the secret key that the master key of the installation is sealed under; null when no service has opened it yet. */
  fingerprint: string | null
}

export interface TableHead {
  name: string
  columns: string[]
}

export interface Tail {
  sequences: { name: string; lastValue: string; isCalled: boolean }[]
  tableCount: number
  rowCount: number
  sha256: string
}

const HEAD_BYTES = 5
/** Longer content is split into several frames; a larger length means that the archive is broken. */
const LONGEST_BYTES = 16 * 1024 * 1024

export class BrokenArchive extends Error {}

function headOf(type: FrameType, length: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(type, 0, 'latin1')
  head.writeUInt32BE(length, 1)
  return head
}

/** Writes frames with back-pressure, and computes their checksum. */
export class ArchiveWriter {
  readonly #sink: Writable
  readonly #hash: Hash = createHash('sha256')
  byteCount = 0

  constructor(sink: Writable) {
    this.#sink = sink
  }

  async write(type: FrameType, payload: Buffer): Promise<void> {
    for (const piece of [headOf(type, payload.length), payload]) {
      this.#hash.update(piece)
      this.byteCount += piece.length
      if (!this.#sink.write(piece)) await once(this.#sink, 'drain')
    }
  }

  /** Rows of a table, however long. */
  async writeRows(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; at += LONGEST_BYTES) await this.write('D', bytes.subarray(at, at + LONGEST_BYTES))
  }

  writeJson(type: FrameType, value: unknown): Promise<void> {
    return this.write(type, Buffer.from(JSON.stringify(value)))
  }

  async end(tail: Omit<Tail, 'sha256'>): Promise<void> {
    await this.writeJson('Z', { ...tail, sha256: this.#hash.copy().digest('hex') } satisfies Tail)
    this.#sink.end()
  }
}

/** The frames of a file, one after the other. Throws `BrokenArchive` when it is cut off, changed, or something else. */
export async function* readArchive(path: string): AsyncGenerator<Frame> {
  const hash = createHash('sha256')
  let isOver = false
  for await (const { type, payload, head } of readFrames(path)) {
    if (isOver) throw new BrokenArchive('there is data after its end')
    if (type === 'Z') {
      isOver = true
      const { sha256 } = parseFrame<Tail>(payload)
      if (hash.digest('hex') !== sha256) throw new BrokenArchive('its checksum does not match its content')
    } else {
      hash.update(head).update(payload)
    }
    yield { type, payload }
  }
  if (!isOver) throw new BrokenArchive('it is truncated')
}

/** The file may come from a stranger, so what is read of a frame is checked: lists of texts must be that. */
export function parseFrame<T>(payload: Buffer, lists: readonly (keyof T & string)[] = []): T {
  let value: unknown
  try {
    value = JSON.parse(payload.toString('utf8'))
  } catch {
    throw new BrokenArchive('it cannot be read')
  }
  const isTexts = (list: unknown): boolean => Array.isArray(list) && list.every(item => typeof item === 'string')
  if (typeof value === 'object' && value !== null && lists.every(name => isTexts((value as Record<string, unknown>)[name])))
    return value as T
  throw new BrokenArchive('it cannot be read')
}

async function* readFrames(path: string): AsyncGenerator<Frame & { head: Buffer }> {
  const source = createReadStream(path)
  // Large pieces, because a frame is assembled from them.
  const gunzip = createGunzip({ chunkSize: 1024 * 1024 })
  // The reader of the stream throws any error that happens in there.
  const reading = pipeline(source, gunzip).catch(() => {})
  let rest: Buffer = Buffer.alloc(0)
  try {
    for await (const piece of gunzip) {
      rest = rest.length === 0 ? (piece as Buffer) : Buffer.concat([rest, piece as Buffer])
      for (let frame = takeFrame(rest); frame; frame = takeFrame(rest)) {
        yield frame
        rest = rest.subarray(HEAD_BYTES + frame.payload.length)
      }
    }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code?.startsWith('Z_') || code?.startsWith('ERR_')) throw new BrokenArchive('it is truncated or not a backup', { cause: error })
    throw error
  } finally {
    source.destroy()
    gunzip.destroy()
    await reading
  }
  if (rest.length > 0) throw new BrokenArchive('it is truncated')
}

function takeFrame(bytes: Buffer): (Frame & { head: Buffer }) | null {
  if (bytes.length < HEAD_BYTES) return null
  const head = bytes.subarray(0, HEAD_BYTES)
  const type = head.toString('latin1', 0, 1) as FrameType
  const length = head.readUInt32BE(1)
  if (!'HTDEZ'.includes(type) || length > LONGEST_BYTES) throw new BrokenArchive('it is not a backup')
  return bytes.length < HEAD_BYTES + length ? null : { type, head, payload: bytes.subarray(HEAD_BYTES, HEAD_BYTES + length) }
}
