import type { Suppression } from '@overture/sdk'
import { usePages } from '@/data/use-pages.ts'

export const useSuppressions = ({ q, kind }: { q?: string | undefined; kind?: string | undefined }) =>
  usePages(['suppressions', { q, kind }], (api, page, options) =>
    api.suppressions.list({ ...(q ? { q } : {}), ...(kind ? { kind: kind as Suppression['kind'] } : {}), ...page }, options),
  )

export const useTeam = () => usePages(['team'], (api, page, options) => api.team.list(page, options))

export const useInvitations = () => usePages(['invitations'], (api, page, options) => api.team.listInvitations(page, options))
