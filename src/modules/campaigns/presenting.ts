import type { Context } from '../../context/context.ts'
import type { Db } from '../../db/client.ts'
import { effectiveRules } from '../../scheduling/contact-rules.ts'
import { type Metrics, newMetrics, readMetrics } from '../metrics/metrics.ts'
import type { CampaignRow } from './queries.ts'

export const presentCampaign = async (ctx: Context, db: Db, row: CampaignRow) => (await presentCampaigns(ctx, db, [row]))[0]!

export const presentNewCampaign = (ctx: Context, row: CampaignRow) => withMetrics(ctx, row, newMetrics(ctx.clock.now()))

export async function presentCampaigns(ctx: Context, db: Db, rows: CampaignRow[]) {
  const metrics = await readMetrics(db, rows, ctx.clock.now())
  return rows.map((row, index) => withMetrics(ctx, row, metrics[index]!))
}

function withMetrics(ctx: Context, row: CampaignRow, metrics: Metrics) {
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    name: row.name,
    status: row.status,
    displayStatus: row.status === 'archived' ? ('archived' as const) : ('active' as const),
    providerId: row.providerId,
    pipelineId: row.pipelineId,
    salesPersonId: row.salesPersonId,
    startDate: row.startDate?.toISOString() ?? null,
    endDate: row.endDate?.toISOString() ?? null,
    leadListName: row.leadListName,
    sourceUrl: row.sourceUrl,
    niche: row.niche,
    location: row.location,
    jobTitle: row.jobTitle,
    companySize: row.companySize,
    industry: row.industry,
    trackOpens: row.trackOpens,
    trackClicks: row.trackClicks,
    unsubscribe: row.unsubscribe,
    optOutText: row.optOutText,
    rotationProviderIds: row.rotationProviderIds,
    contactRules: row.contactRules,
    effectiveContactRules: effectiveRules(row.workspaceContactRules, row.contactRules),
    totalLeads: row.totalLeads,
    metrics,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    links: { self: campaignLink(ctx, row) },
  }
}

export const campaignLink = (ctx: Pick<Context, 'link'>, campaign: { workspaceId: string; id: string }): string =>
  ctx.link(`/v1/workspaces/${campaign.workspaceId}/campaigns/${campaign.id}`)

/** The links of what belongs to a campaign. */
export function linksWithin(ctx: Pick<Context, 'link'>, campaign: { workspaceId: string; id: string }, path: string) {
  const link = campaignLink(ctx, campaign)
  return { self: `${link}/${path}`, campaign: link }
}
