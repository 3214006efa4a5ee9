import type { Context } from '../context/context.ts'
import { type Db, isDatabaseDown, type Tx } from '../db/client.ts'
import type { Scope } from '../http/access.ts'
import { digestOf } from '../http/body.ts'
import type { ApiRequest } from '../http/route.ts'
import { Batcher } from '../lib/batcher.ts'
import { AppError } from '../lib/errors.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import {
  type AcceptAnswer,
  type AcceptRequest,
  acceptOperations,
  findOperationByKey,
  hasOpenOperations,
  insertSucceededOperation,
  type OperationRow,
  setOperationResult,
} from './queries.ts'

export type { AcceptAnswer, AcceptRequest, OperationRow }
export { hasOpenOperations }

/** Every action, with the scope that is required to request it and to read its operation. */
const ACTION_SCOPES = {
  'campaign.create': 'campaigns:write',
  'campaign.update': 'campaigns:write',
  'campaign.update_schedule': 'campaigns:write',
  'campaign.update_mailboxes': 'campaigns:write',
  'campaign.update_settings': 'campaigns:write',
  'campaign.activate': 'campaigns:write',
  'campaign.pause': 'campaigns:write',
  'campaign.resume': 'campaigns:write',
  'campaign.archive': 'campaigns:write',
  'campaign.unarchive': 'campaigns:write',
  'campaign.duplicate': 'campaigns:write',
  'campaign.copy_sequence': 'campaigns:write',
  'campaign.update_sequence': 'campaigns:write',
  'campaign.import_leads': 'leads:write',
  'campaign.import_csv': 'leads:write',
  'lead.update': 'leads:write',
  'lead.requeue': 'leads:write',
  'lead.bulk': 'leads:write',
  'reply.update': 'leads:write',
  'reply.answer': 'leads:write',
  'lead.delete': 'leads:write',
  'lead_search.preview': 'leads:read',
  'lead_search.generate_filters': 'leads:read',
  'lead_search.export': 'leads:export',
  'lead_search.attach': 'leads:export',
  'directory.import': 'people:write',
  'person.erase': 'people:write',
  'webhook.create': 'webhooks:write',
  'webhook.update': 'webhooks:write',
  'webhook.delete': 'webhooks:write',
  'webhook.rotate_secret': 'webhooks:write',
  'webhook.test': 'webhooks:write',
  'webhook.replay': 'webhooks:write',
  'webhook.retry_delivery': 'webhooks:write',
  'provider.create': 'providers:write',
  'provider.update': 'providers:write',
  'provider.delete': 'providers:write',
  'provider.verify': 'providers:write',
  'provider.check_health': 'providers:write',
  'provider.begin_consent': 'providers:write',
  'provider.consent': 'providers:write',
  'campaign.send_test': 'campaigns:write',
  'sandbox.advance_clock': 'campaigns:write',
  'suppression.create': 'suppressions:write',
  'suppression.create_many': 'suppressions:write',
  'suppression.import_csv': 'suppressions:write',
  'suppression.delete': 'suppressions:write',
  'credits.grant': 'credits:write',
  'api_key.create': 'tokens:write',
  'api_key.revoke': 'tokens:write',
  'api_key.rotate': 'tokens:write',
  'workspace.create': 'workspaces:write',
  'workspace.update': 'workspaces:write',
  'workspace.update_settings': 'workspaces:write',
  'tracking_host.set': 'workspaces:write',
  'tracking_host.delete': 'workspaces:write',
  'token.create': 'tokens:write',
  'token.revoke': 'tokens:write',
  'session.create': 'tokens:write',
  'session.revoke': 'tokens:write',
  'plan.create': 'operations:read',
  'plan.approve': 'operations:read',
  'plan.reject': 'operations:read',
  'team.invite': 'team:write',
  'team.withdraw_invitation': 'team:write',
  'team.join': 'team:write',
  'team.update': 'team:write',
  'team.remove': 'team:write',
} as const satisfies Record<string, Scope>

export type Action = keyof typeof ACTION_SCOPES
export const ACTIONS = Object.keys(ACTION_SCOPES) as Action[]

export function scopeOfAction(action: string): Scope {
  return ACTION_SCOPES[action as Action] ?? 'operations:read'
}

/** Operations that spent money are never deleted. */
export const KEPT_ACTIONS: readonly Action[] = ['lead_search.export', 'lead_search.attach']

/**
 * Requests are the same when their method, path and body are; key order and white space of the body do not matter. The fingerprint is
 * keyed: the body may be little more than an address, and without a key somebody who reads the database could test guesses.
 */
export function fingerprintOf(secrets: SecretBox, request: Pick<ApiRequest, 'method' | 'path' | 'body' | 'bodyDigest'>): string {
  const digest = request.bodyDigest ?? digestOf(request.body)
  return secrets.sign('idempotency', `${request.method} ${request.path}\n${digest}`).toString('base64url')
}

export function checkSameRequest(prior: OperationRow, fingerprint: string | null): void {
  if (prior.fingerprint !== fingerprint) {
    throw new AppError('idempotency_key_reused', 'This idempotency-key was used for another request. Use a new key for a new request.', {
      operationId: prior.id,
    })
  }
}

const acceptBatcher = (ctx: Context): Batcher<AcceptRequest, AcceptAnswer> =>
  new Batcher(requests => acceptOperations(ctx.db, requests), { maxSize: 128, lanes: 2, concernsAll: isDatabaseDown })

/** Stores operation and key; requests that arrive during one commit share the next. */
export const acceptOperation = (ctx: Context, request: AcceptRequest): Promise<AcceptAnswer> => ctx.part(acceptBatcher).submit(request)

/** The same inside a transaction: for a write that reserves something, which must exist exactly when the operation does. */
export async function acceptOperationWithin(tx: Tx, request: AcceptRequest): Promise<AcceptAnswer> {
  return (await acceptOperations(tx, [request]))[0]!
}

/** An earlier operation with this key, checked to be the same request. */
export async function findPriorOperation(
  db: Db,
  workspaceId: string,
  key: string | null,
  fingerprint: string | null,
): Promise<OperationRow | undefined> {
  if (key === null) return undefined
  const prior = await findOperationByKey(db, workspaceId, key)
  if (prior) checkSameRequest(prior, fingerprint)
  return prior
}

type RecordedOperation = Omit<AcceptRequest, 'allowedStatuses' | 'input'>

/**
 * Takes the key for a synchronous write, at the start of its transaction. False when another request has it: the insert has waited for its
 * commit, so its outcome can be read now.
 */
export const claimKey = (tx: Tx, operation: RecordedOperation): Promise<boolean> =>
  insertSucceededOperation(tx, { ...operation, result: undefined })

export const completeRecord = setOperationResult

export const recordOperation = (tx: Tx, operation: RecordedOperation, result: unknown): Promise<boolean> =>
  insertSucceededOperation(tx, { ...operation, result })
