import { createHash, type Hash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { isRecord, parsedJson } from '../../lib/canonical-json.ts'

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
/** Parsed JSON takes up to sixty times as much memory as its text. */
const LONGEST_JSON_BYTES = 1024 * 1024

const NEWLINE = 10

/** A line of `D` is a row: line ends within values are written as escapes. */
export function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++
  return count
}

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

/** The frames that may follow each frame; nothing comes before the first. */
const NEXT: Record<FrameType | 'start', string> = { start: 'H', H: 'TZ', T: 'DE', D: 'DE', E: 'TZ', Z: '' }

/** The frames of a file, one after the other. Throws `BrokenArchive` when it is cut off, changed, or something else. */
export async function* readArchive(path: string): AsyncGenerator<Frame> {
  const hash = createHash('sha256')
  let last: FrameType | 'start' = 'start'
  for await (const { type, payload, head } of readFrames(path)) {
    if (!NEXT[last].includes(type))
      throw new BrokenArchive(last === 'Z' ? 'there is data after its end' : 'its parts are not in their order')
    last = type
    if (type === 'Z') {
      const { sha256 } = parseFrame('Z', payload)
      if (hash.digest('hex') !== sha256) throw new BrokenArchive('its checksum does not match its content')
    } else {
      hash.update(head).update(payload)
    }
    yield { type, payload }
  }
  if (last !== 'Z') throw new BrokenArchive('it is truncated')
}

interface Contents {
  H: Head
  T: TableHead
  E: { rowCount: number }
  Z: Tail
}

type Check = (value: unknown) => boolean
const isText: Check = value => typeof value === 'string'
const isTexts: Check = value => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length
const isCount: Check = value => Number.isSafeInteger(value) && (value as number) >= 0
const matches =
  (pattern: RegExp): Check =>
  value =>
    typeof value === 'string' && pattern.test(value)
const isInstant: Check = value => matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)(value) && !Number.isNaN(Date.parse(value as string))
const isFingerprint: Check = value => value === null || matches(/^[0-9a-f]{12}$/)(value)
const isSequence: Check = value =>
  isRecord(value) && isText(value.name) && matches(/^[1-9]\d{0,17}$/)(value.lastValue) && typeof value.isCalled === 'boolean'
const areSequences: Check = value => Array.isArray(value) && value.every(isSequence) && isTexts(value.map(({ name }) => name))

const CHECKS: { [Type in keyof Contents]: Record<keyof Contents[Type], Check> } = {
  H: { format: isText, createdAt: isInstant, version: isText, migrations: isTexts, fingerprint: isFingerprint },
  T: { name: isText, columns: value => isTexts(value) && (value as []).length > 0 },
  E: { rowCount: isCount },
  Z: { sequences: areSequences, tableCount: isCount, rowCount: isCount, sha256: isText },
}

/** The file may come from a stranger, so every value is checked: what is counted, compared and printed is what its type says. */
export function parseFrame<Type extends keyof Contents>(type: Type, payload: Buffer): Contents[Type] {
  const value = parsedJson(payload.toString('utf8'))
  if (!isRecord(value)) throw new BrokenArchive('it cannot be read')
  if (type === 'H' && value.format !== FORMAT) throw new BrokenArchive('this version does not know its format')
  const wrong = Object.entries<Check>(CHECKS[type]).find(([name, check]) => !check(value[name]))
  if (wrong) throw new BrokenArchive(`it cannot be read: ${wrong[0]} is not valid`)
  return value as unknown as Contents[Type]
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
  if (!'HTDEZ'.includes(type) || length > (type === 'D' ? LONGEST_BYTES : LONGEST_JSON_BYTES)) throw new BrokenArchive('it is not a backup')
  return bytes.length < HEAD_BYTES + length ? null : { type, head, payload: bytes.subarray(HEAD_BYTES, HEAD_BYTES + length) }
}
