import Fastify from 'fastify'
import pg from 'pg'

/** A hand-written route: the row of the campaign with one prepared select, as JSON. No token, no metrics. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL!, max: 10 })
const app = Fastify()
app.get<{ Params: { campaignId: string } }>('/v1/workspaces/:workspaceId/campaigns/:campaignId', async request => {
  const { rows } = await pool.query({ name: 'read', text: 'select * from campaigns where id = $1', values: [request.params.campaignId] })
  return { data: rows[0] }
})
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.once('SIGTERM', () => process.exit())
