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
  | { head: Record<string, unknown>; chunks: Uint8Array[] | null; count: number; digest: string }
  | { refused: { code: AppError['code']; message: string; details: unknown } }
  | { failed: string }
)

const checks = new Map<string, Check>()
const pieces = new Map<number, Uint8Array[]>()

parentPort!.on('message', (order: BodyOrder) => {
  const arrived = pieces.get(order.id) ?? []
  if (order.kind === 'piece') {
    arrived.push(order.bytes)
    pieces.set(order.id, arrived)
    return
  }
  pieces.delete(order.id)
  if (order.kind === 'forget') return
  if (order.schema) checks.set(order.name, compileCheck(order.schema, 'body'))
  const answer = read(order, Buffer.concat(arrived))
  const buffers = 'chunks' in answer ? (answer.chunks ?? []).map(chunk => chunk.buffer as ArrayBuffer) : []
  parentPort!.postMessage(answer, buffers)
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
    if (bulk === null) return { id, head: body as Record<string, unknown>, chunks: null, count: 0, digest: digestOf(body) }
    const { [bulk]: items, ...head } = body as Record<string, unknown>
    if (!Array.isArray(items)) return { id, head, chunks: null, count: 0, digest: digestOf(body) }
    const chunks = cutIntoChunks(items)
    return { id, head, chunks, count: items.length, digest: digestOfBulk(head, bulk, chunks) }
  } catch (error) {
    if (error instanceof AppError) return { id, refused: { code: error.code, message: error.message, details: error.details } }
    return { id, failed: String(error) }
  }
}
