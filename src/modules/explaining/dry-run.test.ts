import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { examples } from '../../../test/full.ts'
import { withStops } from './dry-run.ts'

const now = new Date('2026-03-02T08:00:00Z')
const HOLDS = [null, { reason: 'suppressed' }, { reason: 'earlier_step_open' }, { reason: 'contacted_elsewhere' }] as const
const anyLead = fc.record({ step: fc.nat(2), count: fc.integer({ min: 1, max: 50 }), hold: fc.constantFrom(...HOLDS) })

const sum = (list: readonly { count?: number }[]) => list.reduce((all, { count = 1 }) => all + count, 0)

test('as many leads stop as were found, none is lost or invented, and held leads stay held', () => {
  fc.assert(
    fc.property(fc.array(anyLead, { maxLength: 20 }), fc.array(fc.nat(150), { minLength: 6, maxLength: 6 }), (made, shares) => {
      const leads = made.map((lead, n) => ({ id: `l${n}`, dueAt: now, domain: '', ...lead }))
      // Some stop at their own step, and some at the next; also more of them than there are, because they are counted later.
      const stops = [0, 1, 2].flatMap(step => {
        const there = sum(leads.filter(lead => lead.step === step && lead.hold?.reason !== 'suppressed'))
        const first = Math.floor((there * shares[step]!) / 100)
        return [
          { step, stopsAt: step, count: first },
          { step, stopsAt: step + 1, count: Math.floor((Math.abs(there - first) * shares[step + 3]!) / 100) },
        ]
      })
      const split = withStops(leads, stops)
      assert.equal(sum(split), sum(leads))
      assert.ok(split.every(({ count }) => count! > 0))
      assert.equal(new Set(split.map(({ id }) => id)).size, split.length)
      assert.deepEqual(
        split.filter(({ hold }) => hold),
        leads.filter(({ hold }) => hold),
      )
      for (const { step, stopsAt, count } of stops) {
        const stopped = sum(split.filter(lead => lead.step === step && lead.stopsAt === stopsAt))
        const there = leads.filter(lead => lead.step === step && lead.hold?.reason !== 'suppressed')
        const isExact = there.every(({ hold }) => !hold) && sum(stops.filter(stop => stop.step === step)) <= sum(there)
        assert.ok(isExact ? stopped === count : stopped <= count, `${stopped} of ${count}`)
      }
    }),
    { numRuns: examples(300) },
  )
})

test('no email is invented when most leads with missing variables are held', () => {
  const leads = [
    { id: 'free', step: 0, count: 2, dueAt: now, domain: '', hold: null },
    { id: 'held', step: 0, count: 8, dueAt: now, domain: '', hold: { reason: 'earlier_step_open' as const } },
  ]
  const split = withStops(leads, [{ step: 0, stopsAt: 0, count: 10 }])
  assert.deepEqual(split, [{ ...leads[0], id: 'free:0', stopsAt: 0 }, leads[1]])
})
