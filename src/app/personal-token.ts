import type { Tx } from '../db/client.ts'
import { OPERATOR_SCOPES } from '../http/access.ts'
import { issueToken } from '../modules/tokens/tokens.ts'

interface PersonalToken {
  userId: string
  name: string
  expiresAt: Date | null
  /** It may do what belongs to the operator of the installation, too. */
  isOperator?: boolean
}

/** A token of a person for every workspace of that person, with all scopes: for commands of the operator, and for local starts. */
export const issuePersonalToken = (tx: Tx, { isOperator, ...token }: PersonalToken, now: Date) =>
  issueToken(tx, { ...token, kind: 'personal', workspaceId: null, scopes: ['*', ...(isOperator ? OPERATOR_SCOPES : [])] }, now)
