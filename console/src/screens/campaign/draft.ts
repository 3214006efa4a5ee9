import { type Campaign, OvertureError } from '@overture/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { type OperationPlan, useOperation } from '@/data/use-operation.ts'
import { isSame } from '@/ui/json.ts'

export interface Conflict<T> {
  /** What both began with. */
  base: T
  mine: T
  /** What is saved now. */
  theirs: T
}

export interface Draft<T> {
  value: T
  set: (changed: Partial<T>) => void
  isDirty: boolean
  /** Of what is shown, for `if-match`. */
  version: string
  /** Another person saved a different value after this draft was started. */
  conflict: Conflict<T> | null
  /** Ends the conflict: goes on from what is saved now, with these values. */
  resolve: (value: T) => void
  reset: () => void
}

/**
 * The unsaved value of a form. Until the user edits it, it follows the saved value. After that it keeps the input
 * and reports when another person saves a different value, so that neither is lost silently.
 */
export function useDraft<T extends object>(saved: T, savedVersion: string): Draft<T> {
  const [{ base, version, value }, setState] = useState({ base: saved, version: savedVersion, value: saved })
  const isDirty = !isSame(value, base)
  const isMoved = !isSame(saved, base)
  const isConflict = isMoved && isDirty && !isSame(value, saved)
  // What this draft is about is as it was, or it is what was typed: there is nothing to ask.
  if (!isConflict && (isMoved || version !== savedVersion))
    setState({ base: saved, version: savedVersion, value: isDirty && !isMoved ? value : saved })
  const set = useCallback((changed: Partial<T>) => setState(before => ({ ...before, value: { ...before.value, ...changed } })), [])
  const resolve = (chosen: T) => setState({ base: saved, version: savedVersion, value: chosen })
  const reset = () => setState({ base: saved, version: savedVersion, value: saved })
  return { value, set, isDirty, version, conflict: isConflict ? { base, mine: value, theirs: saved } : null, resolve, reset }
}

export function useMayChange(campaign: Campaign): boolean {
  const { may } = useWorkspace()
  return may('campaigns:write') && campaign.status !== 'archived'
}

/** Saves a part of a campaign. If another person saved first, it loads the saved values at once for comparison. */
export function useSettingsSave<Input, Result>(campaign: Campaign, plan: Pick<OperationPlan<Input, Result>, 'send' | 'done'>) {
  const queries = useQueryClient()
  const save = useOperation({ ...plan, touches: [['campaigns'], ['campaign', campaign.id], ['readiness', campaign.id]] })
  const isOutdated = save.error instanceof OvertureError && save.error.code === 'precondition_failed'
  useEffect(() => {
    if (isOutdated) void queries.invalidateQueries({ queryKey: ['campaign', campaign.id] })
  }, [isOutdated, queries, campaign.id])
  return { ...save, isOutdated }
}
