import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { judgeHit, type TrackingHit } from './tracking.ts'

const person: TrackingHit = {
  kind: 'open',
  method: 'GET',
  userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/144.0 Safari/537.36',
  msSinceDelivery: 600_000,
  linksClickedTogether: 1,
  linksInMessage: 3,
}
const judge = (change: Partial<TrackingHit>) => judgeHit({ ...person, ...change })

test('a person who opens and clicks after a while counts as a person', () => {
  assert.equal(judge({}).by, 'human')
  assert.equal(judge({ kind: 'click' }).by, 'human')
  assert.equal(judge({ userAgent: 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)' }).by, 'human')
})

test('prefetching, scanning and link checking are machines, each with its reason', () => {
  const machines: [Partial<TrackingHit>, string][] = [
    [{ method: 'HEAD' }, 'not_a_page_view'],
    [{ userAgent: '' }, 'no_user_agent'],
    [{ userAgent: null }, 'no_user_agent'],
    [{ userAgent: 'Mozilla/5.0 (compatible; Barracuda Sentinel)' }, 'scanner'],
    [{ userAgent: 'python-requests/2.31' }, 'scanner'],
    [{ userAgent: 'Mozilla/5.0 HeadlessChrome/120' }, 'scanner'],
    [{ userAgent: 'Mozilla/5.0' }, 'prefetch_proxy'],
    [{ kind: 'click', linksClickedTogether: 3 }, 'all_links_at_once'],
    [{ kind: 'click', linksClickedTogether: 2, linksInMessage: 2 }, 'all_links_at_once'],
    [{ msSinceDelivery: 900 }, 'too_soon'],
    [{ kind: 'click', msSinceDelivery: 5_000 }, 'too_soon'],
  ]
  for (const [change, reason] of machines) {
    assert.deepEqual(judge(change), { by: 'machine', reason }, JSON.stringify(change))
  }
})

test('the only link of a message may be clicked by a person', () => {
  assert.equal(judge({ kind: 'click', linksClickedTogether: 1, linksInMessage: 1 }).by, 'human')
})

test('any visit gets a verdict, and a later one is never judged more strictly for its time', () => {
  const hit = fc.record({
    kind: fc.constantFrom('open' as const, 'click' as const),
    method: fc.constantFrom('GET', 'HEAD', 'POST'),
    userAgent: fc.option(fc.string()),
    msSinceDelivery: fc.integer(),
    linksClickedTogether: fc.nat(10),
    linksInMessage: fc.nat(10),
  })
  fc.assert(
    fc.property(hit, fc.nat(), (value, later) => {
      const first = judgeHit(value)
      const second = judgeHit({ ...value, msSinceDelivery: value.msSinceDelivery + later })
      assert.ok(first.by === 'machine' || second.by === 'human')
    }),
  )
})
