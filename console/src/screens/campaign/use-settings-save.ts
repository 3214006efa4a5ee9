import { type Campaign, OvertureError } from '@overture/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { type OperationPlan, useOperation } from '@/data/use-operation.ts'

export function useMayChange(campaign: Campaign): boolean {
  const { may } = useWorkspace()
  return may('campaigns:write') && campaign.status !== 'archived'
}

/** Saves a part of a campaign. When somebody else was first, what is saved now is asked for at once, so that it can be compared. */
export function useSettingsSave<Input, Result>(campaign: Campaign, plan: Pick<OperationPlan<Input, Result>, 'send' | 'done'>) {
  const queries = useQueryClient()
  const save = useOperation({ ...plan, touches: [['campaigns'], ['campaign', campaign.id], ['readiness', campaign.id]] })
  const isOutdated = save.error instanceof OvertureError && save.error.code === 'precondition_failed'
  useEffect(() => {
    if (isOutdated) void queries.invalidateQueries({ queryKey: ['campaign', campaign.id] })
  }, [isOutdated, queries, campaign.id])
  return { ...save, isOutdated }
}
