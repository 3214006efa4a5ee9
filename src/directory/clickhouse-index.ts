import type pg from 'pg'
import { type ClickHouse, ClickHousePeople } from './clickhouse.ts'
import type { Question } from './column-index.ts'
import type { ExportedIds, LeadPreview } from './engine.ts'
import { type FeedPosition, hasDirectoryVersion, readChanges } from './feed.ts'
import type { FollowingIndex } from './index-keeper.ts'
import type { DirectoryChanges, DirectoryVersion } from './records.ts'

/** For directories that do not fit into the memory of one machine: the people are in ClickHouse, the dictionaries in memory. */
export class ClickHouseIndex implements FollowingIndex {
  readonly #connect: () => ClickHouse
  #clickhouse: ClickHouse | undefined
  #people: ClickHousePeople | undefined

  /** Connects only when the index is built, so that a missing client is reported as an error and tried again. */
  constructor(connect: () => ClickHouse) {
    this.#connect = connect
  }

  get position(): FeedPosition {
    const { version, titles, places } = this.#built
    return { version, titleCount: titles.count, placeCount: places.count }
  }

  /** Reads the dictionaries completely, and of the people only those that ClickHouse does not have yet. */
  async build(client: pg.Client): Promise<void> {
    this.#clickhouse ??= this.#connect()
    // Every attempt starts with new dictionaries, because a failed attempt may have filled the old ones.
    const people = new ClickHousePeople(this.#clickhouse)
    let last = await people.open()
    if (!last || last.id === '' || !(await hasDirectoryVersion(client, last))) {
      last = await firstVersion(client)
      await people.clear(last)
    }
    const seen = last.version
    // When no version was written completely, a part of one may be in the tables. So the read does not start at 0, which would leave out
    // people who were erased since.
    const peopleVersion = seen === 0 ? -1 : seen
    const { changes, current } = await readChanges(client, { version: 0, titleCount: 1, placeCount: 1, peopleVersion })
    await people.apply(changes, current, await changedCompanies(client, seen, current.version))
    this.#people = people
  }

  apply(changes: DirectoryChanges, current: DirectoryVersion): Promise<void> {
    return this.#built.apply(changes, current)
  }

  async preview(question: Question, withFacets: boolean): Promise<LeadPreview> {
    return this.#built.preview(question, withFacets)
  }

  async exportIds(question: Question, limit: number): Promise<ExportedIds> {
    return this.#built.exportIds(question, limit)
  }

  async settle(): Promise<void> {}

  async close(): Promise<void> {
    await this.#clickhouse?.close()
  }

  get #built(): ClickHousePeople {
    if (!this.#people) throw new Error('the index in ClickHouse was queried before it was built')
    return this.#people
  }
}

/** The first version of the directory: its id identifies the directory. */
async function firstVersion(client: pg.Client): Promise<DirectoryVersion> {
  const { rows } = await client.query('select 0 as version, id from directory_versions order by version limit 1')
  return rows[0] as DirectoryVersion
}

/**
 * Companies that changed after `seen`: their people have old company values even if they did not change themselves. A company that changes
 * after `current` comes with the next changes.
 */
async function changedCompanies(client: pg.Client, seen: number, current: number): Promise<number[]> {
  if (seen === 0 || seen >= current) return []
  const { rows } = await client.query('select id from companies where version > $1 and version <= $2 order by id', [seen, current])
  return rows.map(row => (row as { id: number }).id)
}
