import type { Accepted, OperationHandle, WaitOptions } from './calls.ts'
import { OperationFailed, OvertureError } from './errors.ts'
import { type Http, sleep } from './http.ts'
import type { Operation, OperationReference } from './types.gen.ts'

const WAIT_SECONDS = 20
const FIRST_LOOK_MS = 200
const LONGEST_LOOK_MS = 3000
const PATIENCE_MS = 300_000

/** Looks at the operation until it is over. */
export async function waitFor(http: Http, id: string, { signal, timeoutMs = PATIENCE_MS }: WaitOptions = {}): Promise<Operation> {
  const begunAt = Date.now()
  for (let delayMs = FIRST_LOOK_MS; ; delayMs = Math.min(LONGEST_LOOK_MS, delayMs * 1.5)) {
    const operation = await http.json<Operation>({ method: 'GET', path: `/v1/operations/${encodeURIComponent(id)}`, signal })
    if (operation.status === 'failed') throw new OperationFailed(operation)
    if (operation.status === 'succeeded') return operation
    if (Date.now() - begunAt + delayMs > timeoutMs)
      throw new OvertureError(`${operation.action} is still ${operation.status}; it goes on.`, {
        code: 'wait_timeout',
        details: { operationId: id },
      })
    await sleep(delayMs, signal)
  }
}

/**
 * Sends an accepted write. The request leaves in a moment and not at once: when `wait()` is called right away, the
 * service can be asked to answer only when the operation is over, which saves asking for it again and again.
 */
export function accepted<R>(
  http: Http,
  wait: number | undefined,
  send: (prefer: Record<string, string>) => Promise<OperationReference>,
): Accepted<R> {
  let seconds = wait
  const handle = Promise.resolve().then(async (): Promise<OperationHandle<R>> => {
    const reference = await send(seconds === undefined ? {} : { prefer: `wait=${seconds}` })
    // Such an answer is a 200. A caller that treats it as success would never learn of the failure.
    if (reference.status === 'failed') await waitFor(http, reference.id)
    return { ...reference, wait: async options => (await waitFor(http, reference.id, options)).result as R }
  })
  return Object.assign(handle, {
    wait(options?: WaitOptions): Promise<R> {
      seconds ??= WAIT_SECONDS
      return handle.then(known => known.wait(options))
    },
  })
}
