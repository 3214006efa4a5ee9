import { sql } from '../../db/sql.ts'
import { listsOf } from '../../lib/pick.ts'
import type { SendingMailbox } from '../mailboxes/queries.ts'
import { ACTOR } from '../operations/queries.ts'
import type { Message } from './queries.ts'

/** A person's answer to a reply, before a worker claims it. */
export interface NewAnswer extends Pick<Message, 'workspaceId' | 'campaignId' | 'leadId' | 'providerId' | 'messageId'> {
  sendId: string
  operationId: string
  replyId: string
  toAddress: string
  emailHash: Buffer
  domainHash: Buffer
  domain: string
  writtenAt: Date
  inReplyTo: string | null
  referenceIds: string[]
  subject: string
  text: string
  html: string | null
}

// As everywhere, the hash of the message is that of its lead, even when the answer goes to a colleague of the lead.
export const insertAnswer = sql(`
  with sent as (
    insert into sends (id, workspace_id, campaign_id, lead_id, provider_id, domain, message_id, subject, due_at, email_hash,
      status, attempts, claimed_at, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, (select email_hash from leads where id = $4), 'queued', 0, $9, $9)
  ), kept as (
    insert into sent_bodies (workspace_id, send_id, subject, text, html, created_at)
    values ($2, $1, $8, $11, $12, $9)
  )
  insert into answers (send_id, workspace_id, operation_id, reply_id, provider_id, to_address, email_hash, domain_hash, written_at,
    in_reply_to, reference_ids, due_at, created_at)
  values ($1, $2, $13, $14, $5, $15, $10, $16, $17, $18, $19, $9, $9)`).run((row: NewAnswer, now: Date) => [
  ...[row.sendId, row.workspaceId, row.campaignId, row.leadId, row.providerId, row.domain, row.messageId, row.subject, now],
  ...[row.emailHash, row.text, row.html, row.operationId, row.replyId, row.toAddress, row.domainHash, row.writtenAt, row.inReplyTo],
  ...[row.referenceIds],
])

export interface AnswerState {
  sendId: string
  replyId: string
  messageId: string
  status: string
  response: string | null
  reconciled: string | null
  sentAt: Date | null
  holdReason: string | null
  holdUntil: Date | null
}

export const findAnswerState = sql(`
  select a.send_id as "sendId", a.reply_id as "replyId", s.message_id as "messageId", s.status, s.response, s.reconciled,
    s.sent_at as "sentAt", a.hold_reason as "holdReason", a.hold_until as "holdUntil"
  from answers a
  join sends s on s.id = a.send_id
  where a.workspace_id = $1 and a.operation_id = $2`).first<AnswerState, [workspaceId: string, operationId: string]>()

export const findAnswerAddress = sql(`
  select to_address as address
  from answers
  where send_id = $1`).value<string | undefined, [sendId: string]>()

export interface DueAnswer {
  sendId: string
  providerId: string
  createdAt: Date
}

// Workspaces take turns. Each answer has an open operation, of which a workspace has a limited number.
export const listDueAnswers = sql(`
  select send_id as "sendId", provider_id as "providerId", created_at as "createdAt"
  from answers
  where due_at <= $1
  order by row_number() over (partition by workspace_id order by due_at), due_at
  limit $2`).many<DueAnswer, [now: Date, limit: number]>()

/** A claimed answer, with everything that is needed to compose it. */
interface ClaimedAnswerRow extends Omit<NewAnswer, 'sendId' | 'operationId' | 'emailHash' | 'domainHash' | 'domain' | 'writtenAt'> {
  id: string
  attempts: number
}

/** An answer that this worker has claimed. No part of it has been sent. */
export interface ClaimedAnswer extends Omit<ClaimedAnswerRow, 'providerId'> {
  kind: 'answer'
  workerId: number
  mailbox: SendingMailbox
}

export const claimAnswerRows = sql(`
  with taken as materialized (
    select *
    from answers
    where send_id = any($1::uuid[]) and due_at <= $3
    order by send_id
    for update skip locked
  ), unqueued as (
    update answers a
    set due_at = null, hold_reason = null, hold_until = null
    from taken
    where a.send_id = taken.send_id
  ), claimed as (
    update sends s
    set status = 'claimed', worker_id = $2, claimed_at = $3, attempts = s.attempts + 1
    from taken
    where s.id = taken.send_id and s.status = 'queued'
    returning s.id, s.workspace_id, s.campaign_id, s.lead_id, s.provider_id, s.message_id, s.attempts
  ), opened as (
    insert into open_sends (send_id, campaign_id)
    select id, campaign_id
    from claimed
    on conflict do nothing
  )
  select c.id, c.workspace_id as "workspaceId", c.campaign_id as "campaignId", c.lead_id as "leadId", c.provider_id as "providerId",
    c.message_id as "messageId", c.attempts, t.reply_id as "replyId", t.to_address as "toAddress", t.in_reply_to as "inReplyTo",
    t.reference_ids as "referenceIds", b.subject, b.text, b.html
  from claimed c
  join taken t on t.send_id = c.id
  join sent_bodies b on b.workspace_id = c.workspace_id and b.send_id = c.id`).many<
  ClaimedAnswerRow,
  [ids: string[], workerId: number, now: Date]
>()

/** Whether the address of an answer has been suppressed since the person wrote. */
const SUPPRESSED_SINCE = (kind: 'email' | 'domain'): string => `exists (
      select from suppressions x
      where x.workspace_id = a.workspace_id and x.kind = '${kind}' and x.hash = a.${kind}_hash and x.created_at >= a.written_at)`
const IS_SUPPRESSED = `(${SUPPRESSED_SINCE('email')} or ${SUPPRESSED_SINCE('domain')})`

/** Marks answers as sending, and returns the ids of those that may be sent. The leads must be locked. */
export const markAnswersSending = sql(`
  with mine as materialized (
    select id
    from sends
    where id = any($2::uuid[]) and worker_id = $1 and status = 'claimed'
    order by id
    for no key update
  )
  update sends s
  set status = 'sending', intended_at = $3
  from mine
  join answers a on a.send_id = mine.id
  join providers p on p.id = a.provider_id
  where s.id = mine.id
    and exists (select from leads l where l.id = s.lead_id)
    and not ${IS_SUPPRESSED}
    and p.status = 'connected'
    and (p.resting_until is null or p.resting_until <= $3)
  returning s.id`).set<string, [workerId: number, ids: string[], now: Date]>()

/** Why answers must not be sent, if the reason is permanent. */
export const findAnswerObstacles = sql(`
  select s.id, case when l.id is null or a.send_id is null then 'lead_removed' when ${IS_SUPPRESSED} then 'suppressed' end as reason
  from sends s
  left join answers a on a.send_id = s.id
  left join leads l on l.id = s.lead_id
  where s.id = any($1::uuid[])`).many<{ id: string; reason: 'lead_removed' | 'suppressed' | null }, [ids: string[]]>()

/** They will not be sent, and no part of them was sent. */
export const withdrawAnswers = sql(`
  with withdrawn as (
    update sends
    set status = 'failed', worker_id = null, response = $2
    where id = any($1::uuid[]) and status in ('queued', 'claimed')
    returning id
  ), closed as (
    delete from open_sends o
    using withdrawn
    where o.send_id = withdrawn.id
  )
  update answers a
  set due_at = null, hold_reason = $2, hold_until = null
  from withdrawn
  where a.send_id = withdrawn.id`).run<[ids: string[], reason: string]>()

export interface AnswerHold {
  id: string
  dueAt: Date
  reason: string
  until: Date | null
}

/** Makes answers wait: stores the reason, the end of the wait if it is known, and the time of the next check. */
export const holdAnswers = sql(`
  update answers a
  set due_at = r.due, hold_reason = r.reason, hold_until = r.until
  from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::timestamptz[]) as r(id, due, reason, until)
  where a.send_id = r.id`).run((holds: AnswerHold[]) => listsOf(holds, 'id', 'dueAt', 'reason', 'until'))

/** Makes answers that were not sent due again. */
export const putBackAnswers = sql(`
  update answers
  set due_at = created_at
  where send_id = any($1::uuid[])`).run<[ids: string[]]>()

export type AnswerThread = Pick<NewAnswer, 'sendId' | 'replyId' | 'toAddress' | 'inReplyTo'> & { actorId: string | null }

/** The lead and the campaign of each answer, without answers whose person was erased. */
export const listAnswerThreads = sql(`
  select send_id as "sendId", reply_id as "replyId", to_address as "toAddress", in_reply_to as "inReplyTo",
    (select ${ACTOR}->>'id' from operations where id = answers.operation_id) as "actorId"
  from answers
  where send_id = any($1::uuid[])`).many<AnswerThread, [ids: string[]]>()
