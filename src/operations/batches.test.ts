import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { batchesOf } from './batches.ts'

const operation = fc.record({
  action: fc.constantFrom('joint', 'other', 'single'),
  campaignId: fc.constantFrom('a', 'b', 'c', null),
})
const group = fc.array(operation, { maxLength: 30 }).map(rows => rows.map((row, n) => ({ ...row, id: String(n) })))

describe('the batches of a group', () => {
  it('hold every operation once, at most one of a campaign, several only of one joint action, and keep the order of each campaign', () => {
    fc.assert(
      fc.property(group, rows => {
        const batches = batchesOf(rows, ({ action }) => action !== 'single')
        const flat = batches.flat()
        assert.deepEqual(new Set(flat.map(row => row.id)), new Set(rows.map(row => row.id)))
        assert.equal(flat.length, rows.length)
        for (const batch of batches) {
          assert.equal(new Set(batch.map(row => row.action)).size, 1)
          assert.equal(new Set(batch.map(row => row.campaignId)).size, batch.length)
          if (batch.length > 1) assert.ok(batch[0]!.action !== 'single' && batch.every(row => row.campaignId !== null))
        }
        for (const campaign of ['a', 'b', 'c']) {
          const ids = (list: typeof rows) => list.filter(row => row.campaignId === campaign).map(row => row.id)
          assert.deepEqual(ids(flat), ids(rows))
        }
      }),
    )
  })
})
