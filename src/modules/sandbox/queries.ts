import { newestFirst } from '../../db/filtered.ts'
import { columnsOf, mentions, oldest } from '../../db/fragments.ts'
import { sql } from '../../db/sql.ts'
import type { Page, Position } from '../../lib/page.ts'
import type { Static } from '../../lib/type.ts'
import type { SandboxMessage } from './schema.ts'

export interface SandboxMessageRow extends Omit<Static<typeof SandboxMessage>, 'from' | 'to' | 'createdAt' | 'links'> {
  workspaceId: string
  fromAddress: string
  toAddress: string
  createdAt: Date
}

export const insertSandboxMessages = sql(`
  insert into sandbox_messages (id, workspace_id, provider_id, campaign_id, lead_id, direction, from_address, to_address, subject,
    text, html, raw, created_at)
  select r.id, r."workspaceId", r."providerId", r."campaignId", r."leadId", r.direction, r."fromAddress", r."toAddress", r.subject,
    r.text, r.html, r.raw, r."createdAt"
  from jsonb_to_recordset($1::jsonb) as r(
    id uuid, "workspaceId" uuid, "providerId" uuid, "campaignId" uuid, "leadId" uuid, direction text, "fromAddress" text,
    "toAddress" text, subject text, text text, html text, raw text, "createdAt" timestamptz)
  on conflict (id) do nothing`).run((rows: SandboxMessageRow[]) => [JSON.stringify(rows)])

const MESSAGE = columnsOf(
  `id, workspace_id, provider_id, campaign_id, lead_id, direction, from_address, to_address, subject, text, html, raw, created_at`,
)

export const findSandboxMessage = sql(`
  select ${MESSAGE}
  from sandbox_messages
  where workspace_id = $1 and provider_id = $2 and id = $3`).first<
  SandboxMessageRow,
  [workspaceId: string, providerId: string, id: string]
>()

export const listSandboxMessages = newestFirst<SandboxMessageRow, [workspaceId: string, providerId: string]>(`
  select ${MESSAGE}
  from sandbox_messages
  where workspace_id = $1
    and provider_id = $2`)

/** Deletes the data about the person in a page of the sandbox, and returns where the next page begins. */
export const deleteMentionsOnPage = sql(`
  with page as materialized (
    select id, created_at, lead_id, from_address, to_address, subject, text, html, raw
    from sandbox_messages
    where provider_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
    order by created_at desc, id desc
    limit $4
  ), gone as (
    delete from sandbox_messages
    where id in (
      select id
      from page
      where lead_id = any($5::uuid[])
        or ${mentions("concat_ws(' ', from_address, to_address, subject, text, html, raw)", '$7')}
        or exists (select from unnest($6::text[]) as named(id) where position(named.id in raw) > 0))
  )
  select created_at as at, id
  from page
  order by created_at, id
  limit 1`).first<Position, [mailboxId: string, page: Page, person: { leadIds: string[]; messageIds: string[]; pattern: string }]>(
  (mailboxId, page, person) => [mailboxId, page.after?.at, page.after?.id, page.limit, person.leadIds, person.messageIds, person.pattern],
)

export interface ReactionRow {
  id: string
  workspaceId: string
  providerId: string
  sendId: string
  dueAt: Date
  action: { kind: string; raw?: string; url?: string; userAgent?: string }
}

export const insertReactions = sql(`
  insert into sandbox_reactions (id, workspace_id, provider_id, send_id, due_at, action)
  select r.id, r."workspaceId", r."providerId", r."sendId", r."dueAt", r.action
  from jsonb_to_recordset($1::jsonb) as r(
    id uuid, "workspaceId" uuid, "providerId" uuid, "sendId" uuid, "dueAt" timestamptz, action jsonb)`).run((rows: ReactionRow[]) => [
  JSON.stringify(rows),
])

/** Takes the next one out, to be carried out in the same transaction. */
export const takeReaction = sql(`
  delete from sandbox_reactions
  where id = (
    select id
    from sandbox_reactions
    where due_at <= $1
    order by due_at, id
    limit 1
    for update skip locked)
  returning id, workspace_id as "workspaceId", provider_id as "providerId", send_id as "sendId", due_at as "dueAt", action`).first<
  ReactionRow,
  [now: Date]
>()

export const deleteReactions = sql(`
  delete from sandbox_reactions
  where send_id = any($1::uuid[])`).run<[sendIds: string[]]>()

export const isLeadThere = sql(`
  select from sends s
  join leads l on l.id = s.lead_id
  where s.id = $1`).any<[sendId: string]>()

export const forgetSandboxMessages = sql(`
  delete from sandbox_messages
  where id in (${oldest('sandbox_messages', 'created_at')})`).run<[before: Date, limit: number]>()

// ---- the test clock ----

// One workspace moves the clock, and all of them have its time: these statements look at all of them.

export const hasRealMailbox = sql(`
  select exists (
    select from providers
    where kind <> 'sandbox'
  ) as found`).value<boolean>()

interface Move {
  operationId: string
  workspaceId: string
  startedAt: Date
  /** Null: until nothing more is planned. */
  targetAt: Date | null
}

// An operation that has ended, or is gone, moves nothing any more.
export const findMove = sql(`
  select o.id as "operationId", o.workspace_id as "workspaceId", t.started_at as "startedAt", t.target_at as "targetAt"
  from test_clock t
  join operations o on o.id = t.operation_id
  where o.status in ('queued', 'running')`).first<Move>()

/** The workspace that moved the clock; null before anyone did, and after a reset. */
export const findClockOwner = sql(`
  select workspace_id
  from test_clock`).value<string | null>()

// Work in progress counts as due now. The sender decides which messages may be sent.
/** When something other than a message is due; not later than now while it is being done. */
export const findNextMoment = sql(`
  select least(
    (select min(due_at) from sandbox_reactions),
    (select min(completes_at) from leads where completes_at is not null),
    (select min(end_date) from campaigns where status = 'active'),
    (select min(reconcile_at) from sends where status = 'unknown'),
    (select min(due_at) from answers where due_at is not null),
    (select $1::timestamptz from sends where worker_id is not null limit 1)
  ) as at`).value<Date | null, [now: Date]>()

export const countEvents = sql(`
  select type, count(*)::int as count
  from events
  where workspace_id = $1
    and timestamp > $2
    and timestamp <= $3
    and type like 'email.%'
  group by type`).many<{ type: string; count: number }, [workspaceId: string, from: Date, to: Date]>()
