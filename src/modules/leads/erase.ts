import type { Context } from '../../context/context.ts'
import { mentions, scrubJson } from '../../lib/scrub.ts'
import { getLockedCampaign } from '../campaigns/campaigns.ts'
import type { Erasing } from '../erasures/erasures.ts'
import { findChunkMentions, findRejectedMentions, updateChunk, updateRejectedRows } from './import-queries.ts'
import { removeLead } from './leads.ts'
import { findColleagues, findLeadByAddress, rewriteWords, updateColleague } from './queries.ts'
import { deleteDecisions } from './queue-queries.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/**
 * Removes the person from a campaign and adds the lead to the known ones. We wait for the lock of a running import, and
 * then see its leads; a later import sees the suppression.
 */
export async function eraseLead({ db, clock }: Ctx, erasing: Erasing, campaignId: string): Promise<void> {
  const { workspaceId, person } = erasing
  const leadId = await db.inTransaction(async tx => {
    await getLockedCampaign(tx, workspaceId, campaignId)
    const found = await findLeadByAddress(tx, workspaceId, campaignId, person.address)
    if (!found) return undefined
    await removeLead(tx, { workspaceId, campaignId, leadId: found }, clock.now())
    await erasing.count(tx, 'leadCount', 1)
    return found
  })
  if (leadId) erasing.leadIds.add(leadId)
}

/** The reason of a hold may quote a response of the person's mail server. */
export async function eraseDecisions({ db }: Ctx, { workspaceId, leadIds }: Erasing): Promise<void> {
  await db.inTransaction(tx => deleteDecisions(tx, workspaceId, [...leadIds]))
}

/** The fields and variables of a colleague may name the person. */
export async function eraseFromColleagues({ db }: Ctx, { workspaceId, person, signal }: Erasing, campaignIds: string[]): Promise<void> {
  for (const campaignId of campaignIds) {
    signal.throwIfAborted()
    for (const { id, variables } of await findColleagues(db, campaignId, person.pattern)) {
      // Removed and not replaced: a lead without the variable is skipped with a reason, while a replacement would be sent.
      const kept = Object.entries(variables).filter(entry => !entry.some(text => mentions(text, person)))
      await db.inTransaction(async tx => {
        await getLockedCampaign(tx, workspaceId, campaignId)
        await updateColleague(tx, id, Object.fromEntries(kept), person.exactPattern)
        await rewriteWords(tx, campaignId, [id])
      })
    }
  }
}

/** An accepted import may still add the person; a completed one may have rejected a row about them. */
export async function eraseFromImports({ db }: Ctx, { workspaceId, person }: Erasing): Promise<void> {
  for (const chunk of await findChunkMentions(db, workspaceId, person.pattern)) {
    await db.inTransaction(tx => updateChunk(tx, { ...chunk, leads: scrubJson(chunk.leads, person) }))
  }
  for (const page of await findRejectedMentions(db, workspaceId, person.pattern)) {
    const rows = page.rows.filter(row => !row.cells.some(cell => cell !== null && mentions(cell, person)))
    await db.inTransaction(tx => updateRejectedRows(tx, { ...page, rows }))
  }
}
