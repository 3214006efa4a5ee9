import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { HOUR_MS } from '../lib/time.ts'
import { type CalendarUnit, startsOf } from './calendar-spans.ts'

const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia', 'America/St_Johns', 'US/Pacific-New']
const LONGEST_MS: Record<CalendarUnit, number> = { hour: HOUR_MS + HOUR_MS / 2, day: 25 * HOUR_MS, week: 169 * HOUR_MS }

const iso = (unit: CalendarUnit, timezone: string, from: string, to: string): string[] =>
  startsOf(unit, timezone, new Date(from), new Date(to)).map(at => at.toISOString().slice(0, 16))

describe('where hours, days and weeks begin', () => {
  it('is by the clock on the wall, also on days that are longer, shorter or left out', () => {
    assert.deepEqual(iso('day', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z'), [
      '2026-10-23T22:00',
      '2026-10-24T22:00',
      '2026-10-25T23:00',
    ])
    assert.deepEqual(iso('day', 'Pacific/Apia', '2011-12-29T12:00:00Z', '2011-12-31T12:00:00Z'), [
      '2011-12-29T10:00',
      '2011-12-30T10:00',
      '2011-12-31T10:00',
    ])
    assert.deepEqual(iso('week', 'Asia/Kathmandu', '2026-11-16T00:00:00Z', '2026-11-23T00:00:00Z'), [
      '2026-11-15T18:15',
      '2026-11-22T18:15',
    ])
    assert.deepEqual(iso('hour', 'Australia/Lord_Howe', '2026-04-04T14:10:00Z', '2026-04-04T17:00:00Z'), [
      '2026-04-04T14:00',
      '2026-04-04T15:00',
      '2026-04-04T15:30',
      '2026-04-04T16:30',
    ])
  })

  it('covers the period without a gap: the first begins no later than it, and none is longer than its unit can be', () => {
    const unit = fc.constantFrom<CalendarUnit>('hour', 'day', 'week')
    const from = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) })
    fc.assert(
      fc.property(unit, fc.constantFrom(...ZONES), from, fc.integer({ min: 1, max: 40 * 24 }), (unit, zone, fromMs, hourCount) => {
        const toMs = fromMs + hourCount * HOUR_MS
        const starts = startsOf(unit, zone, new Date(fromMs), new Date(toMs)).map(Number)
        assert.ok(starts[0]! <= fromMs && starts.at(-1)! < toMs)
        for (const [index, at] of starts.entries()) {
          const next = starts[index + 1] ?? toMs
          assert.ok(next > at && next - at <= LONGEST_MS[unit], `${unit} ${zone} ${new Date(at).toISOString()}`)
        }
      }),
      { numRuns: 300 },
    )
  })
})
