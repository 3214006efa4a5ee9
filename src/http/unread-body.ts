import type { FastifyReply, FastifyRequest } from 'fastify'
import { COUNTED_FROM_BYTES } from './body-budget.ts'

/** How long a client that is still sending gets to read its answer. */
const LINGER_MS = 2000

/**
 * An answer that comes before the body has been read ends the connection. Node would take the rest of the body off the
 * wire, twenty megabytes of it for nothing, or close at once, and then the client sees a broken connection instead of the
 * answer. So nothing more is read, and the end waits until the client has hung up.
 */
export function leaveUnread(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  const { 'content-length': announced, 'transfer-encoding': encoding } = request.headers
  if (raw.complete || (encoding === undefined && Number(announced ?? 0) <= COUNTED_FROM_BYTES)) return
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
