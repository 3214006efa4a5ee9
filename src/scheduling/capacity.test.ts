import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dateOf, emptyLoad, mailbox } from '../../test/schedules.ts'
import { HOUR_MS } from '../lib/time.ts'
import { DomainThrottle, type Mailbox, type MailboxLoad, MailboxMeter, mailboxDay } from './capacity.ts'

const at = (text: string): Date => new Date(text)

const dailyLimit = (box: Mailbox, now: Date): number => new MailboxMeter(box, emptyLoad).limitAt(now.getTime())
const availableAt = (box: Mailbox, load: MailboxLoad, now: Date): Date | null =>
  dateOf(new MailboxMeter(box, load).availableAt(now.getTime()))

/** The load after one more message. */
function reserve(box: Mailbox, load: MailboxLoad, now: Date, seed: string): MailboxLoad {
  const meter = new MailboxMeter(box, load)
  meter.reserve(now.getTime(), seed)
  return meter.load()
}
const nextSlot = (box: Mailbox, last: Date, seed: string): Date => reserve(box, emptyLoad, last, seed).nextSlotAt!

test('without a ramp-up the limit is the daily cap', () => {
  assert.equal(dailyLimit(mailbox({ dailyCap: 40 }), at('2026-03-02T10:00:00Z')), 40)
})

test('a ramp-up grows by the day from the day of connection up to the cap', () => {
  const young = mailbox({
    dailyCap: 12,
    rampUp: { startPerDay: 5, increasePerDay: 3 },
    connectedAt: at('2026-03-02T22:30:00Z'),
  })
  assert.equal(dailyLimit(young, at('2026-03-01T10:00:00Z')), 5, 'before it was connected')
  assert.equal(dailyLimit(young, at('2026-03-02T22:45:00Z')), 5)
  assert.equal(dailyLimit(young, at('2026-03-02T23:00:00Z')), 8, 'midnight in Berlin, the next day of the mailbox')
  assert.equal(dailyLimit(young, at('2026-03-04T10:00:00Z')), 11)
  assert.equal(dailyLimit(young, at('2026-03-05T10:00:00Z')), 12, 'the cap')
})

test('the day of a mailbox is the day of its own zone', () => {
  assert.equal(mailboxDay(mailbox({ timezone: 'Pacific/Kiritimati' }), at('2026-03-02T12:00:00Z')), '2026-03-03')
  assert.equal(mailboxDay(mailbox({ timezone: 'America/Los_Angeles' }), at('2026-03-02T05:00:00Z')), '2026-03-01')
})

test('a mailbox at its cap is free again at its own midnight', () => {
  const load: MailboxLoad = { day: '2026-03-02', reserved: 50, nextSlotAt: null }
  assert.deepEqual(availableAt(mailbox(), load, at('2026-03-02T10:00:00Z')), at('2026-03-02T23:00:00Z'))
  assert.deepEqual(availableAt(mailbox(), load, at('2026-03-03T10:00:00Z')), at('2026-03-03T10:00:00Z'))
})

test('the gap holds across midnight', () => {
  const load: MailboxLoad = { day: '2026-03-02', reserved: 50, nextSlotAt: at('2026-03-02T23:04:00Z') }
  assert.deepEqual(availableAt(mailbox(), load, at('2026-03-02T22:59:00Z')), at('2026-03-02T23:04:00Z'))
})

test('moving a mailbox to a zone further west does not give it a second day', () => {
  const load: MailboxLoad = { day: '2026-03-03', reserved: 50, nextSlotAt: null }
  const moved = mailbox({ timezone: 'America/Los_Angeles' })
  assert.deepEqual(availableAt(moved, load, at('2026-03-03T04:00:00Z')), at('2026-03-04T08:00:00Z'))
})

test('a mailbox with a limit of zero is never free, and one whose ramp-up starts at zero is free once it reaches one', () => {
  const now = at('2026-01-01T12:00:00Z')
  assert.equal(availableAt(mailbox({ dailyCap: 0 }), emptyLoad, now), null)
  assert.equal(availableAt(mailbox({ rampUp: { startPerDay: 0, increasePerDay: 0 } }), emptyLoad, now), null)
  const slow = mailbox({ rampUp: { startPerDay: 0, increasePerDay: 0.1 } })
  assert.deepEqual(availableAt(slow, emptyLoad, now), at('2026-01-10T23:00:00Z'))
  assert.equal(dailyLimit(slow, at('2026-01-10T22:59:59Z')), 0)
  assert.equal(dailyLimit(slow, at('2026-01-10T23:00:00Z')), 1)
  const uneven = mailbox({ rampUp: { startPerDay: 0.1, increasePerDay: 0.09 } })
  const free = availableAt(uneven, emptyLoad, now)!
  assert.equal(dailyLimit(uneven, free), 1, 'the sum of the fractions decides, however it is rounded')
})

test('a reservation counts the day and starts again on the next', () => {
  const box = mailbox({ minGapSeconds: 60, gapJitter: 0 })
  const first = reserve(box, emptyLoad, at('2026-03-02T10:00:00Z'), 's')
  assert.deepEqual(first, { day: '2026-03-02', reserved: 1, nextSlotAt: at('2026-03-02T10:01:00Z') })
  const second = reserve(box, first, at('2026-03-02T10:05:00Z'), 's')
  assert.equal(second.reserved, 2)
  const tomorrow = reserve(box, second, at('2026-03-03T10:00:00Z'), 's')
  assert.deepEqual(tomorrow, { day: '2026-03-03', reserved: 1, nextSlotAt: at('2026-03-03T10:01:00Z') })
})

test('the gap is never shorter than the minimum, never longer than the jitter allows, and repeatable', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3600 }), fc.nat(2 ** 31), fc.string(), (minGapSeconds, seconds, seed) => {
      const box = mailbox({ minGapSeconds })
      const last = new Date(seconds * 1000)
      const gapMs = nextSlot(box, last, seed).getTime() - last.getTime()
      assert.ok(gapMs >= minGapSeconds * 1000 && gapMs <= minGapSeconds * 1500)
      assert.deepEqual(nextSlot(box, last, seed), nextSlot(box, last, seed))
    }),
  )
})

test('the jitter spreads over its whole range and differs from mailbox to mailbox', () => {
  const gapsOf = (id: string) =>
    Array.from({ length: 400 }, (_, n) => {
      const last = new Date(n * 60_000)
      return (nextSlot(mailbox({ id, minGapSeconds: 10 }), last, 'seed').getTime() - last.getTime()) / 1000
    })
  assert.deepEqual([...new Set(gapsOf('anna'))].sort(), [10, 11, 12, 13, 14, 15])
  assert.notDeepEqual(gapsOf('anna'), gapsOf('ben'))
})

test('the throttle allows n messages to a domain in any hour, for each mailbox', () => {
  const anna = mailbox({ maxPerDomainPerHour: 2 })
  const ben = mailbox({ id: 'ben', maxPerDomainPerHour: 2 })
  const throttle = new DomainThrottle()
  throttle.reserve(anna, 'example.com', 0)
  throttle.reserve(anna, 'Example.COM', 600_000)
  assert.equal(throttle.peek(anna, 'example.com', 700_000), HOUR_MS, 'an hour after the first of the two')
  assert.equal(throttle.peek(anna, 'example.com', HOUR_MS), HOUR_MS)
  assert.equal(throttle.peek(anna, 'example.org', 700_000), 700_000)
  assert.equal(throttle.peek(ben, 'example.com', 700_000), 700_000)
  assert.equal(throttle.peek(mailbox({ maxPerDomainPerHour: null }), 'example.com', 700_000), 700_000)
  assert.equal(throttle.peek(mailbox({ maxPerDomainPerHour: 0 }), 'example.com', 700_000), null)
})

test('the throttle starts from the messages of the last hour, in any order', () => {
  const anna = mailbox({ maxPerDomainPerHour: 2 })
  const send = (ms: number) => ({ mailboxId: 'anna', domain: 'Example.com', at: new Date(ms) })
  const throttle = new DomainThrottle([send(2000), send(1000), send(3000)])
  assert.equal(throttle.peek(anna, 'example.com', 4000), 2000 + HOUR_MS)
})

test('the throttle never exceeds its limit within any hour', () => {
  const waits = fc.array(fc.integer({ min: 0, max: 1_500_000 }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), waits, (maxPerDomainPerHour, pauses) => {
      const anna = mailbox({ maxPerDomainPerHour })
      const throttle = new DomainThrottle()
      const sent: number[] = []
      let ms = 0
      for (const pause of pauses) {
        ms = throttle.peek(anna, 'example.com', ms + pause)!
        throttle.reserve(anna, 'example.com', ms)
        sent.push(ms)
      }
      for (const start of sent) {
        assert.ok(sent.filter(time => time >= start && time < start + HOUR_MS).length <= maxPerDomainPerHour)
      }
    }),
  )
})
