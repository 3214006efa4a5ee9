import type { Tx } from '../../db/client.ts'
import { invalidState } from '../../lib/errors.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { type OperationTasks, transactionTask } from '../../operations/tasks.ts'
import { type CampaignRow, getLockedCampaign } from '../campaigns/campaigns.ts'
import { getImportableExport, peopleOfExport } from '../exports/exports.ts'
import { deleteChunks, readChunks } from './import-queries.ts'
import { IMPORTABLE, ImportProgress, type ImportResult, importLeads, toNewLead } from './leads.ts'
import { LeadImport } from './schema.ts'

/** People of an export that are handed over at a time. */
const PAGE = 5000

export const leadTasks: OperationTasks = {
  'campaign.import_leads': transactionTask(LeadImport, async (tx, ctx, { id, workspaceId, campaignId, input }) => {
    const { leads, exportId, leadListName } = input
    const campaign = await getLockedCampaign(tx, workspaceId, campaignId!)
    if (campaign.status === 'archived') throw invalidState(campaign.status, IMPORTABLE)
    const now = ctx.clock.now()
    const listName = leadListName ?? campaign.leadListName
    if (exportId !== undefined) {
      const exported = await getImportableExport(tx, workspaceId, exportId, now)
      return { campaignId, ...(await importExport(tx, ctx.secrets, campaign, exported.id, listName, now)) }
    }
    const progress = new ImportProgress()
    const batch = { leadListName: listName, source: 'api_import' as const, now }
    if (leads) await importLeads(tx, ctx.secrets, campaign, leads, batch, progress)
    else {
      for await (const chunk of readChunks(tx, id)) await importLeads(tx, ctx.secrets, campaign, chunk, batch, progress)
      await deleteChunks(tx, id)
    }
    return { campaignId, ...progress.result }
  }),
}

/** They have been paid for: nothing is charged here. */
async function importExport(
  tx: Tx,
  secrets: SecretBox,
  campaign: CampaignRow,
  exportId: string,
  leadListName: string | null,
  now: Date,
): Promise<ImportResult> {
  const total: ImportResult = { importedCount: 0, duplicateCount: 0, suppressedCount: 0, invalid: [] }
  for await (const page of peopleOfExport(tx, exportId, PAGE)) {
    const result = await importLeads(tx, secrets, campaign, page.map(toNewLead), { leadListName, source: 'scraped_lead', now })
    total.importedCount += result.importedCount
    total.duplicateCount += result.duplicateCount
    total.suppressedCount += result.suppressedCount
  }
  return total
}
