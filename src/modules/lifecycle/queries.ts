import { among } from '../../db/fragments.ts'
import { sql } from '../../db/sql.ts'
import { OPEN_STATUSES } from '../leads/schema.ts'

const OPEN_LEADS = `exists (select from leads l where l.campaign_id = c.id and l.status ${among(OPEN_STATUSES)})`

/** Active campaigns that are over: the end date has passed, or no lead is left to email or to wait for. */
export const listFinishedCampaigns = sql(`
  select c.id, c.workspace_id as "workspaceId"
  from campaigns c
  where c.status = 'active' and (c.end_date <= $1 or (c.total_leads > 0 and not ${OPEN_LEADS}))`).many<
  { id: string; workspaceId: string },
  [now: Date]
>()

export const hasOpenLeads = sql(`
  select ${OPEN_LEADS} as open
  from campaigns c
  where c.id = $1`).value<boolean, [campaignId: string]>()

export interface BouncingCampaign {
  id: string
  workspaceId: string
  sent: number
  bounced: number
}

/** Active campaigns with too many bounces since the last check. */
export const listBouncingCampaigns = sql(`
  select c.id, c.workspace_id as "workspaceId", m.emails_sent_count - c.breaker_sent as sent,
    m.bounced_count - c.breaker_bounced as bounced
  from campaigns c
  join campaign_metrics m on m.campaign_id = c.id
  where c.status = 'active' and m.emails_sent_count - c.breaker_sent >= $1
    and m.bounced_count - c.breaker_bounced > $2::float8 * (m.emails_sent_count - c.breaker_sent)`).many<
  BouncingCampaign,
  [minimum: number, share: number]
>()
