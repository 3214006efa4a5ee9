import { type Accepted, type Operation, OperationFailed, type OperationHandle, type OperationOf, OvertureError } from '@overture/sdk'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { use, useCallback, useEffect, useRef, useState } from 'react'
import { explainError } from '@/api/errors.ts'
import { toast } from '@/ui/toast.tsx'
import { lookAtSession, touch } from './queries.ts'
import { WorkspaceContext } from './session.ts'

/** How far a write is. `done` and `failed` stay until the next one. */
export type OperationPhase = 'idle' | 'sending' | 'queued' | 'running' | 'done' | 'failed'

export interface SendOptions {
  idempotencyKey: string
  /** When this write was first sent: the same whenever it is sent again with the same key. */
  firstAt: number
  /** Seconds that the service may take before it answers; most operations are over by then. */
  wait: number
}

export interface OperationPlan<Input, Result> {
  /** Sends the write: `(campaign, options) => api.campaigns.pause(campaign.id, options)`. */
  send: (input: Input, options: SendOptions) => Accepted<Result> | Promise<OperationHandle<Result> | Result>
  /** What is out of date when it is done, besides what its events say. */
  touches?: readonly QueryKey[]
  /** Said when it is done. */
  done?: string | ((result: Result, input: Input) => string)
  onDone?: (result: Result, input: Input) => void
  /** Errors are shown where the button is; without such a place, say them in a toast, which can end with the screen. */
  toastsErrors?: boolean | 'until elsewhere'
  /** Stop following the operation when the screen is left. The operation itself goes on. */
  endsOnLeave?: boolean
  /**
   * For a write that pays, sends, creates or deletes: its name and its target. While its outcome is unknown, the same
   * input is the same write, also from a dialog or a screen that was closed and opened again, and after the page was loaded again.
   */
  once?: string
  /** Each press is a new one, however the last one ended: a check, or one of two that undo each other. */
  repeats?: boolean
}

export interface RunningOperation<Input, Result> {
  phase: OperationPhase
  error: Error | null
  /** What the service says of it while it is queued or runs, with its progress. */
  underWay: OperationOf<Result> | null
  /** Resolves with the result, or with undefined when it failed: the error is in `error`. */
  run: (input: Input) => Promise<Result | undefined>
  isBusy: boolean
  reset: () => void
}

type State<Result> = Pick<RunningOperation<never, Result>, 'phase' | 'error' | 'underWay'>

const IDLE = { phase: 'idle', error: null, underWay: null } as const
const SHOWN_MS = 1800

const isHandle = <Result>(answer: OperationHandle<Result> | Result): answer is OperationHandle<Result> =>
  typeof answer === 'object' && answer !== null && 'wait' in answer && typeof answer.wait === 'function'

/**
 * A write and all that belongs to it: a key that makes a repetition safe, the operation followed to its end, the state for the
 * button, and what has to be asked for again afterwards.
 */
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
      // From the start: two presses at once are one write.
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
        // What is done at once has no event, and yet it stands in the audit trail.
        touch(queries, isAccepted ? touches : [...touches, ['operations']])
        setState({ ...IDLE, phase: 'done' })
        if (done) toast.done(typeof done === 'string' ? done : done(result, input))
        // The one of now: since it began, the person may have gone elsewhere.
        latest.current.onDone?.(result, input)
        return result
      } catch (cause) {
        // If the user has left the page, the outcome is unknown, so the key is kept.
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

/** A refusal with one of these does not say how an earlier attempt ended, whose answer was lost. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([401, 408, 425, 429])

/** Decided is what the service itself has refused, and what it has accepted and carried out or not; a proxy between us decides nothing. */
function isUndecided(failure: Error, isAccepted: boolean): boolean {
  if (!(failure instanceof OvertureError) || failure instanceof OperationFailed) return false
  const { status, code } = failure
  const isRefusal = status >= 400 && status < 500 && !PASSING_STATUSES.has(status) && code !== 'unexpected_answer'
  return isAccepted || !isRefusal
}

const isKeyReused = (error: unknown): boolean => error instanceof OvertureError && error.code === 'idempotency_key_reused'

/** Ordered by time, like the keys of the SDK. `crypto.randomUUID` is missing where the page came by plain http from another machine. */
function newKey(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  const bytes = crypto.getRandomValues(new Uint8Array(10))
  return `console-${time}${Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')}`
}

interface Kept {
  key: string
  /** When it was first sent: what depends on the time must be the same when it is sent again. */
  firstAt: number
  at: number
}

/**
 * The idempotency keys of writes with an unknown outcome: in flight, or without a conclusive response. If the same write is sent again, it
 * carries the same key, so that nothing is done, sent or charged twice.
 */
interface UndecidedKeys {
  /** The key of before, as long as that is undecided; else null. */
  find(input: string, now: number): Pick<Kept, 'key' | 'firstAt'> | null
  keep(input: string, write: Pick<Kept, 'key' | 'firstAt'>, now: number): void
  forget(input: string): void
  clear(): void
}

/** After this, who sends the same again means a second one. */
const KEPT_MS = 3_600_000

function undecidedKeys(kept = new Map<string, Kept>(), name = '', onChange = () => {}): UndecidedKeys {
  const nameOf = (input: string) => name + digestOf(input)
  return {
    find: (input, now) => {
      const found = kept.get(nameOf(input))
      return found && now - found.at < KEPT_MS ? found : null
    },
    keep: (input, { key, firstAt }, at) => {
      // The newest stands last.
      kept.delete(nameOf(input))
      kept.set(nameOf(input), { key, firstAt, at })
      onChange()
    },
    forget: input => {
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
    // Without storage they last as long as the page.
  }
}

/**
 * The keys of writes of one name: they outlast the dialog or the screen that has sent them, and also the page, because after an error of a
 * proxy people load it again.
 */
const lastingKeys = (name: string): UndecidedKeys => undecidedKeys(lasting, name, store)

/**
 * What was sent may be large, and may name people: only a short digest of it is kept. Should two inputs share one, the service refuses the
 * key for the second, which then gets its own. Written by hand, because `crypto.subtle` is missing where the page came by plain http.
 */
function digestOf(text: string): string {
  let digest = 0
  for (let index = 0; index < text.length; index++) digest = Math.imul(digest ^ text.charCodeAt(index), 0x9e3779b1) ^ (digest >>> 15)
  return ` ${text.length} ${digest}`
}

/** Something that is tried and leads away when it works: it stays pending then, and shows what went wrong otherwise. */
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
