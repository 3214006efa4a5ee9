import { type Db, sql, type Tx } from '../../db/client.ts'
import { LIVE_WORKERS } from '../../queue/identity.ts'
import type { LeadStatus } from '../leads/schema.ts'

// Held until the commit: a pause waits for the messages that got past this, and none gets past it after the pause. The
// leads are locked by a statement of its own, so that the next one looks at suppressions after every earlier holder of
// the lock has committed; adding a suppression takes the same locks. Campaigns come first, as everywhere.
const HOLD_ACTIVE_CAMPAIGNS = sql(`
  with held as materialized (
    select id from campaigns where id = any($1::uuid[]) and status = 'active' order by id for share
  ), people as materialized (
    select id from leads where id = any($2::uuid[]) and campaign_id = any(array(select id from held)) order by id for no key update
  )
  select id from held where (select count(*) from people) >= 0`)

export async function holdActiveCampaigns(tx: Tx, ids: string[], leadIds: string[]): Promise<string[]> {
  return (await tx.many<{ id: string }>(HOLD_ACTIVE_CAMPAIGNS, [ids, leadIds])).map(row => row.id)
}

const OPEN_LEAD = `('not_yet_contacted', 'contacted')`

const SUPPRESSED = `exists (select from suppressions x where x.workspace_id = l.workspace_id
  and ((x.kind = 'email' and x.hash = l.email_hash) or (x.kind = 'domain' and x.hash = l.domain_hash)))`

// Rows are picked by key alone and judged afterwards: with the rest of the condition in the same place PostgreSQL would
// rather read everything that this worker or this campaign ever had.
const INTEND = sql(`
  with people as materialized (
    select l.id, ${SUPPRESSED} as suppressed from leads l
    where l.id = any($2::uuid[]) and l.status in ${OPEN_LEAD}
  ), mine as materialized (
    select id, lead_id, provider_id, status, worker_id from sends where id = any($3::uuid[]) order by id for no key update
  )
  update sends s set status = 'sending', subject = r.subject, links = array(select jsonb_array_elements_text(r.links))
  from jsonb_to_recordset($4::jsonb) as r(id uuid, subject text, links jsonb)
    join mine using (id) join people on people.id = mine.lead_id join providers p on p.id = mine.provider_id
  where s.id = mine.id and mine.worker_id = $1 and mine.status = 'claimed' and not people.suppressed and p.status = 'connected'
  returning s.id`)

export interface Intention {
  id: string
  leadId: string
  subject: string
  links: string[]
}

/** From here on a message may leave. The ids of those that may; the others have met something since they were claimed. */
export async function markSending(tx: Tx, workerId: number, sends: Intention[]): Promise<Set<string>> {
  const [leadIds, ids] = [sends.map(send => send.leadId), sends.map(send => send.id)]
  const rows = await tx.many<{ id: string }>(INTEND, [workerId, leadIds, ids, JSON.stringify(sends)])
  return new Set(rows.map(row => row.id))
}

export interface Obstacle {
  id: string
  campaignStatus: string | null
  leadStatus: LeadStatus | null
  suppressed: boolean
}

const FIND_OBSTACLES = sql(`
  select s.id, c.status as "campaignStatus", l.status as "leadStatus", coalesce(${SUPPRESSED}, false) as suppressed
  from sends s left join leads l on l.id = s.lead_id left join campaigns c on c.id = s.campaign_id
  where s.id = any($2::uuid[]) and s.worker_id = $1 and s.status = 'claimed'`)

export const findObstacles = (db: Db, workerId: number, ids: string[]): Promise<Obstacle[]> =>
  db.many<Obstacle>(FIND_OBSTACLES, [workerId, ids])

/** What follows on `released`, sends that are not under way any more: an open lead goes back into the queue, the message of another is left lying. */
export const BACK_TO_QUEUE = `
  closed as (
    delete from open_sends o using released where o.send_id = released.id
  )
  update leads l set due_at = released.due_at from released where l.id = released.lead_id and l.status in ${OPEN_LEAD} and l.due_at is null`

// When the answer to a declaration was lost, a message may stand as sending that has not left.
const RELEASE = sql(`
  with released as (
    update sends set status = 'queued', worker_id = null where id = any($2::uuid[]) and worker_id = $1 and status in ('claimed', 'sending')
    returning id, lead_id, due_at
  ), ${BACK_TO_QUEUE}`)

/** Gives claims back: nothing has left. */
export const releaseClaims = (tx: Tx, workerId: number, ids: string[]): Promise<number> => tx.run(RELEASE, [workerId, ids])

// Each is looked up by its key, whatever PostgreSQL thinks of joining.
export const OPEN_SENDS = `
  open_sends o cross join lateral (select id, status, worker_id, reconcile_at from sends where sends.id = o.send_id limit 1) as s`

const RELEASE_OTHERS = sql(`
  with lost as materialized (
    select s.id
    from ${OPEN_SENDS}
    where s.worker_id = $1
      and s.status = 'claimed'
      and s.id <> all($2::uuid[])
  ), released as (
    update sends
    set status = 'queued',
      worker_id = null
    from lost
    where sends.id = lost.id
    returning sends.id, sends.lead_id, sends.due_at
  ), ${BACK_TO_QUEUE}`)

/** For claims whose answer got lost: they carry this worker's number, but nobody works on them. Nothing of them has left. */
export const releaseClaimsExcept = (tx: Tx, workerId: number, ids: string[]): Promise<number> => tx.run(RELEASE_OTHERS, [workerId, ids])

const OF_DEAD_WORKERS = `
  select s.id, s.worker_id from ${OPEN_SENDS} where s.worker_id is not null and s.worker_id not in (${LIVE_WORKERS})`

// Of a sandbox the message and its record are one transaction, so what was not recorded was not sent.
const RELEASE_DEAD_CLAIMS = sql(`
  with dead as materialized (${OF_DEAD_WORKERS}), released as (
    update sends s set status = 'queued', worker_id = null
    from dead where s.id = dead.id and s.worker_id = dead.worker_id
      and (s.status = 'claimed'
        or (s.status = 'sending' and exists (select from providers p where p.id = s.provider_id and p.kind = 'sandbox')))
    returning s.id, s.lead_id, s.due_at
  ), ${BACK_TO_QUEUE}`)

const DOUBT_DEAD_SENDS = sql(`
  with dead as materialized (${OF_DEAD_WORKERS})
  update sends s set status = 'unknown', worker_id = null, reconcile_at = $1, response = 'the worker died while sending'
  from dead where s.id = dead.id and s.worker_id = dead.worker_id and s.status = 'sending'`)

/** Claims of dead workers go back to the queue; what they were sending may have left, and is looked into. */
export async function releaseSendsOfDeadWorkers(tx: Tx, now: Date): Promise<number> {
  return (await tx.run(RELEASE_DEAD_CLAIMS)) + (await tx.run(DOUBT_DEAD_SENDS, [now]))
}

const COUNT_IN_FLIGHT = sql(`select count(*)::int as count from ${OPEN_SENDS} where o.campaign_id = $1 and s.status = 'sending'`)

/** Messages that have been handed to a mail server or are about to be: past the point where a pause could stop them. */
export async function countSendsInFlight(db: Db, campaignId: string): Promise<number> {
  return (await db.first<{ count: number }>(COUNT_IN_FLIGHT, [campaignId]))!.count
}

export interface Settled {
  id: string
  status: 'sent' | 'queued' | 'failed' | 'unknown'
  response: string | null
  sentAt: Date | null
  reconcileAt: Date | null
  reconciled: 'found' | 'named' | 'assumed' | null
}

// Whoever did the sending knows best, even when others have taken it for dead in the meantime.
const SETTLE = sql(`
  with mine as materialized (
    select id, status, worker_id from sends where id = any($3::uuid[]) order by id for no key update
  ), settled as (
  update sends s set status = r.status, worker_id = null, response = r.response, sent_at = r."sentAt", reconcile_at = r."reconcileAt",
    reconciled = r.reconciled
  from jsonb_to_recordset($2::jsonb) as r(id uuid, status text, response text, "sentAt" timestamptz, "reconcileAt" timestamptz, reconciled text)
    join mine using (id)
  where s.id = mine.id
    and ((mine.status = 'sending' and mine.worker_id = $1) or mine.status = 'unknown' or (mine.status = 'queued' and r.status = 'sent'))
  returning s.id, s.status
  ), closed as (
    delete from open_sends o using settled where o.send_id = settled.id and settled.status <> 'unknown'
  )
  select id from settled`)

/** The ids that were settled; the others have been settled by somebody else. */
export async function settleSends(tx: Tx, workerId: number | null, settled: Settled[]): Promise<Set<string>> {
  const rows = await tx.many<{ id: string }>(SETTLE, [workerId, JSON.stringify(settled), settled.map(row => row.id)])
  return new Set(rows.map(row => row.id))
}

const FORGET_TEXTS = sql('update sends set subject = null, response = null where id = any($1::uuid[])')

/** What these messages said, and what was answered to them, is not kept. */
export const forgetTexts = (tx: Tx, ids: string[]): Promise<number> => tx.run(FORGET_TEXTS, [ids])

export interface LockedLead {
  id: string
  workspaceId: string
  campaignId: string
  email: string
  status: LeadStatus
  reached: LeadStatus[]
  emailSent: boolean
  thread: { subject: string; messageIds: string[] } | null
}

const LOCK_LEADS = sql(`
  select id, workspace_id as "workspaceId", campaign_id as "campaignId", email, status, reached, email_sent as "emailSent", thread
  from leads where id = any($1::uuid[]) order by id for no key update`)

export const lockLeads = (tx: Tx, ids: string[]): Promise<LockedLead[]> => tx.many<LockedLead>(LOCK_LEADS, [ids])

export interface Progress {
  leadId: string
  nextStep: number
  dueAt: Date | null
  completesAt: Date | null
  providerId: string
  thread: { subject: string; messageIds: string[] }
}

const ADVANCE = sql(`
  update leads l set next_step = r."nextStep", due_at = r."dueAt", completes_at = r."completesAt", provider_id = r."providerId",
    thread = r.thread, email_sent = true, hold_reason = null, hold_until = null, hold_detail = null, updated_at = $2,
    status = case when l.status = 'not_yet_contacted' then 'contacted' else l.status end,
    reached = case when l.status <> 'not_yet_contacted' or 'contacted' = any(l.reached) then l.reached else array_append(l.reached, 'contacted') end
  from jsonb_to_recordset($1::jsonb) as r("leadId" uuid, "nextStep" int, "dueAt" timestamptz, "completesAt" timestamptz,
    "providerId" uuid, thread jsonb)
  where l.id = r."leadId"`)

export const advanceLeads = (tx: Tx, progress: Progress[], now: Date): Promise<number> => tx.run(ADVANCE, [JSON.stringify(progress), now])

const STICK = sql(`update leads l set provider_id = r.mailbox from unnest($1::uuid[], $2::uuid[]) as r(id, mailbox) where l.id = r.id`)

/** A message that was put off by the recipient's server must come from the same mailbox again. */
export const stickToMailbox = (tx: Tx, leads: { leadId: string; mailboxId: string }[]): Promise<number> =>
  tx.run(STICK, [leads.map(lead => lead.leadId), leads.map(lead => lead.mailboxId)])

const POSTPONE = sql(`
  update leads set due_at = greatest(due_at, $2::timestamptz) where id = $1 and due_at is not null and due_at < $2 returning due_at as "dueAt"`)

/** Moves the next step, if one is waiting, and says to when; never forward in time. */
export const postponeLead = (tx: Tx, leadId: string, until: Date): Promise<{ dueAt: Date } | undefined> =>
  tx.first(POSTPONE, [leadId, until])
