import { setImmediate as breathe } from 'node:timers/promises'
import type { Context } from '../../context/context.ts'
import type { Db } from '../../db/client.ts'
import { domainOf, isEmail } from '../../lib/email.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { FilterDocument } from '../../search/filters/filters.ts'
import { hashValue, whichAreSuppressed } from '../suppressions/suppressions.ts'
import {
  findAddresses,
  findOwnedHashes,
  findUnwanted,
  hasUnwanted,
  listBarred,
  listContacted,
  listContactedSince,
  listInCampaign,
  listOwned,
  listReplied,
} from './queries.ts'

/**
 * The numbers of the people that this workspace must not get, or said that it does not want. People who bounced, opted
 * out or are on a block list are always among them.
 */
export async function listExcluded(
  db: Db,
  workspaceId: string,
  filters: FilterDocument,
  now: Date,
  campaignId: string | null = null,
): Promise<Set<number>> {
  const suppress = new Set(filters.suppress ?? [])
  const excluded = new Set(await listBarred(db, workspaceId))
  const add = (ids: number[]): void => {
    for (const id of ids) excluded.add(id)
  }
  if (suppress.has('owned')) add(await listOwned(db, workspaceId))
  if (suppress.has('in_campaign')) add(await listInCampaign(db, workspaceId, null))
  else if (campaignId !== null) add(await listInCampaign(db, workspaceId, campaignId))
  if (suppress.has('contacted')) add(await listContacted(db, workspaceId))
  if (suppress.has('replied')) add(await listReplied(db, workspaceId))
  if (filters.contactedWithinDays !== undefined) {
    add(await listContactedSince(db, workspaceId, new Date(now.getTime() - filters.contactedWithinDays * DAY_MS)))
  }
  return excluded
}

export interface Candidate {
  id: number
  email: string
  emailHash: Buffer
  domainHash: Buffer
}

export interface Selection {
  people: Candidate[]
  /** The version of the directory that they were chosen from. */
  version: number
}

const MAX_ASK = 200_000

/**
 * The first people that match and can be delivered to this workspace, in the order of the directory. The engine answers
 * from what it knows; whoever turns out to be barred when the address is looked at is excluded, and the question is put
 * again, because with a limit per company the place goes to somebody else.
 */
export async function choosePeople(
  ctx: Context,
  workspaceId: string,
  filters: FilterDocument,
  count: number,
  campaignId: string | null = null,
): Promise<Selection> {
  const excluded = await listExcluded(ctx.db, workspaceId, filters, ctx.clock.now(), campaignId)
  const withoutOwned = filters.suppress?.includes('owned') ?? false
  await ctx.leadEngine.caughtUp()
  for (let ask = count; ; ask = Math.min(MAX_ASK, ask * 2 + 1000)) {
    const { ids, version } = await ctx.leadEngine.exportIds(filters, ask, { excludeIds: excluded, verifiedOnly: true })
    const admitted = await admit(ctx, workspaceId, ids, withoutOwned, campaignId)
    const wanted = ids.slice(0, count)
    const people = wanted.flatMap(id => admitted.get(id) ?? [])
    if (people.length === wanted.length) return { people, version }
    for (const id of ids) if (!admitted.has(id)) excluded.add(id)
  }
}

async function admit(
  ctx: Context,
  workspaceId: string,
  ids: number[],
  withoutOwned: boolean,
  campaignId: string | null,
): Promise<Map<number, Candidate>> {
  const addresses = await findAddresses(ctx.db, ids)
  const candidates: Candidate[] = []
  const domains = new Map<string, Buffer>()
  for (const [id, email] of addresses) {
    // Tens of thousands of hashes take a while, and requests are served between them.
    if (candidates.length % 2000 === 1999) await breathe()
    // What could never be put into a campaign is not worth a credit.
    if (!isEmail(email)) continue
    const domain = domainOf(email)
    const domainHash = domains.get(domain) ?? hashValue(ctx.secrets, domain)
    domains.set(domain, domainHash)
    candidates.push({ id, email, emailHash: hashValue(ctx.secrets, email), domainHash })
  }
  const has = await hasUnwanted(ctx.db, workspaceId)
  const suppressed = has.suppressed
    ? await whichAreSuppressed(
        ctx.db,
        workspaceId,
        candidates.map(({ emailHash, domainHash }) => ({ email: emailHash, domain: domainHash })),
      )
    : new Set<number>()
  const owned = withoutOwned
    ? await findOwnedHashes(
        ctx.db,
        workspaceId,
        candidates.map(({ emailHash }) => emailHash),
      )
    : new Set<number>()
  const unwanted =
    has.lost || campaignId !== null
      ? await findUnwanted(
          ctx.db,
          workspaceId,
          candidates.map(({ email }) => email.toLowerCase()),
          campaignId,
        )
      : new Set<string>()
  const admitted = candidates.filter(
    ({ email }, index) => !suppressed.has(index) && !owned.has(index) && !unwanted.has(email.toLowerCase()),
  )
  return new Map(admitted.map(candidate => [candidate.id, candidate]))
}
