import type { Tx } from '../db/client.ts'
import type { Person } from '../lib/scrub.ts'

export const NOTHING_ERASED = {
  leadCount: 0,
  messageCount: 0,
  replyCount: 0,
  eventCount: 0,
  exportCount: 0,
  operationCount: 0,
}

export type ErasureCounts = Readonly<typeof NOTHING_ERASED>

/** The person who is being erased from a workspace, and how to find their data. */
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
