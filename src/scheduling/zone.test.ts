import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimezone, startOfDay } from './zone.ts'

test('an IANA name is taken; an offset, a name of nowhere and an injection are not', () => {
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

test('the day begins at midnight by the clocks of the place, also on the days when they are changed', () => {
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
