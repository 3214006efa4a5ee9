import { getLockedCampaign, invalidState } from '../campaigns/campaigns.ts'
import type { OperationTasks } from '../operations/runner.ts'
import { IMPORTABLE, importLeads } from './leads.ts'
import type { LeadImport } from './schema.ts'

export const leadTasks: OperationTasks = {
  'campaign.import_leads': {
    async apply(tx, ctx, { workspaceId, campaignId, input }) {
      const { leads, leadListName } = input as LeadImport
      const campaign = await getLockedCampaign(tx, workspaceId, campaignId!)
      if (campaign.status === 'archived') throw invalidState(campaign.status, IMPORTABLE)
      const batch = { leadListName: leadListName ?? campaign.leadListName, source: 'api_import' as const, now: ctx.clock.now() }
      return { campaignId, ...(await importLeads(tx, ctx.secrets, campaign, leads ?? [], batch)) }
    },
  },
}
