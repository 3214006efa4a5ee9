import { parentPort } from 'node:worker_threads'
import type { TSchema } from 'typebox'
import { AppError } from '../lib/errors.ts'
import type { JsonBounds } from '../lib/json-bounds.ts'
import { cutIntoChunks, digestOf, judgeBody, parseBody, RefusedBody } from './body.ts'
import { type Check, compileCheck } from './validation.ts'

/** Reads large bodies away from the thread that answers requests. */
export interface BodyOrder {
  id: number
  /** The name of the schema; it comes along the first time only. */
  name: string
  schema?: TSchema
  bounds: JsonBounds
  bytes: Uint8Array
  /** The long list, which is cut into chunks; null when the body comes back as it is. */
  bulk: string | null
}

export type BodyAnswer = { id: number } & (
  | { head: Record<string, unknown>; chunks: Uint8Array[] | null; digest: string }
  | { refused: { code: AppError['code']; message: string; details: unknown } }
  | { failed: string }
)

const checks = new Map<string, Check>()

parentPort!.on('message', (order: BodyOrder) => {
  if (order.schema) checks.set(order.name, compileCheck(order.schema, 'body'))
  const answer = read(order)
  const buffers = 'chunks' in answer ? (answer.chunks ?? []).map(chunk => chunk.buffer as ArrayBuffer) : []
  parentPort!.postMessage(answer, buffers)
})

function read({ id, name, bounds, bytes, bulk }: BodyOrder): BodyAnswer {
  try {
    const body = parseBody(bytes, bounds)
    if (body instanceof RefusedBody) throw body.error
    judgeBody(body, checks.get(name)!)
    const digest = digestOf(body)
    if (bulk === null) return { id, head: body as Record<string, unknown>, chunks: null, digest }
    const { [bulk]: items, ...head } = body as Record<string, unknown>
    return { id, head, chunks: Array.isArray(items) ? cutIntoChunks(items) : null, digest }
  } catch (error) {
    if (error instanceof AppError) return { id, refused: { code: error.code, message: error.message, details: error.details } }
    return { id, failed: String(error) }
  }
}
