import { type Db, sql } from '../../db/client.ts'

export interface CampaignFacts {
  name: string
  status: string
  stepCount: number
  /** Leads that can still be written to. */
  openLeads: number
  totalLeads: number
  from: string[]
  /** Changes with everything that reaches a recipient: steps, window, senders, settings. */
  content: string
  /** Changes with the leads; as long as nothing is sent, also with each change of one. */
  leads: string
}

/** What a recipient sees of a mailbox. */
const SENDER = `jsonb_build_array(p.id, p.kind, p.from_name, p.from_email, p.reply_to, p.signature, p.postal_address)`

const FIND_CAMPAIGN = sql(`
  select c.name, c.status,
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
    md5(jsonb_build_array(
      c.sequence_version, c.days_of_week, c.window_start, c.window_end, c.timezone, c.use_lead_timezone, c.start_date, c.end_date, c.track_opens,
      c.track_clicks, c.unsubscribe, c.opt_out_text, c.contact_rules, c.provider_id, c.rotation_provider_ids, c.kept_provider_ids,
      w.opt_out_lines, w.contact_rules,
      (
        select jsonb_agg(${SENDER} order by p.id)
        from providers p
        where p.workspace_id = c.workspace_id
          and (p.id = c.provider_id or p.id = any(c.rotation_provider_ids || c.kept_provider_ids))
      )
    )::text) as content,
    concat_ws('/', c.total_leads, l.latest) as leads
  from campaigns c
  join workspaces w on w.id = c.workspace_id
  left join sequence_versions v on v.campaign_id = c.id and v.version = c.sequence_version
  cross join lateral (
    select count(*) filter (where status in ('not_yet_contacted', 'contacted'))::int as open,
      max(case when c.status in ('draft', 'paused', 'attention_needed') then updated_at else created_at end) as latest
    from leads
    where campaign_id = c.id
  ) as l
  where c.workspace_id = $1 and c.id = $2`)

export const findCampaignFacts = (db: Db, workspaceId: string, campaignId: string): Promise<CampaignFacts | undefined> =>
  db.first<CampaignFacts>(FIND_CAMPAIGN, [workspaceId, campaignId])

const FIND_MAILBOXES = sql(`
  select from_email as "fromEmail"
  from providers
  where workspace_id = $1 and id = any($2::uuid[])
  order by from_email`)

export const findMailboxAddresses = async (db: Db, workspaceId: string, ids: string[]): Promise<string[]> =>
  (await db.many<{ fromEmail: string }>(FIND_MAILBOXES, [workspaceId, ids])).map(({ fromEmail }) => fromEmail)

const FIND_REPLY = sql(`
  select r.from_address as "fromAddress", p.from_email as mailbox, md5(${SENDER}::text) as content
  from inbound_messages r
  left join providers p on p.id = r.provider_id
  where r.workspace_id = $1 and r.id = $2`)

export const findReplyFacts = (
  db: Db,
  workspaceId: string,
  replyId: string,
): Promise<{ fromAddress: string | null; mailbox: string | null; content: string | null } | undefined> =>
  db.first(FIND_REPLY, [workspaceId, replyId])

const FIND_LEAD = sql(`
  select email
  from leads
  where workspace_id = $1 and campaign_id = $2 and id = $3`)

export const findLeadFacts = (db: Db, workspaceId: string, campaignId: string, leadId: string): Promise<{ email: string } | undefined> =>
  db.first(FIND_LEAD, [workspaceId, campaignId, leadId])

const FIND_LEADS_CONTENT = sql(`
  select md5(string_agg(concat_ws('/', id, updated_at), ',' order by id)) as content
  from leads
  where workspace_id = $1 and campaign_id = $2 and id = any($3::uuid[])`)

/** Changes with each of these leads. */
export const findLeadsContent = async (db: Db, workspaceId: string, campaignId: string, ids: unknown[]): Promise<string> =>
  (await db.first<{ content: string | null }>(FIND_LEADS_CONTENT, [workspaceId, campaignId, ids]))?.content ?? ''

const FIND_SUPPRESSION = sql(`
  select value
  from suppressions
  where workspace_id = $1 and id = $2`)

export const findSuppressionFacts = (db: Db, workspaceId: string, suppressionId: string): Promise<{ value: string | null } | undefined> =>
  db.first(FIND_SUPPRESSION, [workspaceId, suppressionId])
