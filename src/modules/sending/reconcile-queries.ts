import { type Db, sql, type Tx } from '../../db/client.ts'
import { type Message, OPEN_SENDS } from './send-queries.ts'

export interface DoubtfulSend extends Message {
  sequenceVersion: number
  subject: string | null
  status: string
  dueAt: Date
  attempts: number
  reconcileAttempts: number
}

const COLUMNS = `s.id, s.workspace_id as "workspaceId", s.campaign_id as "campaignId", s.lead_id as "leadId",
    s.provider_id as "providerId", s.step, s.sequence_version as "sequenceVersion", s.variant_id as "variantId",
    s.message_id as "messageId", s.subject, s.status, s.due_at as "dueAt", s.attempts, s.reconcile_attempts as "reconcileAttempts"`

const FIND = sql(`
  select ${COLUMNS}
  from sends s
  where s.id = $1`)

export const findDoubtfulSend = (db: Db, id: string): Promise<DoubtfulSend | undefined> => db.first<DoubtfulSend>(FIND, [id])

// Taken by moving it ahead, so that two workers do not look for the same message, and a worker that dies costs one turn.
const TAKE = sql(`
  update sends s
  set reconcile_at = $2, reconcile_attempts = s.reconcile_attempts + 1
  from (
    select s.id
    from ${OPEN_SENDS}
    where s.status = 'unknown' and s.reconcile_at <= $1
    order by s.reconcile_at
    limit $3
    for update of o skip locked
  ) as due
  where s.id = due.id
  returning ${COLUMNS}`)

export const takeDoubtfulSends = (tx: Tx, now: Date, until: Date, limit: number): Promise<DoubtfulSend[]> =>
  tx.many<DoubtfulSend>(TAKE, [now, until, limit])
