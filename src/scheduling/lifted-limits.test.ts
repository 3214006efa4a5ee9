import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailbox, schedule } from '../../test/schedules.ts'
import { findLifts, wordLift } from './lifted-limits.ts'
import type { SimulationInput } from './simulate.ts'

// Monday 2 March 2026, 10:00 in Berlin.
const now = new Date('2026-03-02T09:00:00Z')
const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => `lead-${String(n).padStart(2, '0')}`)

const campaign = (changes: Partial<SimulationInput> = {}, count = 5): SimulationInput => ({
  schedule: schedule(),
  steps: [{ delayDays: 0 }],
  leads: ids(count).map(id => ({ id, step: 0, dueAt: now, domain: 'a.example' })),
  mailboxes: [mailbox()],
  now,
  ...changes,
})

const full = { day: '2026-03-02', reserved: 40, nextSlotAt: null }
const capped = { reason: 'mailbox_cap', detail: { mailboxId: 'anna', used: 40, limit: 40 } }

test('a raised cap has the sufficient value, in the order of the leads', () => {
  const input = campaign({ mailboxes: [mailbox({ dailyCap: 40, load: full, minGapSeconds: 600, gapJitter: 0 })] })
  const [last, all] = findLifts(input, [
    { ...capped, leadIds: ['lead-04'] },
    { ...capped, leadIds: ids(5) },
  ])
  assert.deepEqual(last, { limit: 'daily_cap', value: 45, leavesAt: new Date('2026-03-02T09:40:00Z'), count: 1 })
  assert.deepEqual(all, { limit: 'daily_cap', value: 45, leavesAt: now, count: 5 })
  assert.equal(
    wordLift(last!, 'Europe/Berlin'),
    'with a daily limit of 45, the email would be sent on Monday 2026-03-02 10:40 Europe/Berlin',
  )
  assert.equal(
    wordLift(all!, 'Europe/Berlin'),
    'with a daily limit of 45, 5 emails would be sent from Monday 2026-03-02 10:00 Europe/Berlin',
  )
})

test('while the ramp-up sets the limit, it is the one to lift', () => {
  const rampUp = { startPerDay: 2, increasePerDay: 1 }
  const load = { ...full, reserved: 2 }
  const input = campaign({ mailboxes: [mailbox({ dailyCap: 4, rampUp, connectedAt: now, load })] })
  const [lift] = findLifts(input, [{ reason: 'mailbox_cap', detail: { mailboxId: 'anna', used: 2, limit: 2 }, leadIds: ids(5) }])
  assert.deepEqual(lift, { limit: 'ramp', value: null, leavesAt: now, count: 2 }, 'the cap still holds for the others')
})

test('a closed window and blocking dates are lifted one at a time', () => {
  const saturday = new Date('2026-03-07T12:00:00Z')
  const [lift] = findLifts(campaign({ now: saturday }), [{ reason: 'waiting_window', detail: null, leadIds: ids(5) }])
  assert.deepEqual(lift, { limit: 'window', value: null, leavesAt: saturday, count: 5 })

  const ended = campaign({ schedule: schedule({ endDate: now }) })
  const [end] = findLifts(ended, [{ reason: 'campaign_expired', detail: null, leadIds: ids(5) }])
  assert.deepEqual([end?.limit, end?.leavesAt], ['end_date', now])

  const future = campaign({ schedule: schedule({ startDate: new Date('2026-03-10T00:00:00Z') }) })
  const [start] = findLifts(future, [{ reason: 'campaign_not_started', detail: null, leadIds: ids(5) }])
  assert.deepEqual([start?.limit, start?.leavesAt], ['start_date', now])
})

test('a gap and a limit for a domain are lifted as well', () => {
  const slow = campaign({ mailboxes: [mailbox({ minGapSeconds: 3600 })] })
  const [gap] = findLifts(slow, [{ reason: 'mailbox_gap', detail: { mailboxId: 'anna' }, leadIds: ids(5).slice(1) }])
  assert.deepEqual(gap, { limit: 'gap', value: null, leavesAt: now, count: 4 })
  const narrow = campaign({ mailboxes: [mailbox({ maxPerDomainPerHour: 1 })] })
  const [throttle] = findLifts(narrow, [{ reason: 'domain_throttle', detail: null, leadIds: ids(5).slice(1) }])
  assert.deepEqual([throttle?.limit, throttle?.count], ['domain_throttle', 4])
})

test('a limit is not named if another one is equally tight', () => {
  // The cap is used up, and the window closes before the gap has passed.
  const late = new Date('2026-03-02T15:59:00Z')
  const load = { ...full, nextSlotAt: new Date('2026-03-02T16:30:00Z') }
  const input = campaign({ now: late, mailboxes: [mailbox({ dailyCap: 40, load })] })
  assert.deepEqual(findLifts(input, [{ ...capped, leadIds: ids(5) }]), [null])
})

test('a reason that is not a limit, or has no effect within two weeks, has nothing to lift', () => {
  const asked = ['suppressed', 'not_due', 'missing_variable', 'company_replied'].map(reason => ({ reason, detail: null, leadIds: ids(5) }))
  assert.deepEqual(findLifts(campaign(), asked), [null, null, null, null])
  const far = campaign({ schedule: schedule({ startDate: new Date('2027-01-01T00:00:00Z') }) })
  assert.deepEqual(findLifts(far, [{ reason: 'waiting_window', detail: null, leadIds: ids(5) }]), [null])
})
