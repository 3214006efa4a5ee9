import type { Member } from '@overture/sdk'

export type Role = Member['role']

export const ROLES: readonly { value: Role; label: string; about: string }[] = [
  { value: 'viewer', label: 'Viewer', about: 'Reads everything but keys and the audit trail.' },
  { value: 'member', label: 'Member', about: 'Also changes campaigns, leads, mailboxes and suppressions, and exports leads.' },
  { value: 'admin', label: 'Admin', about: 'Everything but granting credits.' },
  { value: 'owner', label: 'Owner', about: 'Everything.' },
]

export const roleName = (role: string): string => ROLES.find(({ value }) => value === role)?.label ?? role
