import type { Plan } from '@overture/sdk'
import { useWorkspace } from '@/data/session.ts'
import { usePages } from '@/data/use-pages.ts'

export function useWaitingPlans() {
  const { api } = useWorkspace()
  return usePages<Plan>(['plans', 'pending'], (cursor, options) => api.plans.list({ ...cursor, status: 'pending' }, options))
}

/** All of them, newest first. */
export function usePlans() {
  const { api } = useWorkspace()
  return usePages<Plan>(['plans', 'all'], (cursor, options) => api.plans.list(cursor, options))
}
