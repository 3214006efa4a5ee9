import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { nullable, oneOf, strict } from '../../http/schema.ts'
import { AppError, invalidState } from '../../lib/errors.ts'
import { Type } from '../../lib/type.ts'
import { Again, type OperationTasks, outsideTask, takeStep, transactionTask, whileOurs } from '../../operations/tasks.ts'
import { getLockedCampaign } from '../campaigns/campaigns.ts'
import { getImportableExport, peopleOfExport } from '../exports/exports.ts'
import { type BulkProgress, changePage, checkPaid, NOTHING_CHANGED, pagesOf } from './bulk.ts'
import { chargeLateLeads } from './cost.ts'
import { importCsv, RejectedLeads } from './csv-import.ts'
import { ImportProgress, importLeads } from './import-leads.ts'
import { deleteChunks, deleteUploadOf, findUpload, readChunks, readUpload } from './import-queries.ts'
import { IMPORTABLE, toNewLead } from './leads.ts'
import { CsvImportResult, LeadBulkInput, LeadBulkResult, LeadImport, LeadImportResult, type LeadSource, type NewLead } from './schema.ts'

/** The number of people of an export that are imported at a time. */
const PAGE = 5000

const CsvInput = strict({
  wishes: Type.Record(Type.String(), nullable(Type.String())),
  onDuplicate: Type.Optional(oneOf(['skip', 'update'])),
  leadListName: Type.Optional(Type.String()),
})

type ImportOperation = { id: string; workspaceId: string; campaignId: string | null }

const rejectedRowsUrl = (ctx: Context, { id, workspaceId, campaignId }: ImportOperation): string =>
  ctx.link(`/v1/workspaces/${workspaceId}/campaigns/${campaignId}/leads/import/${id}/rejected-rows`)

export const leadTasks: OperationTasks = {
  'campaign.import_leads': transactionTask(LeadImport, LeadImportResult, async (tx, ctx, operation) => {
    const { id, workspaceId, campaignId, input } = operation
    const { leads, exportId, leadListName } = input
    const campaign = await getLockedCampaign(tx, workspaceId, campaignId!)
    if (campaign.status === 'archived') throw invalidState(campaign.status, IMPORTABLE)
    const now = ctx.clock.now()
    const progress = new ImportProgress()
    // The result shows the first hundred; all of them can be downloaded.
    const rejected = new RejectedLeads({ id, workspaceId })
    const take = async (some: NewLead[], source: LeadSource) => {
      await chargeLateLeads(tx, ctx, operation, some.length)
      const batch = { leadListName: leadListName ?? campaign.leadListName, source, now, updatesKnown: input.onDuplicate === 'update' }
      await importLeads(tx, ctx.secrets, campaign, some, batch, progress)
      await rejected.store(tx, progress.takeRejected())
    }
    if (exportId !== undefined) {
      const exported = await getImportableExport(tx, workspaceId, exportId, now)
      for await (const page of peopleOfExport(tx, exported.id, PAGE)) await take(page.map(toNewLead), 'scraped_lead')
    } else if (leads) await take(leads, 'api_import')
    else {
      for await (const chunk of readChunks(tx, id)) await take(chunk, 'api_import')
      await deleteChunks(tx, id)
    }
    await rejected.finish(tx)
    return { campaignId: campaignId!, ...progress.result }
  }),

  'campaign.import_csv': outsideTask(CsvInput, CsvImportResult, {
    async run(ctx, operation, signal) {
      const { id, workspaceId, campaignId, input } = operation
      const upload = await findUpload(ctx.db, id)
      if (!upload) throw new AppError('invalid_request', 'The uploaded file no longer exists. Send it again.')
      const guarded = (work: (tx: Tx) => Promise<void>): Promise<void> => whileOurs(ctx, operation, work)
      const { wishes, leadListName, onDuplicate } = input
      const order = {
        operation: { id, workspaceId, key: operation.key },
        campaignId: campaignId!,
        wishes,
        leadListName,
        updatesKnown: onDuplicate === 'update',
      }
      const result = await importCsv(ctx, order, upload, readUpload(ctx.db, upload.id), guarded, signal)
      return async tx => {
        if (!result) return new Again(0)
        await deleteUploadOf(tx, id)
        return { campaignId: campaignId!, ...result, rejectedRowsUrl: result.invalidCount > 0 ? rejectedRowsUrl(ctx, operation) : null }
      }
    },
    async abandon(tx, _ctx, { id }) {
      await deleteUploadOf(tx, id)
    },
    leaves: 'Rows that were imported before stay imported. Import the file again: they are skipped.',
  }),

  'lead.bulk': outsideTask(LeadBulkInput, LeadBulkResult, {
    async run(ctx, operation, signal) {
      const { workspaceId, campaignId, input } = operation
      const place = { workspaceId, campaignId: campaignId! }
      let done = (operation.checkpoint as BulkProgress | null) ?? NOTHING_CHANGED
      for await (const page of pagesOf(ctx.db, place, input, done)) {
        if (signal.aborted) return async () => new Again(0)
        const before = done
        done = await takeStep(ctx, operation, async tx => {
          if (input.action === 'requeue') await chargeLateLeads(tx, ctx, operation, page.ids.length)
          const changedCount = before.changedCount + (await changePage(tx, ctx, place, input, page.ids, operation.tokenId))
          return checkPaid(input, { after: page.last, matchedCount: before.matchedCount + page.ids.length, changedCount })
        })
      }
      const { matchedCount, changedCount } = done
      const result = { matchedCount, changedCount, unchangedCount: matchedCount - changedCount }
      return async () => ({ campaignId: campaignId!, action: input.action, ...result })
    },
    leaves: 'Leads that were changed before stay changed. Repeat the request for the others.',
  }),
}
