import { type Db, sql } from '../../db/client.ts'

export interface TrackedSend {
  id: string
  workspaceId: string
  campaignId: string
  leadId: string
  step: number
  variantId: string
  status: string
  links: string[]
  openCount: number
  clickCount: number
  sentAt: Date | null
}

const FIND = sql(`
  select id, workspace_id as "workspaceId", campaign_id as "campaignId", lead_id as "leadId", step, variant_id as "variantId",
    status, links, open_count as "openCount", click_count as "clickCount", sent_at as "sentAt"
  from sends
  where id = $1`)

export const findTrackedSend = (db: Db, id: string): Promise<TrackedSend | undefined> => db.first<TrackedSend>(FIND, [id])

const CLICKED_SINCE = sql(`
  select distinct (data->>'link')::int as link
  from events
  where lead_id = $1 and type = 'email.clicked' and timestamp > $3 and data->>'sendId' = $2`)

/** The links of a message that have been followed since then, by number. */
export const findClickedLinks = async (db: Db, leadId: string, sendId: string, since: Date): Promise<number[]> =>
  (await db.many<{ link: number }>(CLICKED_SINCE, [leadId, sendId, since])).map(row => row.link)

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

const FIND_RECIPIENT = sql(`
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
  where s.id = $1`)

export const findRecipient = (db: Db, sendId: string): Promise<Recipient | undefined> => db.first<Recipient>(FIND_RECIPIENT, [sendId])
