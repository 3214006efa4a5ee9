import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, concludeAttempt, parseRetryAfter, RETRY_DELAYS_MS } from './webhooks.ts'

const NOW = new Date('2026-03-02T10:00:00.000Z')
const HOUR = 60 * 60 * 1000
const conclude = (attempt: number, responseStatus: number, retryAfter: string | null = null, random = () => 0.5) =>
  concludeAttempt(attempt, { responseStatus, retryAfter }, NOW, RETRY_DELAYS_MS, random)

test('only a status from 200 to 299 is a success', () => {
  for (const status of [200, 201, 204, 299]) assert.equal(conclude(1, status).status, 'succeeded')
  for (const status of [300, 301, 302, 307, 308, 304, 400, 401, 404, 409, 410, 429, 500, 503])
    assert.equal(conclude(1, status).status, 'failed')
  assert.equal(concludeAttempt(1, { failure: 'timeout' }, NOW).status, 'failed')
})

test('nine retries follow the schedule, and then there are no more', () => {
  const minutes = [5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440]
  minutes.forEach((expected, index) => {
    assert.equal(conclude(index + 1, 500).retryInMs, expected * 60_000)
  })
  assert.equal(conclude(10, 500).retryInMs, null)
  assert.equal(conclude(11, 500).retryInMs, null)
})

test('the delay differs by at most 10%', () => {
  assert.equal(conclude(2, 500, null, () => 0).retryInMs, 270_000)
  assert.equal(conclude(2, 500, null, () => 1).retryInMs, 330_000)
})

test('Retry-After can extend the delay, up to a day, but not shorten it', () => {
  assert.equal(conclude(1, 503, '120').retryInMs, 120_000)
  assert.equal(conclude(1, 429, 'Mon, 02 Mar 2026 10:10:00 GMT').retryInMs, 600_000)
  assert.equal(conclude(2, 503, '1').retryInMs, 300_000)
  assert.equal(conclude(1, 503, '9999999').retryInMs, 24 * HOUR)
  assert.equal(conclude(10, 503, '120').retryInMs, null)
})

test('an invalid Retry-After is ignored', () => {
  for (const value of [null, '', 'soon', '-5', '1.5', 'Mon, 02 Mar 2020 10:00:00 GMT', 'Infinity', '99999999999999999999']) {
    assert.equal(parseRetryAfter(value, NOW), 0, String(value))
  }
})

test('a receiver that returns 410 is not retried', () => {
  assert.deepEqual(conclude(1, 410), {
    status: 'failed',
    responseStatus: 410,
    error: 'gone',
    retryInMs: null,
    gone: true,
  })
})

test('the reason of a failure is stored', () => {
  assert.equal(conclude(1, 302).error, 'redirect')
  assert.equal(conclude(1, 500).error, 'status')
  assert.deepEqual(
    concludeAttempt(1, { failure: 'timeout' }, NOW, [1000], () => 0.5),
    {
      status: 'failed',
      responseStatus: null,
      error: 'timeout',
      retryInMs: 1000,
      gone: false,
    },
  )
})

test('the body is the event and nothing else', () => {
  const event = {
    eventId: 'e',
    eventType: 'email.sent',
    timestamp: NOW,
    workspaceId: 'w',
    eventSeq: 7,
    data: { b: 1, a: 2 },
  }
  assert.equal(
    bodyOf(event),
    '{"id":"e","type":"email.sent","timestamp":"2026-03-02T10:00:00.000Z","workspaceId":"w","seq":7,"data":{"b":1,"a":2}}',
  )
})
