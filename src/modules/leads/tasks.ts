import { invalidState } from '../../lib/errors.ts'
import { type OperationTasks, outsideTask, transactionTask } from '../../operations/tasks.ts'
import { getLockedCampaign } from '../campaigns/campaigns.ts'
import { getImportableExport, peopleOfExport } from '../exports/exports.ts'
import { changePage, pagesOf } from './bulk.ts'
import { deleteChunks, readChunks } from './import-queries.ts'
import { IMPORTABLE, ImportProgress, importLeads, toNewLead } from './leads.ts'
import { updateKnownLeads } from './patch.ts'
import { LeadBulk, LeadImport } from './schema.ts'

/** People of an export that are handed over at a time. */
const PAGE = 5000

export const leadTasks: OperationTasks = {
  'campaign.import_leads': transactionTask(LeadImport, async (tx, ctx, { id, workspaceId, campaignId, input }) => {
    const { leads, exportId, leadListName } = input
    const onDuplicate = input.onDuplicate === 'update' ? { onDuplicate: updateKnownLeads } : {}
    const campaign = await getLockedCampaign(tx, workspaceId, campaignId!)
    if (campaign.status === 'archived') throw invalidState(campaign.status, IMPORTABLE)
    const now = ctx.clock.now()
    const listName = leadListName ?? campaign.leadListName
    if (exportId !== undefined) {
      const exported = await getImportableExport(tx, workspaceId, exportId, now)
      const people = { leadListName: listName, source: 'scraped_lead' as const, now, ...onDuplicate }
      const progress = new ImportProgress()
      for await (const page of peopleOfExport(tx, exported.id, PAGE)) {
        await importLeads(tx, ctx.secrets, campaign, page.map(toNewLead), people, progress)
      }
      return { campaignId, ...progress.result }
    }
    const progress = new ImportProgress()
    const batch = { leadListName: listName, source: 'api_import' as const, now, ...onDuplicate }
    if (leads) await importLeads(tx, ctx.secrets, campaign, leads, batch, progress)
    else {
      for await (const chunk of readChunks(tx, id)) await importLeads(tx, ctx.secrets, campaign, chunk, batch, progress)
      await deleteChunks(tx, id)
    }
    return { campaignId, ...progress.result }
  }),

  'lead.bulk': outsideTask(LeadBulk, {
    async run(ctx, { workspaceId, campaignId, input }, signal) {
      const place = { workspaceId, campaignId: campaignId! }
      const result = { matchedCount: 0, changedCount: 0, unchangedCount: 0 }
      for await (const ids of pagesOf(ctx.db, place, input)) {
        signal.throwIfAborted()
        const changedCount = await ctx.db.inTransaction(tx => changePage(tx, ctx, place, input, ids))
        result.matchedCount += ids.length
        result.changedCount += changedCount
        result.unchangedCount += ids.length - changedCount
      }
      return async () => ({ campaignId, action: input.action, ...result })
    },
  }),
}
