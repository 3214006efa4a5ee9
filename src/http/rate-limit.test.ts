import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { VirtualClock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import { RateLimiter } from './rate-limit.ts'

const START = new Date('2026-03-10T12:00:00.000Z')
const isRefused = (limiter: RateLimiter, token: string): boolean => {
  try {
    limiter.take(token)
    return false
  } catch {
    return true
  }
}

describe('the rate limit', () => {
  it('remembers a used-up window when thousands of other tokens arrive', () => {
    const clock = new VirtualClock(START)
    const limiter = new RateLimiter(2, clock)
    for (let n = 0; n < 9000; n++) limiter.take(`early ${n}`)
    clock.set(new Date(START.getTime() + 1000))
    for (let n = 0; n < 3; n++) isRefused(limiter, 'greedy')
    for (let n = 0; n < 9000; n++) limiter.take(`late ${n}`)
    assert.equal(isRefused(limiter, 'greedy'), true)
    assert.equal(isRefused(limiter, 'late 8999'), false)
  })

  it('forgets the oldest window first, and ended windows before any other', () => {
    const clock = new VirtualClock(START)
    const limiter = new RateLimiter(1, clock)
    limiter.take('oldest')
    limiter.take('second')
    for (let n = 0; n < 9999; n++) limiter.take(`other ${n}`)
    assert.equal(isRefused(limiter, 'second'), true)
    assert.equal(isRefused(limiter, 'oldest'), false)
    clock.set(new Date(START.getTime() + 60_000))
    assert.equal(isRefused(limiter, 'second'), false)
  })
})

const HOUR_MS = 3_600_000

const isLimited = (work: () => void): boolean => {
  try {
    work()
    return false
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'rate_limited')
    assert.ok(Number(error.headers['retry-after']) <= 60, `it says to wait ${error.headers['retry-after']} s`)
    return true
  }
}

test('a token that used up its minute can continue a minute later', () => {
  const clock = new VirtualClock(new Date('2026-03-02T12:00:00Z'))
  const limiter = new RateLimiter(2, clock)
  assert.deepEqual(
    [1, 2, 3].map(() => isLimited(() => limiter.take('t'))),
    [false, false, true],
  )
  clock.advance(60_000)
  assert.equal(
    isLimited(() => limiter.take('t')),
    false,
  )
})

test('a clock that is set back by hours blocks no token for hours', () => {
  for (const hours of [1, 5, 48]) {
    const clock = new VirtualClock(new Date('2026-03-02T12:00:00Z'))
    const limiter = new RateLimiter(2, clock)
    for (let n = 0; n < 3; n++) isLimited(() => limiter.take('t'))
    clock.advance(-hours * HOUR_MS)
    limiter.headers('t')
    clock.advance(60_000)
    assert.equal(
      isLimited(() => limiter.take('t')),
      false,
      `${hours} hours`,
    )
    assert.match(limiter.headers('t').ratelimit!, /;t=(?:[1-9]|[1-5]\d|60)$/)
  }
})
