import { setImmediate as breathe } from 'node:timers/promises'
import type { FilterDocument } from '#lead-terms'
import type { Context } from '../../context/context.ts'
import type { Db } from '../../db/sql.ts'
import { domainOf, isEmail } from '../../lib/email.ts'
import { DAY_MS } from '../../lib/time.ts'
import { Turns } from '../../lib/turns.ts'
import { readDirectoryVersion } from '../people/queries.ts'
import { whichAreSuppressed } from '../suppressions/queries.ts'
import { hashValue } from '../suppressions/suppressions.ts'
import { findOwner } from '../workspaces/queries.ts'
import type { Exclusion, Searcher } from './queries.ts'
import * as queries from './queries.ts'
import type { SamplePerson } from './schema.ts'

/** The owner whose people a search includes, and the people that it excludes. */
export interface Audience {
  owner: number
  excludeIds: Uint32Array
}

export const wantsNobodyOwned = (filters: FilterDocument): boolean => filters.suppress?.includes('owned') ?? false

/**
 * The selection that preview, export and purchase into a campaign share. A workspace finds the operator's people and its own; when both have a record
 * of a person, only its own. People who bounced, opted out or are on a block list are always excluded. People whom the workspace bought or
 * imported before are included and cost nothing, unless `suppress` is `owned`.
 */
export async function findAudience(ctx: Context, workspaceId: string, filters: FilterDocument, campaignId: string | null = null) {
  const { db } = ctx
  const searcher: Searcher = { workspaceId, owner: await findOwner(db, workspaceId) }
  const suppress = new Set(filters.suppress ?? [])
  const memory = ctx.part(exclusionMemory)
  const excluded: Uint32Array[] = []
  const leaveOut = async (reason: Exclusion, ...more: (string | Date)[]): Promise<void> => {
    excluded.push(await memory.list(db, reason, searcher, ...more))
  }
  await leaveOut('shadowed')
  await leaveOut('barred')
  if (suppress.has('owned')) await leaveOut('bought')
  if (suppress.has('in_campaign')) await leaveOut('inAnyCampaign')
  else if (campaignId !== null) await leaveOut('inCampaign', campaignId)
  if (suppress.has('contacted')) await leaveOut('contacted')
  if (suppress.has('replied')) await leaveOut('replied')
  if (filters.contactedWithinDays !== undefined)
    await leaveOut('contactedSince', new Date(ctx.clock.now().getTime() - filters.contactedWithinDays * DAY_MS))
  return { owner: suppress.has('owned') ? 0 : searcher.owner, excludeIds: concat(excluded) }
}

function concat(parts: readonly Uint32Array[]): Uint32Array {
  const whole = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export interface Candidate {
  id: number
  email: string
  emailHash: Buffer
  domainHash: Buffer
  /** Whether the workspace imported the person itself: then they cost nothing. */
  isOwn: boolean
}

interface Selection {
  people: Candidate[]
  /** The version of the directory that they were chosen from. */
  version: number
}

const SAMPLE = 5
const SAMPLED_FROM = 25

/**
 * The first people that an order would deliver, as far as they may be shown before the purchase. None if the filters name companies:
 * the buyer pays to learn who works there.
 */
export async function showSample(ctx: Context, workspaceId: string, filters: FilterDocument, audience: Audience): Promise<SamplePerson[]> {
  if (filters.companies?.include?.length) return []
  const { ids } = await ctx.leadEngine.exportIds(filters, SAMPLED_FROM, { ...audience, addresses: 'verified' })
  const admitted = await admit(ctx, await findRules(ctx, workspaceId, filters), ids)
  return queries.listSample(ctx.db, ids.filter(id => admitted.has(id)).slice(0, SAMPLE))
}

const MAX_ASK = 200_000

/** An export delivers verified addresses only. Into a campaign, a workspace may also put the people whom it imported with other addresses. */
const addressesFor = (campaignId: string | null) => (campaignId === null ? 'verified' : 'usable')

/**
 * The first matching people who can be delivered to this workspace, in the order of the directory. When the address of a person turns out
 * to be excluded, the search is repeated without them, because with a limit per company, another person takes the place.
 */
export async function choosePeople(
  ctx: Context,
  workspaceId: string,
  filters: FilterDocument,
  count: number,
  campaignId: string | null = null,
): Promise<Selection> {
  const { owner, excludeIds } = await findAudience(ctx, workspaceId, filters, campaignId)
  let excluded = excludeIds
  await ctx.leadEngine.caughtUp()
  const rules = await findRules(ctx, workspaceId, filters, campaignId)
  for (let ask = count; ; ask = Math.min(MAX_ASK, ask * 2 + 1000)) {
    const { ids, version } = await ctx.leadEngine.exportIds(filters, ask, {
      excludeIds: excluded,
      addresses: addressesFor(campaignId),
      owner,
    })
    const admitted = await admit(ctx, rules, ids)
    const wanted = ids.slice(0, count)
    const people = wanted.flatMap(id => admitted.get(id) ?? [])
    if (people.length === wanted.length) return { people, version }
    excluded = concat([excluded, Uint32Array.from(ids.filter(id => !admitted.has(id)))])
  }
}

/** Receives chosen people part by part. */
interface Receiver {
  /** Before the first part of `count` people, and again when others have to be chosen. */
  begin(count: number): Promise<void>
  /** Parts may be read in parallel. The part begins after `after` others. */
  take(people: Candidate[], after: number): Promise<void>
}

/** People who are looked up and taken together: whole chunks of the file. */
const PART = 2000
/** While one part is hashed here, PostgreSQL looks up or stores two others: with two at once, both were often hashed at the same time. */
const PARTS_OF_A_PURCHASE = 3
/** Parts of all purchases of a process that are worked on at the same time: each holds a connection. */
const PARTS_AT_ONCE = 3
const partTurns = (): Turns => new Turns(PARTS_AT_ONCE)

/**
 * The same selection, streamed while it is made. Almost always, everyone who was found is accepted. If a person is not, all are chosen
 * first, and then handed over again. Returns the version of the directory that they were chosen from.
 */
export async function handOverPeople(ctx: Context, workspaceId: string, filters: FilterDocument, count: number, receiver: Receiver) {
  const audience = await findAudience(ctx, workspaceId, filters)
  await ctx.leadEngine.caughtUp()
  const { ids, version } = await ctx.leadEngine.exportIds(filters, count, { ...audience, addresses: addressesFor(null) })
  const rules = await findRules(ctx, workspaceId, filters)
  let isRefused = false
  await receiver.begin(ids.length)
  await inParts(ctx, workspaceId, ids, async (part, after) => {
    if (isRefused) return
    const admitted = await admit(ctx, rules, part)
    const people = part.flatMap(id => admitted.get(id) ?? [])
    if (people.length === part.length) await receiver.take(people, after)
    else isRefused = true
  })
  if (!isRefused) return version
  const chosen = await choosePeople(ctx, workspaceId, filters, count)
  await receiver.begin(chosen.people.length)
  await inParts(ctx, workspaceId, chosen.people, (people, after) => receiver.take(people, after))
  return chosen.version
}

function inParts<T>(ctx: Context, workspaceId: string, all: readonly T[], work: (part: T[], after: number) => Promise<void>) {
  const starts = Array.from({ length: Math.ceil(all.length / PART) }, (_, index) => index * PART)
  return inParallel(PARTS_OF_A_PURCHASE, starts, after =>
    ctx.part(partTurns).run(workspaceId, () => work(all.slice(after, after + PART), after)),
  )
}

/** The state that decides whether a found person can be delivered. The same for all parts, and checked again by the purchase. */
interface Rules {
  workspaceId: string
  campaignId: string | null
  owner: number
  withoutOwned: boolean
  has: { suppressed: boolean; lost: boolean }
  /** Hashes of domains: many people have an employer in common. */
  domains: Map<string, Buffer>
}

async function findRules(ctx: Context, workspaceId: string, filters: FilterDocument, campaignId: string | null = null): Promise<Rules> {
  const owner = await findOwner(ctx.db, workspaceId)
  const has = await queries.hasUnwanted(ctx.db, workspaceId)
  return { workspaceId, campaignId, owner, withoutOwned: wantsNobodyOwned(filters), has, domains: new Map() }
}

async function admit(ctx: Context, rules: Rules, ids: number[]): Promise<Map<number, Candidate>> {
  const { workspaceId, campaignId, has, domains } = rules
  const found = await queries.listAddresses(ctx.db, ids, rules.owner, campaignId !== null)
  const addresses = new Map(found.map(person => [person.id, person]))
  const candidates: Candidate[] = []
  for (const id of ids) {
    // Yields between batches, so that requests are served while tens of thousands of hashes are computed.
    if (candidates.length % 2000 === 1999) await breathe()
    const found = addresses.get(id)
    // A person who could never be added to a campaign is not charged.
    if (!found || !isEmail(found.email)) continue
    const { email, isOwn } = found
    const domain = domainOf(email)
    const domainHash = domains.get(domain) ?? hashValue(ctx.secrets, domain)
    domains.set(domain, domainHash)
    candidates.push({ id, email, emailHash: hashValue(ctx.secrets, email), domainHash, isOwn })
  }
  const hashes = candidates.map(({ emailHash, domainHash }) => ({ email: emailHash, domain: domainHash }))
  const suppressed = has.suppressed ? await whichAreSuppressed(ctx.db, workspaceId, hashes) : new Set<number>()
  const emailHashes = candidates.map(({ emailHash }) => emailHash)
  const owned = rules.withoutOwned ? await queries.findOwnedHashes(ctx.db, workspaceId, emailHashes) : new Set<number>()
  const emails = candidates.map(({ email }) => email.toLowerCase())
  const isAnyUnwanted = has.lost || campaignId !== null
  const unwanted = isAnyUnwanted ? await queries.findUnwanted(ctx.db, workspaceId, emails, campaignId) : new Set<string>()
  const admitted = candidates.filter(
    ({ email }, index) => !suppressed.has(index) && !owned.has(index) && !unwanted.has(email.toLowerCase()),
  )
  return new Map(admitted.map(candidate => [candidate.id, candidate]))
}

/**
 * Does `work` for each item, so many at the same time. After a failure nothing more begins. The failure is thrown when all work that had
 * begun is over, so that nothing still runs while the caller handles it.
 */
export async function inParallel<T>(count: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const failures: unknown[] = []
  const worker = async (): Promise<void> => {
    for (const item of waiting) {
      await work(item).catch(error => failures.push(error))
      if (failures.length > 0) return
    }
  }
  await Promise.all(Array.from({ length: count }, worker))
  if (failures.length > 0) throw failures[0]
}

/** The maximum of ids that are kept for all workspaces together: about sixteen megabytes. */
const LIMIT = 4_000_000
/** Events that change who is excluded, in addition to those that the fingerprint shows. All other exclusions are read each time. */
const CHANGED_BY: Partial<Record<Exclusion, readonly string[]>> = {
  shadowed: [],
  barred: ['lead.status_changed'],
  inAnyCampaign: [],
  contacted: ['email.sent'],
  replied: ['lead.status_changed'],
}

/**
 * The people whom the searches of a workspace exclude. Looking up each lead of the workspace in the directory takes long in a large
 * workspace, so the ids are kept for the next search, until their basis changes: the version of the directory, the numbers of leads and
 * suppressions, and the last event that matters.
 */
class ExclusionMemory {
  readonly #known = new Map<string, { basis: string; ids: Uint32Array }>()
  #size = 0

  async list(db: Db, reason: Exclusion, searcher: Searcher, ...more: (string | Date)[]): Promise<Uint32Array> {
    const changedBy = CHANGED_BY[reason]
    if (!changedBy) return Uint32Array.from(await queries.listExcludedBy(db, reason, searcher, ...more))
    if (reason === 'shadowed' && searcher.owner === 0) return new Uint32Array()
    // The basis is read first: newer data is read again next time, and no old data counts as new.
    const basis = `${await readDirectoryVersion(db)} ${await queries.findFingerprint(db, reason, searcher.workspaceId, changedBy)}`
    const key = `${searcher.workspaceId} ${reason}`
    const known = this.#known.get(key)
    if (known?.basis === basis) return known.ids
    const ids = Uint32Array.from(await queries.listExcludedBy(db, reason, searcher))
    this.#size += ids.length - (known?.ids.length ?? 0)
    if (this.#size > LIMIT) {
      this.#known.clear()
      this.#size = ids.length
    }
    this.#known.set(key, { basis, ids })
    return ids
  }
}

export const exclusionMemory = (): ExclusionMemory => new ExclusionMemory()
