import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseDateTime } from './time.ts'

test('any instant is parsed from its own text, in any offset', () => {
  const instant = fc.date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9998-12-30T00:00:00Z'), noInvalidDate: true })
  fc.assert(
    fc.property(instant, fc.integer({ min: -14 * 60, max: 14 * 60 }), (date, minutes) => {
      assert.equal(parseDateTime(date.toISOString())?.getTime(), date.getTime())
      const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map(part => String(part).padStart(2, '0'))
      const local = new Date(date.getTime() + minutes * 60_000).toISOString().replace('Z', `${minutes < 0 ? '-' : '+'}${hours}:${rest}`)
      assert.equal(parseDateTime(local)?.getTime(), date.getTime(), local)
    }),
  )
})

test('lower case, no fraction and up to nine digits are accepted', () => {
  for (const text of ['2026-01-31t09:00:00z', '2026-01-31T09:00:00Z', '2026-01-31T09:00:00.000000000Z', '2026-01-31T10:00:00+01:00']) {
    assert.equal(parseDateTime(text)?.toISOString(), '2026-01-31T09:00:00.000Z', text)
  }
})

test('invalid days, times without an offset and other input that `new Date` accepts are refused', () => {
  for (const text of [
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00+0100',
    '2026-01-01T00:00:00+25:00',
    '2026-01-01T00:00:00+01:60',
    '2026-1-1T00:00:00Z',
    ' 2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z\n',
    '0',
    '',
    'now',
    'Sat, 31 Jan 2026 09:00:00 GMT',
    '20260101T000000Z',
    '+002026-01-01T00:00:00Z',
    '2026-01-01T00:00:00.0000000001Z',
  ]) {
    assert.equal(parseDateTime(text), null, JSON.stringify(text))
  }
  assert.ok(parseDateTime('2028-02-29T00:00:00Z'))
})
