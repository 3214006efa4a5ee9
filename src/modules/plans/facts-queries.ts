import { type Db, sql } from '../../db/sql.ts'
import type { CampaignStatus } from '../campaigns/schema.ts'
import { isSuppressed } from '../suppressions/queries.ts'

export interface CampaignFacts {
  updatedAt: Date
  name: string
  status: CampaignStatus
  stepCount: number
  /** Leads that can still be written to. */
  openLeads: number
  totalLeads: number
  from: string[]
  /** Changes with everything that reaches a recipient: steps, window, senders, settings, the host of links. */
  content: string
}

/** A digest of text, because a plan is kept longer than the data that it was based on. */
const digestOf = (text: string): string => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`

/** Changes with each part of a mailbox that a recipient sees, the server and the account that it sends through, and how fast it sends. */
const SENDER = 'jsonb_build_array(p.id, p.kind, p.sender_version)'

export const findCampaignFacts = sql(`
  select c.updated_at as "updatedAt", c.name, c.status,
    coalesce(jsonb_array_length(v.steps), 0) as "stepCount",
    l.open as "openLeads",
    c.total_leads as "totalLeads",
    array(
      select p.from_email
      from providers p
      where p.workspace_id = c.workspace_id
        and (p.id = c.provider_id or p.id = any(c.rotation_provider_ids))
      order by p.from_email
    ) as "from",
    ${digestOf(`jsonb_build_array(
      c.sequence_version, c.content_version, c.days_of_week, c.window_start, c.window_end, c.timezone, c.use_lead_timezone, c.start_date, c.end_date, c.track_opens,
      c.track_clicks, c.unsubscribe, c.opt_out_text, c.contact_rules, c.provider_id, c.rotation_provider_ids, c.kept_provider_ids,
      w.opt_out_lines, w.contact_rules,
      (select t.origin from tracking_hosts t where t.workspace_id = c.workspace_id and t.status <> 'pending'),
      (
        select jsonb_agg(${SENDER} order by p.id)
        from providers p
        where p.workspace_id = c.workspace_id
          and (p.id = c.provider_id or p.id = any(c.rotation_provider_ids || c.kept_provider_ids))
      )
    )::text`)} as content
  from campaigns c
  join workspaces w on w.id = c.workspace_id
  left join sequence_versions v on v.campaign_id = c.id and v.version = c.sequence_version
  cross join lateral (
    select count(*) filter (where status in ('not_yet_contacted', 'contacted'))::int as open
    from leads
    where campaign_id = c.id
  ) as l
  where c.workspace_id = $1 and c.id = $2`).first<CampaignFacts, [workspaceId: string, campaignId: string]>()

interface MailboxFacts {
  fromEmail: string
  /** Changes with everything that a recipient sees of it. */
  content: string
}

export const findMailboxFacts = sql(`
  select p.from_email as "fromEmail", ${digestOf(`${SENDER}::text`)} as content
  from providers p
  where p.workspace_id = $1 and p.id = any($2::uuid[])
  order by p.from_email, p.id`).many<MailboxFacts, [workspaceId: string, ids: string[]]>()

export const findLeadFacts = sql(`
  select email
  from leads
  where workspace_id = $1 and campaign_id = $2 and id = $3`).first<
  { email: string },
  [workspaceId: string, campaignId: string, leadId: string]
>()

// A suppressed lead gets no message, so lifting the suppression changes what follows.
const LEADS_CONTENT = (condition: string): string => `
  select ${digestOf(`string_agg(concat_ws('/', l.id, l.updated_at, l.status, ${isSuppressed('l')}), ',' order by l.id)`)} as content
  from leads l
  where l.workspace_id = $1 and l.campaign_id = $2${condition}`

const FIND_ALL_LEADS_CONTENT = sql(LEADS_CONTENT(''))
const FIND_LEADS_CONTENT = sql(LEADS_CONTENT(' and l.id = any($3::uuid[])'))

/** Changes with each of these leads; null means all leads of the campaign. */
export async function findLeadsContent(db: Db, workspaceId: string, campaignId: string, ids: string[] | null): Promise<string> {
  const [statement, values] = ids === null ? [FIND_ALL_LEADS_CONTENT, []] : [FIND_LEADS_CONTENT, [ids]]
  return (await db.first<{ content: string | null }>(statement, [workspaceId, campaignId, ...values]))?.content ?? ''
}

export const findSuppressionFacts = sql(`
  select value
  from suppressions
  where workspace_id = $1 and id = $2`).first<{ value: string | null }, [workspaceId: string, suppressionId: string]>()
