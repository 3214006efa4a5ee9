import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { convertMoney, moneyInRange, UNITS_PER_USD } from './money.ts'
import { employeesInRange, mergeRanges, numberInRange } from './ranges.ts'
import { CURRENCIES, industrySlugs, seniorityAndAbove } from './vocabulary.ts'

test('ranges that overlap or touch become one', () => {
  assert.deepEqual(mergeRanges([{ min: 201, max: 500 }, { min: 51, max: 200 }, { min: 1000 }], 1, 1), [
    { min: 51, max: 500 },
    { min: 1000 },
  ])
})

test('two halves that cover everything still require a known number', () => {
  assert.deepEqual(mergeRanges([{ max: 19 }, { min: 1 }], 1, 1), [{ min: 1 }])
})

test('merging ranges never changes which numbers are in them', () => {
  const range = fc.record({ min: fc.integer({ min: 1, max: 60 }), max: fc.integer({ min: 1, max: 60 }) }).filter(r => r.min <= r.max)
  fc.assert(
    fc.property(fc.array(range, { maxLength: 8 }), fc.integer({ min: 1, max: 60 }), (ranges, value) => {
      assert.equal(numberInRange(value, mergeRanges(ranges, 1, 1)), numberInRange(value, ranges))
    }),
  )
})

test('a lead with only a size bucket counts with the middle of the bucket', () => {
  assert.equal(employeesInRange('51-200', [{ min: 100, max: 150 }]), true)
  assert.equal(employeesInRange('51-200', [{ min: 150 }]), false)
  assert.equal(employeesInRange('10001+', [{ min: 20_000 }]), true)
  assert.equal(employeesInRange(120, [{ min: 100, max: 119 }]), false)
  assert.equal(employeesInRange(undefined, [{ min: 1 }]), false)
})

test('every currency has a rate, the table is dated, and converting back gives the same amount', () => {
  for (const currency of CURRENCIES) {
    assert.ok(UNITS_PER_USD[currency] > 0)
    assert.ok(Math.abs(convertMoney(convertMoney(1000, 'USD', currency), currency, 'USD') - 1000) < 1e-6)
  }
  assert.equal(moneyInRange(5_000_000, 'EUR', [{ min: 5_000_000, max: 6_000_000, currency: 'EUR' }]), true)
})

test('a group of industries includes its children, a child only itself', () => {
  assert.ok(industrySlugs(['agencies']).has('seo-agencies'))
  assert.deepEqual([...industrySlugs(['saas'])], ['saas'])
  assert.deepEqual(seniorityAndAbove('c_suite'), ['c_suite', 'founder', 'owner'])
})
