import type pg from 'pg'

/** The statements of both rivals for one update, in the obvious order. */

export interface Job {
  operationId: string
  workspaceId: string
  campaignId: string
  patch: { name: string }
  ifMatch: string
}

const named = (name: string, text: string) => ({ name, text })

const FIND_KEY = named('find-key', 'select id from operations where workspace_id = $1 and idempotency_key = $2')
const FIND_CAMPAIGN = named('find-campaign', 'select status from campaigns where workspace_id = $1 and id = $2')
const INSERT = named(
  'insert',
  `insert into operations (id, workspace_id, action, status, campaign_id, input, idempotency_key, fingerprint)
   values ($1, $2, 'campaign.update', 'queued', $3, $4, $5, $6)`,
)

export async function accept(client: pg.ClientBase, job: Job, key: string, fingerprint: string): Promise<void> {
  const known = await client.query({ ...FIND_KEY, values: [job.workspaceId, key] })
  if (known.rowCount !== 0) throw new Error('a bench never repeats a key')
  const campaign = await client.query({ ...FIND_CAMPAIGN, values: [job.workspaceId, job.campaignId] })
  if (campaign.rows[0].status !== 'draft') throw new Error('all campaigns are drafts')
  const input = JSON.stringify({ patch: job.patch, ifMatch: job.ifMatch })
  await client.query({ ...INSERT, values: [job.operationId, job.workspaceId, job.campaignId, input, key, fingerprint] })
}

const LOCK = named('lock', 'select * from campaigns where workspace_id = $1 and id = $2 for update')
const UPDATE = named('update', 'update campaigns set name = $2, updated_at = now() where id = $1 returning *')
const RECORD = named(
  'record',
  `with counter as (
     insert into event_streams (workspace_id, seq) values ($1, 1)
     on conflict (workspace_id) do update set seq = event_streams.seq + 1 returning seq)
   insert into events (workspace_id, seq, id, type, timestamp, campaign_id, data)
   select $1, seq, gen_random_uuid(), 'operation.succeeded', now(), $2, $3 from counter`,
)
const COMPLETE = named(
  'complete',
  `update operations set status = 'succeeded', attempts = 1, started_at = coalesce(started_at, now()), completed_at = now(), result = $2 where id = $1`,
)

export async function apply(client: pg.ClientBase, job: Job): Promise<void> {
  const before = await client.query({ ...LOCK, values: [job.workspaceId, job.campaignId] })
  if (before.rows[0].updated_at.getTime() !== Date.parse(job.ifMatch)) throw new Error('changed in between')
  const after = await client.query({ ...UPDATE, values: [job.campaignId, job.patch.name] })
  const data = { operationId: job.operationId, action: 'campaign.update', campaignId: job.campaignId }
  await client.query({ ...RECORD, values: [job.workspaceId, job.campaignId, JSON.stringify(data)] })
  await client.query({ ...COMPLETE, values: [job.operationId, JSON.stringify({ campaign: after.rows[0] })] })
}

export async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
