import type pg from 'pg'
import type { ClickHouse } from '../../leadsearch/engine/clickhouse.ts'
import { ClickHousePeople } from '../../leadsearch/engine/clickhouse.ts'
import type { Question } from '../../leadsearch/engine/column-index.ts'
import type { ExportedIds, LeadPreview } from '../../leadsearch/engine/engine.ts'
import type { DirectoryChanges } from '../../leadsearch/engine/records.ts'
import { type DirectoryVersion, type FeedPosition, readChanges } from './feed.ts'
import type { FollowingIndex } from './index-keeper.ts'

/** For directories that outgrow one machine's memory: the people are in ClickHouse, the dictionaries here. */
export class ClickHouseIndex implements FollowingIndex {
  readonly #people: ClickHousePeople

  constructor(clickhouse: ClickHouse, prefix?: string) {
    this.#people = new ClickHousePeople(clickhouse, prefix)
  }

  get position(): FeedPosition {
    const { version, titles, places } = this.#people
    return { version, titleCount: titles.count, placeCount: places.count }
  }

  /** Dictionaries are read whole; of the people only what ClickHouse has not seen. */
  async build(client: pg.Client): Promise<void> {
    const seen = await this.#people.open()
    const { changes, current } = await readChanges(client, { version: 0, titleCount: 1, placeCount: 1, peopleVersion: seen })
    await this.#people.apply(changes, current.version, { companiesAreKnown: true })
  }

  apply(changes: DirectoryChanges, current: DirectoryVersion): Promise<void> {
    return this.#people.apply(changes, current.version)
  }

  preview(question: Question, withFacets: boolean): Promise<LeadPreview> {
    return this.#people.preview(question, withFacets)
  }

  exportIds(question: Question, limit: number): Promise<ExportedIds> {
    return this.#people.exportIds(question, limit)
  }

  async settle(): Promise<void> {}

  close(): Promise<void> {
    return this.#people.close()
  }
}
