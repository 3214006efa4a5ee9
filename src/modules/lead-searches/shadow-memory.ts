import type { Db } from '../../db/client.ts'
import { readDirectoryVersion } from '../people/people.ts'
import { listExcludedBy, type Searcher } from './exclusion-queries.ts'

/** Numbers that are kept for all workspaces together: some megabytes. */
const LIMIT = 1_000_000

/**
 * Whose records of a workspace stand in the place of the operator's. That changes with the directory only, and a workspace that
 * has brought very many people should not look each of them up for every preview.
 */
class ShadowMemory {
  readonly #known = new Map<string, { version: number; ids: number[] }>()
  #kept = 0

  async list(db: Db, searcher: Searcher): Promise<number[]> {
    if (searcher.owner === 0) return []
    // The version is read first: what is newer than it is asked for again next time, and nothing old is taken for new.
    const version = await readDirectoryVersion(db)
    const known = this.#known.get(searcher.workspaceId)
    if (known?.version === version) return known.ids
    const ids = await listExcludedBy(db, 'shadowed', searcher)
    this.#keep(searcher.workspaceId, { version, ids })
    return ids
  }

  #keep(workspaceId: string, entry: { version: number; ids: number[] }): void {
    this.#kept += entry.ids.length - (this.#known.get(workspaceId)?.ids.length ?? 0)
    this.#known.set(workspaceId, entry)
    if (this.#kept <= LIMIT) return
    this.#known.clear()
    this.#kept = 0
  }
}

/** One for the process. */
export const shadowMemory = (): ShadowMemory => new ShadowMemory()
