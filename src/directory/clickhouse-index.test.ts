import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { ChdbServer } from '../../test/chdb-server.ts'
import { makeCampaign } from '../../test/factories.ts'
import { createTestDatabase, startOverture } from '../../test/harness.ts'
import { addPeople, openTestContext, peopleOf, staffOf } from '../../test/people.ts'
import { bruteForce, bruteForceIds, NOW, personOf } from '../../test/search/directory.ts'
import { filterDocuments } from '../../test/search/filters.ts'
import type { LeadRecord } from '../../test/search/match-lead.ts'
import { seedDirectory } from '../app/demo/directory.ts'
import { erasePeople, mergeIntoDirectory } from '../modules/people/people.ts'
import { buildInClickHouse, type ClickHouse, connectClickHouse } from './clickhouse.ts'
import { buildColumnIndex } from './column-index.ts'
import { readChanges } from './feed.ts'
import { type BuildIndex, IndexKeeper } from './index-keeper.ts'
import { LeadEngine } from './lead-engine.ts'

const dir = await mkdtemp(join(tmpdir(), 'overture-clickhouse-'))
after(() => rm(dir, { recursive: true, force: true }))

const isInstalled = (): boolean => {
  try {
    createRequire(import.meta.url).resolve('@clickhouse/client')
    return true
  } catch {
    return false
  }
}

describe('ClickHouse without its client', { skip: isInstalled() && 'the client is installed' }, () => {
  it('fails with an error that says what to install', async () => {
    const { promise: told, resolve } = Promise.withResolvers<{ trouble: string }>()
    const ctx = openTestContext(await createTestDatabase(), dir)
    const log = Object.assign(Object.create(ctx.log), { warn: resolve })
    const engine = new LeadEngine({ ...ctx, config: { ...ctx.config, clickhouseUrl: 'http://127.0.0.1:1' }, log })
    engine.start()
    assert.match((await told).trouble, /npm install @clickhouse\/client/)
    await engine.stop()
  })
})

/** On demand: `npm run test:clickhouse` brings the engine and the client, and names the folder they are in. */
const chdb = process.env.OVERTURE_CHDB
describe('the index in ClickHouse, through the official client', { skip: !chdb && 'chdb is not at hand' }, () => {
  const server = new ChdbServer(chdb ?? '', join(dir, 'chdb'))
  let admin: ClickHouse
  before(async () => {
    await server.start()
    admin = connectClickHouse(server.url())
  })
  after(async () => {
    await admin.close()
    await server.kill()
  })

  let databases = 0
  /** A directory in PostgreSQL, the tables that follow it, and queries for both. */
  async function makeDirectory(people: number) {
    const database = `follower_${++databases}`
    await admin.run(`create database ${database}`)
    const databaseUrl = await createTestDatabase()
    const ctx = openTestContext(databaseUrl, dir)
    if (people > 0) await ctx.db.inTransaction(tx => seedDirectory(tx, { people, now: NOW }))
    const url = server.url(database)
    return {
      database,
      databaseUrl,
      ctx,
      url,
      merge: (rows: Parameters<typeof peopleOf>[0]) =>
        ctx.db.inTransaction(tx => mergeIntoDirectory(tx, peopleOf(rows), { source: 'test', now: NOW, secrets: ctx.secrets })),
      erase: (emails: string[]) => ctx.db.inTransaction(tx => erasePeople(tx, ctx.secrets, emails, NOW)),
      rowsWritten: async () => Number((await admin.query<{ n: string }>(`select count() as n from ${database}.overture_people`))[0]!.n),
      leads: () => readLeads(databaseUrl),
      follow: (connect = () => connectClickHouse(url)) => follow(buildInClickHouse(connect), databaseUrl),
      followInMemory: () => follow(buildColumnIndex, databaseUrl),
    }
  }

  const running = new Set<IndexKeeper>()
  after(() => Promise.all([...running].map(keeper => keeper.stop())))
  function follow(build: BuildIndex, databaseUrl: string): IndexKeeper {
    const keeper = new IndexKeeper(build, { databaseUrl })
    running.add(keeper)
    keeper.start()
    return keeper
  }
  const end = async (keeper: IndexKeeper) => {
    running.delete(keeper)
    await keeper.stop()
  }

  async function assertSame(keeper: IndexKeeper, leads: LeadRecord[], options: { inMemory?: IndexKeeper; numRuns: number }): Promise<void> {
    const version = await keeper.caughtUp()
    await options.inMemory?.caughtUp()
    await fc.assert(
      fc.asyncProperty(filterDocuments, fc.integer({ min: 1, max: 60 }), fc.boolean(), async (filter, limit, verifiedOnly) => {
        const excludeIds = Uint32Array.of(2, 3, 50)
        const excluded = new Set(excludeIds)
        const question = { filter, now: NOW, excludeIds }
        const expected = { ...bruteForce(leads, filter, excluded), version }
        assert.deepEqual(await keeper.preview(question, true), expected)
        assert.deepEqual(await options.inMemory?.preview(question, true), options.inMemory && expected)
        const ids = bruteForceIds(leads, filter, limit, { verifiedOnly, excluded })
        assert.deepEqual(await keeper.exportIds({ ...question, addresses: verifiedOnly ? 'verified' : undefined }, limit), { ids, version })
        assert.deepEqual(
          await options.inMemory?.exportIds({ ...question, addresses: verifiedOnly ? 'verified' : undefined }, limit),
          options.inMemory && { ids, version },
        )
      }),
      { numRuns: options.numRuns },
    )
  }

  it('returns the same as the index in memory and as a full scan for any filter', async () => {
    const directory = await makeDirectory(4000)
    const leads = await directory.leads()
    assert.equal(leads.length, 4000)
    const keeper = directory.follow()
    await assertSame(keeper, leads, { inMemory: directory.followInMemory(), numRuns: 40 })
    // Every person was written, once.
    assert.equal(await directory.rowsWritten(), 4000)
  })

  it('follows imports, changes of people and of companies, and erasures', async () => {
    const directory = await makeDirectory(1000)
    const keeper = directory.follow()
    const inMemory = directory.followInMemory()
    await keeper.caughtUp()
    await directory.merge([
      { email: 'a@quite-new.com', jobTitle: 'Zebra Keeper', company: 'Quite New', industry: 'software', employees: '20' },
      { email: 'b@quite-new.com', jobTitle: 'CEO', city: 'Vienna', country: 'Austria', emailStatus: 'verified' },
    ])
    const ofCompany = { filter: { companies: { include: ['quite-new.com'] } }, now: NOW }
    assert.equal(await keeper.caughtUp(), 2)
    assert.equal((await keeper.preview(ofCompany, true)).matchCount, 2)
    await assertSame(keeper, await directory.leads(), { inMemory, numRuns: 10 })

    await directory.merge([
      { email: 'a@quite-new.com', employees: '900', companyLocation: 'Paris, France' },
      { email: 'b@quite-new.com', jobTitle: 'Chairwoman' },
    ])
    assert.equal(await keeper.caughtUp(), 3)
    const { facets } = await keeper.preview(ofCompany, true)
    assert.deepEqual(facets.size, [{ value: '501-1000', count: 2 }])
    assert.deepEqual(
      facets.country.map(({ value }) => value),
      ['AT', 'FR'],
    )
    await assertSame(keeper, await directory.leads(), { inMemory, numRuns: 10 })

    await directory.erase(['b@quite-new.com'])
    assert.equal(await keeper.caughtUp(), 4)
    assert.deepEqual((await keeper.exportIds(ofCompany, 10)).ids, [1001])
    await assertSame(keeper, await directory.leads(), { inMemory, numRuns: 10 })
  })

  it('catches up after a restart with all changes, and writes nothing else again', async () => {
    const directory = await makeDirectory(1000)
    await directory.merge([
      { email: 'a@moving.com', company: 'Moving', industry: 'software', employees: '20', companyLocation: 'Berlin, Germany' },
      { email: 'b@moving.com' },
      { email: 'c@moving.com' },
    ])
    const first = directory.follow()
    await first.caughtUp()
    await end(first)
    const before = await directory.rowsWritten()
    assert.equal(before, 1003)

    // Only the record of a changes, and yet b has a new place and size: from the company.
    await directory.merge([{ email: 'a@moving.com', jobTitle: 'CEO', employees: '900', companyLocation: 'Paris, France' }])
    await directory.erase(['c@moving.com'])
    const second = directory.follow()
    assert.equal(await second.caughtUp(), 4)
    const { facets, matchCount } = await second.preview({ filter: { companies: { include: ['moving.com'] } }, now: NOW }, true)
    assert.equal(matchCount, 2)
    assert.deepEqual(facets.size, [{ value: '501-1000', count: 2 }])
    assert.deepEqual(facets.country, [{ value: 'FR', count: 2 }])
    assert.ok((await directory.rowsWritten()) - before <= 6)
    await assertSame(second, await directory.leads(), { numRuns: 15 })
  })

  it('rewrites an interrupted version, and does not trust a partial one', async () => {
    const directory = await makeDirectory(500)
    // The connection is real; it is cut before the note that the version is whole.
    const cutAtTheEnd = (): ClickHouse => {
      const real = connectClickHouse(directory.url)
      const isWhole = (table: string, rows: object[]) => table.endsWith('versions') && (rows[0] as { version: number }).version > 0
      return { ...real, insert: (table, rows) => (isWhole(table, rows) ? Promise.reject(new Error('cut')) : real.insert(table, rows)) }
    }
    const { promise: troubled, resolve } = Promise.withResolvers<unknown>()
    const broken = new IndexKeeper(buildInClickHouse(cutAtTheEnd), { databaseUrl: directory.databaseUrl, onTrouble: resolve })
    broken.start()
    assert.match(String(await troubled), /cut/)
    await broken.stop()
    assert.ok((await directory.rowsWritten()) >= 500)

    await directory.erase([(await emailsOf(directory.databaseUrl))[0]!])
    const keeper = directory.follow()
    await assertSame(keeper, await directory.leads(), { numRuns: 10 })
  })

  it('empties tables of another history instead of mixing both', async () => {
    const one = await makeDirectory(300)
    const other = await makeDirectory(120)
    const first = one.follow()
    await first.caughtUp()
    await end(first)
    const second = other.follow(() => connectClickHouse(one.url))
    assert.equal((await second.preview({ filter: {}, now: NOW }, false)).matchCount, 120)
    await assertSame(second, await other.leads(), { numRuns: 10 })
  })

  it('works again after a killed server is back, and has lost nothing', async () => {
    const directory = await makeDirectory(300)
    const keeper = directory.follow()
    await keeper.caughtUp()
    await server.kill()
    await assert.rejects(keeper.preview({ filter: {}, now: NOW }, false), /ECONNREFUSED|ECONNRESET|socket/)
    await directory.merge([{ email: 'meanwhile@quite-new.com', jobTitle: 'CEO' }])
    await server.start()
    assert.equal(await keeper.caughtUp(), 2)
    await assertSame(keeper, await directory.leads(), { numRuns: 10 })
  })

  it('serves a preview when it is configured', async () => {
    await admin.run('create database product')
    const overture = await startOverture({ config: { clickhouseUrl: server.url('product') } })
    await addPeople(overture, [
      ...staffOf('Lumen', 12),
      ...staffOf('Lyon Labs', 8, { city: 'Lyon', country: 'France', employees: '40', jobTitle: 'Software Engineer' }),
    ])
    const { client, home } = overture
    const campaign = await makeCampaign(overture, { name: 'Preview' })
    const path = `${home}/campaigns/${campaign.id}/leads/search/preview`
    const { status, result } = await client.operate('POST', path, { filters: { locations: ['Lyon'], employees: ['11-50'] } })
    assert.equal(status, 'succeeded')
    assert.deepEqual([result.matchCount, result.verifiedCount], [8, 8])
    assert.deepEqual(result.facets.country, [{ value: 'FR', count: 8 }])
    assert.equal((await client.operate('POST', path, { filters: {} })).result.matchCount, 20)
    const [row] = await admin.query<{ n: string }>('select count() as n from product.overture_people final where deleted = 0')
    assert.equal(Number(row!.n), 20)
  })
})

async function query<R>(databaseUrl: string, ask: (client: pg.Client) => Promise<R>): Promise<R> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  return ask(client).finally(() => client.end())
}

const emailsOf = (databaseUrl: string): Promise<string[]> =>
  query(databaseUrl, async client => (await client.query('select email from people order by id')).rows.map(row => row.email as string))

/** All people in the database, assembled from its tables. */
async function readLeads(databaseUrl: string): Promise<LeadRecord[]> {
  const { changes } = await query(databaseUrl, client => readChanges(client, { version: 0, titleCount: 1, placeCount: 1 }))
  const byId = <T extends { id: number }>(records: T[]) => new Map(records.map(record => [record.id, record]))
  const [titles, places, companies] = [byId(changes.titles), byId(changes.places), byId(changes.companies)]
  return [...changes.people]
    .map(personOf)
    .sort((a, b) => a.id - b.id)
    .map(person => {
      const company = companies.get(person.companyId) ?? null
      return {
        person,
        title: titles.get(person.titleId)?.title ?? null,
        place: places.get(person.placeId) ?? null,
        company,
        companyPlace: company ? (places.get(company.placeId) ?? null) : null,
      }
    })
}
