import type { Tx } from '../db/client.ts'
import { ACTIONS, type Action, type Kind } from '../http/actions.ts'
import { approvedKey } from '../http/dispatch.ts'
import type { ApiRequest } from '../http/route.ts'
import { AppError } from '../lib/errors.ts'
import type { TokenLimits } from '../lib/token-limits.ts'
import {
  addSpending,
  type CampaignLoad,
  findAnsweringMailbox,
  findCampaignLoad,
  hasRealMailbox,
  type LimitedToken,
  lockSpending,
  type Spending,
} from './budget-queries.ts'

export { clearOldSpending } from './budget-queries.ts'

interface Cost extends Spending {
  isReal: boolean
}

interface Asked {
  operationId: string
  /** The maximum number of leads that the request adds. */
  leadCount?: ((tx: Tx) => Promise<number> | number) | undefined
}

interface Weighed extends Asked {
  kind: Kind
  workspaceId: string
  /** The campaign in the path; null when there is none. */
  campaignId: string | null
}

type Request = Pick<ApiRequest<{ workspaceId: string; campaignId?: string }>, 'action' | 'caller' | 'params' | 'body'>

/** Whether the limits of the token apply to the request. They do not apply to requests that a person has approved. */
export function isLimited({ caller, action }: Request): boolean {
  const { kind } = ACTIONS[action!]
  if (caller.limits === null || kind === 'free') return false
  if (kind === 'never') {
    throw new AppError('forbidden', 'A token with limits cannot do this, because it would bypass the limits. Use a token without limits.')
  }
  return approvedKey() === null
}

/** Counts what the request can cause, or refuses it. Runs in the transaction that accepts the request, so that a refusal stores nothing. */
export async function spend(tx: Tx, request: Request, asked: Asked): Promise<void> {
  // Locks first: another request with this token waits here and then sees what was stored.
  const tokens = await lockSpending(tx, request.caller.tokenId)
  const { workspaceId, campaignId = null } = request.params
  const { kind } = ACTIONS[request.action!]
  const cost = await costOf(tx, request, { ...asked, kind, workspaceId, campaignId })
  for (const token of tokens) check(token, cost)
  const ids = tokens.map(({ id }) => id)
  if (cost.leads + cost.credits + cost.mails > 0) await addSpending(tx, ids, cost)
}

const LIMITS = [
  ['leadsPerDay', 'leads', 'leads'],
  ['creditsPerDay', 'credits', 'credits'],
  ['mailsPerDay', 'mails', 'e-mails'],
] as const satisfies readonly (readonly [keyof TokenLimits, keyof Spending, string])[]

const HOW = 'Propose it as a plan for a person to approve (POST …/plans), or use a token with wider limits.'

function check({ limits, ...spent }: LimitedToken, cost: Cost): void {
  if (limits.sandboxOnly && cost.isReal) {
    throw new AppError(
      'token_budget_exceeded',
      `This token is for sandbox mailboxes only, and the request concerns a real mailbox. ${HOW}`,
      {
        limit: 'sandboxOnly',
        allowed: null,
        spentToday: null,
        asked: null,
      },
    )
  }
  for (const [limit, what, words] of LIMITS) {
    const allowed = limits[limit]
    if (allowed === undefined || cost[what] === 0 || spent[what] + cost[what] <= allowed) continue
    const message = `This request can lead to ${cost[what]} ${words}. The token may use ${allowed} per day (UTC) and has used ${spent[what]} today. ${HOW}`
    throw new AppError('token_budget_exceeded', message, { limit, allowed, spentToday: spent[what], asked: cost[what] })
  }
}

const NOTHING: Cost = { leads: 0, credits: 0, mails: 0, isReal: false }

/**
 * Leads that are added to such a campaign get messages without another request. A completed campaign becomes active with them, and a
 * campaign that needs attention continues when its mailbox works again.
 */
const isRunning = ({ status }: CampaignLoad): boolean => status === 'active' || status === 'completed' || status === 'attention_needed'

async function costOf(tx: Tx, { params, body }: Request, asked: Weighed): Promise<Cost> {
  const { kind, workspaceId } = asked
  const ids = params as { leadId?: string; replyId?: string; providerId?: string }
  const sent = (body ?? {}) as Record<string, unknown>
  const leads = (await asked.leadCount?.(tx)) ?? 0
  switch (kind) {
    case 'starts': {
      const load = await loadOf(tx, asked)
      return { ...NOTHING, mails: load.openMails, isReal: load.isReal }
    }
    case 'continues': {
      // A later end date reactivates a completed campaign.
      const load = await loadOf(tx, asked)
      return load.status === 'completed' ? { ...NOTHING, mails: load.openMails, isReal: load.isReal } : NOTHING
    }
    case 'brings':
    case 'buys': {
      const credits = kind === 'buys' ? leads : 0
      const load = asked.campaignId === null ? null : await loadOf(tx, asked)
      if (!load || !isRunning(load)) return { ...NOTHING, leads, credits }
      return { leads, credits, mails: leads * load.stepCount, isReal: load.isReal }
    }
    case 'queues':
      return queueCost(tx, asked, ids.leadId ? [ids.leadId] : ((sent.ids as string[] | undefined) ?? null), sent)
    case 'sends':
      return { ...NOTHING, mails: 1, isReal: (await loadOf(tx, asked)).isReal }
    case 'answers': {
      const mailbox = await findAnsweringMailbox(tx, workspaceId, ids.replyId!)
      return { ...NOTHING, mails: 1, isReal: mailbox !== undefined && (await hasRealMailbox(tx, workspaceId, [mailbox])) }
    }
    case 'mailboxes': {
      // The limits of a draft are checked when it is activated.
      if ((await loadOf(tx, asked)).status === 'draft') return NOTHING
      const wanted = [sent.providerId, ...((sent.rotationProviderIds as string[] | undefined) ?? [])].filter(id => typeof id === 'string')
      return { ...NOTHING, isReal: await hasRealMailbox(tx, workspaceId, wanted) }
    }
    case 'mailbox': {
      if (ids.providerId) return { ...NOTHING, isReal: await hasRealMailbox(tx, workspaceId, [ids.providerId]) }
      return { ...NOTHING, isReal: sent.kind !== 'sandbox' }
    }
    default:
      return NOTHING
  }
}

/** The cost of skipped leads that are queued again, and of leads that are moved to another campaign. */
async function queueCost(tx: Tx, asked: Weighed, leadIds: string[] | null, sent: Record<string, unknown>): Promise<Cost> {
  if (sent.action === 'delete' || sent.action === 'set_status') return NOTHING
  const here = await loadOf(tx, asked, leadIds)
  if (sent.action !== 'move') {
    return isRunning(here)
      ? { ...NOTHING, mails: here.skippedCount * here.stepCount, isReal: here.isReal && here.skippedCount > 0 }
      : NOTHING
  }
  const target = await loadOf(tx, { ...asked, campaignId: String(sent.targetCampaignId) })
  const count = leadIds?.length ?? here.leadCount
  return isRunning(target) ? { ...NOTHING, mails: count * target.stepCount, isReal: target.isReal } : NOTHING
}

/** Actions with which a campaign starts to send. */
const STARTING: readonly Action[] = ['campaign.activate', 'campaign.resume', 'campaign.update_schedule']
/** Actions after which a campaign sends more, or from another mailbox. */
const GROWING: readonly Action[] = [
  'campaign.update',
  'campaign.import_leads',
  'campaign.import_csv',
  'lead_search.attach',
  'lead.bulk',
  'campaign.update_sequence',
  'campaign.copy_sequence',
  'campaign.update_mailboxes',
]

/** Unfinished operations of the campaign could increase the load, so a token with limits has to wait for them. */
async function loadOf(tx: Tx, asked: Weighed, leadIds: string[] | null = null): Promise<CampaignLoad> {
  const { kind, workspaceId, campaignId, operationId } = asked
  const changing = kind === 'starts' || kind === 'continues' ? GROWING : STARTING
  const load = await findCampaignLoad(tx, { workspaceId, campaignId: campaignId!, operationId, leadIds, changing })
  // The slice of the resource refuses an id that does not exist.
  if (!load) return { status: 'draft', stepCount: 0, openMails: 0, leadCount: 0, skippedCount: 0, isReal: false, isMoving: false }
  if (!load.isMoving) return load
  throw new AppError(
    'invalid_state',
    'Other operations of the campaign are still running. A token with limits must wait for them, because the effect of this request depends on them.',
    {
      currentStatus: 'operations_open',
    },
  )
}
