import { type Db, sql } from '../../db/client.ts'

export interface CampaignFacts {
  name: string
  status: string
  stepCount: number
  /** Leads that can still be written to. */
  openLeads: number
  totalLeads: number
  from: string[]
  /** Changes with the campaign, its sequence and, while it is a draft, with every lead. */
  fingerprint: string
  sequenceVersion: number
}

const FIND_CAMPAIGN = sql(`
  select c.name, c.status, c.sequence_version as "sequenceVersion",
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
    concat_ws('/', c.updated_at, c.sequence_version, c.total_leads, l.latest) as fingerprint
  from campaigns c
  left join sequence_versions v on v.campaign_id = c.id and v.version = c.sequence_version
  cross join lateral (
    select count(*) filter (where status in ('not_yet_contacted', 'contacted'))::int as open,
      max(case when c.status = 'draft' then updated_at else created_at end) as latest
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
  select r.from_address as "fromAddress", p.from_email as mailbox
  from inbound_messages r
  left join providers p on p.id = r.provider_id
  where r.workspace_id = $1 and r.id = $2`)

export const findReplyFacts = (
  db: Db,
  workspaceId: string,
  replyId: string,
): Promise<{ fromAddress: string | null; mailbox: string | null } | undefined> => db.first(FIND_REPLY, [workspaceId, replyId])

const FIND_LEAD = sql(`
  select email
  from leads
  where workspace_id = $1 and campaign_id = $2 and id = $3`)

export const findLeadFacts = (db: Db, workspaceId: string, campaignId: string, leadId: string): Promise<{ email: string } | undefined> =>
  db.first(FIND_LEAD, [workspaceId, campaignId, leadId])

const FIND_SUPPRESSION = sql(`
  select value
  from suppressions
  where workspace_id = $1 and id = $2`)

export const findSuppressionFacts = (db: Db, workspaceId: string, suppressionId: string): Promise<{ value: string | null } | undefined> =>
  db.first(FIND_SUPPRESSION, [workspaceId, suppressionId])
