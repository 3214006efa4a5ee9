import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { AppError, invalidState } from '../../lib/errors.ts'
import { besideOthers, type OperationWith, whileOurs } from '../../operations/tasks.ts'
import { getLockedCampaign } from '../campaigns/campaigns.ts'
import { settleHold } from '../credits/credits.ts'
import { ownExported, ownPeople } from '../credits/queries.ts'
import { recordEvent } from '../events/events.ts'
import { beginChoice, type Choice, completeExport, confirmExport, endChoice, presentDelivery, storeFile } from '../exports/exports.ts'
import { type ExportRow, findExportOfOperation, insertRows, setFailed, shareExport } from '../exports/queries.ts'
import { chargeLateLeads } from '../leads/cost.ts'
import { importLeads } from '../leads/import-leads.ts'
import { IMPORTABLE, toNewLead } from '../leads/leads.ts'
import { findPeople, readDirectoryVersion } from '../people/queries.ts'
import { readAddableState } from './queries.ts'
import type { ExportProgress, Order } from './schema.ts'
import { type Candidate, handOverPeople, wantsNobodyOwned } from './selection.ts'

type Ordered = OperationWith<Order>
type Report = (progress: ExportProgress) => void

/** Everything before the payment: the choice of the people, and the file. Each step is stored, so that a new attempt continues after it. */
export async function prepareExport(ctx: Context, operation: Ordered, signal: AbortSignal, report: Report): Promise<ExportRow> {
  const find = (): Promise<ExportRow | undefined> => findExportOfOperation(ctx.db, operation.id)
  let isFixed = (await find())?.isFixed ?? false
  while (!isFixed) isFixed = await storePeople(ctx, operation, signal, report)
  const exported = (await find())!
  if (ctx.objects === null || exported.fileRevision === exported.revision) return exported
  const tell = (writtenCount: number): void => report({ leadCount: exported.leadCount, writtenCount })
  tell(0)
  await storeFile(ctx, exported, work => whileOurs(ctx, operation, work), signal, tell)
  return (await find())!
}

/** Stores people as soon as they are chosen. False when a person was erased from the export meanwhile: then all must be chosen again. */
async function storePeople(ctx: Context, operation: Ordered, signal: AbortSignal, report: Report): Promise<boolean> {
  const { id, workspaceId, input: order } = operation
  let choice!: Choice
  let leadCount = 0
  const tell = (): void => {
    if (ctx.objects === null) report({ leadCount, writtenCount: choice.rowCount })
  }
  const directoryVersion = await handOverPeople(ctx, workspaceId, order.filters, order.leadCount, {
    async begin(count) {
      const ordered = { id, workspaceId, requestedCount: order.leadCount }
      choice = await whileOurs(ctx, operation, tx => beginChoice(tx, ordered, ctx.clock.now()))
      leadCount = count
      tell()
    },
    async take(people, after) {
      signal.throwIfAborted()
      // While a part is being stored, no person is erased from the export, and no later attempt begins. Parts can share the lock.
      const lock = (tx: Tx): Promise<unknown> => shareExport(tx, choice.exported.id)
      const stored = await besideOthers(ctx, operation, lock, tx => insertRows(tx, choice.exported, people, after))
      choice.rowCount += stored
      tell()
    },
  })
  return whileOurs(ctx, operation, tx => endChoice(tx, choice, directoryVersion))
}

/**
 * The purchase: the people of the export are checked again, ownership is stored, and new people are paid for, all in the transaction that
 * ends the operation. Null if a person can no longer be delivered: then the people are chosen again.
 */
export async function buyExport(tx: Tx, ctx: Context, operation: Ordered, exported: ExportRow, order: Order) {
  const { workspaceId } = operation
  const now = ctx.clock.now()
  const wanted = { withoutOwned: wantsNobodyOwned(order.filters), directoryVersion: await readDirectoryVersion(tx) }
  if (!(await confirmExport(tx, exported, wanted))) return null
  const charged = await ownExported(tx, workspaceId, operation.id, exported.id, now)
  await settleHold(tx, workspaceId, operation.id, { held: order.leadCount, charged }, now)
  const delivery = presentDelivery(await completeExport(tx, exported.id, charged, now), ctx)
  recordEvent(tx, { workspaceId, type: 'lead_search.completed', timestamp: now, data: { operationId: operation.id, ...delivery } })
  return delivery
}

/** The number of people that are added to the campaign at a time. */
const BATCH = 5000

/** The same purchase into a campaign: only people who are added are paid for. */
export async function buyIntoCampaign(tx: Tx, ctx: Context, operation: Ordered, chosen: Candidate[], order: Order) {
  const { workspaceId, campaignId } = operation
  const now = ctx.clock.now()
  const campaign = await getLockedCampaign(tx, workspaceId, campaignId!)
  if (campaign.status === 'archived') throw invalidState(campaign.status, IMPORTABLE)
  // They were chosen after the last comparison with what was approved.
  if (order.addable !== undefined && order.addable !== (await readAddableState(tx, workspaceId)))
    throw new AppError('invalid_state', 'Other people could be added since the approval. Propose the plan again.')
  await chargeLateLeads(tx, ctx, operation, chosen.length)
  const candidates = new Map(chosen.map(person => [person.id, person]))
  let attachedCount = 0
  let creditsCharged = 0
  for (let from = 0; from < chosen.length; from += BATCH) {
    const ids = chosen.slice(from, from + BATCH).map(person => person.id)
    const found = await findPeople(tx, ids)
    const people = found.flatMap(person =>
      person.emailStatus === 'verified' || (person.email !== null && candidates.get(person.id)!.isOwn)
        ? { ...person, email: person.email! }
        : [],
    )
    const batch = { leadListName: campaign.leadListName, source: 'scraped_lead' as const, now }
    const { importedCount } = await importLeads(tx, ctx.secrets, campaign, people.map(toNewLead), batch)
    // Everyone was checked a moment ago. If a person was suppressed since, everything is rolled back and repeated.
    if (importedCount !== people.length) throw new Error(`${people.length - importedCount} of the chosen people can no longer be added`)
    attachedCount += importedCount
    const sold = people.map(({ id }) => candidates.get(id)!).filter(person => !person.isOwn)
    const charged = await ownPeople(tx, workspaceId, operation.id, sold, now)
    if (charged !== sold.length && wantsNobodyOwned(order.filters))
      throw new Error(`${sold.length - charged} of the chosen people were bought by another operation`)
    creditsCharged += charged
  }
  await settleHold(tx, workspaceId, operation.id, { held: order.leadCount, charged: creditsCharged }, now)
  return { campaignId: campaignId!, requestedCount: order.leadCount, attachedCount, creditsCharged }
}

/** The operation fails: its credit hold is returned. */
export async function abandonPurchase(tx: Tx, ctx: Context, operation: Ordered, error: AppError): Promise<void> {
  const { workspaceId } = operation
  const now = ctx.clock.now()
  const { leadCount } = operation.input
  await settleHold(tx, workspaceId, operation.id, { held: leadCount, charged: 0 }, now)
  if (operation.action !== 'lead_search.export') return
  await setFailed(tx, operation.id)
  const { code, message, retryable } = error
  recordEvent(tx, {
    workspaceId,
    type: 'lead_search.failed',
    timestamp: now,
    data: { operationId: operation.id, requestedCount: leadCount, error: { code, message, retryable } },
  })
}
