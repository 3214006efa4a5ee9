import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailbox, schedule } from '../../test/schedules.ts'
import { type SimulationInput, type SimulationLead, simulate } from './simulate.ts'

const at = (text: string): Date => new Date(text)
const now = at('2026-03-02T07:00:00Z') // a Monday, 08:00 in Berlin

function leads(count: number, changes: Partial<SimulationLead> = {}): SimulationLead[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `lead-${String(n).padStart(4, '0')}`,
    step: 0,
    dueAt: now,
    domain: `company-${n}.example`,
    ...changes,
  }))
}

function input(changes: Partial<SimulationInput> = {}): SimulationInput {
  return { schedule: schedule(), steps: [{ delayDays: 0 }], leads: leads(10), mailboxes: [mailbox()], now, ...changes }
}

test('a small campaign is reported by day, mailbox and step, with its first and last message', () => {
  const mailboxes = [mailbox({ dailyCap: 3 }), mailbox({ id: 'ben', dailyCap: 2 })]
  const result = simulate(input({ leads: leads(7), steps: [{ delayDays: 0 }, { delayDays: 1 }], mailboxes }))
  assert.equal(result.sends, 14)
  assert.deepEqual(result.days.slice(0, 3), [
    { date: '2026-03-02', total: 5, byMailbox: { anna: 3, ben: 2 }, byStep: [5, 0] },
    { date: '2026-03-03', total: 5, byMailbox: { anna: 3, ben: 2 }, byStep: [0, 5] },
    { date: '2026-03-04', total: 2, byMailbox: { anna: 1, ben: 1 }, byStep: [2, 0] },
  ])
  assert.deepEqual(result.startsAt, at('2026-03-02T08:00:00Z'))
  assert.deepEqual(result.endsAt, at('2026-03-05T08:00:00Z'))
  assert.deepEqual(result.notSent, [])
  assert.equal(result.truncated, false)
})

test('it starts from the current state: messages sent today count, and leads continue where they are', () => {
  const load = { day: '2026-03-02', reserved: 48, nextSlotAt: null }
  const started = leads(5, { step: 1, mailboxId: 'anna' })
  const result = simulate(input({ leads: started, steps: [{ delayDays: 0 }, { delayDays: 2 }], mailboxes: [mailbox({ load })] }))
  assert.deepEqual(
    result.days.map(day => [day.date, day.byStep]),
    [
      ['2026-03-02', [0, 2]],
      ['2026-03-03', [0, 3]],
    ],
  )
})

test('the same input gives the same result', () => {
  const question = input({ leads: leads(100), mailboxes: [mailbox({ minGapSeconds: 90 })] })
  assert.deepEqual(simulate(question), simulate(question))
})

test('the mailbox cap is the binding limit with more leads than it allows', () => {
  const { bindingLimit, endsAt } = simulate(input({ leads: leads(400) }))
  assert.deepEqual(endsAt, at('2026-03-11T08:00:00Z'))
  assert.equal(bindingLimit.code, 'mailbox_cap')
  assert.equal(bindingLimit.message, 'The daily limit of 1 mailbox sets the pace: 50 emails a day.')
})

test('a limit that costs a single day is found', () => {
  const { bindingLimit, days } = simulate(input({ leads: leads(60) }))
  assert.equal(days.length, 2)
  assert.equal(bindingLimit.code, 'mailbox_cap')
})

test('a ramp-up is named together with the cap', () => {
  const young = mailbox({ rampUp: { startPerDay: 5, increasePerDay: 5 }, connectedAt: now })
  const { bindingLimit, days } = simulate(input({ leads: leads(60), mailboxes: [young] }))
  assert.deepEqual(
    days.map(day => day.total),
    [5, 10, 15, 20, 10],
  )
  assert.match(bindingLimit.message, /50 emails a day, 5 a day now during the ramp-up/)
})

test('the gap is the binding limit in a short window', () => {
  const short = schedule({ timeWindow: { start: '09:00', end: '10:00' } })
  const slow = mailbox({ minGapSeconds: 600, gapJitter: 0 })
  const { bindingLimit, days } = simulate(input({ schedule: short, leads: leads(20), mailboxes: [slow] }))
  assert.deepEqual(
    days.map(day => day.total),
    [6, 6, 6, 2],
  )
  assert.equal(bindingLimit.code, 'gap_and_window')
  assert.match(bindingLimit.message, /Between 09:00 and 10:00 .* 600 seconds/)
})

test('the delays are the binding limit when mailboxes have room', () => {
  const steps = [{ delayDays: 0 }, { delayDays: 3 }, { delayDays: 4 }]
  const { bindingLimit, endsAt } = simulate(input({ steps }))
  assert.equal(bindingLimit.code, 'delays')
  assert.deepEqual(endsAt, at('2026-03-11T08:00:00Z'))
})

test('the throttle is the binding limit when all leads are at one domain', () => {
  const box = mailbox({ maxPerDomainPerHour: 1 })
  const result = simulate(input({ leads: leads(20, { domain: 'big.example' }), mailboxes: [box] }))
  assert.deepEqual(
    result.days.map(day => day.total),
    [8, 8, 4],
  )
  assert.equal(result.bindingLimit.code, 'domain_throttle')
})

test('cap and gap that are equally tight are still found', () => {
  const short = schedule({ timeWindow: { start: '09:00', end: '10:00' } })
  const box = mailbox({ dailyCap: 6, minGapSeconds: 600, gapJitter: 0 })
  assert.equal(simulate(input({ schedule: short, leads: leads(20), mailboxes: [box] })).bindingLimit.code, 'mailbox_cap')
})

test('the end date is the binding limit when it cuts off messages, which are counted', () => {
  const ending = schedule({ endDate: at('2026-03-03T12:00:00Z') })
  const steps = [{ delayDays: 0 }, { delayDays: 2 }]
  const result = simulate(input({ schedule: ending, steps, leads: leads(120) }))
  assert.equal(result.sends, 100)
  assert.deepEqual(result.notSent, [
    { reason: 'due_after_end', count: 100, messages: 100 },
    { reason: 'campaign_expired', count: 20, messages: 40 },
  ])
  assert.equal(result.bindingLimit.code, 'end_date')
  assert.equal(result.bindingLimit.message, 'The end date cuts off 140 emails to 120 leads.')
})

test('no limit binds when everything is sent on the first day', () => {
  assert.equal(simulate(input({ mailboxes: [mailbox({ minGapSeconds: 60 })] })).bindingLimit.code, 'nothing')
})

test('without a mailbox, with caps of zero or without leads nothing is sent and the limit says why', () => {
  const none = simulate(input({ mailboxes: [mailbox({ connected: false })] }))
  assert.equal(none.bindingLimit.code, 'no_mailbox')
  assert.deepEqual(none.notSent, [{ reason: 'no_mailbox', count: 10, messages: 10 }])
  const zero = simulate(input({ mailboxes: [mailbox({ dailyCap: 0 })] }))
  assert.equal(zero.bindingLimit.code, 'mailbox_cap')
  assert.deepEqual(zero.notSent, [{ reason: 'mailbox_cap', count: 10, messages: 10 }])
  const empty = simulate(input({ leads: [] }))
  assert.equal(empty.bindingLimit.code, 'nothing_to_send')
  assert.deepEqual([empty.sends, empty.days, empty.startsAt, empty.endsAt], [0, [], null, null])
})

test('held leads are counted by reason and not sent', () => {
  const held = leads(3, { hold: { reason: 'suppressed' } }).map(lead => ({ ...lead, id: `held-${lead.id}` }))
  const result = simulate(input({ leads: [...leads(2), ...held], steps: [{ delayDays: 0 }, { delayDays: 1 }] }))
  assert.equal(result.sends, 4)
  assert.deepEqual(result.notSent, [{ reason: 'suppressed', count: 3, messages: 6 }])
})

test('the horizon is at most a year, and messages beyond it are counted', () => {
  const result = simulate(input({ leads: leads(1000), mailboxes: [mailbox({ dailyCap: 1 })], horizonDays: 5000 }))
  assert.equal(result.truncated, true)
  assert.equal(result.days.length, 261)
  assert.deepEqual(result.notSent, [{ reason: 'beyond_horizon', count: 739, messages: 739 }])
  assert.equal(result.bindingLimit.code, 'mailbox_cap')
})

test('a follow-up without a delay can be sent right after the previous step, in order', () => {
  const order: number[] = []
  simulate(input({ leads: leads(1), steps: [{ delayDays: 0 }, { delayDays: 0 }] }), send => order.push(send.step))
  assert.deepEqual(order, [0, 1])
})
