import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { showProgress } from '../../cli/output.ts'
import type { Context } from '../../context/context.ts'
import type { Database } from '../../db/client.ts'
import { type AtomicSql, type Sql, sql, type Tx } from '../../db/sql.ts'
import { retryConnecting } from '../../db/startup.ts'
import { VirtualClock } from '../../lib/clock.ts'
import { exampleDomain, madeUpPerson } from '../../lib/made-up-person.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { hashToken } from '../../lib/tokens.ts'
import { changeStatus, createCampaign, getLockedCampaign } from '../../modules/campaigns/campaigns.ts'
import type { CampaignRow } from '../../modules/campaigns/queries.ts'
import { grantCredits } from '../../modules/credits/credits.ts'
import { importLeads } from '../../modules/leads/import-leads.ts'
import { createProvider } from '../../modules/mailboxes/mailboxes.ts'
import { replaceSequence } from '../../modules/sequences/sequences.ts'
import { findCaller } from '../../modules/tokens/queries.ts'
import { issueToken } from '../../modules/tokens/tokens.ts'
import { ensureUser } from '../../modules/workspaces/workspaces.ts'
import { consoleLink, issuePersonalToken, type LocalFile, readLocalFile } from '../account-commands.ts'
import { CampaignWork } from '../worker.ts'
import { ensureDemoDirectory } from './directory.ts'
import sequence from './sequence.data.json' with { type: 'json' }

type Made = Omit<LocalFile, 'consoleUrl'>

const DEMO_CREDITS = 10_000

/** The workspace that a local start opens with, and the file that tells scripts how to reach it. Made once, found again later. */
export async function ensureDemo(ctx: Context): Promise<LocalFile & { file: string }> {
  const file = join(ctx.config.dir, 'local.json')
  const known = await readLocalFile(ctx.config.dir)
  // Side by side: one is mostly the work of PostgreSQL, the other mostly ours.
  const [made] = await Promise.all([retryConnecting(() => findOrCreate(ctx, known)), retryConnecting(() => ensureDemoDirectory(ctx))])
  const local: LocalFile = { ...made, consoleUrl: await retryConnecting(() => linkFor(ctx, made)) }
  await writeFile(`${file}.new`, `${JSON.stringify(local, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
  return { ...local, file }
}

async function findOrCreate(ctx: Context, known: LocalFile | null): Promise<Made> {
  if (known && (await works(ctx, known))) return { ...known, baseUrl: ctx.config.baseUrl }
  return showProgress('Creating the demo workspace (once)', () => create(ctx))
}

/** Each start makes a new one: the one before may have been used. */
async function linkFor(ctx: Context, { token, workspaceId, baseUrl }: Made): Promise<string> {
  const caller = await findCaller(ctx.db, hashToken(token), workspaceId)
  return ctx.db.inTransaction(tx => consoleLink(tx, baseUrl, caller!.id))
}

async function works(ctx: Context, local: Made): Promise<boolean> {
  const found = await Promise.all([local.token, local.orgKey].map(token => findCaller(ctx.db, hashToken(token), local.workspaceId)))
  return found.every(caller => caller?.reachesWorkspace)
}

async function create(ctx: Context): Promise<Made> {
  const now = ctx.clock.now()
  return ctx.db.inTransaction(async tx => {
    const user = { name: 'Demo', email: 'demo@overture.example', workspaceName: 'Demo workspace' }
    const { userId, workspace, isNew } = await ensureUser(tx, user, now)
    const expiresAt = new Date(now.getTime() + 10 * 365 * DAY_MS)
    const personal = await issuePersonalToken(tx, { userId, name: 'Local installation', expiresAt, isOperator: true }, now)
    const ofWorkspace = { kind: 'organization', userId: null, workspaceId: workspace.id } as const
    const key = await issueToken(tx, { ...ofWorkspace, name: 'Local installation', scopes: ['*'], expiresAt: null }, now)
    if (isNew) {
      await grantCredits(tx, workspace.id, DEMO_CREDITS, now)
      await createDemoCampaigns(tx, ctx, workspace.id)
    }
    return { baseUrl: ctx.config.baseUrl, workspaceId: workspace.id, token: personal.token, orgKey: key.token }
  })
}

const SCHEDULE = {
  daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday')[],
  timeWindow: { start: '09:00', end: '17:00' },
  timezone: 'Europe/Berlin',
}

/** Synthetic people: no email can reach a real person. */
function people(count: number, offset: number) {
  return Array.from({ length: count }, (_, index) => {
    const n = index + offset
    const person = madeUpPerson(n)
    const email = `${person.firstName}.${person.lastName}.${n}@${exampleDomain(person.company)}`.toLowerCase()
    return { email, ...person }
  })
}

const LIVED_DAYS = 10
const LEADS_A_DAY = 12

export async function createDemoCampaigns(tx: Tx, ctx: Context, workspaceId: string): Promise<void> {
  const now = ctx.clock.now()
  const begin = new Date(now.getTime() - LIVED_DAYS * DAY_MS)
  const sender = { fromName: 'Ada from Overture', fromEmail: 'ada@overture.example' }
  const address = { postalAddress: 'Overture, 1 Example Street, 10115 Berlin' }
  const sandbox = { kind: 'sandbox', name: 'Sandbox mailbox', ...sender, ...address, dailyCap: 500 } as const
  const mailbox = await createProvider(tx, ctx.secrets, workspaceId, sandbox, begin)
  let offset = 0
  const add = async (campaign: CampaignRow, count: number, at: Date): Promise<void> => {
    await importLeads(tx, ctx.secrets, campaign, people(count, offset), { leadListName: 'Demo list', source: 'api_import', now: at })
    offset += count
  }
  const make = async (name: string, leadCount: number, extra: { niche?: string } = {}, at = now): Promise<CampaignRow> => {
    const settings = { name, providerId: mailbox.id, schedule: SCHEDULE, trackOpens: true, trackClicks: true, ...extra }
    const created = await createCampaign(tx, workspaceId, settings, at)
    const { campaign } = await replaceSequence(tx, workspaceId, created.id, sequence, created.updatedAt, at)
    await add(campaign, leadCount, at)
    return getLockedCampaign(tx, workspaceId, campaign.id)
  }

  // The campaign with a history: a few people were added every day, so that it has past and future messages.
  const lived = await changeStatus(tx, await make('Autumn outreach', LEADS_A_DAY, {}, begin), 'active', begin)
  for (let day = 0; day < LIVED_DAYS; day++) {
    const [from, until] = [day, day + 1].map(number => new Date(begin.getTime() + number * DAY_MS)) as [Date, Date]
    await liveThrough(tx, ctx, from, until)
    const campaign = await getLockedCampaign(tx, workspaceId, lived.id)
    await add(campaign, LEADS_A_DAY, until)
  }

  await createCampaign(tx, workspaceId, { name: 'Empty draft: what is missing?' }, now)
  await make('Draft, ready to activate', 25, { niche: 'logistics' })
  const paused = await changeStatus(tx, await make('Paused for review', 15), 'active', now)
  await changeStatus(tx, paused, 'paused', now)
  const old = await changeStatus(tx, await make('Last spring', 10), 'active', now)
  await changeStatus(tx, await changeStatus(tx, old, 'completed', now), 'archived', now)
}

/** The hours of the day at which something is done about it; what happens at night is found in the morning. */
const FIRST_HOUR = 7
const LAST_HOUR = 17
const STEP_HOURS = 2

/**
 * Runs the campaigns of this transaction from then until now, on a clock of their own: what was sent, who replied
 * and who bounced is all there when the transaction commits, and nothing of it is seen before.
 */
export async function liveThrough(tx: Tx, ctx: Context, from: Date, until: Date): Promise<void> {
  const life = new Life(tx)
  // The sender repeats a record until it is stored, which can never be once a part has failed.
  await Promise.race([play(tx, life, ctx, from, until), life.failure])
}

async function play(tx: Tx, life: Life, ctx: Context, from: Date, until: Date): Promise<void> {
  const clock = new VirtualClock(from)
  const work = new CampaignWork({ ...ctx, clock, db: life.db }, { id: async () => 0 })
  /** The sandbox has no mail servers to ask about what was sent. */
  const playOut = async (): Promise<void> => {
    while ((await isAnythingDue(tx, clock.now())) && (await work.takeTurn()) > 0);
  }
  for (let at = from.getTime(); at < until.getTime(); ) {
    clock.set(new Date(at))
    await playOut()
    const hour = clock.now().getUTCHours()
    at = hour >= LAST_HOUR ? Math.floor(at / DAY_MS) * DAY_MS + DAY_MS + FIRST_HOUR * HOUR_MS : at + STEP_HOURS * HOUR_MS
  }
  clock.set(until)
  await playOut()
  await life.settled
}

/** Nothing is due in most hours of most days, and a turn needs eight queries to find that out. */
const isAnythingDue = sql(`
  select exists (select from sandbox_reactions where due_at <= $1)
    or exists (select from leads where due_at <= $1)
    or exists (select from leads where completes_at <= $1) as "isDue"`).value<boolean, [now: Date]>()

/** A database that is this transaction: each transaction within it is a part of it, one after the other. When one fails, so do all later ones. */
export class Life {
  readonly db: Database
  settled: Promise<unknown> = Promise.resolve()
  /** Rejects when a part fails. */
  readonly failure: Promise<never>

  constructor(tx: Tx) {
    const { promise, reject } = Promise.withResolvers<never>()
    this.failure = promise
    promise.catch(() => {})
    const inTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      const turn = this.settled.then(() => work(tx))
      this.settled = turn
      turn.catch(reject)
      return turn
    }
    const inside = {
      many: (statement: Sql, values?: readonly unknown[]) => tx.many(statement, values),
      first: (statement: Sql, values?: readonly unknown[]) => tx.first(statement, values),
      write: (statement: AtomicSql, values?: readonly unknown[]) => tx.write(statement, values),
      inTransaction,
      withLockTimeout: <T>(_: number, work: (tx: Tx) => Promise<T>): Promise<T> => inTransaction(work),
    }
    this.db = inside as unknown as Database
  }
}
