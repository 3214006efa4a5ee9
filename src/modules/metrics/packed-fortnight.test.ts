import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { newTally, packFortnight, QUARTERS, type Tally, unpackFortnight } from './packed-fortnight.ts'
import { COUNTS, FORTNIGHT_DAYS, type PackedFortnight } from './packing-queries.ts'

describe('a packed fortnight', () => {
  const FIRST = 20_006
  assert.equal(FIRST % FORTNIGHT_DAYS, 0)
  const unpack = (packed: PackedFortnight | null): Map<number, Tally> => {
    const days = new Map<number, Tally>()
    const dayAt = (place: number): Tally => days.set(FIRST + place, days.get(FIRST + place) ?? newTally(QUARTERS)).get(FIRST + place)!
    if (packed) unpackFortnight(packed, dayAt)
    return days
  }

  const count = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constantFrom(255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32 - 1))
  const entry = fc.record({
    day: fc.nat(FORTNIGHT_DAYS - 1),
    quarter: fc.nat(QUARTERS - 1),
    kind: fc.nat(COUNTS.length - 1),
    count,
  })

  it('holds what was counted in each quarter of each day, whatever that was', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 200 }), entries => {
        const days = new Map<number, Tally>()
        for (const { day, quarter, kind, count } of entries) {
          const tally = days.get(FIRST + day) ?? newTally(QUARTERS)
          days.set(FIRST + day, tally)
          tally[quarter * COUNTS.length + kind] = count
        }
        const packed = packFortnight(days)
        assert.deepEqual(unpack(packed), new Map([...days].sort(([a], [b]) => a - b)))
        assert.equal(
          packed?.days ?? 0,
          [...days.keys()].reduce((bits, day) => bits | (1 << (day - FIRST)), 0),
        )
      }),
    )
  })

  it('is null where nothing was counted', () => {
    assert.equal(packFortnight([[FIRST, newTally(QUARTERS)]]), null)
  })

  it('is small where messages leave in office hours', () => {
    const day = newTally(QUARTERS)
    for (let quarter = 36; quarter < 68; quarter++) for (const kind of [0, 1, 2]) day[quarter * COUNTS.length + kind] = 7
    const packed = packFortnight(Array.from({ length: 10 }, (_, place) => [FIRST + place, day]))!
    assert.ok(
      packed.totals.length <= 7 + 10 * 3 && packed.cuts.length <= 10 * 32 * 3,
      `${packed.totals.length} and ${packed.cuts.length} bytes`,
    )
  })
})
