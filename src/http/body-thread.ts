import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { AppError } from '../lib/errors.ts'
import type { JsonBounds } from '../lib/json-bounds.ts'
import type { TSchema } from '../lib/type.ts'
import { cutIntoChunks, digestOf, digestOfBulk, judgeBody, parseBody, RefusedBody } from './body.ts'
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

export type BodyAnswer = { id: number } & (
  | { head: Record<string, unknown>; isCut: boolean; count: number; digest: string }
  /** Empty after the last; null when they were forgotten. */
  | { next: Uint8Array[] | null }
  | { refused: { code: AppError['code']; message: string; details: unknown } }
  | { failed: string }
)

const checks = new Map<string, Check>()
const pieces = new Map<number, Uint8Array[]>()
/** They stay here until they are stored: the other thread would take its garbage out too often with so much memory coming and going. */
const cut = new Map<number, Uint8Array<ArrayBuffer>[]>()
/** A megabyte. */
const NEXT_CHUNKS = 8

parentPort!.on('message', (order: BodyOrder) => {
  const { id } = order
  const arrived = pieces.get(id) ?? []
  if (order.kind === 'piece') {
    arrived.push(order.bytes)
    pieces.set(id, arrived)
    return
  }
  if (order.kind === 'next') {
    const next = cut.get(id)?.splice(0, NEXT_CHUNKS) ?? null
    const answer: BodyAnswer = { id, next }
    return parentPort!.postMessage(
      answer,
      next?.map(chunk => chunk.buffer),
    )
  }
  pieces.delete(id)
  cut.delete(id)
  if (order.kind === 'forget') return
  if (order.schema) checks.set(order.name, compileCheck(order.schema, 'body'))
  parentPort!.postMessage(read(order, Buffer.concat(arrived)))
})

giveWay()

/** With fewer cores than work, the threads that answer requests have priority. Linux gives every thread an id. */
function giveWay(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Elsewhere it is a thread like the others.
  }
}

function read({ id, name, bounds, bulk }: BodyOrder & { kind: 'read' }, bytes: Uint8Array): BodyAnswer {
  try {
    const body = parseBody(bytes, bounds)
    if (body instanceof RefusedBody) throw body.error
    judgeBody(body, checks.get(name)!)
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
