import { among, listLength, oldest, rowsOf } from '../../db/fragments.ts'
import { sql, type Tx } from '../../db/sql.ts'
import { listsOf } from '../../lib/pick.ts'
import type { LeadRow } from './queries.ts'
import { OPEN_STATUSES } from './schema.ts'

// The progress of leads in their sequences. The table of leads is the queue: from `due_at` on, the next step may be sent;
// null while a message is leaving or when nothing is left to send.

/** The conversation that a follow-up continues. */
export interface Thread {
  subject: string
  messageIds: string[]
}

const IS_OPEN = `status ${among(OPEN_STATUSES)}`

// ---- out of the queue and back ----

/** A claimed lead is out of the queue until its message has an outcome. */
export const takeOutOfQueue = sql(`
  update leads l
  set due_at = null, sequence_version = r.version, hold_reason = null, hold_until = null, hold_detail = null
  from ${rowsOf('$1::uuid[], $2::int[]', 'r(id, version)')}
  where l.id = r.id`).run((leads: { id: string; version: number }[]) => listsOf(leads, 'id', 'version'))

/** Their messages were not sent: leads that are still open are due again, at the same time as before. Returns how many were put back. */
export const putBackIntoQueue = sql(`
  update leads l
  set due_at = r.due_at
  from ${rowsOf('$1::uuid[], $2::timestamptz[]', 'r(id, due_at)')}
  where l.id = r.id and l.${IS_OPEN} and l.due_at is null`).run((leads: { leadId: string; dueAt: Date }[]) =>
  listsOf(leads, 'leadId', 'dueAt'),
)

/** Postpones the next step, if one is waiting, and returns it with its new time. Never makes it earlier. */
export const postponeLead = sql(`
  update leads
  set due_at = greatest(due_at, $2::timestamptz)
  where id = $1 and due_at is not null and due_at < $2
  returning due_at as "dueAt", next_step as "nextStep"`).first<{ dueAt: Date; nextStep: number }, [leadId: string, until: Date]>()

// ---- why nothing is sent ----

export interface Hold {
  leadId: string
  workspaceId: string
  campaignId: string
  step: number
  reason: string
  nextAttemptAt: Date | null
  detail: unknown
  /** Moves the lead back in the queue, so that it does not block others. */
  dueAt?: Date | null
  /** The last check gave the same reason, so no second event is recorded. */
  isRepeated?: boolean
}

export const insertHolds = sql(`
  with r as (
    select *
    from jsonb_to_recordset($1::jsonb) as r(
      id uuid, "leadId" uuid, "workspaceId" uuid, "campaignId" uuid, step int, reason text,
      "nextAttemptAt" timestamptz, detail jsonb, moves boolean, "dueAt" timestamptz, "isRepeated" boolean)
    limit ${listLength('$1')}
  ), kept as (
    update leads l
    set hold_reason = r.reason, hold_until = r."nextAttemptAt", hold_detail = r.detail,
      due_at = case when r.moves then r."dueAt" else l.due_at end
    from r
    where l.id = r."leadId"
  )
  insert into decisions (id, workspace_id, campaign_id, lead_id, step, reason, next_attempt_at, detail, created_at)
  select r.id, r."workspaceId", r."campaignId", r."leadId", r.step, r.reason, r."nextAttemptAt", r.detail, $2
  from r
  where r."isRepeated" is distinct from true`).run((holds: (Hold & { id: string })[], now: Date) => [
  JSON.stringify(holds.map(hold => ({ ...hold, moves: hold.dueAt !== undefined, dueAt: hold.dueAt ?? null }))),
  now,
])

export const deleteDecisions = sql(`
  delete from decisions
  where workspace_id = $1 and lead_id = any($2::uuid[])`).run<[workspaceId: string, leadIds: string[]]>()

/** Deletes the oldest decisions. The current hold of a lead is stored in the lead. */
export const forgetDecisions = sql(`
  delete from decisions
  where id in (${oldest('decisions', 'created_at')})`).run<[before: Date, limit: number]>()

// ---- what has been sent ----

/** A locked lead that got a message. */
export interface LockedLead extends Pick<LeadRow, 'id' | 'workspaceId' | 'campaignId' | 'timezone' | 'status' | 'reached' | 'emailSent'> {
  email: string
  thread: Thread | null
}

export const lockLeads = sql(`
  select id, workspace_id as "workspaceId", campaign_id as "campaignId", email, timezone, status, reached, email_sent as "emailSent", thread
  from leads
  where id = any($1::uuid[])
  order by id
  for no key update`).many<LockedLead, [ids: string[]]>()

export interface Advance {
  leadId: string
  nextStep: number
  dueAt: Date | null
  completesAt: Date | null
  providerId: string
  thread: Thread
}

export const updateAdvances = sql(`
  update leads l
  set next_step = r."nextStep", due_at = r."dueAt", completes_at = r."completesAt", provider_id = r."providerId",
    thread = r.thread, email_sent = true, hold_reason = null, hold_until = null, hold_detail = null, updated_at = $2,
    status = case when l.status = 'not_yet_contacted' then 'contacted' else l.status end,
    reached = case
      when l.status <> 'not_yet_contacted' or 'contacted' = any(l.reached) then l.reached
      else array_append(l.reached, 'contacted')
    end
  from (
    select *
    from jsonb_to_recordset($1::jsonb) as r(
      "leadId" uuid, "nextStep" int, "dueAt" timestamptz, "completesAt" timestamptz, "providerId" uuid, thread jsonb)
    limit ${listLength('$1')}
  ) as r
  where l.id = r."leadId"`).run((advances: Advance[], now: Date) => [JSON.stringify(advances), now])

const LONGEST_THREAD = 20

/** Adds a message that is not part of the sequence to the thread. The lead must be locked. */
export const continueThread = sql(`
  update leads
  set thread = $2
  where id = $1`).run(({ id, thread }: LockedLead, messageIds: string[]) => [
  id,
  JSON.stringify({ ...thread, messageIds: [...(thread?.messageIds ?? []), ...messageIds].slice(-LONGEST_THREAD) }),
])

/** A message that the recipient's server postponed must be sent from the same mailbox again. */
export const stickToMailbox = sql(`
  update leads l
  set provider_id = r.mailbox
  from ${rowsOf('$1::uuid[], $2::uuid[]', 'r(id, mailbox)')}
  where l.id = r.id`).run((leads: { leadId: string; mailboxId: string }[]) => listsOf(leads, 'leadId', 'mailboxId'))

/** A lead whose mailbox was removed continues with another one, in a new thread. */
export const freeFromMailbox = sql(`
  update leads
  set provider_id = null, thread = null
  where provider_id = $2
    and campaign_id in (
      select id
      from campaigns
      where workspace_id = $1 and (provider_id = $2 or $2 = any(rotation_provider_ids || kept_provider_ids)))`).run<
  [workspaceId: string, mailboxId: string]
>()

/** A hold because of one mailbox does not apply to another mailbox. */
const OF_MAILBOX = `hold_reason ${among(['mailbox_unreachable', 'mailbox_refused', 'connection_lost', 'domain_throttle'])}`

const LEAVE = sql(`
  update leads l
  set provider_id = null,
    thread = null,
    due_at = case when ${OF_MAILBOX} then least(due_at, $4) else due_at end,
    hold_reason = case when ${OF_MAILBOX} then null else hold_reason end,
    hold_until = case when ${OF_MAILBOX} then null else hold_until end,
    hold_detail = case when ${OF_MAILBOX} then null else hold_detail end
  where l.campaign_id = $1
    and l.${IS_OPEN}
    and l.provider_id <> all($2::uuid[])
    and (l.thread is null or $3 or not exists (select from providers p where p.id = l.provider_id))`)

// A message with an unknown outcome may have begun a thread.
const LIST_KEPT = sql(`
  select l.provider_id as id
  from leads l
  where l.campaign_id = $1
    and l.${IS_OPEN}
    and l.provider_id <> all($2::uuid[])
  union
  select s.provider_id
  from open_sends o
  join sends s on s.id = o.send_id
  where o.campaign_id = $1
    and s.status = 'unknown'
    and s.step is not null
    and s.provider_id <> all($2::uuid[])`)

/**
 * Sets the mailboxes of a campaign. Leads that another mailbox wrote to stay with it, because of the thread, unless they are
 * to be moved or the mailbox no longer exists. Returns the mailboxes that still have such leads.
 */
export async function leaveMailboxes(tx: Tx, campaignId: string, mailboxIds: string[], moveThreads: boolean, now: Date): Promise<string[]> {
  await tx.run(LEAVE, [campaignId, mailboxIds, moveThreads, now])
  return (await tx.many<{ id: string }>(LIST_KEPT, [campaignId, mailboxIds])).map(row => row.id)
}

/** Null when nothing has been sent to the lead, or the lead is gone. */
export const findThread = sql(`
  select thread
  from leads
  where id = $1`).value<Thread | null | undefined, [leadId: string]>()

// ---- what came back ----

const counter = (kind: 'open' | 'click') =>
  sql(`
  update leads
  set email_${kind}_count = email_${kind}_count + 1
  where id = $1
  returning email_${kind}_count as count`)
const COUNTERS = { open: counter('open'), click: counter('click') }

/** How often people, not machines, did this with messages to this lead, including this time. The lead must be locked. */
export const countHit = async (tx: Tx, leadId: string, kind: 'open' | 'click'): Promise<number> =>
  (await tx.first<{ count: number }>(COUNTERS[kind], [leadId]))?.count ?? 0

export const countBounce = sql(`
  update leads
  set email_bounce_count = email_bounce_count + 1,
    due_at = case when $2 then null else due_at end,
    completes_at = case when $2 then null else completes_at end
  where id = $1`).run<[leadId: string, stops: boolean]>()

/** Leads whose time to reply is over. */
export const takeCompleted = sql(`
  update leads l
  set completes_at = null
  from (
    select id
    from leads
    where completes_at <= $1
    order by completes_at
    limit $2
    for update skip locked
  ) as due
  where l.id = due.id
  returning l.id, l.workspace_id as "workspaceId", l.campaign_id as "campaignId"`).many<
  { id: string; workspaceId: string; campaignId: string },
  [now: Date, limit: number]
>()

// Checks leads again that a plan or rules held back, after these have changed.

/** Holds because of other campaigns. */
const CONTACT_HOLDS = ['contacted_elsewhere', 'in_other_campaign', 'company_replied', 'company_limit'] as const

/** Holds because of the plan of the campaign or the limits of its mailboxes. */
const PLANNED_HOLDS = [
  'waiting_window',
  'not_due',
  'campaign_not_started',
  'campaign_not_active',
  'campaign_expired',
  'due_after_end',
  'mailbox_cap',
  'mailbox_gap',
  'mailbox_disconnected',
  'no_mailbox',
  'domain_throttle',
  ...CONTACT_HOLDS,
] as const

/** Holds that move a due lead back in the queue. */
const STEPPED_BACK = ['waiting_window', 'campaign_expired', 'domain_throttle', ...CONTACT_HOLDS] as const

/** After the plan of the campaign has changed: checks the leads that it held back again. A delay that a mail server requested stays. */
export const replanLeads = sql(`
  update leads
  set due_at = case when hold_reason ${among(STEPPED_BACK)} then least(due_at, $2) else due_at end,
    hold_reason = null,
    hold_until = null,
    hold_detail = null
  where campaign_id = $1
    and status ${among(OPEN_STATUSES)}
    and due_at is not null
    and hold_reason ${among(PLANNED_HOLDS)}`).run<[campaignId: string, now: Date]>()

/** After the contact rules of a workspace have changed: checks the leads that they held back again. */
export const releaseContacts = sql(`
  update leads
  set due_at = least(due_at, $2),
    hold_reason = null,
    hold_until = null,
    hold_detail = null
  where campaign_id in (select id from campaigns where workspace_id = $1)
    and status ${among(OPEN_STATUSES)}
    and due_at is not null
    and hold_reason ${among(CONTACT_HOLDS)}`).run<[workspaceId: string, now: Date]>()
