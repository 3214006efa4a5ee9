import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BudgetExceeded, BudgetedThreads } from '../lib/budgeted-thread.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { AppError, invalid, refusal, unavailable } from '../lib/errors.ts'
import { findRepeatedKey, inspectJson, type JsonBounds, measureJson } from '../lib/json-bounds.ts'
import type { TSchema } from '../lib/type.ts'

/** A body that the thread has read and validated: its long list comes as pieces of JSON that can be stored. */
export class BulkBody {
  readonly head: Record<string, unknown>
  /** False when the list was not sent. */
  readonly isCut: boolean
  readonly count: number
  readonly digest: string
  #chunks: readonly Uint8Array[] | null

  constructor({ head, chunks, count, digest }: ReadBody) {
    this.head = head
    this.isCut = chunks !== null
    this.count = count
    this.digest = digest
    this.#chunks = chunks
  }

  /**
   * About a megabyte at a time. Its memory is given back as soon as it is stored: left to the garbage collector, every import made it look
   * through the whole heap. Fails when the body was forgotten meanwhile, so that no part of the list is taken for all of it.
   */
  *chunks(): Generator<readonly Uint8Array[]> {
    const all = this.#chunks ?? []
    for (let at = 0; at < all.length || this.#chunks === null; at += CHUNKS_AT_ONCE) {
      if (this.#chunks === null) throw lost()
      const some = all.slice(at, at + CHUNKS_AT_ONCE)
      yield some
      for (const { buffer } of some) (buffer as ArrayBuffer).transfer(0)
    }
  }

  forget(): void {
    this.#chunks = null
  }
}

const CHUNKS_AT_ONCE = 8

/** A body that is a file and has not been read yet. */
export class StreamedBody {
  readonly pieces: AsyncIterable<Buffer>

  constructor(pieces: AsyncIterable<Buffer>) {
    this.pieces = pieces
  }

  /** The same file, whose end is reached only after the check. */
  endingWith(check: () => Promise<void>): StreamedBody {
    return new StreamedBody(followed(this.pieces, check))
  }
}

async function* followed(pieces: AsyncIterable<Buffer>, check: () => Promise<void>): AsyncGenerator<Buffer> {
  yield* pieces
  await check()
}

export const tooLarge = (): AppError => new AppError('payload_too_large', 'The body is too large for this endpoint. Send it in parts.')
const brokenOff = (): AppError => new AppError('invalid_request', 'The body ended before its announced length.')

/** The length of the body as the client announced it: 0 without a body, and infinite when the client announced no length. */
export const announcedBytes = ({ 'content-length': length, 'transfer-encoding': encoding }: IncomingMessage['headers']): number =>
  encoding === undefined ? Number(length ?? 0) : Number.POSITIVE_INFINITY

/** The pieces of a large body as they arrive, up to the limit. */
export async function* readPieces(payload: IncomingMessage, limitBytes: number): AsyncGenerator<Buffer> {
  let received = 0
  try {
    // Leaving early keeps the stream open, because the response is sent over the same connection.
    for await (const piece of payload.iterator({ destroyOnReturn: false })) {
      received += piece.length
      if (received > limitBytes) throw tooLarge()
      yield piece
      // Node would read up to 32 pieces in one turn of the event loop, and all other requests would wait.
      await nextTurn()
    }
  } catch (error) {
    throw error instanceof AppError ? error : brokenOff()
  }
}

/** A small body as a whole. Without an iterator, which would cost more than the body itself. */
export function collect(payload: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let received = 0
    const onData = (piece: Buffer): void => {
      received += piece.length
      if (received <= limitBytes) pieces.push(piece)
      else {
        payload.off('data', onData)
        reject(tooLarge())
      }
    }
    payload.on('data', onData)
    payload.on('end', () => resolve(Buffer.concat(pieces)))
    payload.on('error', () => reject(brokenOff()))
  })
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * A missing body counts as `{}`. Invalid JSON throws at once. The error of a body that is refused although it is valid JSON is returned,
 * because the query and the headers are checked first.
 */
export function parseBody(bytes: Uint8Array, bounds: JsonBounds): unknown {
  if (bytes.length === 0) return {}
  const measured = measureJson(bytes, bounds)
  if (typeof measured !== 'number') return invalid('body', measured.path, measured.rule, measured.message)
  const body = parseJson(bytes)
  const inspected = inspectJson(body)
  if (typeof inspected !== 'number') return invalid('body', inspected.path, 'text', inspected.message)
  // The parser keeps the last of two equal keys, so the object then has fewer keys than the text.
  if (measured !== inspected) throw refusal('invalid_json', [{ in: 'body', ...findRepeatedKey(bytes)! }])
  return body
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    throw new AppError('invalid_json', 'The body is not valid JSON.')
  }
}

/** The same for bodies that mean the same: key order and white space do not matter. */
export const digestOf = (body: unknown): string => createHash('sha256').update(canonicalJson(body)).digest('base64url')

/**
 * The same digest for a body whose long list was split into chunks; `head` is the rest of the body. It is computed without building the
 * text of the whole body.
 */
export function digestOfBulk(head: Record<string, unknown>, list: string, chunks: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  const names = [...Object.keys(head), list].sort((a, b) => (a < b ? -1 : 1))
  for (const [n, name] of names.entries()) {
    hash.update(`${n === 0 ? '{' : ','}${JSON.stringify(name)}:`)
    if (name !== list) hash.update(canonicalJson(head[name]))
    else if (chunks.length === 0) hash.update('[]')
    else {
      for (const [m, chunk] of chunks.entries()) hash.update(m === 0 ? '[' : ',').update(chunk.subarray(1, -1))
      hash.update(']')
    }
  }
  return hash.update('}').digest('base64url')
}

const CHUNK_BYTES = 128 * 1024
const encoder = new TextEncoder()

/** Cuts a list into pieces of canonical JSON that can be stored and read one by one. */
export function cutIntoChunks(items: readonly unknown[]): Uint8Array<ArrayBuffer>[] {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let texts: string[] = []
  let length = 0
  const close = (): void => {
    if (texts.length > 0) chunks.push(encoder.encode(`[${texts.join(',')}]`))
    texts = []
    length = 0
  }
  for (const item of items) {
    const text = canonicalJson(item)
    if (length + text.length > CHUNK_BYTES) close()
    texts.push(text)
    length += text.length
  }
  close()
  return chunks
}

/** Bodies of this size or more are read in a thread. */
export const BULK_FROM_BYTES = 64 * 1024
/** The processor time of the largest body is a tenth of it. */
const READ_MS = 20_000
const MAX_HEAP_MB = 768

export interface BulkSpec {
  /** The endpoint: the thread compiles the schema once for each. */
  name: string
  /** As plain JSON, because the other parts of a TypeBox schema cannot be sent to a thread. */
  schema: TSchema
  bounds: JsonBounds
  /** The field with the long list, which is cut into chunks; null when the body comes back as it is. */
  bulk: string | null
}

export interface BodyTask extends BulkSpec {
  pieces: Uint8Array[]
}

interface ReadBody {
  head: Record<string, unknown>
  chunks: Uint8Array<ArrayBuffer>[] | null
  count: number
  digest: string
}

export type BodyAnswer = ReadBody | { refused: { code: AppError['code']; message: string; details: unknown } }

/**
 * Lets one thread parse, validate and split large bodies, one after the other: the memory is that of one body, and the thread that answers
 * requests is not blocked.
 */
export class BodyReader {
  readonly #threads = new BudgetedThreads<BodyTask, BodyAnswer>(new URL('./body-thread.ts', import.meta.url), { maxHeapMb: MAX_HEAP_MB })

  async read(arriving: AsyncIterable<Buffer>, spec: BulkSpec): Promise<BulkBody | AppError> {
    const pieces: Buffer[] = []
    for await (const piece of arriving) pieces.push(piece)
    const answer = await this.#threads
      .run({ ...spec, pieces }, { timeoutMs: READ_MS, transfer: pieces.flatMap(ownMemoryOf) })
      .catch(error => {
        throw error instanceof BudgetExceeded ? lost() : error
      })
    if (!('refused' in answer)) return new BulkBody(answer)
    const { code, message, details } = answer.refused
    const error = new AppError(code, message, details)
    if (code === 'invalid_json') throw error
    return error
  }

  close(): Promise<void> {
    return this.#threads.stop()
  }
}

/** Memory that is moved to the thread need not be copied, unless other pieces share it. */
const ownMemoryOf = (bytes: Buffer): ArrayBuffer[] =>
  bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength ? [bytes.buffer] : []

const lost = (): AppError => unavailable('The body could not be read. Nothing was changed. Try again.')
