import type { Tx } from '../db/client.ts'
import type { Person } from '../lib/scrub.ts'

export interface ErasureCounts {
  leadCount: number
  messageCount: number
  replyCount: number
  eventCount: number
  exportCount: number
  operationCount: number
}

export const NOTHING_ERASED: Readonly<ErasureCounts> = {
  leadCount: 0,
  messageCount: 0,
  replyCount: 0,
  eventCount: 0,
  exportCount: 0,
  operationCount: 0,
}

/** The person who is being erased from a workspace, and how to find their data. */
export interface Erasing {
  workspaceId: string
  person: Person
  /** The keyed hash of the address: what is left to recognise the person by. */
  emailHash: Buffer
  /** The leads that the person has been found to be, now or once. Looking adds to them. */
  leadIds: Set<string>
  /** Aborts when the worker is to stop. */
  signal: AbortSignal
  /** Counts what was erased, in the transaction that erased it: what an attempt has done before it was cut off is counted, too. */
  count(tx: Tx, what: keyof ErasureCounts, by: number): Promise<void>
}
