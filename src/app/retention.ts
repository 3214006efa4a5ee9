import type { Config } from '../context/config.ts'
import type { Context } from '../context/context.ts'
import { isDatabaseDown } from '../db/errors.ts'
import type { Tx } from '../db/sql.ts'
import { DAY_MS } from '../lib/time.ts'
import { forgetEvents } from '../modules/events/events.ts'
import { forgetDecisions } from '../modules/leads/queue-queries.ts'
import { forgetConsents } from '../modules/mailboxes/consent-queries.ts'
import { forgetPlans } from '../modules/plans/queries.ts'
import { forgetReplyTexts, forgetUnread } from '../modules/replies/queries.ts'
import { forgetSandboxMessages } from '../modules/sandbox/queries.ts'
import { forgetSentBodies } from '../modules/sending/queries.ts'
import { forgetSequences } from '../modules/sequences/queries.ts'
import { forgetInvitations } from '../modules/team/queries.ts'
import { forgetTokens } from '../modules/tokens/queries.ts'
import { forgetSessions, forgetSignInCodes } from '../modules/tokens/session-queries.ts'
import { forgetDeliveries } from '../modules/webhooks/queries.ts'
import { deleteOldOperations } from '../operations/claim-queries.ts'
import { actions } from './routes.ts'

/** The number of rows per transaction: its locks are short, and an interruption loses little. */
const BATCH = 1000

/** Deletes at most `limit` rows that ended before then. Returns how many. */
type Forget = (tx: Tx, before: Date, limit: number) => Promise<number>

interface Kept {
  what: string
  /** Zero: forever. */
  days: (config: Config) => number
  /** The clock that wrote the time: the database's, or ours, which a test clock may have moved. */
  clock: 'database' | 'ours'
  forget: Forget
}

const operationDays = (config: Config): number => config.operationRetentionDays
const accessDays = (config: Config): number => config.accessRetentionDays
/** An operation names its token, so the token is kept longer. */
const tokenDays = (config: Config): number => accessDays(config) && Math.max(accessDays(config), operationDays(config))
const forgetOperations: Forget = (tx, before, limit) => deleteOldOperations(tx, before, limit, actions.having('spendsCredits'))

/** All data with a retention time; rows that refer to others are deleted first. */
const KEPT: readonly Kept[] = [
  { what: 'operations', days: operationDays, clock: 'database', forget: forgetOperations },
  { what: 'deliveries', days: operationDays, clock: 'database', forget: forgetDeliveries },
  { what: 'plans', days: operationDays, clock: 'database', forget: forgetPlans },
  { what: 'events', days: config => config.eventRetentionDays, clock: 'ours', forget: forgetEvents },
  { what: 'bodies of messages', days: config => config.sentBodyRetentionDays, clock: 'ours', forget: forgetSentBodies },
  { what: 'texts of replies', days: config => config.replyRetentionDays, clock: 'ours', forget: forgetReplyTexts },
  { what: 'unreadable messages', days: config => config.replyRetentionDays, clock: 'ours', forget: forgetUnread },
  { what: 'decisions', days: config => config.decisionRetentionDays, clock: 'ours', forget: forgetDecisions },
  { what: 'sandbox messages', days: config => config.sandboxRetentionDays, clock: 'ours', forget: forgetSandboxMessages },
  { what: 'sequence versions', days: config => config.sequenceRetentionDays, clock: 'ours', forget: forgetSequences },
  { what: 'consents', days: accessDays, clock: 'database', forget: forgetConsents },
  { what: 'sessions', days: accessDays, clock: 'database', forget: forgetSessions },
  { what: 'sign-in codes', days: accessDays, clock: 'database', forget: forgetSignInCodes },
  { what: 'invitations', days: accessDays, clock: 'database', forget: forgetInvitations },
  { what: 'tokens', days: tokenDays, clock: 'database', forget: forgetTokens },
]

/** Deletes data whose retention time is over, in batches. Several workers may do this at once. */
export async function forgetOld(ctx: Context, signal?: AbortSignal): Promise<Map<string, number>> {
  const forgotten = new Map<string, number>()
  for (const { what, days, clock, forget } of KEPT) {
    const keptDays = days(ctx.config)
    if (keptDays === 0) continue
    const now = (clock === 'ours' ? ctx.clock : ctx.testClock.real).now()
    const before = new Date(now.getTime() - keptDays * DAY_MS)
    await tryStep(ctx, what, async () => {
      for (let count = -1; count !== 0 && !signal?.aborted; ) {
        count = await ctx.db.inTransaction(tx => forget(tx, before, BATCH))
        if (count > 0) forgotten.set(what, (forgotten.get(what) ?? 0) + count)
      }
    })
  }
  return forgotten
}

/** One step that fails, such as at a locked row, does not keep the steps after it waiting for an hour. */
export async function tryStep(ctx: Pick<Context, 'log'>, step: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    ctx.log.warn({ err: error, step }, 'a cleanup step failed; will try again in an hour')
  }
}
