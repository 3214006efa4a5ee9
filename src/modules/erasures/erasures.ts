import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import type { Person } from '../../lib/scrub.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { SealedAddress } from './schema.ts'

const SEAL = 'erasure'
const placeOf = (workspaceId: string): string => `workspaces/${workspaceId}/erasure`

/** An operation is kept for months. It contains the address only until the erasure is done, and encrypted. */
export const sealAddress = (secrets: SecretBox, workspaceId: string, email: string): { sealed: string } => ({
  sealed: secrets.seal(SEAL, email, placeOf(workspaceId)).toString('base64'),
})

export const openAddress = (secrets: SecretBox, workspaceId: string, input: SealedAddress): string =>
  secrets.open(SEAL, Buffer.from(input.sealed, 'base64'), placeOf(workspaceId))

export const NOTHING_ERASED = {
  leadCount: 0,
  messageCount: 0,
  replyCount: 0,
  eventCount: 0,
  exportCount: 0,
  operationCount: 0,
}

export type ErasureCounts = Readonly<typeof NOTHING_ERASED>

/** The person who is being erased from a workspace, and the keys to find their data. */
export interface Erasing {
  workspaceId: string
  person: Person
  /** The keyed hash of the address, by which the person is recognized afterwards. */
  emailHash: Buffer
  /** The leads of the person, current and removed ones. Each slice adds those that it finds. */
  leadIds: Set<string>
  /** Aborts when the worker stops. */
  signal: AbortSignal
  /** Counts erased records in the transaction that erases them, so that earlier, interrupted attempts are counted, too. */
  count(tx: Tx, what: keyof ErasureCounts, by: number): Promise<void>
}

/** How an erasure counts. */
export interface Counting {
  /** The counts of earlier attempts. */
  before?: ErasureCounts
  save?: (tx: Tx, counts: ErasureCounts) => Promise<void>
}

/** Erases a person from one workspace. The app composes it, because each slice erases what it holds. */
export type ErasePerson = (
  ctx: Context,
  workspaceId: string,
  email: string,
  signal: AbortSignal,
  counting?: Counting,
) => Promise<ErasureCounts>
