import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeTestDirectory, NOW } from '../../test/search/directory.ts'
import { ColumnIndex, ScanPool } from './column-index.ts'
import { SEGMENT_ROWS } from './columns.ts'
import type { Question } from './records.ts'

const index = new ColumnIndex()
const { changes } = makeTestDirectory(2000, 5)
index.apply(changes, 1)
const people = [...changes.people]
const pool = new ScanPool(index.columns, 3, 0)
after(() => pool.stop())

const questions: Question[] = [
  { filter: {}, now: NOW },
  { filter: { seniorities: { include: ['vp', 'c_suite'] }, locations: { include: [{ area: 'dach' }] } }, now: NOW },
  { filter: { jobTitles: { exclude: ['ceo'] }, keywords: { include: ['cloud'] } }, now: NOW, excludeIds: [1, 5, SEGMENT_ROWS + 7] },
]

test('several threads find what one thread finds, even after the index grew by a segment', async () => {
  for (const rows of [2000, SEGMENT_ROWS + 50_000]) {
    for (let id = index.columns.rowCount; id <= rows; id++) index.setPerson({ ...people[id % people.length]!, id })
    for (const question of questions) {
      const shared = await index.preview(question, true, pool.tally)
      assert.ok(shared.matchCount > 0)
      assert.deepEqual(shared, await index.preview(question, true))
    }
  }
})
