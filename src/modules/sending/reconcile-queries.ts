import { type Db, sql, type Tx } from '../../db/client.ts'
import { type Message, OPEN_SENDS } from './send-queries.ts'

export interface DoubtfulSend extends Omit<Message, 'step' | 'variantId'> {
  /** Null, like the next two, when it is a person's answer. */
  step: number | null
  variantId: string | null
  sequenceVersion: number | null
  subject: string | null
  status: string
  dueAt: Date
  attempts: number
  reconcileAttempts: number
  intendedAt: Date | null
}

const COLUMNS = `s.id, s.workspace_id as "workspaceId", s.campaign_id as "campaignId", s.lead_id as "leadId",
    s.provider_id as "providerId", s.step, s.sequence_version as "sequenceVersion", s.variant_id as "variantId",
    s.message_id as "messageId", s.subject, s.status, s.due_at as "dueAt", s.attempts, s.reconcile_attempts as "reconcileAttempts",
    s.intended_at as "intendedAt"`

const FIND = sql(`
  select ${COLUMNS}
  from sends s
  where s.id = $1`)

export const findDoubtfulSend = (db: Db, id: string): Promise<DoubtfulSend | undefined> => db.first<DoubtfulSend>(FIND, [id])

// Claimed by a later check time, so that two workers do not look for the same message. If the worker dies, one check is lost.
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

// Only messages that certainly left, by the server's answer or by the copy that the server stored. Assumed ones prove nothing, and a copy that
// we stored does not show that the server keeps copies.
const NEIGHBOUR = `
  select message_id
  from sends
  where provider_id = $1
    and id <> $2
    and status = 'sent'
    and not has_own_copy
    and (reconciled is null or reconciled <> 'assumed')
    and claimed_at between $3::timestamptz - $4 * interval '1 millisecond' - interval '1 hour'
      and $3::timestamptz + $4 * interval '1 millisecond'`

const LIST_NEIGHBOURS = sql(`
  (
    ${NEIGHBOUR}
      and sent_at <= $3 and sent_at >= $3::timestamptz - $4 * interval '1 millisecond'
    order by sent_at desc, id
    limit 1
  )
  union all
  (
    ${NEIGHBOUR}
      and intended_at >= $3 and intended_at <= $3::timestamptz + $4 * interval '1 millisecond'
    order by intended_at, id desc
    limit 1
  )`)

/** The Message-IDs of the last message that left before this one and of the first that left after it, within the time. */
export async function listNeighbours(db: Db, send: DoubtfulSend & { intendedAt: Date }, withinMs: number): Promise<string[]> {
  const rows = await db.many<{ message_id: string }>(LIST_NEIGHBOURS, [send.providerId, send.id, send.intendedAt, withinMs])
  return [...new Set(rows.map(row => row.message_id))]
}

const MARK_OWN_COPIES = sql(`
  update sends
  set has_own_copy = true
  where id = any($1::uuid[])`)

/** Their copies in the Sent folder will be ours. */
export const markOwnCopies = (tx: Tx, ids: string[]): Promise<number> => tx.run(MARK_OWN_COPIES, [ids])
