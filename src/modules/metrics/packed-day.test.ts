import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ALL_DAY, addDay, BY_QUARTER, COUNTS, newTally, packDay, QUARTERS } from './packed-day.ts'

describe('a packed day', () => {
  const count = fc.oneof(fc.nat(3), fc.constantFrom(127, 128, 16_383, 16_384, 2 ** 31, 2 ** 32 - 1))
  const entry = fc.record({ quarter: fc.nat(QUARTERS - 1), kind: fc.nat(COUNTS.length - 1), count })

  it('holds what was counted in each quarter, whatever that was', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 200 }), entries => {
        const day = newTally(QUARTERS)
        for (const { quarter, kind, count } of entries) day[quarter * COUNTS.length + kind] = count
        const again = newTally(QUARTERS)
        addDay(packDay(day), BY_QUARTER, again)
        assert.deepEqual(again, day)
      }),
    )
  })

  it('is added to what is there, each quarter to the row that it belongs to, and none to none', () => {
    const day = newTally(QUARTERS)
    for (let quarter = 0; quarter < QUARTERS; quarter++) day[quarter * COUNTS.length + COUNTS.indexOf('clicked')] = 1
    const rowOf = Int16Array.from({ length: QUARTERS }, (_, quarter) => (quarter < 10 ? -1 : quarter < 30 ? 0 : 1))
    const tally = newTally(2)
    for (let n = 0; n < 2; n++) addDay(packDay(day), rowOf, tally)
    assert.deepEqual([tally[COUNTS.indexOf('clicked')], tally[COUNTS.length + COUNTS.indexOf('clicked')]], [40, 132])
    const whole = newTally(1)
    addDay(packDay(day), ALL_DAY, whole)
    assert.equal(whole[COUNTS.indexOf('clicked')], 96)
  })

  it('is small', () => {
    const day = newTally(QUARTERS)
    for (let quarter = 36; quarter < 68; quarter++) for (const kind of [0, 1, 2]) day[quarter * COUNTS.length + kind] = 7
    assert.ok(packDay(day).length <= 32 * 5, `${packDay(day).length} bytes`)
  })
})
