import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/errors.ts'
import { announcedBytes, BulkBody } from './body.ts'
import { type BodyBudget, COUNTED_FROM_BYTES } from './body-budget.ts'
import type { BodyReader, BulkSpec } from './body-reader.ts'
import type { Route } from './route.ts'

// The memory of bodies counts from their announcement until nobody needs them any more.

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

/** A body of unknown length counts as the longest that the endpoint accepts. */
export function holdBody(
  budget: BodyBudget,
  route: Pick<Route, 'streams' | 'bodyLimitBytes'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const limit = route.bodyLimitBytes ?? BODY_LIMIT_BYTES
  const announced = announcedBytes(request.headers)
  const bytes = announced === Number.POSITIVE_INFINITY ? limit : announced
  if (!(bytes > COUNTED_FROM_BYTES && bytes <= limit)) return
  const release = budget.take(request.caller?.tokenId ?? '', route.streams ? Math.min(bytes, STREAMED_BYTES) : bytes)
  request.releaseBody = release
  reply.raw.once('close', () => request.holdsBody || release())
}

/** A body that is read or stored takes memory also after its client has left. */
export async function readApart(
  reader: BodyReader,
  spec: BulkSpec,
  request: FastifyRequest,
  pieces: AsyncIterable<Buffer>,
): Promise<unknown> {
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
