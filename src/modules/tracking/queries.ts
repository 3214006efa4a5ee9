import { columnsOf } from '../../db/fragments.ts'
import { sql, type Tx } from '../../db/sql.ts'
import { valuesOf } from '../../lib/pick.ts'
import type { Message } from '../sending/queries.ts'
import { lockWorkspace } from '../workspaces/queries.ts'

export interface TrackedSend extends Pick<Message, 'id' | 'workspaceId' | 'campaignId' | 'leadId' | 'step' | 'variantId'> {
  status: string
  links: string[]
  openCount: number
  clickCount: number
  sentAt: Date | null
}

export const findTrackedSend = sql(`
  select ${columnsOf('id, workspace_id, campaign_id, lead_id, step, variant_id, status, links, open_count, click_count, sent_at')}
  from sends
  where id = $1`).first<TrackedSend, [id: string]>()

/** The links of a message that have been followed since then, by number. */
export const findClickedLinks = sql(`
  select distinct (data->>'link')::int as link
  from events
  where lead_id = $1 and type = 'email.clicked' and timestamp > $3 and data->>'sendId' = $2`).column<
  number,
  [leadId: string, sendId: string, since: Date]
>()

export interface Recipient {
  workspaceId: string
  /** Null when the lead is gone. */
  email: string | null
  emailHash: Buffer | null
  /** For old messages without the hash: the address from the event log. */
  loggedEmail: string | null
  language: string | null
  isUnsubscribed: boolean
  /** Null when the mailbox is gone. */
  sender: { name: string | null; email: string; writeTo: string } | null
}

export const findRecipient = sql(`
  select s.workspace_id as "workspaceId", l.email, s.email_hash as "emailHash", l.variables->>'language' as language, (
    select e.data->>'email'
    from events e
    where e.lead_id = s.lead_id and e.data->>'email' is not null
    order by e.seq
    limit 1) as "loggedEmail", exists (
    select
    from suppressions x
    where x.workspace_id = s.workspace_id and x.kind = 'email' and x.hash = s.email_hash and x.reason = 'unsubscribed') as "isUnsubscribed",
    case when p.id is not null
      then jsonb_build_object('name', p.from_name, 'email', p.from_email, 'writeTo', coalesce(p.reply_to, p.from_email)) end as sender
  from sends s
  left join leads l on l.id = s.lead_id
  left join providers p on p.id = s.provider_id
  where s.id = $1`).first<Recipient, [sendId: string]>()

export interface TrackingHostRow {
  host: string
  workspaceId: string
  status: 'pending' | 'verified' | 'failing'
  origin: string | null
  reason: string | null
  failures: number
  verifiedAt: Date | null
  checkedAt: Date | null
  checkAt: Date
  createdAt: Date
}

const COLUMNS = columnsOf(`host, workspace_id, status, origin, reason, failures, verified_at, checked_at, check_at, created_at`, 't')

/** At most one that is in use, and one that is pending. */
export const listHosts = sql(`
  select ${COLUMNS}
  from tracking_hosts t
  where t.workspace_id = $1`).many<TrackingHostRow, [workspaceId: string]>()

const FIND = `
  select ${COLUMNS}
  from tracking_hosts t
  where t.host = $1`
/** In any workspace. */
export const findHost = sql(FIND).first<TrackingHostRow, [host: string]>()
const LOCK = sql(`${FIND} for update`)

export async function lockHost(tx: Tx, workspaceId: string, host: string): Promise<TrackingHostRow | undefined> {
  await lockWorkspace(tx, workspaceId)
  return tx.first<TrackingHostRow>(LOCK, [host])
}

export const deleteOtherPending = sql(`
  delete from tracking_hosts
  where workspace_id = $1 and status = 'pending' and host <> $2`).run<[workspaceId: string, host: string]>()

export const deleteOtherInUse = sql(`
  delete from tracking_hosts
  where workspace_id = $1 and status <> 'pending' and host <> $2`).run<[workspaceId: string, host: string]>()

/** Undefined when it is in use already. */
export const insertPending = sql(`
  insert into tracking_hosts as t (host, workspace_id, status, check_at, created_at)
  values ($1, $2, 'pending', $3, $4)
  on conflict (host) do update
  set workspace_id = excluded.workspace_id, created_at = excluded.created_at, check_at = excluded.check_at, reason = null,
    checked_at = null, failures = 0
  where t.status = 'pending'
  returning ${COLUMNS}`).first<TrackingHostRow, [host: string, workspaceId: string, checkAt: Date, now: Date]>()

export const updateHost = sql(`
  update tracking_hosts t
  set status = $3, origin = $4, reason = $5, failures = $6, verified_at = $7, checked_at = $8, check_at = $9
  where t.host = $1 and t.workspace_id = $2`).run((row: TrackingHostRow) =>
  valuesOf(row, 'host', 'workspaceId', 'status', 'origin', 'reason', 'failures', 'verifiedAt', 'checkedAt', 'checkAt'),
)

export const deleteHosts = sql(`
  delete from tracking_hosts
  where workspace_id = $1`).run<[workspaceId: string]>()

// The next time is moved ahead as a claim: two workers never check the same host at once, and after a worker has died, the host is checked
// at its next time.
export const takeDueHost = sql(`
  update tracking_hosts t
  set check_at = $2
  from (
    select host
    from tracking_hosts
    where check_at <= $1
    order by check_at
    limit 1
    for update skip locked
  ) as due
  where t.host = due.host
  returning ${COLUMNS}`).first<TrackingHostRow, [now: Date, until: Date]>()
