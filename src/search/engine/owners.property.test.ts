import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bruteForce, bruteForceIds, makeOwnedDirectory, NOW, visibleTo } from '../../../test/search/directory.ts'
import { filterDocuments } from '../../../test/search/filters.ts'
import { ColumnIndex } from './column-index.ts'

const directory = makeOwnedDirectory(3000, 11)
const index = new ColumnIndex()
index.apply(directory.changes, 1)

const owners = fc.integer({ min: 0, max: 4 })

test('a workspace counts the people of the operator and its own, and nobody else', async () => {
  await fc.assert(
    fc.asyncProperty(filterDocuments, owners, async (filter, owner) => {
      const { version: _version, ...answer } = await index.preview({ filter, now: NOW, owner }, true)
      assert.deepEqual(answer, bruteForce(visibleTo(directory.leads, owner), filter))
    }),
    { numRuns: 200 },
  )
})

test('what a workspace can be delivered are verified people of the operator and its own with any address', () => {
  fc.assert(
    fc.property(filterDocuments, owners, fc.integer({ min: 1, max: 400 }), (filter, owner, limit) => {
      const { ids } = index.exportIds({ filter, now: NOW, owner, verifiedOnly: true }, limit)
      const deliverable = visibleTo(directory.leads, owner).filter(({ person }) =>
        person.owner === 0 ? person.emailStatus === 'verified' : person.emailStatus !== 'missing',
      )
      assert.deepEqual(ids, bruteForceIds(deliverable, filter, limit, { verifiedOnly: false, excluded: new Set() }))
    }),
    { numRuns: 200 },
  )
})

test('without a word about the owner only the people of the operator are found', async () => {
  const { matchCount } = await index.preview({ filter: {}, now: NOW }, false)
  assert.equal(matchCount, visibleTo(directory.leads, 0).length)
})
