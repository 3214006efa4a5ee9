import { type Accepted, type Operation, OperationFailed, type OperationHandle, type OperationOf, OvertureError } from '@overture/sdk'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { use, useCallback, useEffect, useRef, useState } from 'react'
import { explainError } from '@/api/errors.ts'
import { toast } from '@/ui/toast.tsx'
import { lookAtSession, touch } from './queries.ts'
import { WorkspaceContext } from './session.ts'

/** The progress of a write. `failed` stays until the next one. */
export type OperationPhase = 'idle' | 'sending' | 'queued' | 'running' | 'done' | 'failed'

export interface SendOptions {
  idempotencyKey: string
  /** When this write was first sent. It stays the same when the write is sent again with the same key. */
  firstAt: number
  /** How many seconds the service may wait before it responds. Most operations end within them. */
  wait: number
}

export interface OperationPlan<Input, Result> {
  /** Sends the write: `(campaign, options) => api.campaigns.pause(campaign.id, options)`. */
  send: (input: Input, options: SendOptions) => Accepted<Result> | Promise<OperationHandle<Result> | Result>
  /** The queries that it makes outdated, besides those of its events. */
  touches?: readonly QueryKey[]
  /** The message after it has succeeded. */
  done?: string | ((result: Result, input: Input) => string)
  onDone?: (result: Result, input: Input) => void
  /** Shows errors as a toast, for a screen without a place near the button. It can disappear with the screen. */
  toastsErrors?: boolean | 'until elsewhere'
  /** Stops following the operation when the user leaves the screen. The operation itself continues. */
  endsOnLeave?: boolean
  /**
   * For a write that pays, sends, creates or deletes: its name and its target. While its outcome is unknown, the same input is the same write,
   * even if the dialog or the screen was closed and opened again, or the page was reloaded.
   */
  once?: string
  /** Each press is a new write, even if the outcome of the last one is unknown: a check, or pausing and resuming. */
  repeats?: boolean
}

export interface RunningOperation<Input, Result> {
  phase: OperationPhase
  error: Error | null
  /** The operation with its progress while it is queued or running. */
  underWay: OperationOf<Result> | null
  /** Resolves with the result, or with undefined after a failure, which is then in `error`. */
  run: (input: Input) => Promise<Result | undefined>
  isBusy: boolean
  reset: () => void
}

type State<Result> = Pick<RunningOperation<never, Result>, 'phase' | 'error' | 'underWay'>

const IDLE = { phase: 'idle', error: null, underWay: null } as const
const SHOWN_MS = 1800

const isHandle = <Result>(answer: OperationHandle<Result> | Result): answer is OperationHandle<Result> =>
  typeof answer === 'object' && answer !== null && 'wait' in answer && typeof answer.wait === 'function'

/** Sends a write with an idempotency key, follows its operation to the end, and then reloads the data that has changed. */
export function useOperation<Input, Result>(plan: OperationPlan<Input, Result>): RunningOperation<Input, Result> {
  const queries = useQueryClient()
  const [{ phase, error, underWay }, setState] = useState<State<Result>>(IDLE)
  const latest = useRef(plan)
  latest.current = plan
  const { id: workspaceId, personId } = use(WorkspaceContext) ?? {}
  const [own] = useState(() => undecidedKeys())
  const isBusy = phase === 'sending' || phase === 'queued' || phase === 'running'

  useEffect(() => {
    if (phase !== 'done') return
    const timer = setTimeout(() => setState(IDLE), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [phase])

  const leaving = useRef<AbortController | null>(null)
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])

  const run = useCallback(
    async (input: Input): Promise<Result | undefined> => {
      const { send, touches = [], done, toastsErrors, endsOnLeave, once, repeats } = latest.current
      const signal = endsOnLeave ? leaving.current?.signal : undefined
      const keys = once ? lastingKeys(`${personId} ${workspaceId} ${once}`) : own
      const asText = JSON.stringify(input) ?? ''
      const kept = repeats ? null : keys.find(asText, Date.now())
      let write = kept ?? { key: newKey(), firstAt: Date.now() }
      const sendIt = () => send(input, { idempotencyKey: write.key, firstAt: write.firstAt, wait: 2 })
      if (!once) keys.clear()
      // The key is kept from the start, so that a double click is one write.
      keys.keep(asText, write, Date.now())
      let isAccepted = false
      setState({ ...IDLE, phase: 'sending' })
      try {
        const answer = await Promise.resolve(sendIt()).catch(refusal => {
          // The input is the same, but another part of the request has changed, so the request needs a new key.
          if (kept === null || !isKeyReused(refusal)) throw refusal
          write = { key: newKey(), firstAt: Date.now() }
          keys.keep(asText, write, Date.now())
          return sendIt()
        })
        const onProgress = (operation: Operation) =>
          setState({ phase: operation.status as OperationPhase, error: null, underWay: operation as OperationOf<Result> })
        isAccepted = isHandle(answer)
        const result = isHandle(answer) ? await answer.wait({ signal, timeoutMs: Number.POSITIVE_INFINITY, onProgress }) : answer
        keys.forget(asText)
        // A write that is done immediately has no event, but is in the audit log.
        touch(queries, isAccepted ? touches : [...touches, ['operations']])
        setState({ ...IDLE, phase: 'done' })
        if (done) toast.done(typeof done === 'string' ? done : done(result, input))
        // The latest callback, because the screen may have changed meanwhile.
        latest.current.onDone?.(result, input)
        return result
      } catch (cause) {
        // If the user has left the screen, the outcome is unknown, so the key is kept.
        if (signal?.aborted) return undefined
        keys.forget(asText)
        const failure = cause instanceof Error ? cause : new Error(String(cause))
        if (isUndecided(failure, isAccepted)) keys.keep(asText, write, Date.now())
        setState({ phase: 'failed', error: failure, underWay: null })
        lookAtSession(failure)
        if (toastsErrors) {
          const { title, message } = explainError(failure)
          if (toastsErrors === 'until elsewhere') toast.failedHere(title, message)
          else toast.failed(title, message)
        }
        return undefined
      }
    },
    [queries, workspaceId, personId, own],
  )

  const reset = useCallback(() => setState(IDLE), [])
  return { phase, error, underWay, run, isBusy, reset }
}

/** A refusal with one of these does not tell how an earlier attempt ended whose response was lost. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([401, 408, 425, 429])

/** Whether the write may have happened. It has not if the service itself has refused it. The response of a proxy tells nothing. */
function isUndecided(failure: Error, isAccepted: boolean): boolean {
  if (!(failure instanceof OvertureError) || failure instanceof OperationFailed) return false
  const { status, code } = failure
  const isRefusal = status >= 400 && status < 500 && !PASSING_STATUSES.has(status) && code !== 'unexpected_answer'
  return isAccepted || !isRefusal
}

const isKeyReused = (error: unknown): boolean => error instanceof OvertureError && error.code === 'idempotency_key_reused'

/** Ordered by time, like the keys of the SDK. Pages that were loaded over plain http from another machine have no `crypto.randomUUID`. */
function newKey(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  const bytes = crypto.getRandomValues(new Uint8Array(10))
  return `console-${time}${Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')}`
}

interface Write {
  key: string
  /** When it was first sent. Values that depend on the time must be the same when it is sent again. */
  firstAt: number
}

type Kept = Write & { at: number }

/** If the same input is sent again after this time, it is a new write. */
const KEPT_MS = 3_600_000

/**
 * The idempotency keys of writes with an unknown outcome: in flight, or without a conclusive response. If the same write is sent again, it
 * carries the same key, so that nothing is done, sent or charged twice.
 */
function undecidedKeys(kept = new Map<string, Kept>(), name = '', onChange = () => {}) {
  const nameOf = (input: string) => name + digestOf(input)
  return {
    find: (input: string, now: number): Write | null => {
      const found = kept.get(nameOf(input))
      return found && now - found.at < KEPT_MS ? found : null
    },
    keep: (input: string, { key, firstAt }: Write, at: number) => {
      // Deleted first, so that the newest key is the last one.
      kept.delete(nameOf(input))
      kept.set(nameOf(input), { key, firstAt, at })
      onChange()
    },
    forget: (input: string) => {
      kept.delete(nameOf(input))
      onChange()
    },
    clear: () => kept.clear(),
  }
}

const MOST_STORED = 100
/** Signing out empties the storage of the session. */
const STORED_AS = 'overture.undecided-writes'

let lasting: Map<string, Kept>
try {
  lasting = new Map(JSON.parse(sessionStorage.getItem(STORED_AS) ?? '[]'))
} catch {
  lasting = new Map()
}

function store(): void {
  try {
    sessionStorage.setItem(STORED_AS, JSON.stringify([...lasting].filter(([, { at }]) => Date.now() - at < KEPT_MS).slice(-MOST_STORED)))
  } catch {
    // Without storage, the keys last as long as the page.
  }
}

/** The keys of writes of one name. They outlast the dialog, the screen and the page, because users reload the page after an error of a proxy. */
const lastingKeys = (name: string) => undecidedKeys(lasting, name, store)

/**
 * The input may be large and may name people, so only a short digest of it is kept. If two inputs share one, the service refuses the key for
 * the second, which then gets its own. Pages that were loaded over plain http have no `crypto.subtle`.
 */
function digestOf(text: string): string {
  let digest = 0
  for (let index = 0; index < text.length; index++) digest = Math.imul(digest ^ text.charCodeAt(index), 0x9e3779b1) ^ (digest >>> 15)
  return ` ${text.length} ${digest}`
}

/** For work that leads to another page, so it stays pending after a success. */
export function useAttempt(isPendingAtFirst = false) {
  const [isPending, setPending] = useState(isPendingAtFirst)
  const [error, setError] = useState<unknown>(null)
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    setPending(true)
    setError(null)
    try {
      await work()
    } catch (cause) {
      setError(cause)
      setPending(false)
    }
  }
  return { isPending, error, attempt, stop: () => setPending(false) }
}
