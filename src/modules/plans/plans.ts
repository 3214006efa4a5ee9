import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/sql.ts'
import { type Caller, hasScope, insufficientScope, ROLE_SCOPES, type Scope } from '../../http/access.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { AppError, existing } from '../../lib/errors.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { findOperationByKey, hasOpenOperations } from '../../operations/queries.ts'
import { registryOf } from '../../operations/registry.ts'
import { lockCampaign } from '../campaigns/queries.ts'
import { recordEvent } from '../events/events.ts'
import { descendsFrom } from '../tokens/queries.ts'
import { findMember } from '../workspaces/queries.ts'
import { decidePlan, failPlan, lockPlan, markExecuted, type PlannedRequest, type PlanRow } from './queries.ts'
import { summarize } from './summary.ts'

/** The key of the request of a plan, so that it is made only once. No other request can use this key. */
export const keyOf = (plan: Pick<PlanRow, 'id'>): `§${string}` => `§plan-${plan.id}`

export const hashRequest = (secrets: SecretBox, operation: string, request: PlannedRequest): string =>
  secrets.sign('plan', `${operation}\n${canonicalJson(request)}`).toString('base64url')

const PREFIX = keyOf({ id: '' })

const bindingOf = (workspaceId: string, tokenId: string): string => `${workspaceId}/${tokenId}`

/** Valid only for this state of the plan and for the token that proposed it. */
export const planTokenOf = (secrets: SecretBox, plan: PlanRow): string =>
  secrets.signedToken('plan-token', `${plan.id} ${plan.requestHash}`, bindingOf(plan.workspaceId, plan.tokenId))

export function openPlanToken(secrets: SecretBox, planToken: string, workspaceId: string, tokenId: string): { id: string; hash: string } {
  const [id, hash] = secrets.openSignedToken('plan-token', planToken, bindingOf(workspaceId, tokenId))?.split(' ') ?? []
  if (!id || !hash) throw new AppError('forbidden', 'This planToken does not belong to this token in this workspace.')
  return { id, hash }
}

export function announcePlan(tx: Tx, plan: PlanRow, became: 'proposed' | 'approved' | 'rejected' | 'applied' | 'failed', now: Date): void {
  const { id: planId, workspaceId, operation, expiresAt } = plan
  const { leadCount, mailCount, creditCost } = plan.summary
  const data = { planId, operation, leadCount, mailCount, creditCost, expiresAt: expiresAt.toISOString() }
  recordEvent(tx, { workspaceId, type: `plan.${became}`, timestamp: now, data })
}

const stateError = (plan: PlanRow, needed: string): AppError =>
  new AppError('invalid_state', `This request is ${plan.status}. It has to be ${needed}.`, { currentStatus: plan.status })

/** The caller must be a person who could make the request themselves. The token that proposed the plan, and tokens that it created, cannot approve it. */
export async function decide(
  tx: Tx,
  caller: Caller,
  plan: { workspaceId: string; id: string; scopesOf: ScopesOf },
  decision: 'approved' | 'rejected',
): Promise<PlanRow> {
  const row = existing(await lockPlan(tx, plan.workspaceId, plan.id), 'plan')
  requireScopes(caller, plan.scopesOf(row))
  if (decision === 'approved') await checkApprover(tx, caller, row)
  else if (caller.limits !== null && caller.tokenId !== row.tokenId)
    throw new AppError('forbidden', 'A token with limits can reject only what it proposed.')
  const open = decision === 'approved' ? ['pending'] : ['pending', 'approved']
  if (!open.includes(row.status)) throw stateError(row, open.join(' or '))
  return decidePlan(tx, row.id, decision, caller.userId)
}

async function checkApprover(tx: Tx, caller: Caller, plan: PlanRow): Promise<void> {
  if (caller.userId === null) throw new AppError('forbidden', 'Only a person can approve: use a session or a personal token.')
  if (await descendsFrom(tx, caller.tokenId, plan.tokenId)) {
    throw new AppError('forbidden', 'The token that proposed this cannot approve it, nor can a token that it created. Ask another person.')
  }
}

/** Errors that a repeated attempt would get again. */
export const isFinal = (status: number): boolean => status >= 400 && status < 500 && ![401, 408, 429].includes(status)

type PlanError = Pick<NonNullable<PlanRow['error']>, 'code' | 'message'>

export const failureOf = ({ code, message }: PlanError): AppError =>
  new AppError('invalid_state', `It has failed: ${message}`, { currentStatus: 'failed', code })

/** Ends a plan whose request was not made. The caller throws `failureOf` the error once this has committed. */
export async function fail(tx: Tx, plan: PlanRow, { code, message }: PlanError, now: Date): Promise<void> {
  const isNews = await failPlan(tx, plan.workspaceId, plan.id, { code, message, retryable: false })
  if (isNews) announcePlan(tx, plan, 'failed', now)
}

const CHANGED: PlanError = { code: 'invalid_state', message: 'Something that this depends on has changed. Propose it again.' }

const UNAUTHORIZED: PlanError = {
  code: 'forbidden',
  message: 'The person who approved this may not do it anymore. Propose it again.',
}

/** The scopes that the request of a plan needs. */
export type ScopesOf = (plan: Pick<PlanRow, 'operation' | 'request'>) => readonly Scope[]

export function requireScopes(caller: Pick<Caller, 'scopes'>, scopes: readonly Scope[]): void {
  const missing = scopes.find(scope => !hasScope(caller, scope))
  if (missing) throw insufficientScope(missing)
}

/** The reason why the request no longer matches the approval; null if it still does. */
async function changeSince(
  db: Db,
  { workspaceId, operation, basis, decidedBy }: PlanRow,
  { request, scopesOf, now }: { request: PlannedRequest; scopesOf: ScopesOf; now: Date },
): Promise<PlanError | null> {
  try {
    const approver = decidedBy === null ? undefined : await findMember(db, workspaceId, decidedBy)
    const held = approver && { scopes: new Set<string>(ROLE_SCOPES[approver.role]) }
    if (!held || !scopesOf({ operation, request }).every(scope => hasScope(held, scope))) return UNAUTHORIZED
    const current = await summarize(db, { workspaceId, operation, request, now })
    if (current.basis === basis) return null
    return CHANGED
  } catch (error) {
    if (error instanceof AppError && isFinal(error.status)) return error
    throw error
  }
}

/**
 * Finds an approved plan whose state is still the one that was approved; otherwise the plan fails, and the error says why. The plan becomes
 * `applied` when its request was accepted. Before that, each call compares the state again: a request that was refused for now, or a
 * process that died, leaves an approval that binds as before.
 */
export async function claim(
  tx: Tx,
  ctx: Pick<Context, 'secrets' | 'clock' | 'part'>,
  { workspaceId, id, hash, scopesOf }: { workspaceId: string; id: string; hash: string; scopesOf: ScopesOf },
): Promise<{ plan: PlanRow; error: PlanError | null }> {
  const plan = existing(await lockPlan(tx, workspaceId, id), 'plan')
  if (plan.status === 'applied') return { plan, error: null }
  if (plan.status === 'failed' && plan.error !== null) return { plan, error: plan.error }
  if (plan.status === 'pending') throw new AppError('invalid_state', 'This waits for a person to approve it.', { currentStatus: 'pending' })
  if (plan.status !== 'approved' || plan.request === null) throw stateError(plan, 'approved')
  const isSame = plan.requestHash === hash && hashRequest(ctx.secrets, plan.operation, plan.request) === hash
  if (!isSame) throw new AppError('forbidden', 'The stored request differs from the proposed one, so it is not carried out.')
  // An attempt before had its request accepted. The same key leads to the same operation.
  if (await findOperationByKey(tx, workspaceId, keyOf(plan))) return { plan, error: null }
  const campaignIds = campaignsOf(plan.request)
  for (const campaignId of campaignIds) {
    if (await hasOpenOperations(tx, { workspaceId, id: campaignId }, registryOf(ctx).actions.having('changesNothing')))
      throw new AppError(
        'invalid_state',
        'The campaign has open operations, which may change its effect. Apply it again when they have ended.',
      )
  }
  const now = ctx.clock.now()
  const error = await changeSince(tx, plan, { request: plan.request, scopesOf, now })
  if (error) await fail(tx, plan, error, now)
  return { plan, error }
}

/**
 * The last comparison, in the transaction of the change and under the lock of its campaigns, so that exactly the approved state is carried out. An
 * operation that is continued was compared when it began.
 */
export async function checkApproved(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  { workspaceId, key }: { workspaceId: string; key: string },
  scopesOf: ScopesOf,
): Promise<void> {
  const plan = existing(await lockPlan(tx, workspaceId, key.slice(PREFIX.length)), 'plan')
  if (plan.executedAt !== null) return
  if (!['approved', 'applied'].includes(plan.status) || plan.request === null) throw stateError(plan, 'approved')
  for (const campaignId of campaignsOf(plan.request)) await lockCampaign(tx, workspaceId, campaignId)
  const error = await changeSince(tx, plan, { request: plan.request, scopesOf, now: ctx.clock.now() })
  if (error) throw failureOf(error)
  // A test message is written after this and before it is sent, and compared again then.
  if (plan.operation !== 'sequences.sendTest') await markExecuted(tx, plan.id)
}

/** Always in this order, so that two that lock both do not wait for each other. */
const campaignsOf = ({ path, body }: PlannedRequest): string[] => {
  const own = /\/campaigns\/([0-9a-f-]{36})/.exec(path)?.[1]
  return [own, body.targetCampaignId].filter(id => typeof id === 'string').sort()
}
