import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { announcedBytes } from './body.ts'
import { COUNTED_FROM_BYTES } from './body-limits.ts'

interface Pace {
  windowMs: number
  /** The bytes that must arrive in each window, unless the body ends before. */
  leastBytes: number
}

/** A small body has 30 seconds. A large one may take longer, as long as it arrives at the speed of a slow line. */
const PACE: Pace = { windowMs: 30_000, leastBytes: 512 * 1024 }

/** The maximum number of windows for a body that is kept in memory, so that a caller cannot hold the memory for long. */
const WINDOWS = 10

/**
 * Ends requests whose body arrives too slowly, because they would hold a connection for ever. Node can only limit the time of the whole
 * request, which would refuse large files over a slow line.
 */
export function paceBodies(app: FastifyInstance, pace: Pace = PACE): void {
  app.addHook('onRequest', ({ raw, routeOptions }, _reply, done) => {
    const { bodyLimit = 0, config } = routeOptions
    const keptBytes = config.streams ? 0 : Number(raw.headers['content-length'] ?? bodyLimit)
    paceBody(app.server, raw, { ...pace, leastBytes: Math.max(pace.leastBytes, Math.ceil(keptBytes / WINDOWS)) })
    done()
  })
}

/** For a request that does not run through the hooks. */
export function paceBody(server: Server, request: IncomingMessage, pace: Pace = PACE): void {
  if (announcedBytes(request.headers) > 0) watch(server, request, pace)
}

function watch(server: Server, request: IncomingMessage, { windowMs, leastBytes }: Pace): void {
  const { socket } = request
  let seenBytes = socket.bytesRead
  const timer = setInterval(() => {
    if (request.complete) return clearInterval(timer)
    // Data that has arrived and is not read yet waits for us, not for the sender.
    const isSlow = request.readableLength === 0 && socket.bytesRead - seenBytes < leastBytes
    seenBytes = socket.bytesRead
    if (!isSlow) return
    clearInterval(timer)
    server.emit('clientError', Object.assign(new Error('The body arrives too slowly.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  }, windowMs).unref()
  request.once('close', () => clearInterval(timer))
}

/** How long a client that is still sending gets to read its response. */
const LINGER_MS = 2000

/**
 * Ends the connection after a response that is sent before the body was read. Node would either read the rest of the body for nothing, or
 * close the connection at once, and then the client sees a broken connection instead of the response. So nothing more is read, and the
 * connection stays open until the client closes it.
 */
export function leaveUnread(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  if (raw.complete || announcedBytes(request.headers) <= COUNTED_FROM_BYTES) return
  reply.header('connection', 'close')
  const { socket } = raw
  // Called by Node once the response is written.
  socket.destroySoon = () => {
    socket.end()
    setImmediate(() => socket.pause())
    const end = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(end))
  }
}

/**
 * Ends the connections that have sent no request when the server closes. Browsers open some in advance, and Node counts them as busy: closing
 * would wait until they time out.
 */
export function endSilentConnections(app: FastifyInstance): void {
  const silent = new Set<Socket>()
  app.server.on('connection', socket => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  app.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy()
  })
}
