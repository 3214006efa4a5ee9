import type { Context } from '../context/context.ts'
import { isDatabaseDown } from '../db/errors.ts'
import type { Db, Tx } from '../db/sql.ts'
import type { Cost, CostOf } from '../http/access.ts'
import { digestOf } from '../http/body.ts'
import { approvedKey } from '../http/dispatch.ts'
import { type ApiReply, type ApiRequest, type Method, noContent, ok, type RouteSpec, route } from '../http/route.ts'
import { Links, named, oneOf, strict, Uuid } from '../http/schema.ts'
import { Batcher } from '../lib/batcher.ts'
import { AppError, invalidState, notFound } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { Turns } from '../lib/turns.ts'
import type { TSchema } from '../lib/type.ts'
import {
  type AcceptAnswer,
  type AcceptRequest,
  type AcceptRules,
  acceptOperations,
  findOperationByKey,
  insertSucceededOperation,
  type OperationRow,
  setOperationResult,
} from './queries.ts'
import { checkApproval, registryOf } from './registry.ts'
import { operationWaiter } from './waiting.ts'

export const operationLink = (ctx: Pick<Context, 'link'>, id: string): string => ctx.link(`/v1/operations/${id}`)

const OperationReference = named('OperationReference', strict({ id: Uuid, status: oneOf(['queued', 'succeeded', 'failed']), links: Links }))

/** The responses of every asynchronous write. */
export const ACCEPTED_REPLIES = {
  202: { about: 'The operation is queued. Read it at `Location`.', schema: OperationReference },
  200: {
    about: 'The operation is already terminal: the request is a replay, there was nothing to do, or it finished within `Prefer: wait`.',
    schema: OperationReference,
  },
}

/** The route of an asynchronous write: its handler calls `accept`. */
export const acceptedRoute = <const Path extends string, Q extends TSchema, B extends TSchema>(
  method: Method,
  path: Path,
  spec: Omit<RouteSpec<Path, Q, B>, 'write' | 'replies'> & { action: string },
) => route(method, path, { ...spec, write: 'accepted', replies: ACCEPTED_REPLIES })

/** The route of a synchronous write: its handler calls `perform`. */
export const syncRoute = <const Path extends string, Q extends TSchema, B extends TSchema>(
  method: Method,
  path: Path,
  spec: Omit<RouteSpec<Path, Q, B>, 'write'> & { action: string },
) => route(method, path, { ...spec, write: 'sync' })

/** A write: its operation belongs to the workspace of the path, and has the action of the route. */
type WriteRequest = ApiRequest<{ workspaceId: string; campaignId?: string }>

/**
 * Requests are the same when their method, path and body are; key order and white space of the body do not matter. The fingerprint is
 * keyed: the body may be little more than an address, and without a key, a reader of the database could test guesses.
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
  return {
    accept,
    changeStatus: actions.having('changesStatus'),
    maxOpen: ctx.config.maxOpenOperations,
    onlyRead: actions.having('onlyReads'),
  }
}

/** Stores operations and their keys: requests that arrive during one commit share the next. */
const acceptBatcher = (ctx: Context): Batcher<AcceptRequest, AcceptAnswer> =>
  new Batcher(requests => acceptOperations(ctx.db, requests, acceptRules(ctx)), {
    maxSize: 128,
    batchesAtOnce: 2,
    concernsAll: isDatabaseDown,
  })

/** An earlier operation with this key, checked to be the same request. */
async function findPriorOperation(db: Db, request: ReturnType<typeof operationOf>): Promise<OperationRow | undefined> {
  const { workspaceId, key, fingerprint } = request
  if (key === null) return undefined
  const prior = await findOperationByKey(db, workspaceId, key)
  if (prior) checkSameRequest(prior, fingerprint)
  return prior
}

/** For a write that takes no key and concerns no campaign. */
export const recordWithoutKey = (
  tx: Tx,
  operation: { workspaceId: string; action: string; tokenId: string },
  result: unknown,
): Promise<boolean> =>
  insertSucceededOperation(tx, { ...operation, id: newId(), campaignId: null, key: null, fingerprint: null, result, endedAt: null })

/** Whether the request repeats an earlier one. Nothing is then checked or done outside again, and `perform` returns the first response. */
export const isRepeated = async (request: WriteRequest): Promise<boolean> =>
  (await findPriorOperation(request.ctx.db, operationOf(request, undefined))) !== undefined

interface Acceptance {
  campaignId?: string
  /** The statuses of the campaign that allow the operation. Omitted: any status. */
  from?: readonly string[]
  /** The statuses after the operation. A campaign that already has one of them is an immediate success. */
  to?: readonly string[]
  input: Record<string, unknown>
  /** Further conditions, such as references in the body. Checked only when the request is not a replay. */
  check?: () => Promise<void>
  /** Sets something aside for the operation, in the transaction that stores it: a refusal here stores nothing and consumes no key. */
  reserve?: (tx: Tx, operationId: string) => Promise<void>
  /** It takes seconds: such requests are stored one after the other and applied alone, so that others find connections and a processor. */
  isLarge?: boolean
  /** How many leads it brings at most: asked only of a token with limits. */
  leadCount?: (tx: Tx) => Promise<number> | number
  /** The result, when the campaign already is as asked. */
  already?: () => Promise<unknown>
}

/** Every asynchronous write goes through here: it is replayed, refused, or stored as an operation that returns 202. */
export async function accept(request: WriteRequest, acceptance: Acceptance): Promise<ApiReply> {
  const { ctx } = request
  const record = operationOf(request, acceptance.campaignId)
  if (acceptance.check) {
    const prior = await findPriorOperation(ctx.db, record)
    if (prior) return replay(request, prior)
    await acceptance.check()
  }

  const asked = { ...record, allowedStatuses: acceptance.from ?? null, input: acceptance.input, isLarge: acceptance.isLarge }
  const reserve = reservationOf(request, acceptance)
  const answer = reserve ? await acceptReserving(ctx, asked, reserve) : await ctx.part(acceptBatcher).submit(asked)
  if (answer.prior) {
    checkSameRequest(answer.prior, record.fingerprint)
    return replay(request, answer.prior)
  }
  if (answer.inserted) return answerWhenEnded(request, { id: record.id, status: 'queued' }, false)
  if (answer.isFull) throw tooManyOpen()
  if (answer.campaignStatus === null) throw notFound('campaign')
  if (!acceptance.to?.includes(answer.campaignStatus)) throw invalidState(answer.campaignStatus, acceptance.from ?? [])
  const result = await acceptance.already!()
  const recorded = await ctx.db.inRequest(tx => insertSucceededOperation(tx, { ...record, result, endedAt: null }))
  if (recorded) return answerWhenEnded(request, { id: record.id, status: 'succeeded' }, false)
  return replay(request, (await findPriorOperation(ctx.db, record))!)
}

/** One workspace must not fill the queue of all. */
const tooManyOpen = (): AppError =>
  new AppError(
    'rate_limited',
    'The workspace has too many open operations. Wait until some of them end, then send the request again.',
    null,
    { 'retry-after': '5' },
  )

function operationOf(request: WriteRequest, campaignId: string | undefined) {
  const { ctx, params, action, idempotencyKey: key, caller } = request
  const fingerprint = key === null ? null : fingerprintOf(ctx.secrets, request)
  const { workspaceId } = params
  return { id: newId(), workspaceId, action: action!, campaignId: campaignId ?? null, key, fingerprint, tokenId: caller.tokenId }
}

/** The reservations of the operation: its own needs, and its share of the limits of the token. */
function reservationOf(request: WriteRequest, acceptance: Acceptance): Acceptance['reserve'] {
  const { leadCount, reserve } = acceptance
  if (!isLimited(request)) return reserve
  return async (tx, operationId) => {
    await spend(tx, request, operationId, leadCount)
    await reserve?.(tx, operationId)
  }
}

/** Whether the limits of the token apply to the request. They do not apply to requests that a person has approved. */
function isLimited({ caller, cost }: WriteRequest): boolean {
  if (caller.limits === null || cost === 'free') return false
  if (cost === 'never') {
    throw new AppError(
      'forbidden',
      'A token with limits cannot do this, because it would bypass the limits. Ask a person to do it, or use a token without limits.',
    )
  }
  return approvedKey() === null
}

/** Counts a request before the work outside begins, or refuses it. What `perform` records afterwards is `free`. */
export async function payLimits(tx: Tx, request: WriteRequest): Promise<void> {
  if (isLimited(request)) await spend(tx, request, newId())
}

const NO_COST: Cost = { leads: 0, credits: 0, mails: 0, isReal: false }

function spend(tx: Tx, request: WriteRequest, operationId: string, leadCount?: Acceptance['leadCount']): Promise<void> {
  const { ctx, caller, params, body, ifMatch } = request
  const costOf = request.cost as Exclude<CostOf<unknown, unknown>, string>
  return registryOf(ctx).spend(tx, caller.tokenId, async () => {
    const cost = await costOf(tx, { ctx, params, body, ifMatch, operationId, leadCount: (await leadCount?.(tx)) ?? 0 })
    return { ...NO_COST, ...cost }
  })
}

/** Reservations of one workspace wait for each other; they must not hold every connection of the process while they do. Workspaces take turns. */
const RESERVING_AT_ONCE = 4
const reservations = (): Turns => new Turns(RESERVING_AT_ONCE)
const largeReservations = (): Turns => new Turns(1)

/** Stores the operation in a transaction with what it reserves: one exists exactly when the other does. */
function acceptReserving(ctx: Context, asked: AcceptRequest, reserve: NonNullable<Acceptance['reserve']>): Promise<AcceptAnswer> {
  const work = async (tx: Tx): Promise<AcceptAnswer> => {
    const [answer] = await acceptOperations(tx, [asked], acceptRules(ctx))
    if (answer!.inserted) await reserve(tx, asked.id)
    return answer!
  }
  // A large body is a stream, which cannot be read twice.
  if (asked.isLarge) return ctx.part(largeReservations).run(asked.workspaceId, () => ctx.db.inRequestOnce(work))
  return ctx.part(reservations).run(asked.workspaceId, () => ctx.db.inRequest(work))
}

const replay = (request: WriteRequest, prior: OperationRow): Promise<ApiReply> => answerWhenEnded(request, prior, true)

/** Returns 200 for an operation that has ended, and 202 otherwise. A request that prefers to wait does so first. */
async function answerWhenEnded(request: WriteRequest, operation: Pick<OperationRow, 'id' | 'status'>, replayed: boolean) {
  const { waitSeconds } = request
  const headers: Record<string, string> = replayed ? { 'idempotent-replayed': 'true' } : {}
  const isOver = operation.status === 'succeeded' || operation.status === 'failed'
  const ended = isOver ? operation : waitSeconds !== null && (await request.ctx.part(operationWaiter).wait(operation.id, waitSeconds))
  if (ended) {
    // Also when there was nothing to wait for: the client learns that its preference is known.
    const applied = waitSeconds === null ? {} : { 'preference-applied': `wait=${waitSeconds}` }
    return reference(request, ended.id, ended.status, 200, { ...headers, ...applied })
  }
  const location = operationLink(request.ctx, operation.id)
  return reference(request, operation.id, 'queued', 202, { ...headers, location, 'retry-after': '1' })
}

function reference(request: ApiRequest, id: string, status: string, httpStatus: number, headers: Record<string, string>): ApiReply {
  return { status: httpStatus, headers, body: { id, status, links: { self: operationLink(request.ctx, id) } } }
}

interface Performed {
  /** Stored with the operation: what the caller gets again if the request is repeated. Never a secret. */
  result: unknown
  campaignId?: string
  reply: ApiReply
}

/** Rebuilds the response from what was kept, for a request that was already carried out. */
type Replay = (result: unknown) => ApiReply | Promise<ApiReply>

export const replayNothing: Replay = () => noContent

/** The part of the stored result with this name was returned as `data`. */
export const replayOf =
  (name: string): Replay =>
  result =>
    ok({ data: (result as Record<string, unknown>)[name] })

/**
 * Every synchronous write goes through here: the change and the operation that records it are one transaction. With a key,
 * the key is taken first, so that of two requests at once the second waits and then replays; a request that is refused
 * rolls back and has consumed nothing.
 */
export async function perform(request: WriteRequest, replayed: Replay, work: (tx: Tx) => Promise<Performed>): Promise<ApiReply> {
  const { ctx } = request
  const record = operationOf(request, request.params.campaignId)
  const isCounted = isLimited(request)
  const reply = await ctx.db.inRequest(async tx => {
    // When another request has the key, this waits for its commit, so that its outcome can be read now.
    const isFirst = record.key === null || (await insertSucceededOperation(tx, { ...record, result: undefined, endedAt: null }))
    if (!isFirst) return null
    if (isCounted) await spend(tx, request, record.id)
    await checkApproval(tx, ctx, record)
    const { result, reply, campaignId = null } = await work(tx)
    // Operations use real time, and the data that they change uses the test clock.
    const endedAt = ctx.testClock.real.now()
    if (record.key === null) await insertSucceededOperation(tx, { ...record, campaignId: campaignId ?? record.campaignId, result, endedAt })
    else await setOperationResult(tx, record.id, result, campaignId, endedAt)
    return reply
  })
  if (reply) return reply
  const prior = await findPriorOperation(ctx.db, record)
  const again = await replayed(prior!.result)
  return { ...again, status: again.status === 201 ? 200 : again.status, headers: { ...again.headers, 'idempotent-replayed': 'true' } }
}

/** A write that answers with what it made or changed. The operation keeps it under this name. */
export const performShowing = <Shown>(
  request: WriteRequest,
  name: string,
  work: (tx: Tx) => Promise<Shown>,
  reply: (data: Shown) => ApiReply = data => ok({ data }),
): Promise<ApiReply> =>
  perform(request, replayOf(name), async tx => {
    const data = await work(tx)
    return { result: { [name]: data }, reply: reply(data) }
  })

export const performRemoval = (request: WriteRequest, id: string, work: (tx: Tx) => Promise<unknown>): Promise<ApiReply> =>
  perform(request, replayNothing, async tx => {
    await work(tx)
    return { result: { id }, reply: noContent }
  })
