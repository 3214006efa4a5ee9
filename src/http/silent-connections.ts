import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

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
