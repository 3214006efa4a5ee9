import type pg from 'pg'
import { type ClickHouse, ClickHousePeople } from '../engine/clickhouse.ts'
import type { Question } from '../engine/column-index.ts'
import type { ExportedIds, LeadPreview } from '../engine/engine.ts'
import type { DirectoryChanges } from '../engine/records.ts'
import { type DirectoryVersion, type FeedPosition, hasDirectoryVersion, readChanges } from './feed.ts'
import type { FollowingIndex } from './index-keeper.ts'

/** For directories that outgrow one machine's memory: the people are in ClickHouse, the dictionaries here. */
export class ClickHouseIndex implements FollowingIndex {
  readonly #connect: () => ClickHouse
  readonly #prefix: string | undefined
  #clickhouse: ClickHouse | undefined
  #people: ClickHousePeople | undefined

  /** Connecting is left until the index is built: a missing client is then reported as an error, and tried again. */
  constructor(connect: () => ClickHouse, prefix?: string) {
    this.#connect = connect
    this.#prefix = prefix
  }

  get position(): FeedPosition {
    const { version, titles, places } = this.#built
    return { version, titleCount: titles.count, placeCount: places.count }
  }

  /** Dictionaries are read whole; of the people only what ClickHouse has not seen. */
  async build(client: pg.Client): Promise<void> {
    this.#clickhouse ??= this.#connect()
    // A new one for every attempt: dictionaries that an attempt has filled must not be filled again.
    const people = new ClickHousePeople(this.#clickhouse, this.#prefix)
    let last = await people.open()
    if (!last || last.id === '' || !(await hasDirectoryVersion(client, last))) {
      last = await firstVersion(client)
      await people.clear(last)
    }
    const seen = last.version
    // Where no version was written whole, half of one may be: people who were erased since are reported, too, which does not happen from 0 on.
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

/** The beginning of the directory: its id is the history's. */
async function firstVersion(client: pg.Client): Promise<DirectoryVersion> {
  const { rows } = await client.query('select 0 as version, id from directory_versions order by version limit 1')
  return rows[0] as DirectoryVersion
}

/**
 * Companies that changed after `seen`: their people may not have changed, but carry what the company had then. One that
 * has changed once more since `current` comes with the next changes.
 */
async function changedCompanies(client: pg.Client, seen: number, current: number): Promise<number[]> {
  if (seen === 0 || seen >= current) return []
  const { rows } = await client.query('select id from companies where version > $1 and version <= $2 order by id', [seen, current])
  return rows.map(row => (row as { id: number }).id)
}
