import { type Db, sql, type Tx } from '../../db/client.ts'
import { BACK_TO_QUEUE, OPEN_SENDS } from './send-queries.ts'

export interface DoubtfulSend {
  id: string
  workspaceId: string
  campaignId: string
  leadId: string
  providerId: string
  step: number
  sequenceVersion: number
  variantId: string
  messageId: string
  subject: string | null
  status: string
  dueAt: Date
  attempts: number
  reconcileAttempts: number
}

const COLUMNS = `s.id, s.workspace_id as "workspaceId", s.campaign_id as "campaignId", s.lead_id as "leadId", s.provider_id as "providerId", s.step,
  s.sequence_version as "sequenceVersion", s.variant_id as "variantId", s.message_id as "messageId", s.subject, s.status, s.due_at as "dueAt",
  s.attempts, s.reconcile_attempts as "reconcileAttempts"`

const FIND = sql(`select ${COLUMNS} from sends s where s.id = $1`)

export const findDoubtfulSend = (db: Db, id: string): Promise<DoubtfulSend | undefined> => db.first<DoubtfulSend>(FIND, [id])

// Taken by moving it ahead, so that two workers do not look for the same message, and a worker that dies costs one turn.
const TAKE = sql(`
  update sends s set reconcile_at = $2, reconcile_attempts = s.reconcile_attempts + 1 from (
    select s.id from ${OPEN_SENDS}
    where s.status = 'unknown' and s.reconcile_at <= $1 order by s.reconcile_at limit $3 for update of o skip locked) as due
  where s.id = due.id returning ${COLUMNS}`)

export const takeDoubtfulSends = (tx: Tx, now: Date, until: Date, limit: number): Promise<DoubtfulSend[]> =>
  tx.many<DoubtfulSend>(TAKE, [now, until, limit])

const LEAD_THREAD = sql('select thread from leads where id = $1')

export const findThread = (db: Db, leadId: string): Promise<{ thread: { subject: string; messageIds: string[] } | null } | undefined> =>
  db.first(LEAD_THREAD, [leadId])

const SAVES_SENT = sql('select saves_sent as "savesSent" from providers where id = $1')

export async function savesSentCopies(db: Db, providerId: string): Promise<boolean> {
  return (await db.first<{ savesSent: boolean }>(SAVES_SENT, [providerId]))?.savesSent ?? false
}

const NOTE_SAVES_SENT = sql('update providers set saves_sent = true where id = $1 and not saves_sent')

export const noteSavesSent = (tx: Tx, providerId: string): Promise<number> => tx.run(NOTE_SAVES_SENT, [providerId])

const REQUEUE = sql(`
  with released as (
    update sends set status = 'queued', worker_id = null, reconcile_at = null where id = $1 and status = 'unknown' returning id, lead_id, due_at
  ), ${BACK_TO_QUEUE}`)

/** It is known not to have left: it may go again. */
export const requeueSend = (tx: Tx, id: string): Promise<number> => tx.run(REQUEUE, [id])
