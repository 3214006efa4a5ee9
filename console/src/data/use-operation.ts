import { type Accepted, type Operation, OperationFailed, type OperationHandle, type Overture, OvertureError } from '@overture/sdk'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { explainError, isSignedOut } from '@/api/errors.ts'
import { toast } from '@/ui/toast.tsx'
import { onEvent } from './live-state.ts'
import { useWorkspace } from './session.ts'

/** How far a write is. `done` and `failed` stay until the next one. */
export type OperationPhase = 'idle' | 'sending' | 'queued' | 'running' | 'done' | 'failed'

export interface SendOptions {
  idempotencyKey: string
  /** Seconds that the service may take before it answers; most operations are over by then. */
  wait: number
}

export interface OperationPlan<Input, Result> {
  /** Sends the write: `(campaign, options) => api.campaigns.pause(campaign.id, options)`. */
  send: (input: Input, options: SendOptions) => Accepted<Result> | Promise<Result>
  /** What is out of date when it is done, besides what its events say. */
  touches?: readonly QueryKey[]
  /** Said when it is done. */
  done?: string | ((result: Result, input: Input) => string)
  onDone?: (result: Result, input: Input) => void
  /** Errors are shown where the button is; without such a place, say them in a toast. */
  toastsErrors?: boolean
}

export interface RunningOperation<Input, Result> {
  phase: OperationPhase
  error: Error | null
  /** Resolves with the result, or with undefined when it failed: the error is in `error`. */
  run: (input: Input) => Promise<Result | undefined>
  isBusy: boolean
  reset: () => void
}

const SHOWN_MS = 1800
const LOOKS_MS = [1000, 2000, 4000, 8000]

const isHandle = (answer: unknown): answer is OperationHandle<unknown> =>
  typeof answer === 'object' && answer !== null && 'wait' in answer && typeof answer.wait === 'function'

/** Resolves when the event of this operation comes in, or after a while: events may be missing when the stream is broken. */
function untilNews(operationId: string, withinMs: number): Promise<void> {
  return new Promise(resolve => {
    const finish = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(finish, withinMs)
    const stop = onEvent(event => {
      if ((event.data as { operationId?: string }).operationId === operationId) finish()
    })
  })
}

async function follow(api: Overture, id: string, onPhase: (phase: OperationPhase) => void): Promise<Operation> {
  for (let look = 0; ; look++) {
    const operation = await api.operations.get(id)
    if (operation.status === 'failed') throw new OperationFailed(operation)
    if (operation.status === 'succeeded') return operation
    onPhase(operation.status)
    await untilNews(id, LOOKS_MS[Math.min(look, LOOKS_MS.length - 1)]!)
  }
}

/**
 * A write and all that belongs to it: a key that makes a repetition safe, the operation followed to its end, the state for the
 * button, and what has to be asked for again afterwards.
 */
export function useOperation<Input, Result>(plan: OperationPlan<Input, Result>): RunningOperation<Input, Result> {
  const { api } = useWorkspace()
  const queries = useQueryClient()
  const [{ phase, error }, setState] = useState<{ phase: OperationPhase; error: Error | null }>({ phase: 'idle', error: null })
  const latest = useRef(plan)
  latest.current = plan
  // After no answer nobody knows whether it was done: the same input goes out with the same key again.
  const unanswered = useRef<{ input: string; key: string } | null>(null)
  const isBusy = phase === 'sending' || phase === 'queued' || phase === 'running'

  useEffect(() => {
    if (phase !== 'done') return
    const timer = setTimeout(() => setState({ phase: 'idle', error: null }), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [phase])

  const run = useCallback(
    async (input: Input): Promise<Result | undefined> => {
      const { send, touches = [], done, toastsErrors } = latest.current
      const asText = JSON.stringify(input) ?? ''
      const key = unanswered.current?.input === asText ? unanswered.current.key : newKey()
      unanswered.current = null
      setState({ phase: 'sending', error: null })
      try {
        const answer = await send(input, { idempotencyKey: key, wait: 2 })
        const result = isHandle(answer)
          ? ((await follow(api, answer.id, next => setState({ phase: next, error: null }))).result as Result)
          : (answer as Result)
        for (const queryKey of touches) void queries.invalidateQueries({ queryKey })
        setState({ phase: 'done', error: null })
        if (done) toast.done(typeof done === 'string' ? done : done(result, input))
        // The one of now: since it began, the person may have gone elsewhere.
        latest.current.onDone?.(result, input)
        return result
      } catch (cause) {
        const failure = cause instanceof Error ? cause : new Error(String(cause))
        if (failure instanceof OvertureError && failure.status === 0) unanswered.current = { input: asText, key }
        setState({ phase: 'failed', error: failure })
        if (isSignedOut(failure)) queries.setQueryData(['session'], null)
        if (toastsErrors) {
          const { title, message } = explainError(failure)
          toast.failed(title, message)
        }
        return undefined
      }
    },
    [api, queries],
  )

  const reset = useCallback(() => setState({ phase: 'idle', error: null }), [])
  return { phase, error, run, isBusy, reset }
}

/** `crypto.randomUUID` is missing where the page came by plain http from another machine. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `console-${Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')}`
}
