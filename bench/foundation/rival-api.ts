import { createHash, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import { accept, inTransaction, type Job } from './rival-sql.ts'

/** Accepts an update as one would at first: in a transaction of its own. With graphile-worker, the job is part of it. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL!, max: 10 })
const withGraphile = process.env.KIND === 'graphile'
const ADD_JOB = { name: 'add-job', text: `select graphile_worker.add_job('update', $1::json)` }

const app = Fastify()
app.get('/healthz', async () => ({ status: 'ok' }))
app.patch('/v1/workspaces/:workspaceId/campaigns/:campaignId', async (request, reply) => {
  const params = request.params as { workspaceId: string; campaignId: string }
  const job: Job = { operationId: randomUUID(), ...params, patch: request.body as { name: string }, ifMatch: request.headers['if-match']! }
  const fingerprint = createHash('sha256')
    .update(`PATCH ${request.url}\n${JSON.stringify(request.body)}`)
    .digest('base64url')
  const client = await pool.connect()
  try {
    await inTransaction(client, async () => {
      await accept(client, job, String(request.headers['idempotency-key']), fingerprint)
      if (withGraphile) await client.query({ ...ADD_JOB, values: [JSON.stringify(job)] })
    })
  } finally {
    client.release()
  }
  reply.code(202)
  return { id: job.operationId, status: 'queued' }
})
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.once('SIGTERM', () => process.exit())
