import type { Event, Operation, OperationReference } from './types.gen.ts'

/** The options of every call. */
export interface RequestOptions {
  signal?: AbortSignal | undefined
  /** Another workspace than that of the client. */
  workspaceId?: string | undefined
  headers?: Record<string, string> | undefined
}

export interface WriteOptions extends RequestOptions {
  /** Made up for each call unless given. Give one to make a repetition safe that outlives the program. */
  idempotencyKey?: string | undefined
}

export interface AcceptedOptions extends WriteOptions {
  /** Let the service answer only when the operation is terminal, for up to this many seconds (1 to 30), but not longer than one attempt may take. */
  wait?: number | undefined
}

export interface WaitOptions<O = Operation> {
  /** Ends the waiting; the operation goes on. */
  signal?: AbortSignal | undefined
  /** After this long `wait_timeout` is thrown; the operation goes on. Five minutes unless given. */
  timeoutMs?: number | undefined
  /** Called with the operation as it is at first, and whenever it has got further, until it is over. */
  onProgress?: ((operation: O) => void) | undefined
}

export interface StreamOptions extends RequestOptions {
  /** Begin after this `seq`; 0 is the beginning of the log. Without it: what happens from now on. */
  after?: number | undefined
  /** Only these. */
  types?: readonly Event['type'][] | undefined
  campaignId?: string | undefined
  leadId?: string | undefined
}

/** The parameters of every list. */
export interface PageQuery {
  /** How many to return. */
  limit?: number
  /** The `meta.pagination.nextCursor` of the previous page, unchanged. */
  cursor?: string
}

export interface Page<T> {
  data: T[]
  links: { self: string; next: string | null }
  meta: { pagination: { nextCursor: string | null; hasMore: boolean; limit: number } }
}

/** Awaited, it is the first page. Iterated, it is everything, page by page as it is needed. */
export interface List<T> extends Promise<Page<T>>, AsyncIterable<T> {
  pages(): AsyncIterable<Page<T>>
}

/** The result of an operation with this action. */
export type ResultOf<A extends Operation['action']> = Of<Operation, A>
type Of<O, A> = O extends { action: infer N; result: infer R } ? (A extends N ? NonNullable<R> : never) : never

/** The operation that leads to this result. */
export type OperationOf<R> = unknown extends R ? Operation : LeadingTo<Operation, R>
type LeadingTo<O, R> = O extends { result: infer N } ? ([NonNullable<N>, R] extends [R, NonNullable<N>] ? O : never) : never

/** An event as it comes by webhook: without links. */
export type WebhookEvent = Bare<Event>
type Bare<E> = E extends unknown ? Omit<E, 'links'> : never

/** An operation that was accepted. */
export interface OperationHandle<R> extends OperationReference {
  /** The result, once there is one. Throws `OperationFailed` when there will be none. */
  wait(options?: WaitOptions<OperationOf<R>>): Promise<R>
}

/**
 * Awaited, it is the operation that was accepted; `wait()` leads to its result. An operation that has failed by the
 * time of the answer throws `OperationFailed` either way.
 */
export interface Accepted<R, Other = unknown> extends Promise<OperationHandle<R> & Other> {
  wait(options?: WaitOptions<OperationOf<R>>): Promise<R>
}
