import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/sql.ts'
import { AppError, invalid, invalidReference, statusWords, wrongState } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { countLeads, getCampaign, getLockedCampaign } from '../campaigns/campaigns.ts'
import type { CampaignRow } from '../campaigns/queries.ts'
import { hasStarted } from './cost.ts'
import { patchLead, removeLeads, requeueLead } from './leads.ts'
import { listLeadIds, moveLeads, readLastLift, rewriteWords } from './queries.ts'
import type { LeadBulk, LeadBulkInput } from './schema.ts'

// One action on many leads. Each page is its own transaction, so that the campaign is never locked for long.

const PAGE = 200

export interface Place {
  workspaceId: string
  campaignId: string
}

export function checkBulk({ action, ids, filter, status, targetCampaignId }: LeadBulk): void {
  if ((ids === undefined) === (filter === undefined)) throw invalid('body', '/ids', 'one_of', 'send either ids or filter')
  if ((action === 'set_status') !== (status !== undefined))
    throw invalid('body', '/status', 'required', 'is required for set_status, and only allowed there')
  if ((action === 'move') !== (targetCampaignId !== undefined)) {
    throw invalid('body', '/targetCampaignId', 'required', 'is required for move, and only allowed there')
  }
}

/** The target of a move: another campaign of the workspace that is not archived. */
export async function checkTarget(db: Db, { workspaceId, campaignId }: Place, targetCampaignId: string): Promise<CampaignRow> {
  const refuse = (message: string): AppError => invalidReference('targetCampaignId', message)
  if (targetCampaignId.toLowerCase() === campaignId.toLowerCase()) throw refuse('must be another campaign')
  const target = await getCampaign(db, workspaceId, targetCampaignId).catch(error => {
    throw error instanceof AppError && error.code === 'not_found' ? refuse('is not a campaign of this workspace') : error
  })
  if (target.status === 'archived') throw refuse('is archived')
  return target
}

/**
 * A move that was accepted as free must not become messages: the other campaign may have started since. A move into a campaign that had
 * started was accepted with its messages.
 */
function checkTargetStatus(status: CampaignRow['status'], accepted: LeadBulkInput['targetStatus']): void {
  if (accepted === undefined || accepted === status || hasStarted({ status: accepted })) return
  throw wrongState(
    `The other campaign is ${statusWords(status)}; it was ${statusWords(accepted)} when the move was accepted. Send the request again.`,
    status,
    accepted,
  )
}

/** The progress of the work. The next attempt continues from here. */
export interface BulkProgress {
  /** The last lead that was checked. */
  after: string | null
  matchedCount: number
  changedCount: number
}

export const NOTHING_CHANGED: BulkProgress = { after: null, matchedCount: 0, changedCount: 0 }

interface Page {
  /** Leads of the campaign. */
  ids: string[]
  /** The work continues after this one. */
  last: string
}

/** More leads may match by now than when the request was accepted. */
export function checkPaid({ maxCount }: LeadBulkInput, done: BulkProgress): BulkProgress {
  if (maxCount === undefined || done.changedCount <= maxCount) return done
  const message = `More leads match than the ${maxCount} that counted toward the limits of the token. Send the request again.`
  throw wrongState(message, 'changed', 'unchanged')
}

/** The leads that are still to do. Ids that are not of the campaign are left out. */
export async function* pagesOf(db: Db, place: Place, { ids, filter = {} }: LeadBulk, done: BulkProgress): AsyncGenerator<Page> {
  if (ids) {
    const named = [...new Set(ids.map(id => id.toLowerCase()))]
    const from = done.after === null ? 0 : named.indexOf(done.after.toLowerCase()) + 1
    for (let at = from; at < named.length; at += PAGE) {
      const some = named.slice(at, at + PAGE)
      const found = await listLeadIds(db, place, { ids: some }, null, PAGE)
      if (found.length > 0) yield { ids: found, last: some.at(-1)! }
    }
    return
  }
  for (let after = done.after; ; ) {
    const found = await listLeadIds(db, place, filter, after, PAGE)
    if (found.length === 0) return
    after = found.at(-1)!
    yield { ids: found, last: after }
  }
}

/** How many leads of the page were changed. The action does not apply to the state of the others. */
export async function changePage(
  tx: Tx,
  ctx: Pick<Context, 'clock' | 'secrets'>,
  place: Place,
  bulk: LeadBulkInput,
  found: string[],
  tokenId: string | null,
): Promise<number> {
  const { workspaceId, campaignId } = place
  const now = ctx.clock.now()
  if (bulk.action === 'move') return movePage(tx, place, bulk, found, now)
  const campaign = await getLockedCampaign(tx, workspaceId, campaignId)
  const ids = await asApproved(tx, place, bulk, found)
  if (bulk.action === 'delete') return removeLeads(tx, campaign, ids, now)
  let count = 0
  for (const leadId of ids) {
    try {
      const lead = { workspaceId, campaignId, leadId }
      if (bulk.action === 'requeue') await requeueLead(tx, lead, now, tokenId)
      else await patchLead(tx, ctx.secrets, lead, { status: bulk.status! }, now, tokenId)
      count++
    } catch (error) {
      // Nothing was written for this lead: it no longer exists, or was not skipped.
      if (!(error instanceof AppError) || (error.code !== 'not_found' && error.code !== 'invalid_state')) throw error
    }
  }
  return count
}

/** Those that are as they were when a person approved the change. The campaign must be locked, as for every change of their contents. */
const asApproved = async (tx: Tx, place: Place, { until }: LeadBulkInput, ids: string[]): Promise<string[]> =>
  until === undefined ? ids : listLeadIds(tx, place, { ids, until }, null, PAGE)

async function movePage(tx: Tx, place: Place, bulk: LeadBulkInput, found: string[], now: Date): Promise<number> {
  const { workspaceId, campaignId } = place
  const targetId = bulk.targetCampaignId!
  // Campaigns are locked in one order, so that two moves cannot deadlock.
  for (const id of [campaignId, targetId].sort()) await getLockedCampaign(tx, workspaceId, id)
  const { status } = await checkTarget(tx, { workspaceId, campaignId }, targetId)
  checkTargetStatus(status, bulk.targetStatus)
  const ids = await asApproved(tx, place, bulk, found)
  const pairs = ids.map((id): [string, string] => [id, newId(now.getTime())])
  const count = await moveLeads(tx, { workspaceId, from: campaignId, to: targetId, ids: pairs }, now)
  // Read after the move, so that one that is lifted meanwhile is found.
  if (bulk.lift !== undefined && bulk.lift !== ((await readLastLift(tx, workspaceId)) ?? ''))
    throw wrongState('A suppression was lifted since the approval. Propose the plan again.', 'changed', 'unchanged')
  await rewriteWords(tx, campaignId, ids)
  const newIds = pairs.map(([, id]) => id)
  await rewriteWords(tx, targetId, newIds)
  await countLeads(tx, await getLockedCampaign(tx, workspaceId, campaignId), -count, now)
  await countLeads(tx, await getLockedCampaign(tx, workspaceId, targetId), count, now)
  tx.wake('sends')
  return count
}
