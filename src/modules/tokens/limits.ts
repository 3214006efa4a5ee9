import type { Tx } from '../../db/sql.ts'
import type { Cost } from '../../http/access.ts'
import { AppError } from '../../lib/errors.ts'
import { digits, many } from '../../lib/many.ts'
import type { TokenLimits } from '../../lib/token-limits.ts'
import { addSpending, type LimitedToken, lockSpending, type Spending } from './queries.ts'

/**
 * Counts what a request can cause, or refuses it. Runs in the transaction that stores the operation, so that a refusal stores nothing. The
 * spending is locked before the cost is computed: another request with this token waits and then sees what was stored.
 */
export async function spend(tx: Tx, tokenId: string, computeCost: () => Promise<Cost>): Promise<void> {
  const tokens = await lockSpending(tx, tokenId)
  const cost = await computeCost()
  for (const token of tokens) check(token, cost)
  const ids = tokens.map(({ id }) => id)
  if (cost.leads + cost.credits + cost.mails > 0) await addSpending(tx, ids, cost)
}

const LIMITS = [
  ['leadsPerDay', 'leads', 'lead'],
  ['creditsPerDay', 'credits', 'credit'],
  ['mailsPerDay', 'mails', 'email'],
] as const satisfies readonly (readonly [keyof TokenLimits, keyof Spending, string])[]

const HOW = 'Propose it as a plan for a person to approve, or use a token with wider limits.'

function check({ limits, ...spent }: LimitedToken, cost: Cost): void {
  if (limits.sandboxOnly && cost.isReal) {
    const message = `This token is for sandbox mailboxes only, and the request concerns a real mailbox. ${HOW}`
    throw new AppError('token_budget_exceeded', message, { limit: 'sandboxOnly', allowed: null, spentToday: null, asked: null })
  }
  for (const [limit, what, noun] of LIMITS) {
    const allowed = limits[limit]
    if (allowed === undefined || cost[what] === 0 || spent[what] + cost[what] <= allowed) continue
    const message = `This request can lead to ${many(cost[what], noun)}. The token may use ${digits(allowed)} per day (UTC) and has used ${digits(spent[what])} today. ${HOW}`
    throw new AppError('token_budget_exceeded', message, { limit, allowed, spentToday: spent[what], asked: cost[what] })
  }
}
