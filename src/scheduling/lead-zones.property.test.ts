import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { examples } from '../../test/full.ts'
import { anyDays, anyTimeWindow, businessDate, clockSaysOpen, localDate, mailbox, nearTransition, zoneNames } from '../../test/schedules.ts'
import { DAY_MS, HOUR_MS } from '../lib/time.ts'
import { chooseSends } from './planner.ts'
import { type PlayedSend, type SimulationInput, simulate } from './simulate.ts'
import { type Schedule, scheduleFor } from './window.ts'

// Campaigns that go by the zones of their leads, across a clock change of one of these zones. What is right is asked of
// Temporal, and of a campaign that has the zone of the lead for its own.

const runs = { numRuns: examples(150) }
const UNKNOWN = 'Mars/Olympus'

const anyCampaign: fc.Arbitrary<SimulationInput> = nearTransition(6).chain(({ timezone, ms }) =>
  fc.record({
    schedule: fc.record({
      daysOfWeek: anyDays,
      timeWindow: anyTimeWindow,
      timezone: fc.constantFrom(...zoneNames),
      useLeadTimezone: fc.constant(true),
      startDate: fc.constantFrom(null, new Date(ms + DAY_MS)),
      endDate: fc.constantFrom(null, new Date(ms + 15 * DAY_MS)),
    }),
    steps: fc.array(fc.record({ delayDays: fc.integer({ min: 0, max: 4 }) }), { minLength: 1, maxLength: 3 }),
    leads: fc
      .array(
        fc.record({ due: fc.integer({ min: -48, max: 96 }), zone: fc.constantFrom(timezone, timezone, null, UNKNOWN, ...zoneNames) }),
        { minLength: 3, maxLength: 16 },
      )
      .map(leads =>
        leads.map(({ due, zone }, n) => ({
          id: `lead-${n}`,
          step: 0,
          dueAt: new Date(ms + due * HOUR_MS),
          domain: 'a.example',
          timezone: zone,
        })),
      ),
    mailboxes: fc.constantFrom([mailbox({ dailyCap: 4, minGapSeconds: 600 })], [mailbox({ dailyCap: 1_000_000 })]),
    now: fc.constant(new Date(ms)),
    horizonDays: fc.constant(45),
  }),
)

const ownSchedule = ({ schedule, leads }: SimulationInput, leadId: string): Schedule => {
  const zone = leads.find(({ id }) => id === leadId)!.timezone
  return zone === null || zone === undefined || zone === UNKNOWN ? schedule : { ...schedule, timezone: zone }
}

function playAll(input: SimulationInput): PlayedSend[] {
  const sends: PlayedSend[] = []
  simulate(input, send => sends.push(send))
  return sends
}

test("nothing is sent outside the window of the lead's own zone, around every clock change", () => {
  fc.assert(
    fc.property(anyCampaign, input => {
      for (const { leadId, atMs } of playAll(input)) assert.ok(clockSaysOpen(ownSchedule(input, leadId), atMs), `${leadId} at ${atMs}`)
    }),
    runs,
  )
})

test('a lead is emailed when a campaign in its own zone would do so, step by step', () => {
  fc.assert(
    fc.property(anyCampaign, campaign => {
      const input = { ...campaign, mailboxes: [mailbox({ dailyCap: 1_000_000 })] }
      const together = Map.groupBy(playAll(input), send => send.leadId)
      for (const lead of input.leads) {
        const schedule = { ...ownSchedule(input, lead.id), useLeadTimezone: false }
        const alone = playAll({ ...input, schedule, leads: [lead] })
        assert.deepEqual(together.get(lead.id) ?? [], alone)
      }
    }),
    runs,
  )
})

test('a delay is counted in business days of the lead’s own calendar', () => {
  fc.assert(
    fc.property(anyCampaign, input => {
      for (const [leadId, sends] of Map.groupBy(playAll(input), send => send.leadId)) {
        const { timezone } = ownSchedule(input, leadId)
        for (const [index, send] of sends.entries()) {
          const { delayDays } = input.steps[send.step]!
          if (index === 0 || delayDays === 0) continue
          const earliest = businessDate(sends[index - 1]!.atMs, delayDays, timezone).toString()
          assert.ok(localDate(send.atMs, timezone) >= earliest)
        }
      }
    }),
    runs,
  )
})

test('at any instant the planner sends to exactly the leads with an open window, and gives the others their opening', () => {
  fc.assert(
    fc.property(anyCampaign, input => {
      const { schedule, mailboxes, now } = input
      const campaign = { id: 'c', status: 'active', schedule, steps: [{ delayDays: 0 }], mailboxIds: ['anna'] }
      const leads = input.leads.map(lead => ({ ...lead, dueAt: now, campaignId: 'c', mailboxId: null, hold: null }))
      const open = [mailbox({ ...mailboxes[0]!, dailyCap: 1_000_000, minGapSeconds: 0 })]
      const plan = chooseSends({ campaigns: [campaign], leads, mailboxes: open, recentSends: [], seed: '' }, now)
      for (const { leadId } of plan.sends) assert.ok(clockSaysOpen(ownSchedule(input, leadId), now.getTime()))
      for (const { leadId, reason, nextAttemptAt } of plan.waits) {
        assert.ok(['waiting_window', 'campaign_not_started', 'campaign_expired'].includes(reason), reason)
        if (nextAttemptAt) assert.ok(clockSaysOpen(ownSchedule(input, leadId), nextAttemptAt.getTime()))
      }
      assert.equal(plan.sends.length + plan.waits.length, leads.length)
    }),
    runs,
  )
})

test('without the setting, or with an unknown zone, the zone of the campaign applies', () => {
  const schedule = { timezone: 'Europe/Berlin', useLeadTimezone: true }
  assert.equal(scheduleFor(schedule, 'Asia/Tokyo').timezone, 'Asia/Tokyo')
  for (const zone of [null, undefined, '', UNKNOWN, '+01:00']) assert.equal(scheduleFor(schedule, zone).timezone, 'Europe/Berlin')
  assert.equal(scheduleFor({ timezone: 'Europe/Berlin' }, 'Asia/Tokyo').timezone, 'Europe/Berlin')
})
