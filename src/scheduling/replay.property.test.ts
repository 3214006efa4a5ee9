import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { examples } from '../../test/full.ts'
import { emptyLoad, nearTransition, weekdays, zoneNames } from '../../test/schedules.ts'
import { DAY_MS } from '../lib/time.ts'
import type { DomainSend } from './capacity.ts'
import { chooseSends, dueAfterSend, type PlannedMailbox, type PlannerLead, type WaitDecision } from './planner.ts'
import { type PlayedSend, type SimulationInput, simulate } from './simulate.ts'

// The simulator jumps from event to event; the sender looks at the clock again and again. Both must send the same. Here a
// stand-in for the sender asks `chooseSends` at every step of a fine grid, keeps the books itself, and is compared message
// by message. All times of these campaigns lie on the grid, so nothing may be off even by a little.

type Observer = (waits: WaitDecision[], nowMs: number) => void

function replay(input: SimulationInput, grainMs: number, observe: Observer = () => {}): PlayedSend[] {
  const campaign = {
    id: 'c',
    status: 'active',
    schedule: input.schedule,
    steps: input.steps,
    mailboxIds: input.mailboxes.map(box => box.id),
  }
  let leads: PlannerLead[] = input.leads.map(lead => ({ ...lead, campaignId: 'c', mailboxId: null, hold: null }))
  let mailboxes = input.mailboxes
  const recentSends: DomainSend[] = []
  const played: PlayedSend[] = []
  const startMs = input.now.getTime()
  for (let nowMs = startMs; nowMs <= startMs + input.horizonDays! * DAY_MS && leads.length > 0; ) {
    const now = new Date(nowMs)
    const plan = chooseSends({ campaigns: [campaign], leads, mailboxes, recentSends, seed: input.seed! }, now)
    observe(plan.waits, nowMs)
    for (const { leadId, step, mailboxId } of plan.sends) {
      played.push({ leadId, entryId: leadId, step, mailboxId, atMs: nowMs })
      const lead = leads.find(({ id }) => id === leadId)!
      recentSends.push({ mailboxId, domain: lead.domain, at: now })
      const dueAt = dueAfterSend(campaign, step, now)
      leads = leads.filter(other => other !== lead)
      if (dueAt !== null) leads.push({ ...lead, step: step + 1, dueAt, mailboxId })
    }
    mailboxes = mailboxes.map(box => ({ ...box, load: plan.loads.get(box.id)! }))
    // A sent message may make the next step due at once; the grid moves on when nothing more is sent.
    if (plan.sends.length === 0) nowMs += grainMs
  }
  return played
}

function played(input: SimulationInput): PlayedSend[] {
  const sends: PlayedSend[] = []
  simulate(input, send => sends.push(send))
  return sends
}

const hhmm = (minutes: number): string => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

type Shape = { grainMs: number; horizonDays: number; gaps: number[]; gapJitter: number; maxLeads: number }

function anyCampaign({ grainMs, horizonDays, gaps, gapJitter, maxLeads }: Shape): fc.Arbitrary<SimulationInput> {
  return nearTransition(horizonDays / 2, grainMs).chain(({ timezone, ms }) => {
    const anyMailbox = (id: string): fc.Arbitrary<PlannedMailbox> =>
      fc.record({
        id: fc.constant(id),
        timezone: fc.constantFrom(...zoneNames),
        dailyCap: fc.integer({ min: 1, max: 5 }),
        rampUp: fc.option(fc.constant({ startPerDay: 0, increasePerDay: 1 }), { freq: 2 }),
        connectedAt: fc.constant(new Date(ms)),
        minGapSeconds: fc.constantFrom(...gaps),
        gapJitter: fc.constant(gapJitter),
        maxPerDomainPerHour: fc.option(fc.integer({ min: 1, max: 2 })),
        connected: fc.constant(true),
        load: fc.constant(emptyLoad),
      })
    const endDate = fc.option(
      fc.integer({ min: 1, max: 6 }).map(sixths => new Date(Math.floor((ms + (sixths / 6) * horizonDays * DAY_MS) / grainMs) * grainMs)),
    )
    return fc.record({
      schedule: fc.record({
        daysOfWeek: fc.subarray([...weekdays], { minLength: 4 }),
        timeWindow: fc
          .tuple(fc.integer({ min: 0, max: 270 }), fc.integer({ min: 1, max: 60 }))
          .map(([start, length]) => ({ start: hhmm(start * 5), end: hhmm(Math.min(1435, (start + length) * 5)) }))
          .filter(({ start, end }) => start < end),
        timezone: fc.constant(timezone),
        startDate: fc.constant(null),
        endDate,
      }),
      steps: fc.array(fc.record({ delayDays: fc.integer({ min: 0, max: 2 }) }), { minLength: 1, maxLength: 3 }),
      leads: fc
        .array(fc.record({ due: fc.integer({ min: -5, max: 20 }), domain: fc.constantFrom('a.example', 'b.example') }), {
          minLength: 1,
          maxLength: maxLeads,
        })
        .map(leads =>
          leads.map(({ due, domain }, n) => ({
            id: `lead-${n}`,
            step: 0,
            dueAt: new Date(ms + due * grainMs),
            domain,
          })),
        ),
      mailboxes: fc.oneof(fc.tuple(anyMailbox('anna')), fc.tuple(anyMailbox('anna'), anyMailbox('ben'))),
      now: fc.constant(new Date(ms)),
      horizonDays: fc.constant(horizonDays),
      seed: fc.string(),
    })
  })
}

const slow: Shape = { grainMs: 300_000, horizonDays: 9, gaps: [0, 300, 900, 3600], gapJitter: 0, maxLeads: 8 }

test('simulating equals planning every five minutes for nine days across a clock change', () => {
  let total = 0
  fc.assert(
    fc.property(anyCampaign(slow), input => {
      const expected = replay(input, slow.grainMs)
      total += expected.length
      assert.deepEqual(played(input), expected)
    }),
    { numRuns: examples(40) },
  )
  assert.ok(total > 1.25 * examples(40), `${total} messages`)
})

test('simulating equals planning every second, with jitter', () => {
  const shape: Shape = { grainMs: 1000, horizonDays: 1 / 12, gaps: [7, 20, 60], gapJitter: 0.5, maxLeads: 12 }
  let total = 0
  fc.assert(
    fc.property(anyCampaign(shape), input => {
      const open = { ...input.schedule, daysOfWeek: weekdays, timeWindow: { start: '00:00', end: '23:59' } }
      // In two hours only follow-ups without a delay can be seen, and a ramp-up that starts at zero would show nothing.
      const steps = input.steps.map(() => ({ delayDays: 0 }))
      const mailboxes = input.mailboxes.map(box => ({ ...box, rampUp: null, dailyCap: 20 }))
      const always = { ...input, schedule: open, steps, mailboxes }
      const expected = replay(always, shape.grainMs)
      total += expected.length
      assert.deepEqual(played(always), expected)
    }),
    { numRuns: examples(20) },
  )
  assert.ok(total > examples(20), `${total} messages`)
})

test('nothing is sent before its announced next attempt', () => {
  fc.assert(
    fc.property(anyCampaign(slow), input => {
      const announced = new Map<string, number>()
      const never = new Set<string>()
      const sends = replay({ ...input, horizonDays: 4 }, slow.grainMs, waits => {
        for (const { leadId, step, nextAttemptAt } of waits) {
          const key = `${leadId}|${step}`
          if (nextAttemptAt === null) never.add(key)
          else announced.set(key, Math.max(announced.get(key) ?? 0, nextAttemptAt.getTime()))
        }
      })
      for (const { leadId, step, atMs } of sends) {
        assert.ok(atMs >= (announced.get(`${leadId}|${step}`) ?? 0))
        assert.ok(!never.has(`${leadId}|${step}`), 'what was given up for good must not go')
      }
    }),
    { numRuns: examples(30) },
  )
})
