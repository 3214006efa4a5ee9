import type { Invitation, Member, Suppression } from '@overture/sdk'
import { useWorkspace } from '@/data/session.ts'
import { type Pages, usePages } from '@/data/use-pages.ts'

export function useSuppressions({ q, kind }: { q?: string | undefined; kind?: string | undefined }): Pages<Suppression> {
  const { api, id } = useWorkspace()
  return usePages<Suppression>(['suppressions', id, { q, kind }], (cursor, options) =>
    api.suppressions.list({ limit: 50, ...(q ? { q } : {}), ...(kind ? { kind: kind as Suppression['kind'] } : {}), ...cursor }, options),
  )
}

export function useTeam(): Pages<Member> {
  const { api, id } = useWorkspace()
  return usePages<Member>(['team', id], (cursor, options) => api.team.list({ limit: 50, ...cursor }, options))
}

export function useInvitations(): Pages<Invitation> {
  const { api, id } = useWorkspace()
  return usePages<Invitation>(['invitations', id], (cursor, options) => api.team.listInvitations({ limit: 50, ...cursor }, options))
}
