import type { Context } from '../context/context.ts'
import { type Db, isDatabaseDown, type Tx } from '../db/client.ts'
import { digestOf } from '../http/body.ts'
import type { ApiRequest } from '../http/route.ts'
import { Batcher } from '../lib/batcher.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import {
  type AcceptAnswer,
  type AcceptRequest,
  type AcceptRules,
  acceptOperations,
  findOperationByKey,
  insertSucceededOperation,
  type OperationRow,
} from './queries.ts'
import { registryOf } from './registry.ts'

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

const acceptRules = (ctx: Context): AcceptRules => {
  const { actions, accept } = registryOf(ctx)
  return { accept, changeStatus: actions.having('changesStatus'), maxOpen: ctx.config.maxOpenOperations }
}

const acceptBatcher = (ctx: Context): Batcher<AcceptRequest, AcceptAnswer> =>
  new Batcher(requests => acceptOperations(ctx.db, requests, acceptRules(ctx)), {
    maxSize: 128,
    batchesAtOnce: 2,
    concernsAll: isDatabaseDown,
  })

/** Stores operation and key; requests that arrive during one commit share the next. */
export const acceptOperation = (ctx: Context, request: AcceptRequest): Promise<AcceptAnswer> => ctx.part(acceptBatcher).submit(request)

/** The same inside a transaction: for a write that reserves something, which must exist exactly when the operation does. */
export async function acceptOperationWithin(ctx: Context, tx: Tx, request: AcceptRequest): Promise<AcceptAnswer> {
  return (await acceptOperations(tx, [request], acceptRules(ctx)))[0]!
}

type KeyedRequest = Pick<AcceptRequest, 'workspaceId' | 'key' | 'fingerprint'>

/** An earlier operation with this key, checked to be the same request. */
export async function findPriorOperation(db: Db, request: KeyedRequest): Promise<OperationRow | undefined> {
  const { workspaceId, key, fingerprint } = request
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
  insertSucceededOperation(tx, { ...operation, result: undefined, endedAt: null })

export const recordOperation = (tx: Tx, operation: RecordedOperation, result: unknown, endedAt: Date | null = null): Promise<boolean> =>
  insertSucceededOperation(tx, { ...operation, result, endedAt })

/** For a write that takes no key and concerns no campaign. */
export const recordWithoutKey = (
  tx: Tx,
  operation: { workspaceId: string; action: string; tokenId: string },
  result: unknown,
): Promise<boolean> => recordOperation(tx, { ...operation, id: newId(), campaignId: null, key: null, fingerprint: null }, result)
