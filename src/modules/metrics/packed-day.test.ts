import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { addDay, BY_QUARTER, eachDay, newTally, packDays, QUARTERS, type Tally } from './packed-day.ts'
import { COUNTS } from './packing-queries.ts'

describe('a packed day', () => {
  const packDay = (day: Tally) => packDays([[20_000, day]])
  const addAll = (packed: Buffer, rows: Int16Array, tally: Tally) =>
    eachDay(packed, (day, start, end) => {
      assert.equal(day, 20_000)
      addDay(packed, start, end, rows, tally)
    })

  const count = fc.oneof(fc.nat(3), fc.constantFrom(127, 128, 16_383, 16_384, 2 ** 31, 2 ** 32 - 1))
  const entry = fc.record({ quarter: fc.nat(QUARTERS - 1), kind: fc.nat(COUNTS.length - 1), count })

  it('holds what was counted in each quarter, whatever that was', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 200 }), entries => {
        const day = newTally(QUARTERS)
        for (const { quarter, kind, count } of entries) day[quarter * COUNTS.length + kind] = count
        const again = newTally(QUARTERS)
        addAll(packDay(day).quarters, BY_QUARTER, again)
        assert.deepEqual(again, day)
      }),
    )
  })

  it('is added to what is there, each quarter to the row that it belongs to, and none to none', () => {
    const day = newTally(QUARTERS)
    for (let quarter = 0; quarter < QUARTERS; quarter++) day[quarter * COUNTS.length + COUNTS.indexOf('clicked')] = 1
    const rowOf = Int16Array.from({ length: QUARTERS }, (_, quarter) => (quarter < 10 ? -1 : quarter < 30 ? 0 : 1))
    const tally = newTally(2)
    for (let n = 0; n < 2; n++) addAll(packDay(day).quarters, rowOf, tally)
    assert.deepEqual([tally[COUNTS.indexOf('clicked')], tally[COUNTS.length + COUNTS.indexOf('clicked')]], [40, 132])
    const hours = newTally(24)
    addAll(packDay(day).hours, BY_QUARTER, hours)
    for (let hour = 0; hour < 24; hour++) assert.equal(hours[hour * COUNTS.length + COUNTS.indexOf('clicked')], 4)
  })

  it('is small', () => {
    const day = newTally(QUARTERS)
    for (let quarter = 36; quarter < 68; quarter++) for (const kind of [0, 1, 2]) day[quarter * COUNTS.length + kind] = 7
    const { quarters, hours } = packDay(day)
    assert.ok(quarters.length <= 6 + 32 * 5 && hours.length <= 6 + 8 * 5, `${quarters.length} and ${hours.length} bytes`)
  })
})
