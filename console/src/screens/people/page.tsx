import type { Member, Suppression } from '@overture/sdk'
import { usePages } from '@/data/use-answer.ts'
import { type PageProps, SectionPage } from '@/ui/page.tsx'

const SECTION = {
  label: 'People and data',
  tabs: [
    { to: '/people/suppressions', label: 'Suppressions' },
    { to: '/people/erasure', label: 'Erasure' },
    { to: '/people/team', label: 'Team' },
    { to: '/people/settings', label: 'Workspace' },
  ],
} as const

export const Page = (props: PageProps) => <SectionPage section={SECTION} {...props} />

export const useSuppressions = ({ q, kind }: { q?: string | undefined; kind?: string | undefined }) =>
  usePages(['suppressions', { q, kind }], (api, page, options) =>
    api.suppressions.list({ ...(q ? { q } : {}), ...(kind ? { kind: kind as Suppression['kind'] } : {}), ...page }, options),
  )

export const useTeam = () => usePages(['team'], (api, page, options) => api.team.list(page, options))

export const useInvitations = () => usePages(['invitations'], (api, page, options) => api.team.listInvitations(page, options))

export type Role = Member['role']

export const ROLES: readonly { value: Role; label: string; about: string }[] = [
  { value: 'viewer', label: 'Viewer', about: 'Reads everything except keys and the audit log.' },
  { value: 'member', label: 'Member', about: 'Also changes campaigns, leads, mailboxes and suppressions, and exports leads.' },
  { value: 'admin', label: 'Admin', about: 'Everything, except making or changing owners.' },
  { value: 'owner', label: 'Owner', about: 'Everything, including who is an owner.' },
]

export const roleName = (role: string): string => ROLES.find(({ value }) => value === role)?.label ?? role
