import { type Accepted, type Operation, OperationFailed, type OperationHandle, type OperationOf, OvertureError } from '@overture/sdk'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { explainError, isSignedOut } from '@/api/errors.ts'
import { toast } from '@/ui/toast.tsx'

/** How far a write is. `done` and `failed` stay until the next one. */
export type OperationPhase = 'idle' | 'sending' | 'queued' | 'running' | 'done' | 'failed'

export interface SendOptions {
  idempotencyKey: string
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
  /** Errors are shown where the button is; without such a place, say them in a toast. */
  toastsErrors?: boolean
  /** Stop following the operation when the screen is left. The operation itself goes on. */
  endsOnLeave?: boolean
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
  // As long as nobody knows how it ended, the same input goes out with the same key again: nothing is done or charged twice.
  const unanswered = useRef<{ input: string; key: string } | null>(null)
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
      const { send, touches = [], done, toastsErrors, endsOnLeave } = latest.current
      const signal = endsOnLeave ? leaving.current?.signal : undefined
      const asText = JSON.stringify(input) ?? ''
      const key = unanswered.current?.input === asText ? unanswered.current.key : newKey()
      unanswered.current = null
      let isAccepted = false
      setState({ ...IDLE, phase: 'sending' })
      try {
        const answer = await send(input, { idempotencyKey: key, wait: 2 })
        const onProgress = (operation: Operation) =>
          setState({ phase: operation.status as OperationPhase, error: null, underWay: operation as OperationOf<Result> })
        isAccepted = isHandle(answer)
        const result = isHandle(answer) ? await answer.wait({ signal, timeoutMs: Number.POSITIVE_INFINITY, onProgress }) : answer
        for (const queryKey of touches) void queries.invalidateQueries({ queryKey })
        setState({ ...IDLE, phase: 'done' })
        if (done) toast.done(typeof done === 'string' ? done : done(result, input))
        // The one of now: since it began, the person may have gone elsewhere.
        latest.current.onDone?.(result, input)
        return result
      } catch (cause) {
        if (signal?.aborted) return undefined
        const failure = cause instanceof Error ? cause : new Error(String(cause))
        if (isUndecided(failure, isAccepted, input)) unanswered.current = { input: asText, key }
        setState({ phase: 'failed', error: failure, underWay: null })
        if (isSignedOut(failure)) queries.setQueryData(['session'], null)
        if (toastsErrors) {
          const { title, message } = explainError(failure)
          toast.failed(title, message)
        }
        return undefined
      }
    },
    [queries],
  )

  const reset = useCallback(() => setState(IDLE), [])
  return { phase, error, underWay, run, isBusy, reset }
}

/**
 * No answer came, the session had ended, or what was accepted could not be followed to its end. A press without input, as of pause and
 * resume, is kept only when no answer came: pressed again after the other one it means something new.
 */
function isUndecided(failure: Error, isAccepted: boolean, input: unknown): boolean {
  if (failure instanceof OvertureError && failure.status === 0) return true
  if (input === null || input === undefined) return false
  return isAccepted ? !(failure instanceof OperationFailed) : isSignedOut(failure)
}

/** `crypto.randomUUID` is missing where the page came by plain http from another machine. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `console-${Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')}`
}
