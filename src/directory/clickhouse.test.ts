import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import {
  bruteForce,
  bruteForceIds,
  isUsable,
  makeOwnedDirectory,
  makeTestDirectory,
  NOW,
  type TestDirectory,
  visibleTo,
} from '../../test/search/directory.ts'
import { filterDocuments } from '../../test/search/filters.ts'
import { type ClickHouse, ClickHousePeople, connectClickHouse } from './clickhouse.ts'

/**
 * On demand: with a server at OVERTURE_CLICKHOUSE_URL, or with `chdb`, the real engine as a library of half a gigabyte,
 * from the folder that OVERTURE_CHDB names. Without either there is nothing to ask, and these tests are skipped.
 */
interface Session {
  query(sql: string, format?: string): string
  cleanup?(): void
}

async function openChdb(): Promise<ClickHouse | null> {
  const require = createRequire(process.env.OVERTURE_CHDB ? resolve(process.env.OVERTURE_CHDB, 'package.json') : import.meta.url)
  let Session: new (path: string) => Session
  try {
    Session = (require('chdb') as { Session: typeof Session }).Session
  } catch {
    return null
  }
  const session = new Session(await mkdtemp(join(tmpdir(), 'overture-chdb-')))
  const limits = 'max_query_size = 268435456, max_ast_elements = 20000000, max_expanded_ast_elements = 20000000'
  return {
    query: async sql =>
      session
        .query(`${sql} settings ${limits}`, 'JSONEachRow')
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line)),
    insert: async (table, rows) => {
      session.query(`insert into ${table} format JSONEachRow ${rows.map(row => JSON.stringify(row)).join('\n')}`)
    },
    run: async sql => {
      session.query(sql)
    },
    close: async () => session.cleanup?.(),
  }
}

const url = process.env.OVERTURE_CLICKHOUSE_URL
const clickhouse = url ? connectClickHouse(url) : await openChdb()
const skip = clickhouse ? false : 'neither a ClickHouse server nor chdb is at hand'
const run = `overture_test_${process.pid}`
after(async () => {
  await clickhouse?.run(`drop database if exists ${run}`)
  await clickhouse?.close()
})
await clickhouse?.run(`create database ${run}`)

async function peopleOf({ changes }: TestDirectory, prefix: string): Promise<ClickHousePeople> {
  const people = new ClickHousePeople(clickhouse!, `${run}.${prefix}_`)
  assert.equal(await people.open(), undefined)
  await people.apply(changes, { version: 1, id: 'first' })
  return people
}

test('ClickHouse counts, facets and first ids of any filter equal those of a full scan', { skip }, async () => {
  const directory = makeTestDirectory(3000, 7)
  const people = await peopleOf(directory, 'whole')
  const exclusions = fc.uniqueArray(fc.integer({ min: 1, max: 3200 }), { maxLength: 100 })
  await fc.assert(
    fc.asyncProperty(
      filterDocuments,
      exclusions,
      fc.integer({ min: 0, max: 300 }),
      fc.boolean(),
      async (filter, excludeIds, limit, verifiedOnly) => {
        const excluded = new Set(excludeIds)
        const { version, ...answer } = await people.preview({ filter, now: NOW, excludeIds }, true)
        assert.equal(version, 1)
        assert.deepEqual(answer, bruteForce(directory.leads, filter, excluded))
        const { ids } = await people.exportIds({ filter, now: NOW, excludeIds, addresses: verifiedOnly ? 'verified' : undefined }, limit)
        assert.deepEqual(ids, bruteForceIds(directory.leads, filter, limit, { verifiedOnly, excluded }))
      },
    ),
    { numRuns: 60 },
  )
})

test('ClickHouse finds the people of the operator and of the workspace, and no others', { skip }, async () => {
  const directory = makeOwnedDirectory(1500, 11)
  const people = await peopleOf(directory, 'owned')
  await fc.assert(
    fc.asyncProperty(filterDocuments, fc.integer({ min: 0, max: 4 }), async (filter, owner) => {
      const visible = visibleTo(directory.leads, owner)
      const { version: _version, ...answer } = await people.preview({ filter, now: NOW, owner }, true)
      assert.deepEqual(answer, bruteForce(visible, filter))
      const { ids } = await people.exportIds({ filter, now: NOW, owner, addresses: 'usable' }, 100)
      const usable = visible.filter(({ person }) => isUsable(person, filter))
      assert.deepEqual(ids, bruteForceIds(usable, filter, 100, { verifiedOnly: false, excluded: new Set() }))
    }),
    { numRuns: 40 },
  )
})

test('ClickHouse after changes and deletions equals a full scan', { skip }, async () => {
  const after = makeTestDirectory(1500, 4)
  const people = await peopleOf(makeTestDirectory(1500, 3), 'changed')
  const deleted = [1, 2, 3, 700]
  await people.apply({ ...after.changes, deleted }, { version: 2, id: 'second' })
  const left = after.leads.filter(({ person }) => !deleted.includes(person.id))
  await fc.assert(
    fc.asyncProperty(filterDocuments, async filter => {
      const { companies: _companies, ...rest } = filter
      const { version, ...answer } = await people.preview({ filter: rest, now: NOW }, true)
      assert.equal(version, 2)
      assert.deepEqual(answer, bruteForce(left, rest))
    }),
    { numRuns: 30 },
  )
})
