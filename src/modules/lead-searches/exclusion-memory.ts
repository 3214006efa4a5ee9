import type { Db } from '../../db/client.ts'
import { readDirectoryVersion } from '../people/queries.ts'
import {
  ANSWERED,
  type Exclusion,
  findFingerprint,
  isLogged,
  type LeadChange,
  LOST,
  listChanges,
  listExcludedBy,
  listPeopleOfLeads,
  type Searcher,
} from './queries.ts'

/** The maximum of ids that are kept for all workspaces together: about sixteen megabytes. */
const LIMIT = 4_000_000
/** Beyond this many changes, it is cheaper to start again. */
const MOST_CHANGES = 5000

const BUYING = ['lead_search.export', 'lead_search.attach']

const passes = (statuses: readonly string[]) => (change: LeadChange) =>
  statuses.includes(change.from ?? '') || statuses.includes(change.to ?? '')

interface Upkeep {
  /** Events that may change who is excluded. The fingerprint shows who was added and removed. */
  types: readonly string[]
  /** Whether this event removes somebody from the exclusions. Events that only add people do not count. */
  isDecisive(change: LeadChange): boolean
  adds?: 'email.sent'
}

/** What can be cached, and how it is kept up to date. Exclusions by a campaign or a time are read each time. */
const UPKEEP: Partial<Record<Exclusion, Upkeep>> = {
  shadowed: { types: [], isDecisive: () => false },
  barred: { types: ['lead.status_changed'], isDecisive: passes(LOST) },
  bought: {
    types: ['lead_search.completed', 'operation.succeeded'],
    isDecisive: ({ action }) => action === null || BUYING.includes(action),
  },
  inAnyCampaign: { types: [], isDecisive: () => false },
  contacted: { types: ['email.sent'], isDecisive: () => false, adds: 'email.sent' },
  replied: { types: ['lead.status_changed'], isDecisive: passes(ANSWERED) },
}

interface Kept {
  directoryVersion: number
  fingerprint: string
  seq: number
  ids: Uint32Array
}

/**
 * The people whom the searches of a workspace exclude. Looking up each lead of the workspace in the directory for every preview would
 * become slower with the age of the workspace. So the ids are kept with their basis: the version of the directory, the numbers of leads,
 * suppressions and purchases, and the last event. Later events are added; when one of them removes somebody, everything is read again.
 */
class ExclusionMemory {
  readonly #known = new Map<string, Kept>()
  #size = 0

  async list(db: Db, reason: Exclusion, searcher: Searcher, ...more: (string | Date)[]): Promise<Uint32Array> {
    const upkeep = UPKEEP[reason]
    if (!upkeep || more.length > 0) return Uint32Array.from(await listExcludedBy(db, reason, searcher, ...more))
    if (reason === 'shadowed' && searcher.owner === 0) return new Uint32Array()
    // The fingerprint is read first: newer data is read again next time, and no old data counts as new.
    const directoryVersion = await readDirectoryVersion(db)
    const now = await findFingerprint(db, reason, searcher.workspaceId)
    const key = `${searcher.workspaceId} ${reason}`
    const known = this.#known.get(key)
    const isSame = known?.directoryVersion === directoryVersion && known.fingerprint === now.fingerprint
    const ids =
      (isSame && (await this.#bringUpToDate(db, known, now.seq, upkeep, searcher))) || (await listExcludedBy(db, reason, searcher))
    const kept = { directoryVersion, ...now, ids: ids instanceof Uint32Array ? ids : Uint32Array.from(ids) }
    this.#keep(key, kept)
    return kept.ids
  }

  /** Null when an event cannot be added. */
  async #bringUpToDate(db: Db, known: Kept, seq: number, upkeep: Upkeep, searcher: Searcher): Promise<Uint32Array | null> {
    const { types, adds } = upkeep
    if (seq === known.seq || types.length === 0) return known.ids
    if (!(await isLogged(db, searcher.workspaceId, known.seq))) return null
    const changes = await listChanges(db, searcher.workspaceId, { after: known.seq, upTo: seq, types }, MOST_CHANGES + 1)
    if (changes.length > MOST_CHANGES || changes.some(change => upkeep.isDecisive(change))) return null
    const leadIds = new Set(changes.flatMap(({ type, leadId }) => (type === adds && leadId !== null ? [leadId] : [])))
    if (leadIds.size === 0) return known.ids
    return Uint32Array.from([...known.ids, ...(await listPeopleOfLeads(db, searcher, [...leadIds]))])
  }

  #keep(key: string, entry: Kept): void {
    this.#size += entry.ids.length - (this.#known.get(key)?.ids.length ?? 0)
    this.#known.set(key, entry)
    if (this.#size <= LIMIT) return
    this.#known.clear()
    this.#size = 0
  }
}

export const exclusionMemory = (): ExclusionMemory => new ExclusionMemory()
