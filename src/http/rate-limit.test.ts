import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import { RateLimiter } from './rate-limit.ts'

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

test('a token that has used up its minute has another one a minute later', () => {
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
