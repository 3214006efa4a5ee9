import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { examples } from '../../test/full.ts'
import {
  anyDays,
  anyTimeWindow,
  businessDate,
  clockSaysOpen,
  emptyLoad,
  localDate,
  nearTransition,
  wallClock,
  zoneNames,
} from '../../test/schedules.ts'
import { DAY_MS, HOUR_MS } from '../lib/time.ts'
import type { PlannedMailbox } from './planner.ts'
import { type PlayedSend, type SimulationInput, simulate } from './simulate.ts'

// Each property looks at every message of a whole simulated campaign that runs across a clock change of its zone, with
// mailboxes that live in other zones, and judges it by Temporal and plain counting.

function anyMailbox(id: string, nowMs: number): fc.Arbitrary<PlannedMailbox> {
  return fc.record({
    id: fc.constant(id),
    timezone: fc.constantFrom(...zoneNames),
    dailyCap: fc.integer({ min: 1, max: 8 }),
    rampUp: fc.option(fc.record({ startPerDay: fc.integer({ min: 0, max: 3 }), increasePerDay: fc.integer({ min: 0, max: 2 }) })),
    connectedAt: fc.integer({ min: 0, max: 10 }).map(days => new Date(nowMs - days * DAY_MS)),
    minGapSeconds: fc.constantFrom(0, 1, 60, 90, 900, 7200),
    maxPerDomainPerHour: fc.option(fc.integer({ min: 1, max: 3 })),
    connected: fc.constant(true),
    load: fc.constant(emptyLoad),
  })
}

const anyCampaign: fc.Arbitrary<SimulationInput> = nearTransition(9).chain(({ timezone, ms }) =>
  fc.record({
    schedule: fc.record({
      daysOfWeek: anyDays,
      timeWindow: anyTimeWindow,
      timezone: fc.constant(timezone),
      startDate: fc.option(
        fc.integer({ min: 0, max: 5 }).map(days => new Date(ms + days * DAY_MS)),
        { freq: 4 },
      ),
      endDate: fc.option(
        fc.integer({ min: 6, max: 40 }).map(days => new Date(ms + days * DAY_MS)),
        { freq: 2 },
      ),
    }),
    steps: fc.array(fc.record({ delayDays: fc.integer({ min: 0, max: 6 }) }), { minLength: 1, maxLength: 4 }),
    leads: fc
      .array(
        fc.record({
          due: fc.integer({ min: -48, max: 96 }),
          domain: fc.constantFrom('a.example', 'b.example', 'c.example'),
        }),
        { minLength: 4, maxLength: 24 },
      )
      .map(leads => leads.map(({ due, domain }, n) => ({ id: `lead-${n}`, step: 0, dueAt: new Date(ms + due * HOUR_MS), domain }))),
    mailboxes: fc
      .tuple(anyMailbox('anna', ms), anyMailbox('ben', ms), anyMailbox('cleo', ms))
      .chain(boxes => fc.integer({ min: 1, max: 3 }).map(count => boxes.slice(0, count))),
    now: fc.constant(new Date(ms)),
    horizonDays: fc.constant(60),
    seed: fc.string(),
  }),
)

const CAMPAIGNS = examples(250)

function forEveryCampaign(judge: (input: SimulationInput, sends: PlayedSend[]) => void): void {
  fc.assert(
    fc.property(anyCampaign, input => {
      const sends: PlayedSend[] = []
      simulate(input, send => sends.push(send))
      judge(input, sends)
    }),
    { numRuns: CAMPAIGNS },
  )
}

const groupBy = <T>(items: T[], keyOf: (item: T) => string): T[][] => [...Map.groupBy(items, keyOf).values()]

test('the campaigns under test do send', () => {
  let total = 0
  forEveryCampaign((_, sends) => {
    total += sends.length
  })
  assert.ok(total > 4 * CAMPAIGNS, `${total} messages`)
})

test('no message goes outside the window or the dates', () => {
  forEveryCampaign(({ schedule, now }, sends) => {
    for (const { atMs } of sends) assert.ok(clockSaysOpen(schedule, atMs) && atMs >= now.getTime())
  })
})

test('no mailbox sends more than its cap, or its ramp-up allows, on any of its days', () => {
  forEveryCampaign(({ mailboxes }, sends) => {
    for (const box of mailboxes) {
      const own = sends.filter(send => send.mailboxId === box.id)
      const connected = Date.parse(localDate(box.connectedAt.getTime(), box.timezone))
      for (const day of groupBy(own, send => localDate(send.atMs, box.timezone))) {
        const age = (Date.parse(localDate(day[0]!.atMs, box.timezone)) - connected) / DAY_MS
        const ramp = box.rampUp ? box.rampUp.startPerDay + box.rampUp.increasePerDay * age : box.dailyCap
        assert.ok(day.length <= Math.min(box.dailyCap, ramp), `${day.length} messages on one day`)
      }
    }
  })
})

test('the messages of a mailbox keep its minimum gap', () => {
  forEveryCampaign(({ mailboxes }, sends) => {
    for (const box of mailboxes) {
      const times = sends.filter(send => send.mailboxId === box.id).map(send => send.atMs)
      for (let i = 1; i < times.length; i++) assert.ok(times[i]! - times[i - 1]! >= box.minGapSeconds * 1000)
    }
  })
})

test('no mailbox emails a domain more often than its limit in any hour', () => {
  forEveryCampaign(({ mailboxes, leads }, sends) => {
    const domains = new Map(leads.map(lead => [lead.id, lead.domain]))
    for (const { id, maxPerDomainPerHour } of mailboxes) {
      const own = sends.filter(send => send.mailboxId === id)
      for (const group of groupBy(own, send => domains.get(send.leadId)!)) {
        for (const { atMs } of group) {
          const inHour = group.filter(send => send.atMs >= atMs && send.atMs < atMs + HOUR_MS)
          assert.ok(inHour.length <= (maxPerDomainPerHour ?? Number.POSITIVE_INFINITY))
        }
      }
    }
  })
})

test('the steps of a lead are sent once each, in order, by one mailbox, and after their business days', () => {
  forEveryCampaign(({ schedule, steps, leads }, sends) => {
    const { timezone } = schedule
    for (const own of groupBy(sends, send => send.leadId)) {
      const lead = leads.find(({ id }) => id === own[0]!.leadId)!
      assert.ok(own[0]!.atMs >= lead.dueAt.getTime())
      own.forEach((send, index) => {
        assert.equal(send.step, index)
        assert.equal(send.mailboxId, own[0]!.mailboxId)
        if (index === 0) return
        const { atMs: previousMs } = own[index - 1]!
        const earliestDate = businessDate(previousMs, steps[index]!.delayDays, timezone).toString()
        const date = localDate(send.atMs, timezone)
        assert.ok(send.atMs >= previousMs && date >= earliestDate)
        // A fold can bring the clock back within one day, but only where there is no delay in between.
        if (date === earliestDate && steps[index]!.delayDays > 0) {
          assert.ok(wallClock(send.atMs, timezone) >= wallClock(previousMs, timezone))
        }
      })
    }
  })
})

test('a lead gets every step before the one that it cannot get, and the rest counts as not sent', () => {
  fc.assert(
    fc.property(anyCampaign, fc.array(fc.nat(4), { minLength: 24, maxLength: 24 }), (input, stops) => {
      const leads = input.leads.map((lead, n) => (stops[n]! < input.steps.length ? { ...lead, stopsAt: stops[n]! } : lead))
      const sends: PlayedSend[] = []
      const result = simulate({ ...input, leads }, send => sends.push(send))
      for (const { stopsAt = input.steps.length, id } of leads as { stopsAt?: number; id: string }[])
        assert.ok(sends.filter(send => send.leadId === id).every(({ step }) => step < stopsAt))
      const unsent = result.notSent.reduce((sum, { messages }) => sum + messages, 0)
      assert.equal(result.sends + unsent, leads.length * input.steps.length)
      const atStop = leads.filter(lead => 'stopsAt' in lead && sends.filter(send => send.leadId === lead.id).length === lead.stopsAt)
      assert.equal(result.notSent.find(({ reason }) => reason === 'missing_variable')?.count ?? 0, atStop.length)
    }),
    { numRuns: examples(150) },
  )
})

test('every message is either sent or counted as not sent, and the days add up', () => {
  fc.assert(
    fc.property(anyCampaign, input => {
      const result = simulate(input)
      const unsent = result.notSent.reduce((sum, { messages }) => sum + messages, 0)
      assert.equal(result.sends + unsent, input.leads.length * input.steps.length)
      const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)
      assert.equal(sum(result.days.map(day => day.total)), result.sends)
      for (const day of result.days) {
        assert.equal(sum(day.byStep), day.total)
        assert.equal(sum(Object.values(day.byMailbox)), day.total)
      }
      assert.deepEqual(
        result.days.map(day => day.date),
        result.days.map(day => day.date).toSorted(),
      )
    }),
    { numRuns: examples(200) },
  )
})
