import { showProgress } from '../../cli/output.ts'
import type { Context } from '../../context/context.ts'
import { sql, type Tx } from '../../db/client.ts'
import {
  copyCompanies,
  copyDomains,
  copyPeople,
  copyPlaces,
  copyTitles,
  withoutIndexesOfPeople,
} from '../../modules/people/merge-queries.ts'
import { insertVersion, lockDirectory } from '../../modules/people/queries.ts'
import { Chance, demoCities, inventCompanies, inventPeople, titleCatalogue } from './inventing.ts'

interface SeedOptions {
  people: number
  now: Date
  seed?: number
  /** Tens of thousands of titles instead of hundreds, as in directories that people fill in themselves. */
  manyTitles?: boolean
  /** Called from time to time with the number of people that are done. */
  onProgress?: (people: number) => void
}

const PEOPLE_PER_COMPANY = 9
/** A statement may take only so long, and a busy machine is slow. */
const COPY_ROWS = 10_000

const IS_EMPTY = sql(`
  select max(version) = 0 as "isEmpty"
  from directory_versions`)

/** Made at the first start, and left alone as soon as there is anything else. */
export async function ensureDemoDirectory(ctx: Pick<Context, 'db' | 'clock' | 'config'>): Promise<void> {
  const people = ctx.config.demoPeople
  if (people === 0 || !(await ctx.db.first<{ isEmpty: boolean }>(IS_EMPTY))!.isEmpty) return
  await showProgress(`Creating a demo directory of ${people} people (once)`, note => {
    const onProgress = (done: number): void => note(`${Math.floor((100 * done) / people)} %`)
    return ctx.db.inTransaction(tx => seedDirectory(tx, { people, now: ctx.clock.now(), onProgress }))
  })
}

/**
 * Fills an empty directory with invented people at domains that cannot exist, spread the way real directories are: a
 * few large companies and many small ones, some countries and titles far more common than others. All people are invented.
 */
export async function seedDirectory(tx: Tx, options: SeedOptions): Promise<{ people: number; companies: number; version: number }> {
  const version = await lockDirectory(tx)
  const chance = new Chance(options.seed ?? 1)
  const cities = demoCities()
  const titles = titleCatalogue(options.manyTitles)
  const companies = inventCompanies(chance, Math.max(10, Math.ceil(options.people / PEOPLE_PER_COMPANY)), cities, options.now)

  await copyPlaces(
    tx,
    cities.map(({ id, place }) => [id, place.country, place.region, place.city, place.lat, place.lon]),
  )
  await copyTitles(
    tx,
    titles.map((entry, index) => [index + 1, entry.title]),
  )
  await copyCompanies(
    tx,
    companies.map((company, index) => [index + 1, ...company.cells, version]),
  )
  await copyDomains(
    tx,
    companies.map((company, index) => [company.domain, index + 1]),
  )
  const invented = inventPeople(chance, { ...options, version }, companies, cities, titles)
  const fill = async (): Promise<void> => {
    for (let done = 0; done < options.people; done += COPY_ROWS) {
      await copyPeople(tx, nextOf(invented, COPY_ROWS))
      options.onProgress?.(Math.min(done + COPY_ROWS, options.people))
    }
  }
  await (options.people > COPY_ROWS ? withoutIndexesOfPeople(tx, fill) : fill())
  await insertVersion(tx, { version, source: 'demo', inserted: options.people, updated: 0, deleted: 0, now: options.now })
  tx.wake('directory')
  return { people: options.people, companies: companies.length, version }
}

/** The next `count` people; the rest stays in the generator. */
function* nextOf<T>(source: Generator<T>, count: number): Generator<T> {
  for (let taken = 0; taken < count; taken++) {
    const { value, done } = source.next()
    if (done) return
    yield value
  }
}
