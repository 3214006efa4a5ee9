import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { examples } from '../../test/full.ts'
import { bruteForce, bruteForceIds, isUsable, makeOwnedDirectory, NOW, visibleTo } from '../../test/search/directory.ts'
import { filterDocuments } from '../../test/search/filters.ts'
import { ColumnIndex } from './column-index.ts'

const directory = makeOwnedDirectory(3000, 11)
const index = new ColumnIndex()
index.apply(directory.changes, { version: 1, id: 'first' })

const owners = fc.integer({ min: 0, max: 4 })

test('a workspace counts the people of the operator and its own, and no others', async () => {
  await fc.assert(
    fc.asyncProperty(filterDocuments, owners, async (filter, owner) => {
      const { version: _version, ...answer } = index.preview({ filter, now: NOW, owner }, true)
      assert.deepEqual(answer, bruteForce(visibleTo(directory.leads, owner), filter))
    }),
    { numRuns: examples(200) },
  )
})

test('a workspace can use verified addresses, and its own unless they are known to be bad', () => {
  fc.assert(
    fc.property(filterDocuments, owners, fc.integer({ min: 1, max: 400 }), (filter, owner, limit) => {
      const { ids } = index.exportIds({ filter, now: NOW, owner, addresses: 'usable' }, limit)
      const usable = visibleTo(directory.leads, owner).filter(({ person }) => isUsable(person, filter))
      assert.deepEqual(ids, bruteForceIds(usable, filter, limit, { verifiedOnly: false, excluded: new Set() }))
      const verified = index.exportIds({ filter, now: NOW, owner, addresses: 'verified' }, limit).ids
      const visible = visibleTo(directory.leads, owner)
      assert.deepEqual(verified, bruteForceIds(visible, filter, limit, { verifiedOnly: true, excluded: new Set() }))
    }),
    { numRuns: examples(200) },
  )
})

test('without an owner, only the people of the operator are found', async () => {
  const { matchCount } = index.preview({ filter: {}, now: NOW }, false)
  assert.equal(matchCount, visibleTo(directory.leads, 0).length)
})
