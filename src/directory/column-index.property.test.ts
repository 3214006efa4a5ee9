import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { examples } from '../../test/full.ts'
import { bruteForce, bruteForceIds, makeTestDirectory, NOW, type TestDirectory } from '../../test/search/directory.ts'
import { filterDocuments } from '../../test/search/filters.ts'
import { ColumnIndex } from './column-index.ts'

const directory = makeTestDirectory(3000, 7)

function indexOf({ changes }: TestDirectory): ColumnIndex {
  const index = new ColumnIndex()
  index.apply(changes, { version: 1, id: 'first' })
  return index
}

const index = indexOf(directory)
const exclusions = fc.uniqueArray(fc.integer({ min: 1, max: 3200 }), { maxLength: 200 })

test('counts and facets of any filter equal those of a full scan', async () => {
  await fc.assert(
    fc.asyncProperty(filterDocuments, exclusions, async (filter, excludeIds) => {
      const { version, ...answer } = index.preview({ filter, now: NOW, excludeIds }, true)
      assert.equal(version, 1)
      assert.deepEqual(answer, bruteForce(directory.leads, filter, new Set(excludeIds)))
    }),
    { numRuns: examples(150) },
  )
})

test('the first ids of any filter equal those of a full scan, in the same order', async () => {
  await fc.assert(
    fc.property(filterDocuments, exclusions, fc.integer({ min: 0, max: 400 }), fc.boolean(), (filter, excludeIds, limit, verifiedOnly) => {
      const { ids } = index.exportIds({ filter, now: NOW, excludeIds, addresses: verifiedOnly ? 'verified' : undefined }, limit)
      assert.deepEqual(ids, bruteForceIds(directory.leads, filter, limit, { verifiedOnly, excluded: new Set(excludeIds) }))
    }),
    { numRuns: examples(150) },
  )
})

test('an index that followed changes equals one that was built afterwards', async () => {
  const before = makeTestDirectory(1500, 3)
  const after = makeTestDirectory(1500, 4)
  await fc.assert(
    fc.asyncProperty(filterDocuments, fc.uniqueArray(fc.integer({ min: 1, max: 1500 }), { maxLength: 300 }), async (filter, deleted) => {
      const followed = indexOf(before)
      // Companies are not taken back in the real directory either: domains only ever move to another company.
      followed.apply({ ...after.changes, deleted }, { version: 2, id: 'second' })
      const gone = new Set(deleted)
      const { version, ...answer } = followed.preview({ filter: withoutDomains(filter), now: NOW }, true)
      assert.equal(version, 2)
      assert.deepEqual(
        answer,
        bruteForce(
          after.leads.filter(({ person }) => !gone.has(person.id)),
          withoutDomains(filter),
        ),
      )
    }),
    { numRuns: examples(40) },
  )
})

const withoutDomains = <F extends { companies?: unknown }>(filter: F): F => {
  const { companies: _companies, ...rest } = filter
  return rest as F
}
