import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { withStops } from './lacking.ts'

const now = new Date('2026-03-02T08:00:00Z')
const anyLead = fc.record({ step: fc.nat(2), count: fc.integer({ min: 1, max: 50 }), isHeld: fc.boolean() })

test('as many leads stop as were found, nobody is lost, and nobody who is held counts twice', () => {
  fc.assert(
    fc.property(fc.array(anyLead, { maxLength: 20 }), fc.array(fc.nat(100), { minLength: 6, maxLength: 6 }), (made, shares) => {
      const leads = made.map(({ step, count, isHeld }, n) => {
        const hold = isHeld ? { reason: 'suppressed' as const } : null
        return { id: `l${n}`, step, count, dueAt: now, domain: '', hold }
      })
      const sum = (list: readonly { count?: number }[]) => list.reduce((all, { count = 1 }) => all + count, 0)
      // No more stop than there are: a half of them at their own step, and some at the next.
      const stops = [0, 1, 2].flatMap(step => {
        const there = sum(leads.filter(lead => lead.step === step && !lead.hold))
        const first = Math.floor((there * shares[step]!) / 100)
        return [
          { step, stopsAt: step, count: first },
          { step, stopsAt: step + 1, count: Math.floor(((there - first) * shares[step + 3]!) / 100) },
        ]
      })
      const split = withStops(leads, stops)
      assert.equal(sum(split), sum(leads))
      assert.equal(new Set(split.map(({ id }) => id)).size, split.length)
      for (const { step, stopsAt, count } of stops) {
        const stopped = split.filter(lead => lead.step === step && lead.stopsAt === stopsAt)
        assert.equal(sum(stopped), count)
        assert.ok(stopped.every(lead => !lead.hold))
      }
    }),
    { numRuns: 300 },
  )
})
