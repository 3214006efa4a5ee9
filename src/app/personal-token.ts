import type { Tx } from '../db/client.ts'
import { issueToken } from '../modules/tokens/tokens.ts'

/** A token of a person for every workspace of that person, with all scopes: for commands of the operator, and for local starts. */
export const issuePersonalToken = (tx: Tx, userId: string, name: string, expiresAt: Date | null, now: Date) =>
  issueToken(tx, { kind: 'personal', userId, workspaceId: null, name, scopes: ['*'], expiresAt }, now)
