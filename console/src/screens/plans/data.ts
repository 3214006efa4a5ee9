import { usePages } from '@/data/use-pages.ts'

export const useWaitingPlans = () =>
  usePages(['plans', 'pending'], (api, page, options) => api.plans.list({ ...page, status: 'pending' }, options))

/** All of them, newest first. */
export const usePlans = () => usePages(['plans', 'all'], (api, page, options) => api.plans.list(page, options))
