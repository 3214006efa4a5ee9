import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { examples } from '../../test/full.ts'
import { emptyLoad, schedule } from '../../test/schedules.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time.ts'
import { findLifts } from './lifted-limits.ts'
import { chooseSends, type Hold, type PlannedMailbox, type PlannerLead } from './planner.ts'
import { sumReasons } from './reasons.ts'
import { type SimulationInput, type SimulationLead, simulate } from './simulate.ts'

// Leads that are alike may be handed to the planner as one entry with a count. That is only a shorter way to say the same:
// the planner that gets each lead separately is the reference, and every result must equal its result.

const monday = Date.parse('2026-03-02T09:00:00Z')

function anyMailbox(id: string, nowMs: number): fc.Arbitrary<PlannedMailbox> {
  return fc.record({
    id: fc.constant(id),
    timezone: fc.constantFrom('Europe/Berlin', 'America/New_York'),
    dailyCap: fc.integer({ min: 0, max: 12 }),
    rampUp: fc.option(fc.record({ startPerDay: fc.integer({ min: 0, max: 3 }), increasePerDay: fc.integer({ min: 0, max: 2 }) }), {
      freq: 1,
    }),
    connectedAt: fc.integer({ min: 0, max: 6 }).map(days => new Date(nowMs - days * DAY_MS)),
    minGapSeconds: fc.constantFrom(0, 60, 900),
    maxPerDomainPerHour: fc.option(fc.integer({ min: 1, max: 3 })),
    connected: fc.integer({ min: 0, max: 4 }).map(n => n > 0),
    load: fc.constantFrom(emptyLoad, emptyLoad, { day: '2026-03-02', reserved: 2, nextSlotAt: new Date(nowMs + MINUTE_MS) }),
  })
}

const anyHold: fc.Arbitrary<Hold | null> = fc.constantFrom<(Hold | null)[]>(
  null,
  null,
  null,
  null,
  { reason: 'suppressed' },
  {
    reason: 'earlier_step_open',
  },
)

const anyEntry = fc.record({
  count: fc.integer({ min: 1, max: 6 }),
  step: fc.constantFrom(0, 0, 0, 1, 2),
  due: fc.integer({ min: -8, max: 12 }),
  domain: fc.constantFrom('a.example', 'b.example', 'c.example'),
  timezone: fc.constantFrom(null, 'Asia/Tokyo', 'America/Los_Angeles', 'nowhere'),
  mailboxId: fc.option(fc.constantFrom('anna', 'ben', 'anna', 'ben', 'gone')),
  hold: anyHold,
})

const anyCampaign: fc.Arbitrary<SimulationInput> = fc
  .record({
    hour: fc.constantFrom(-20, -1, 0, 1, 3, 6, 24, 30, 80, 100),
    useLeadTimezone: fc.boolean(),
    startDay: fc.option(fc.integer({ min: 0, max: 4 }), { freq: 3 }),
    endDay: fc.option(fc.integer({ min: 1, max: 20 })),
    steps: fc.array(fc.record({ delayDays: fc.integer({ min: 0, max: 3 }) }), { minLength: 1, maxLength: 3 }),
    entries: fc.array(anyEntry, { minLength: 1, maxLength: 7 }),
    seed: fc.string({ maxLength: 4 }),
  })
  .chain(({ hour, useLeadTimezone, startDay, endDay, steps, entries, seed }) => {
    const nowMs = monday + hour * HOUR_MS
    const dates = {
      startDate: startDay === null ? null : new Date(nowMs + startDay * DAY_MS),
      endDate: endDay === null ? null : new Date(nowMs + endDay * DAY_MS),
    }
    const leads: SimulationLead[] = entries.map(({ due, ...entry }, n) => ({
      ...entry,
      id: `e${n}`,
      dueAt: new Date(nowMs + due * HOUR_MS),
    }))
    return fc.record({
      schedule: fc.constant(schedule({ ...dates, useLeadTimezone })),
      steps: fc.constant(steps),
      leads: fc.constant(leads),
      mailboxes: fc.tuple(anyMailbox('anna', nowMs), anyMailbox('ben', nowMs)),
      mailboxIds: fc.constantFrom(['anna'], ['anna', 'ben']),
      recentSends: fc.constantFrom([], [{ mailboxId: 'anna', domain: 'a.example', at: new Date(nowMs - MINUTE_MS) }]),
      now: fc.constant(new Date(nowMs)),
      horizonDays: fc.constant(30),
      seed: fc.constant(seed),
    })
  })

const idsOf = ({ id, count = 1 }: SimulationLead): string[] => Array.from({ length: count }, (_, n) => `${id}.${n}`)

/** Every lead separately, in the same order. */
const oneByOne = (input: SimulationInput): SimulationInput => ({
  ...input,
  leads: input.leads.flatMap(lead => idsOf(lead).map(id => ({ ...lead, id, count: 1 }))),
})

function forEveryCampaign(judge: (alike: SimulationInput, single: SimulationInput) => void, numRuns = examples(250)): void {
  fc.assert(
    fc.property(anyCampaign, input => judge(input, oneByOne(input))),
    { numRuns },
  )
}

function plan({ schedule, steps, leads, mailboxes, mailboxIds, recentSends, now, seed }: SimulationInput) {
  const campaign = { id: 'c', status: 'active', schedule, steps, mailboxIds: mailboxIds! }
  const asked = leads.map((lead): PlannerLead => ({ ...lead, campaignId: 'c', mailboxId: lead.mailboxId ?? null, hold: lead.hold ?? null }))
  return chooseSends({ campaigns: [campaign], leads: asked, mailboxes, recentSends: recentSends!, seed: seed! }, now)
}

test('a simulation of equal leads equals a simulation of each lead', () => {
  let sends = 0
  forEveryCampaign((alike, single) => {
    const answer = simulate(alike)
    assert.deepEqual(answer, simulate(single))
    sends += answer.sends
  })
  assert.ok(sends > 300, `${sends} messages`)
})

test('the messages to send now, and the holds of the others, are the same', () => {
  let ready = 0
  forEveryCampaign((alike, single) => {
    const wording = { now: alike.now, timezone: 'Europe/Berlin' }
    const [one, other] = [plan(alike), plan(single)]
    const sums = (waits: typeof one.waits) => sumReasons(waits, wording).map(({ members, ...sum }) => sum)
    assert.deepEqual(sums(one.waits), sums(other.waits))
    assert.deepEqual(one.loads, other.loads)
    assert.equal(one.sends.length, other.sends.length)
    ready += one.sends.length
  }, 500)
  assert.ok(ready > 5, `${ready} messages`)
})

test('the effect of lifting a limit is the same', () => {
  let lifts = 0
  forEveryCampaign((alike, single) => {
    const groupsOf = (input: SimulationInput, idsOfEntry: (entry: SimulationLead) => string[]) => {
      const members = new Map(alike.leads.map(lead => [lead.id, idsOfEntry(lead)]))
      return sumReasons(plan(alike).waits, { now: input.now, timezone: 'Europe/Berlin' }).map(({ reason, detail, members: waits }) => ({
        reason,
        detail,
        leadIds: waits.flatMap(({ leadId }) => members.get(leadId)!),
      }))
    }
    const found = findLifts(
      alike,
      groupsOf(alike, ({ id }) => [id]),
    )
    assert.deepEqual(found, findLifts(single, groupsOf(single, idsOf)))
    lifts += found.filter(lift => lift !== null).length
  }, 150)
  assert.ok(lifts > 5, `${lifts} lifts`)
})

test('a simulation with a maximum number of messages counts the rest beyond the horizon', () => {
  const leads = [{ id: 'e', count: 1000, step: 0, dueAt: new Date(monday), domain: 'a.example' }]
  const box: PlannedMailbox = {
    id: 'anna',
    timezone: 'UTC',
    dailyCap: 50,
    rampUp: null,
    connectedAt: new Date(monday),
    minGapSeconds: 60,
    maxPerDomainPerHour: null,
    connected: true,
    load: emptyLoad,
  }
  const input = { schedule: schedule(), steps: [{ delayDays: 0 }], leads, mailboxes: [box], now: new Date(monday), mostSends: 120 }
  const { sends, notSent, truncated, bindingLimit } = simulate(input)
  assert.deepEqual([sends, truncated, notSent], [120, true, [{ reason: 'beyond_horizon', count: 880, messages: 880 }]])
  assert.equal(bindingLimit.code, 'mailbox_cap', 'the same number of messages would be out sooner')
})
