import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, run } from 'graphile-worker'
import pg from 'pg'
import { apply, inTransaction, type Job } from './rival-sql.ts'

const JOBS_AT_ONCE = 10
const connectionString = process.env.DATABASE_URL!
process.once('SIGTERM', () => process.exit())

async function runPlain(): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const TAKE = {
    name: 'take',
    text: `select id as "operationId", workspace_id as "workspaceId", campaign_id as "campaignId", input->'patch' as patch, input->>'ifMatch' as "ifMatch"
           from operations where completed_at is null and worker_id is null order by seq limit 1 for update skip locked`,
  }
  console.log('ready')
  for (;;) {
    const found = await inTransaction(client, async () => {
      const job = (await client.query(TAKE)).rows[0] as Job | undefined
      if (job) await apply(client, job)
      return job !== undefined
    })
    if (!found) await sleep(5)
  }
}

async function runGraphile(): Promise<void> {
  await run({
    pgPool: new pg.Pool({ connectionString, max: JOBS_AT_ONCE + 2 }),
    concurrency: JOBS_AT_ONCE,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: {
      update: (job, { withPgClient }) => withPgClient(client => inTransaction(client, () => apply(client, job as Job))),
    },
  })
  console.log('ready')
}

await (process.env.KIND === 'graphile' ? runGraphile() : runPlain())
