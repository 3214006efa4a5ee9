/** The roles of a person in a workspace, from the most scopes to the fewest. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const

export type Role = (typeof ROLES)[number]
