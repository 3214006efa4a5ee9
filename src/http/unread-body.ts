import type { FastifyReply, FastifyRequest } from 'fastify'
import { announcedBytes } from './body.ts'
import { COUNTED_FROM_BYTES } from './body-budget.ts'

/** How long a client that is still sending gets to read its answer. */
const LINGER_MS = 2000

/**
 * Ends the connection after an answer that is sent before the body was read. Node would either read the rest of the body for nothing, or
 * close the connection at once, and then the client sees a broken connection instead of the answer. So nothing more is read, and the
 * connection stays open until the client closes it.
 */
export function leaveUnread(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  if (raw.complete || announcedBytes(request.headers) <= COUNTED_FROM_BYTES) return
  reply.header('connection', 'close')
  const { socket } = raw
  // Called by Node once the answer is written.
  socket.destroySoon = () => {
    socket.end()
    setImmediate(() => socket.pause())
    const end = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(end))
  }
}
