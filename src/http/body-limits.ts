import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, unavailable } from '../lib/errors.ts'
import type { JsonBounds } from '../lib/json-bounds.ts'
import { Tally } from '../lib/tally.ts'
import type { TSchema } from '../lib/type.ts'
import { personOf } from './access.ts'
import { announcedBytes, type BodyReader, BulkBody, type BulkSpec, tooLarge } from './body.ts'
import type { Route } from './route.ts'

/** For arrays and objects whose schema names no limit. */
const DEFAULT_MEMBERS = 1000
/** Every body may have this many values, so that small mistakes are reported by the schema and not by this count. */
const LEAST_VALUES = 20_000
const MOST_VALUES = 1_000_000

type Node = {
  properties?: Record<string, Node>
  additionalProperties?: Node | boolean
  patternProperties?: Record<string, Node>
  maxProperties?: number
  items?: Node
  maxItems?: number
  anyOf?: Node[]
  oneOf?: Node[]
  allOf?: Node[]
}

/** The maximum size of a body that fits its schema: a larger body can be refused unread. */
export function boundsOf(schema: TSchema): JsonBounds {
  const members: number[] = [DEFAULT_MEMBERS]
  const values = measure(schema as Node, members)
  return { maxMembers: Math.max(...members), maxValues: Math.min(MOST_VALUES, Math.max(LEAST_VALUES, values)) }
}

/** The number of values that fit under this node. Also collects how many members its arrays and objects may have. */
function measure(node: Node, members: number[]): number {
  const branches = [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])]
  let values = 1 + Math.max(0, ...branches.map(branch => measure(branch, members)))
  for (const property of Object.values(node.properties ?? {})) values += measure(property, members)
  const others = [...Object.values(node.patternProperties ?? {}), node.additionalProperties].filter(each => typeof each === 'object')
  if (others.length > 0) values += counted(node.maxProperties, members) * Math.max(...others.map(each => measure(each, members)))
  if (node.items) values += counted(node.maxItems, members) * measure(node.items, members)
  return values
}

function counted(limit: number | undefined, members: number[]): number {
  const count = limit ?? DEFAULT_MEMBERS
  members.push(count)
  return count
}

/** Smaller bodies are not counted, so that everyday requests work while large bodies use the whole budget. */
export const COUNTED_FROM_BYTES = 64 * 1024

/**
 * The memory for request bodies. When it is used up, a request gets 503 with Retry-After: ten large imports at once would otherwise need
 * ten times the memory of one. One caller gets at most half of it.
 */
export class BodyBudget {
  readonly #totalBytes: number
  readonly #held = new Tally()
  #heldBytes = 0

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes
  }

  /** Returns the function that gives the bytes back; it may be called more than once. */
  take(owner: string, bytes: number): () => void {
    const held = this.#held.of(owner)
    // The first body of a caller is accepted at any size, because its endpoint limits the size.
    const overShare = held > 0 && held + bytes > this.#totalBytes / 2
    const overAll = this.#heldBytes > 0 && this.#heldBytes + bytes > this.#totalBytes
    if (overShare || overAll) throw unavailable('Too many large bodies are being read. Nothing was changed. Try again.')
    this.#held.add(owner, bytes)
    this.#heldBytes += bytes
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#heldBytes -= bytes
      this.#held.add(owner, -bytes)
    }
  }
}

// The memory of bodies counts from their announcement until they are no longer needed.

declare module 'fastify' {
  interface FastifyRequest {
    /** Gives the memory of the body back to the budget. */
    releaseBody?: () => void
    /** True while the body is read or stored. */
    holdsBody?: boolean
  }
}

export const BODY_LIMIT_BYTES = 1024 * 1024

/** The maximum part of a streamed body in memory. */
const STREAMED_BYTES = 2 * 1024 * 1024

/** Refuses a body that is announced as too large, before its type matters. One of unknown length counts as the longest that the endpoint accepts. */
export function holdBody(
  budget: BodyBudget,
  route: Pick<Route, 'streams' | 'bodyLimitBytes'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const limit = route.bodyLimitBytes ?? BODY_LIMIT_BYTES
  const announced = announcedBytes(request.headers)
  const bytes = announced === Number.POSITIVE_INFINITY ? limit : announced
  if (bytes > limit) throw tooLarge()
  if (bytes <= COUNTED_FROM_BYTES) return
  const { caller } = request
  const release = budget.take(caller ? personOf(caller) : '', route.streams ? Math.min(bytes, STREAMED_BYTES) : bytes)
  request.releaseBody = release
  reply.raw.once('close', () => request.holdsBody || release())
}

/** A body that is read or stored takes memory even after its client disconnected. */
export async function readApart(reader: BodyReader, spec: BulkSpec, request: FastifyRequest, pieces: AsyncIterable<Buffer>) {
  const { socket } = request.raw
  request.holdsBody = true
  try {
    const body = await reader.read(pieces, spec)
    if (!socket.destroyed) return body
    if (body instanceof BulkBody) body.forget()
    throw new AppError('service_unavailable', 'The connection was closed before the body was stored.')
  } finally {
    request.holdsBody = false
    if (socket.destroyed) request.releaseBody?.()
  }
}

export function dropBody(request: FastifyRequest, body: BulkBody): void {
  body.forget()
  request.releaseBody?.()
}
