/** What a person can be in a workspace, from the one who may do most to the one who may do least. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const

export type Role = (typeof ROLES)[number]
