import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PairTable } from './pair-table.ts'

test('pairs keep the numbers that they were given in the order of their coming, however many there are', () => {
  const table = new PairTable()
  const pairs = Array.from({ length: 150_000 }, (_, i) => [i % 700, Math.floor(i / 700)] as const)
  for (const [i, [left, right]] of pairs.entries()) assert.equal(table.add(left, right), i)
  for (const [i, [left, right]] of pairs.entries()) assert.equal(table.find(left, right), i)
  assert.equal(table.add(3, 5), table.find(3, 5))
  assert.equal(table.size, pairs.length)
  assert.equal(table.find(700, 0), -1)
})
