import type { Dispatcher } from 'undici'

type Posted = { origin: string; path: string; headers: Record<string, string>; body: string }

export type Receipt = { status: number; retryAfter: string | null }

/**
 * Posts a body and returns only the status of the answer. It uses the callbacks of undici directly: streams, promises and signals
 * for each request took more than half of its time.
 *
 * `giveUp` ends the request with an error, also while it waits for a connection. A status that has already arrived counts.
 */
export function postBare(
  dispatcher: Dispatcher,
  posted: Posted,
  maxAnswerBytes: number,
): { receipt: Promise<Receipt>; giveUp(reason: Error): void } {
  const { promise: receipt, resolve, reject } = Promise.withResolvers<Receipt>()
  let controller: Dispatcher.DispatchController | undefined
  let answer: Receipt | undefined
  let givenUp: Error | undefined
  let unread = maxAnswerBytes

  const end = (error: Error): void => {
    if (answer) resolve(answer)
    else reject(error)
  }
  const giveUp = (reason: Error): void => {
    givenUp = reason
    end(reason)
    controller?.abort(reason)
  }
  const options = { ...posted, method: 'POST', headersTimeout: 0, bodyTimeout: 0 } as const
  try {
    dispatcher.dispatch(options, {
      onRequestStart(started) {
        controller = started
        // A request that waits for a connection cannot be aborted. It is aborted here, before anything is sent.
        if (givenUp) started.abort(givenUp)
      },
      onResponseStart(_controller, status, headers) {
        if (status < 200) return
        const retryAfter = headers['retry-after']
        answer = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : null }
      },
      // Read so that the connection can be used again, unless it is long.
      onResponseData(_controller, chunk) {
        unread -= chunk.length
        if (unread < 0) giveUp(new Error('the answer is too long'))
      },
      onResponseEnd() {
        resolve(answer!)
      },
      onResponseError(_controller, error) {
        end(error)
      },
    })
  } catch (error) {
    end(error as Error)
  }
  return { receipt, giveUp }
}
