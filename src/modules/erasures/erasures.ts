import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/client.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { getLockedCampaign } from '../campaigns/campaigns.ts'
import { eraseFromExports } from '../exports/erase.ts'
import { removeLead } from '../leads/leads.ts'
import { eraseOwnPerson } from '../people/people.ts'
import { hashValue, suppressErased } from '../suppressions/suppressions.ts'
import { type Erasing, eraseFromCommunication, eraseFromLog, eraseFromOperations, eraseMentions } from './places.ts'
import { clearInput, findLeadOf, listCampaignIds, listRecipientsOf, severPurchases } from './queries.ts'
import { personOf } from './scrub.ts'

export interface ErasureCounts {
  leadCount: number
  messageCount: number
  replyCount: number
  eventCount: number
  exportCount: number
  operationCount: number
}

export const NOTHING_ERASED: Readonly<ErasureCounts> = {
  leadCount: 0,
  messageCount: 0,
  replyCount: 0,
  eventCount: 0,
  exportCount: 0,
  operationCount: 0,
}

const SEAL = 'erasure'

/** An operation is kept for months. The address is in it only for as long as there is something to do, and not readable. */
export const sealAddress = (secrets: SecretBox, email: string): { sealed: string } => ({
  sealed: secrets.seal(SEAL, email).toString('base64'),
})

export const openAddress = (secrets: SecretBox, input: Record<string, unknown>): string =>
  secrets.open(SEAL, Buffer.from(input.sealed as string, 'base64'))

export const forgetAddress = clearInput

/**
 * Forgets a person in one workspace. Each step is a transaction of its own and finds what it looks for by the address or
 * its hash, never by what an earlier step has found: cut off anywhere, it can simply be done again.
 *
 * The order is what makes it complete. Once the suppression is there nothing new begins; once the leads are gone, taken
 * under the locks that imports and senders hold, nothing that had begun can write about them any more. Only then is
 * everything else gone through.
 */
export async function erasePerson(ctx: Context, workspaceId: string, email: string, signal: AbortSignal): Promise<ErasureCounts> {
  const person = personOf(email)
  const emailHash = hashValue(ctx.secrets, person.address)
  await ctx.db.inTransaction(tx => suppressErased(tx, ctx.secrets, workspaceId, person.address, ctx.clock.now()))
  await ctx.db.inTransaction(tx => eraseOwnPerson(tx, workspaceId, person.address, ctx.clock.now()))

  const leadIds = new Set<string>()
  const erasing: Erasing = { ctx, workspaceId, person, emailHash, leadIds, signal }
  const campaignIds = await listCampaignIds(ctx.db, workspaceId)
  let leadCount = 0
  for (const campaignId of campaignIds) {
    signal.throwIfAborted()
    const leadId = await ctx.db.inTransaction(tx => removeFromCampaign(ctx, tx, workspaceId, campaignId, person.address))
    if (leadId) leadCount++
    for (const id of await listRecipientsOf(ctx.db, campaignId, emailHash)) leadIds.add(id)
    if (leadId) leadIds.add(leadId)
  }

  // The log also knows leads that were removed long ago, so it comes before what is found by lead.
  const eventCount = await eraseFromLog(erasing)
  const { messageCount, replyCount } = await eraseFromCommunication(erasing)
  const exportCount = await eraseFromExports(ctx, workspaceId, emailHash, signal)
  await ctx.db.inTransaction(tx => severPurchases(tx, workspaceId, emailHash))
  const operationCount = await eraseFromOperations(erasing)
  await eraseMentions(erasing, campaignIds)
  return { leadCount, messageCount, replyCount, eventCount, exportCount, operationCount }
}

/** An import that is under way holds the campaign. When it has let go, its leads can be seen; a later one sees the suppression. */
async function removeFromCampaign(
  ctx: Context,
  tx: Tx,
  workspaceId: string,
  campaignId: string,
  address: string,
): Promise<string | undefined> {
  await getLockedCampaign(tx, workspaceId, campaignId)
  const leadId = await findLeadOf(tx, campaignId, address)
  if (leadId) await removeLead(tx, { workspaceId, campaignId, leadId }, ctx.clock.now())
  return leadId
}
