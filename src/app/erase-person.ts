import { personOf } from '../lib/scrub.ts'
import { listCampaignIds } from '../modules/campaigns/queries.ts'
import { severPurchases } from '../modules/credits/queries.ts'
import { type ErasePerson, type Erasing, NOTHING_ERASED } from '../modules/erasures/erasures.ts'
import { eraseFromLog } from '../modules/events/erase.ts'
import { eraseFromExports } from '../modules/exports/erase.ts'
import { eraseDecisions, eraseFromColleagues, eraseFromImports, eraseLead } from '../modules/leads/erase.ts'
import { listProviderIds } from '../modules/mailboxes/queries.ts'
import { eraseFromOperations } from '../modules/operations/erase.ts'
import { eraseOwnPerson } from '../modules/people/people.ts'
import { eraseFromPlans } from '../modules/plans/erase.ts'
import { eraseFromInbox } from '../modules/replies/erase.ts'
import { eraseFromSandbox } from '../modules/sandbox/erase.ts'
import { eraseFromBodies, eraseSends, findErasedRecipients } from '../modules/sending/erase.ts'
import { hashValue, suppressErased } from '../modules/suppressions/suppressions.ts'
import { scrubTexts } from './scrub-texts.ts'

/**
 * Erases a person from one workspace. Each step is a transaction of its own and finds its data by the address or
 * its hash, never by the result of an earlier step, so that it can be interrupted anywhere and repeated.
 *
 * The order is what makes it complete. Once the suppression is there nothing new begins; once the leads are gone, taken
 * under the locks that imports and senders hold, nothing that had begun can write about them any more. Only then is
 * everything else gone through.
 *
 * Each slice erases the records of the person that it holds. At the end, every other text of the workspace is searched for the address, so
 * a table that only mentions people needs no rule of its own.
 */
export const erasePerson: ErasePerson = async (ctx, workspaceId, email, signal, { before = NOTHING_ERASED, save } = {}) => {
  const counts = { ...before }
  const person = personOf(email)
  const emailHash = hashValue(ctx.secrets, person.address)
  await ctx.db.inTransaction(tx => suppressErased(tx, ctx.secrets, workspaceId, person.address, ctx.clock.now()))
  await ctx.db.inTransaction(tx => eraseOwnPerson(tx, workspaceId, person.address, ctx.clock.now()))

  const count: Erasing['count'] = async (tx, what, by) => {
    if (by === 0) return
    counts[what] += by
    await save?.(tx, counts)
  }
  const erasing: Erasing = { workspaceId, person, emailHash, leadIds: new Set(), signal, count }
  const campaignIds = await listCampaignIds(ctx.db, workspaceId)
  for (const campaignId of campaignIds) {
    signal.throwIfAborted()
    await eraseLead(ctx, erasing, campaignId)
    await findErasedRecipients(ctx, erasing, campaignId)
  }

  // The log also knows leads that were removed long ago, so it comes before the data that is found by lead.
  await eraseFromLog(ctx, erasing)
  const sends = await eraseSends(ctx, erasing)
  await eraseFromBodies(ctx, erasing)
  await eraseDecisions(ctx, erasing)
  await eraseFromInbox(ctx, erasing)
  await eraseFromSandbox(ctx, erasing, sends, await listProviderIds(ctx.db, workspaceId))
  await eraseFromExports(ctx, erasing)
  await ctx.db.inTransaction(tx => severPurchases(tx, workspaceId, emailHash))
  await eraseFromImports(ctx, erasing)
  await eraseFromOperations(ctx, erasing)
  await eraseFromPlans(ctx, erasing)
  await eraseFromColleagues(ctx, erasing, campaignIds)
  await scrubTexts(ctx.db, workspaceId, person, signal)
  return counts
}
