import type { Event, Operation, OperationReference } from './types.gen.ts'

/** The options of every call. */
export interface RequestOptions {
  signal?: AbortSignal | undefined
  /** Overrides the workspace of the client. */
  workspaceId?: string | undefined
  headers?: Record<string, string> | undefined
}

export interface WriteOptions extends RequestOptions {
  /** Default: a new key for each call. Set it to make a repetition safe even after your program restarts. */
  idempotencyKey?: string | undefined
}

export interface AcceptedOptions extends WriteOptions {
  /** The service waits up to this many seconds (1 to 30) for the operation to end before it responds, but not longer than one attempt may take. */
  wait?: number | undefined
}

export interface WaitOptions<O = Operation> {
  /** Stops the waiting; the operation continues. */
  signal?: AbortSignal | undefined
  /** After this time, `wait_timeout` is thrown; the operation continues. Default: five minutes. */
  timeoutMs?: number | undefined
  /** Called with the operation at the start, and whenever it makes progress, until it has ended. */
  onProgress?: ((operation: O) => void) | undefined
}

export interface StreamOptions extends RequestOptions {
  /** Starts after this `seq`; 0 is the start of the log. Default: new events only. */
  after?: number | undefined
  /** Only events of these types. */
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

/** Awaiting it returns the first page. Iterating over it returns all items, and loads pages as needed. */
export interface List<T> extends Promise<Page<T>>, AsyncIterable<T> {
  pages(): AsyncIterable<Page<T>>
}

/** The result of an operation with this action. */
export type ResultOf<A extends Operation['action']> = Of<Operation, A>
type Of<O, A> = O extends { action: infer N; result: infer R } ? (A extends N ? NonNullable<R> : never) : never

/** The operation with this result. */
export type OperationOf<R> = unknown extends R ? Operation : LeadingTo<Operation, R>
type LeadingTo<O, R> = O extends { result: infer N } ? ([NonNullable<N>, R] extends [R, NonNullable<N>] ? O : never) : never

/** An event as in a webhook: without links. */
export type WebhookEvent = Bare<Event>
type Bare<E> = E extends unknown ? Omit<E, 'links'> : never

/** An accepted operation. */
export interface OperationHandle<R> extends OperationReference {
  /** Waits for the result. Throws `OperationFailed` if the operation failed. */
  wait(options?: WaitOptions<OperationOf<R>>): Promise<R>
}

/**
 * Awaiting it returns the accepted operation; `wait()` returns its result. If the operation has already failed when the
 * response arrives, both throw `OperationFailed`.
 */
export interface Accepted<R, Other = unknown> extends Promise<OperationHandle<R> & Other> {
  wait(options?: WaitOptions<OperationOf<R>>): Promise<R>
}
