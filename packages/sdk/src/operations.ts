import type { Accepted, OperationHandle, OperationOf, WaitOptions } from './calls.ts'
import { OperationFailed, OvertureError } from './errors.ts'
import { type Http, sleep, unlessAborted } from './http.ts'
import { pathPart } from './paths.ts'
import type { Operation, OperationReference } from './types.gen.ts'

const WAIT_SECONDS = 20
const FIRST_LOOK_MS = 200
const LONGEST_LOOK_MS = 3000
/** A caller that shows the progress needs it soon. */
const LONGEST_WATCHED_LOOK_MS = 1000
/** The next poll comes after this share of the elapsed time. */
const LOOK_SHARE = 0.2
const PATIENCE_MS = 300_000

/** Polls the operation until it has ended: often at first, and less often the longer it takes. */
export async function waitFor(http: Http, id: string, options: WaitOptions = {}): Promise<Operation> {
  const { timeoutMs = PATIENCE_MS, onProgress } = options
  const signal = http.until(options.signal)
  const longestMs = onProgress ? LONGEST_WATCHED_LOOK_MS : LONGEST_LOOK_MS
  const path = `/v1/operations/${pathPart('operationId', id)}`
  const begunAt = Date.now()
  for (let seen = ''; ; ) {
    const operation = await http.json<Operation>({ method: 'GET', path, signal })
    signal?.throwIfAborted()
    if (operation.status === 'failed') throw new OperationFailed(operation)
    if (operation.status === 'succeeded') return operation
    const shown = JSON.stringify(operation)
    if (shown !== seen) onProgress?.(operation)
    seen = shown
    const elapsedMs = Date.now() - begunAt
    const delayMs = Math.max(FIRST_LOOK_MS, Math.min(longestMs, elapsedMs * LOOK_SHARE))
    if (elapsedMs + delayMs > timeoutMs)
      throw new OvertureError(`${operation.action} is still ${operation.status}. It continues.`, {
        code: 'wait_timeout',
        details: { operationId: id },
      })
    await sleep(delayMs, signal)
  }
}

/**
 * Sends an accepted write. The request is sent in the next turn: if `wait()` is called right away, the
 * service can be asked to respond only when the operation has ended, which saves polling. A caller that
 * wants to see the progress gets the response at once.
 */
export function accepted<R>(
  http: Http,
  wait: number | undefined,
  send: (prefer: Record<string, string>) => Promise<OperationReference>,
): Accepted<R> {
  let waitMs = wait === undefined ? undefined : wait * 1000
  const handle = Promise.resolve().then(async (): Promise<OperationHandle<R>> => {
    const seconds = Math.floor(Math.min(waitMs ?? 0, http.longestWaitMs) / 1000)
    const reference = await send(seconds < 1 ? {} : { prefer: `wait=${seconds}` })
    // Such a response is a 200. A caller that treats it as success would never learn of the failure.
    if (reference.status === 'failed') await waitFor(http, reference.id)
    return { ...reference, wait: async options => (await waitFor(http, reference.id, options as WaitOptions)).result as R }
  })
  return Object.assign(handle, {
    async wait(options: WaitOptions<OperationOf<R>> = {}): Promise<R> {
      const { timeoutMs = PATIENCE_MS, onProgress } = options
      const begunAt = Date.now()
      if (!onProgress) waitMs ??= WAIT_SECONDS * 1000
      if (waitMs !== undefined) waitMs = Math.min(waitMs, timeoutMs)
      const { wait } = await unlessAborted(handle, http.until(options.signal))
      return wait({ ...options, timeoutMs: timeoutMs - (Date.now() - begunAt) })
    },
  })
}
