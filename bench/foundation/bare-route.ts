import Fastify from 'fastify'

/** What HTTP alone can do in a process like ours: the same path, the same bytes, and nothing behind it. */
const answer = process.env.ANSWER!
const app = Fastify()
app.get('/v1/workspaces/:workspaceId/campaigns/:campaignId', (_, reply) => reply.type('application/json; charset=utf-8').send(answer))
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.once('SIGTERM', () => process.exit())
