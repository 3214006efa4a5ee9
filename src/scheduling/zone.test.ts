import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import fc from 'fast-check'
import { examples } from '../../test/full.ts'
import { HOUR_MS } from '../lib/time.ts'
import { type CalendarUnit, isTimezone, startOfDay, startsOf } from './zone.ts'

test('an IANA name is accepted; an offset, an unknown name and an injection are not', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'America/Port-au-Prince'])
    assert.ok(isTimezone(name), name)
  for (const name of [
    '',
    '+01:00',
    'Mars/Olympus',
    'Berlin',
    '2026-01-01T00:00Z',
    'Europe/',
    '/Berlin',
    'Europe/Berlin ',
    'x'.repeat(65),
    '../etc/passwd',
    'Europe/Berlin\u0000',
  ])
    assert.ok(!isTimezone(name), name)
})

test('the day starts at local midnight, even on days of a clock change', () => {
  const starts = (zone: string, now: string) => startOfDay(zone, new Date(now)).toISOString()
  assert.equal(starts('UTC', '2026-03-10T23:59:59.999Z'), '2026-03-10T00:00:00.000Z')
  assert.equal(starts('Asia/Tokyo', '2026-03-10T14:59:59.999Z'), '2026-03-09T15:00:00.000Z')
  assert.equal(starts('Asia/Tokyo', '2026-03-10T15:00:00.000Z'), '2026-03-10T15:00:00.000Z')
  assert.equal(starts('Europe/Berlin', '2026-03-29T10:00:00.000Z'), '2026-03-28T23:00:00.000Z')
  assert.equal(starts('Europe/Berlin', '2026-10-25T22:30:00.000Z'), '2026-10-24T22:00:00.000Z')
  // In Cairo summer time begins at midnight: that day begins at one.
  assert.equal(starts('Africa/Cairo', '2026-04-24T12:00:00.000Z'), '2026-04-23T22:00:00.000Z')
})

test('a day without midnight starts at its first instant', () => {
  assert.deepEqual(startOfDay('America/Santiago', new Date('2026-09-06T12:00:00Z')), new Date('2026-09-06T04:00:00Z'))
  assert.deepEqual(startOfDay('Europe/Berlin', new Date('2026-07-01T12:00:00Z')), new Date('2026-06-30T22:00:00Z'))
})

const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia', 'America/St_Johns', 'US/Pacific-New']
const LONGEST_MS: Record<CalendarUnit, number> = { hour: HOUR_MS + HOUR_MS / 2, day: 25 * HOUR_MS, week: 169 * HOUR_MS }

const iso = (unit: CalendarUnit, timezone: string, from: string, to: string): string[] =>
  startsOf(unit, timezone, new Date(from), new Date(to)).map(at => at.toISOString().slice(0, 16))

describe('the start of hours, days and weeks', () => {
  it('follows local time, even on longer, shorter or skipped days', () => {
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

  it('covers the period without a gap: the first starts no later than it, and none is longer than its unit can be', () => {
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
      { numRuns: examples(300) },
    )
  })
})
