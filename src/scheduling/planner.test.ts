import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailbox, schedule } from '../../test/schedules.ts'
import { DomainThrottle } from './capacity.ts'
import { toQueued } from './mailbox-queue.ts'
import { chooseSends, dueAfterSend, type PlannedCampaign, Planner, type PlannerLead, type PlannerState } from './planner.ts'

const at = (text: string): Date => new Date(text)
const now = at('2026-03-02T10:00:00Z') // a Monday, 11:00 in Berlin

function campaign(changes: Partial<PlannedCampaign> = {}): PlannedCampaign {
  return {
    id: 'spring',
    status: 'active',
    schedule: schedule(),
    steps: [{ delayDays: 0 }, { delayDays: 2 }, { delayDays: 3 }],
    mailboxIds: ['anna'],
    ...changes,
  }
}

function lead(id: string, changes: Partial<PlannerLead> = {}): PlannerLead {
  return {
    id,
    campaignId: 'spring',
    step: 0,
    dueAt: at('2026-03-01T00:00:00Z'),
    domain: `${id}.example`,
    mailboxId: null,
    hold: null,
    ...changes,
  }
}

function state(changes: Partial<PlannerState> = {}): PlannerState {
  return {
    campaigns: [campaign()],
    leads: [lead('l1')],
    mailboxes: [mailbox()],
    recentSends: [],
    seed: 'test',
    ...changes,
  }
}

/** The only wait of a plan that sends nothing. */
function onlyWait(changes: Partial<PlannerState>, when = now) {
  const plan = chooseSends(state(changes), when)
  assert.deepEqual(plan.sends, [])
  assert.equal(plan.waits.length, 1)
  const { reason, nextAttemptAt, detail } = plan.waits[0]!
  return { reason, nextAttemptAt, detail }
}

test('a due lead is sent, and the load of its mailbox is reserved', () => {
  const plan = chooseSends(state(), now)
  assert.deepEqual(plan.sends, [{ campaignId: 'spring', leadId: 'l1', step: 0, mailboxId: 'anna', at: now }])
  assert.deepEqual(plan.waits, [])
  assert.deepEqual(plan.loads.get('anna'), { day: '2026-03-02', reserved: 1, nextSlotAt: now })
})

test('planning does not modify its input', () => {
  const given = state({ mailboxes: [mailbox({ minGapSeconds: 60 })] })
  const before = structuredClone(given)
  chooseSends(given, now)
  assert.deepEqual(given, before)
  assert.deepEqual(chooseSends(given, now), chooseSends(given, now))
})

test('outside the window a lead waits for the next opening', () => {
  const saturday = at('2026-03-07T12:00:00Z')
  const opening = at('2026-03-09T08:00:00Z')
  assert.deepEqual(onlyWait({}, saturday), { reason: 'waiting_window', nextAttemptAt: opening, detail: null })
})

test('before the start date the campaign has not started', () => {
  const later = campaign({ schedule: schedule({ startDate: at('2026-03-04T12:00:00Z') }) })
  const wait = onlyWait({ campaigns: [later] })
  assert.deepEqual(wait, { reason: 'campaign_not_started', nextAttemptAt: at('2026-03-04T12:00:00Z'), detail: null })
})

test('from the end date on the campaign has expired', () => {
  const over = campaign({ schedule: schedule({ endDate: now }) })
  assert.deepEqual(onlyWait({ campaigns: [over] }), { reason: 'campaign_expired', nextAttemptAt: null, detail: null })
})

test('a step that falls due after the end of the campaign says so', () => {
  const ending = campaign({ schedule: schedule({ endDate: at('2026-03-03T10:00:00Z') }) })
  const leads = [lead('l1', { step: 1, mailboxId: 'anna', dueAt: at('2026-03-05T10:00:00Z') })]
  const wait = onlyWait({ campaigns: [ending], leads })
  assert.deepEqual(wait, { reason: 'due_after_end', nextAttemptAt: null, detail: null })
})

test('a campaign that is not active sends nothing', () => {
  const wait = onlyWait({ campaigns: [campaign({ status: 'paused' })] })
  assert.deepEqual(wait, { reason: 'campaign_not_active', nextAttemptAt: null, detail: { status: 'paused' } })
  assert.equal(onlyWait({ campaigns: [] }).reason, 'campaign_not_active')
})

test('a lead that is not due waits for its time, or for the first opening after it', () => {
  const leads = [lead('l1', { dueAt: at('2026-03-03T09:30:00Z') })]
  const wait = onlyWait({ leads })
  assert.deepEqual(wait, { reason: 'not_due', nextAttemptAt: at('2026-03-03T09:30:00Z'), detail: null })
  const atNight = onlyWait({ leads: [lead('l1', { dueAt: at('2026-03-03T20:00:00Z') })] })
  assert.deepEqual(atNight, { reason: 'not_due', nextAttemptAt: at('2026-03-04T08:00:00Z'), detail: null })
})

test('a lead that falls due while the window is closed waits for the window', () => {
  const saturday = at('2026-03-07T12:00:00Z')
  const leads = [lead('l1', { dueAt: at('2026-03-08T12:00:00Z') })]
  assert.equal(onlyWait({ leads }, saturday).reason, 'waiting_window')
})

test('a mailbox at its cap lets the lead wait for the first window of its next day', () => {
  const full = mailbox({ load: { day: '2026-03-02', reserved: 50, nextSlotAt: null } })
  assert.deepEqual(onlyWait({ mailboxes: [full] }), {
    reason: 'mailbox_cap',
    nextAttemptAt: at('2026-03-03T08:00:00Z'),
    detail: { mailboxId: 'anna', used: 50, limit: 50 },
  })
})

test('a cap reached on the last day has no next attempt', () => {
  const full = mailbox({ load: { day: '2026-03-02', reserved: 50, nextSlotAt: null } })
  const ending = campaign({ schedule: schedule({ endDate: at('2026-03-02T18:00:00Z') }) })
  const wait = onlyWait({ campaigns: [ending], mailboxes: [full] })
  assert.equal(wait.reason, 'mailbox_cap')
  assert.equal(wait.nextAttemptAt, null)
})

test('a mailbox in its gap lets the lead wait for the slot', () => {
  const busy = mailbox({ load: { day: '2026-03-02', reserved: 1, nextSlotAt: at('2026-03-02T10:01:30Z') } })
  assert.deepEqual(onlyWait({ mailboxes: [busy] }), {
    reason: 'mailbox_gap',
    nextAttemptAt: at('2026-03-02T10:01:30Z'),
    detail: { mailboxId: 'anna' },
  })
})

test('with a gap, one message is sent per tick, without one as many as the cap allows', () => {
  const leads = ['l1', 'l2', 'l3'].map(id => lead(id))
  const withGap = chooseSends(state({ leads, mailboxes: [mailbox({ minGapSeconds: 60, gapJitter: 0 })] }), now)
  assert.deepEqual(
    withGap.sends.map(send => send.leadId),
    ['l1'],
  )
  assert.deepEqual(
    withGap.waits.map(wait => wait.reason),
    ['mailbox_gap', 'mailbox_gap'],
  )
  assert.deepEqual(withGap.waits[0]!.nextAttemptAt, at('2026-03-02T10:01:00Z'))
  const withCap = chooseSends(state({ leads, mailboxes: [mailbox({ dailyCap: 2 })] }), now)
  assert.deepEqual(
    withCap.sends.map(send => send.leadId),
    ['l1', 'l2'],
  )
  assert.deepEqual(
    withCap.waits.map(wait => wait.reason),
    ['mailbox_cap'],
  )
})

test('a throttled domain waits and does not delay other domains', () => {
  const leads = [lead('l1', { domain: 'Big.example' }), lead('l2', { domain: 'big.example' }), lead('l3', { domain: 'small.example' })]
  const recentSends = [{ mailboxId: 'anna', domain: 'big.example', at: at('2026-03-02T09:20:00Z') }]
  const plan = chooseSends(state({ leads, recentSends, mailboxes: [mailbox({ maxPerDomainPerHour: 2 })] }), now)
  assert.deepEqual(
    plan.sends.map(send => send.leadId),
    ['l1', 'l3'],
  )
  assert.equal(plan.waits[0]!.reason, 'domain_throttle')
  assert.deepEqual(plan.waits[0]!.nextAttemptAt, at('2026-03-02T10:20:00Z'))
  assert.deepEqual(plan.waits[0]!.detail, { mailboxId: 'anna', domain: 'big.example', limit: 2 })
})

test('a domain throttled at one mailbox can be emailed by another', () => {
  const recentSends = [{ mailboxId: 'anna', domain: 'l1.example', at: at('2026-03-02T09:20:00Z') }]
  const mailboxes = [mailbox({ maxPerDomainPerHour: 1 }), mailbox({ id: 'ben', maxPerDomainPerHour: 1 })]
  const campaigns = [campaign({ mailboxIds: ['anna', 'ben'] })]
  assert.deepEqual(chooseSends(state({ campaigns, mailboxes, recentSends }), now).sends[0]!.mailboxId, 'ben')
})

test('without a connected mailbox nothing is sent', () => {
  assert.equal(onlyWait({ mailboxes: [] }).reason, 'no_mailbox')
  assert.equal(onlyWait({ mailboxes: [mailbox({ connected: false })] }).reason, 'no_mailbox')
  assert.equal(onlyWait({ campaigns: [campaign({ mailboxIds: [] })] }).reason, 'no_mailbox')
})

test('first contacts go to the mailbox that has used the smallest share of its day', () => {
  const day = '2026-03-02'
  const mailboxes = [
    mailbox({ dailyCap: 100, load: { day, reserved: 20, nextSlotAt: null } }),
    mailbox({ id: 'ben', dailyCap: 10, load: { day, reserved: 3, nextSlotAt: null } }),
  ]
  const campaigns = [campaign({ mailboxIds: ['anna', 'ben'] })]
  assert.equal(chooseSends(state({ campaigns, mailboxes }), now).sends[0]!.mailboxId, 'anna')
})

test('first contacts spread evenly over equal mailboxes', () => {
  const mailboxes = ['anna', 'ben', 'cleo'].map(id => mailbox({ id }))
  const campaigns = [campaign({ mailboxIds: ['anna', 'ben', 'cleo'] })]
  const leads = Array.from({ length: 9 }, (_, n) => lead(`l${n}`))
  const counts = new Map<string, number>()
  for (const send of chooseSends(state({ campaigns, mailboxes, leads }), now).sends) {
    counts.set(send.mailboxId, (counts.get(send.mailboxId) ?? 0) + 1)
  }
  assert.deepEqual([...counts.values()], [3, 3, 3])
})

test('no mailbox waits for another: with one gap they share first contacts evenly, and one with a shorter gap sends more', () => {
  const shares = (gaps: [number, number]) => {
    const mailboxes = [
      mailbox({ dailyCap: 40, minGapSeconds: gaps[0], gapJitter: 0 }),
      mailbox({ id: 'ben', dailyCap: 20, minGapSeconds: gaps[1], gapJitter: 0 }),
    ]
    const campaigns = [campaign({ mailboxIds: ['anna', 'ben'] })]
    const planner = new Planner(campaigns, mailboxes, new DomainThrottle(), 'seed')
    for (let n = 0; n < 30; n++) planner.add('spring', toQueued(lead(`l${n}`)))
    const counts = { anna: 0, ben: 0 }
    for (let at: number | null = now.getTime(); at !== null; at = planner.nextEventAfter(at))
      for (const { mailboxId } of planner.tick(at)) counts[mailboxId as 'anna']++
    return [counts.anna, counts.ben]
  }
  assert.deepEqual(shares([0, 0]), [20, 10], 'in one instant, in proportion to their caps')
  assert.deepEqual(shares([60, 60]), [15, 15])
  assert.deepEqual(shares([0, 600]), [29, 1])
})

test('a follow-up stays with its mailbox and waits for it even while another is free', () => {
  const full = mailbox({ load: { day: '2026-03-02', reserved: 50, nextSlotAt: null } })
  const mailboxes = [full, mailbox({ id: 'ben' })]
  const campaigns = [campaign({ mailboxIds: ['anna', 'ben'] })]
  const leads = [lead('l1', { step: 1, mailboxId: 'anna' })]
  const wait = onlyWait({ campaigns, mailboxes, leads })
  assert.equal(wait.reason, 'mailbox_cap')
  assert.equal(wait.detail?.mailboxId, 'anna')
})

test('a follow-up whose mailbox is disconnected waits for it', () => {
  const mailboxes = [mailbox({ connected: false }), mailbox({ id: 'ben' })]
  const campaigns = [campaign({ mailboxIds: ['anna', 'ben'] })]
  const leads = [lead('l1', { step: 1, mailboxId: 'anna' })]
  assert.equal(onlyWait({ campaigns, mailboxes, leads }).reason, 'mailbox_disconnected')
  assert.equal(onlyWait({ campaigns, mailboxes: [], leads }).reason, 'no_mailbox')
})

test('follow-ups are sent before first contacts when there is no room for both, even if a first contact was due earlier', () => {
  const leads = [
    lead('first', { dueAt: at('2026-02-01T00:00:00Z') }),
    lead('follow', { step: 1, mailboxId: 'anna', dueAt: at('2026-03-02T09:59:00Z') }),
  ]
  const plan = chooseSends(state({ leads, mailboxes: [mailbox({ dailyCap: 1 })] }), now)
  assert.deepEqual(
    plan.sends.map(send => send.leadId),
    ['follow'],
  )
})

test('among equals the one that has been due the longest goes first', () => {
  const leads = [lead('new'), lead('old', { dueAt: at('2026-02-01T00:00:00Z') })]
  const plan = chooseSends(state({ leads, mailboxes: [mailbox({ dailyCap: 1 })] }), now)
  assert.deepEqual(
    plan.sends.map(send => send.leadId),
    ['old'],
  )
})

test('campaigns that share a mailbox share its cap', () => {
  const campaigns = [campaign(), campaign({ id: 'autumn' })]
  const leads = [lead('l1'), lead('l1', { campaignId: 'autumn' }), lead('l2'), lead('l2', { campaignId: 'autumn' })]
  const plan = chooseSends(state({ campaigns, leads, mailboxes: [mailbox({ dailyCap: 3 })] }), now)
  assert.equal(plan.sends.length, 3)
  assert.equal(plan.loads.get('anna')!.reserved, 3)
})

test('a held lead has a reason and takes no capacity', () => {
  const leads = [
    lead('l1', { hold: { reason: 'suppressed' } }),
    lead('l2', { hold: { reason: 'missing_variable', detail: { variables: ['firstName'] } } }),
    lead('l3', { hold: { reason: 'lead_final', detail: { status: 'replied' } } }),
    lead('l4', { hold: { reason: 'earlier_step_open' } }),
    lead('l5'),
  ]
  const plan = chooseSends(state({ leads, mailboxes: [mailbox({ dailyCap: 1 })] }), now)
  assert.deepEqual(
    plan.sends.map(send => send.leadId),
    ['l5'],
  )
  const reasons = plan.waits.map(wait => wait.reason)
  assert.deepEqual(reasons, ['suppressed', 'missing_variable', 'lead_final', 'earlier_step_open'])
  assert.deepEqual(plan.waits[1]!.detail, { variables: ['firstName'] })
})

test('a lead past the last step has completed the sequence', () => {
  assert.equal(onlyWait({ leads: [lead('l1', { step: 3, mailboxId: 'anna' })] }).reason, 'sequence_completed')
})

test('the next step is due its business days after the send, and after the last step nothing is', () => {
  const friday = at('2026-03-06T10:15:00Z')
  assert.deepEqual(dueAfterSend(campaign(), 0, friday), at('2026-03-10T10:15:00Z'))
  assert.equal(dueAfterSend(campaign(), 2, friday), null)
})
