import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { AppError } from '../lib/errors.ts'
import type { JsonBounds } from '../lib/json-bounds.ts'
import type { TSchema } from '../lib/type.ts'
import { cutIntoChunks, digestOf, digestOfBulk, parseBody, RefusedBody } from './body.ts'
import { type Check, compileCheck } from './validation.ts'

/** Reads large bodies away from the thread that answers requests: first their pieces as they arrive, then what to do with them. */
export type BodyOrder = { id: number } & (
  | { kind: 'piece'; bytes: Uint8Array }
  | { kind: 'forget' }
  /** The next chunks of a body that was read. */
  | { kind: 'next' }
  | {
      kind: 'read'
      /** The name of the schema; it comes along the first time only. */
      name: string
      schema?: TSchema
      bounds: JsonBounds
      /** The long list, which is cut into chunks; null when the body comes back as it is. */
      bulk: string | null
    }
)

type ReadOrder = BodyOrder & { kind: 'read' }

export type BodyAnswer = { id: number } & (
  | { head: Record<string, unknown>; isCut: boolean; count: number; digest: string }
  /** Empty after the last; null when they were forgotten. */
  | { next: Uint8Array[] | null }
  | { refused: { code: AppError['code']; message: string; details: unknown } }
  | { failed: string }
)

const checks = new Map<string, Check>()
const pieces = new Map<number, Uint8Array[]>()
/** Chunks stay here until they are stored: in the other thread, so much memory would start the garbage collector too often. */
const cut = new Map<number, Uint8Array<ArrayBuffer>[]>()
/** A megabyte. */
const NEXT_CHUNKS = 8

const toRead: ReadOrder[] = []
/** Bodies whose chunks are being stored, in a transaction that is open meanwhile. Reading others waits for that, so that it ends soon. */
const storing = new Set<number>()

parentPort!.on('message', (order: BodyOrder) => {
  if (order.kind === 'piece') keep(order.id, order.bytes)
  else if (order.kind === 'read') toRead.push(order)
  else if (order.kind === 'next') handOver(order.id)
  else forget(order.id)
  if (toRead.length > 0) setImmediate(readOne)
})

function keep(id: number, bytes: Uint8Array): void {
  const arrived = pieces.get(id)
  if (arrived) arrived.push(bytes)
  else pieces.set(id, [bytes])
}

function handOver(id: number): void {
  const next = cut.get(id)?.splice(0, NEXT_CHUNKS) ?? null
  if (next === null || next.length === 0) storing.delete(id)
  else storing.add(id)
  const answer: BodyAnswer = { id, next }
  const moved = next?.map(chunk => chunk.buffer)
  parentPort!.postMessage(answer, moved)
}

function forget(id: number): void {
  for (const kept of [pieces, cut, storing]) kept.delete(id)
}

/** Reads one body at a time, because an order for the next chunks may have arrived meanwhile. */
function readOne(): void {
  if (storing.size > 0) return
  const order = toRead.shift()
  if (!order) return
  parentPort!.postMessage(read(order))
  if (toRead.length > 0) setImmediate(readOne)
}

giveWay()

/** With fewer cores than work, the threads that answer requests have priority. Linux gives every thread an id. */
function giveWay(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // On other systems, the thread keeps its priority.
  }
}

function read({ id, name, schema, bounds, bulk }: ReadOrder): BodyAnswer {
  try {
    if (schema) checks.set(name, compileCheck(schema, 'body'))
    const bytes = Buffer.concat(pieces.get(id) ?? [])
    pieces.delete(id)
    const body = parseBody(bytes, bounds)
    if (body instanceof RefusedBody) throw body.error
    checks.get(name)!(body)
    if (bulk === null) return { id, head: body as Record<string, unknown>, isCut: false, count: 0, digest: digestOf(body) }
    const { [bulk]: items, ...head } = body as Record<string, unknown>
    if (!Array.isArray(items)) return { id, head, isCut: false, count: 0, digest: digestOf(body) }
    const chunks = cutIntoChunks(items)
    cut.set(id, chunks)
    return { id, head, isCut: true, count: items.length, digest: digestOfBulk(head, bulk, chunks) }
  } catch (error) {
    if (error instanceof AppError) return { id, refused: { code: error.code, message: error.message, details: error.details } }
    return { id, failed: String(error) }
  }
}
