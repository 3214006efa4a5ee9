import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { examples } from '../../test/full.ts'
import { createTestDatabase } from '../../test/harness.ts'
import { openTestContext, peopleOf } from '../../test/people.ts'
import { bruteForce, bruteForceIds, NOW, personOf } from '../../test/search/directory.ts'
import { filterDocuments } from '../../test/search/filters.ts'
import type { LeadRecord } from '../../test/search/match-lead.ts'
import { seedDirectory } from '../app/demo/directory.ts'
import { VirtualClock } from '../lib/clock.ts'
import { erasePeople, mergeIntoDirectory } from '../modules/people/people.ts'
import { readChanges } from './feed.ts'
import { LeadEngine } from './lead-engine.ts'

const PEOPLE = 4000
const dir = await mkdtemp(join(tmpdir(), 'overture-engine-'))
const databaseUrl = await createTestDatabase()
const ctx = { ...openTestContext(databaseUrl, dir), clock: new VirtualClock(NOW) }
const engine = new LeadEngine(ctx)
after(() => engine.stop())
await ctx.db.inTransaction(tx => seedDirectory(tx, { people: PEOPLE, now: NOW }))

/** All people in the database, assembled from its tables. */
async function readLeads(): Promise<LeadRecord[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { changes } = await readChanges(client, { version: 0, titleCount: 1, placeCount: 1 }).finally(() => client.end())
  return [...changes.people]
    .map(personOf)
    .sort((a, b) => a.id - b.id)
    .map(person => {
      const company = changes.companies[person.companyId - 1] ?? null
      return {
        person,
        title: changes.titles[person.titleId - 1]?.title ?? null,
        place: changes.places[person.placeId - 1] ?? null,
        company,
        companyPlace: company ? (changes.places[company.placeId - 1] ?? null) : null,
      }
    })
}

test('the engine of a process returns the same as a full scan of the database for any filter', async () => {
  const leads = await readLeads()
  assert.equal(leads.length, PEOPLE)
  await fc.assert(
    fc.asyncProperty(filterDocuments, fc.integer({ min: 1, max: 50 }), async (filter, limit) => {
      const expected = bruteForce(leads, filter)
      assert.deepEqual(await engine.preview(filter), { ...expected, version: 1 })
      const { matchCount, verifiedCount } = expected
      assert.deepEqual(await engine.count(filter), { matchCount, verifiedCount, version: 1 })
      const excluded = new Set([1, 2, 3, 50])
      const { ids } = await engine.exportIds(filter, limit, { addresses: 'verified', excludeIds: excluded })
      assert.deepEqual(ids, bruteForceIds(leads, filter, limit, { verifiedOnly: true, excluded }))
    }),
    { numRuns: examples(25) },
  )
})

test('imports, changes and erasures are visible after catching up', async () => {
  const merge = (rows: Parameters<typeof peopleOf>[0]) =>
    ctx.db.inTransaction(tx => mergeIntoDirectory(tx, peopleOf(rows), { source: 'test', now: NOW, secrets: ctx.secrets }))
  const inNewCompany = { companies: { include: ['quite-new.com'] } }
  assert.equal((await engine.count(inNewCompany)).matchCount, 0)

  const { version } = await merge([
    {
      email: 'a@quite-new.com',
      jobTitle: 'Zebra Keeper',
      company: 'Quite New Inc',
      industry: 'software',
      employees: '20',
      companyLocation: 'Berlin, Germany',
    },
    { email: 'b@quite-new.com', jobTitle: 'CEO', city: 'Vienna', country: 'Austria', emailStatus: 'verified' },
  ])
  assert.equal(await engine.caughtUp(), version)
  const seen = await engine.preview(inNewCompany)
  assert.deepEqual([seen.matchCount, seen.verifiedCount, seen.version], [2, 1, version])
  assert.deepEqual(seen.facets.country, [
    { value: 'AT', count: 1 },
    { value: 'DE', count: 1 },
  ])
  assert.equal((await engine.count({ jobTitles: { include: ['zebra keeper'] } })).matchCount, 1)

  // The company moves and grows: its people are found by that, except where they have a place of their own.
  await merge([{ email: 'a@quite-new.com', employees: '900', companyLocation: 'Paris, France' }])
  await engine.caughtUp()
  const moved = await engine.preview(inNewCompany)
  assert.deepEqual(moved.facets.country, [
    { value: 'AT', count: 1 },
    { value: 'FR', count: 1 },
  ])
  assert.deepEqual(moved.facets.size, [{ value: '501-1000', count: 2 }])
  assert.equal((await engine.count({ ...inNewCompany, employees: [{ min: 899, max: 901 }] })).matchCount, 2)

  await ctx.db.inTransaction(tx => erasePeople(tx, ctx.secrets, ['b@quite-new.com'], NOW))
  await engine.caughtUp()
  assert.equal((await engine.count(inNewCompany)).matchCount, 1)
  assert.deepEqual((await engine.exportIds(inNewCompany, 10)).ids, [PEOPLE + 1])
})
