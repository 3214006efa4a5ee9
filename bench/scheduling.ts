import { chooseSends, type PlannedMailbox, type PlannerState } from '../src/scheduling/planner.ts'
import { simulate } from '../src/scheduling/simulate.ts'
import { OpenHours, type Schedule } from '../src/scheduling/window.ts'

// The cost of the scheduler: the check of every campaign in every tick, a whole tick, and a whole simulation.

const now = new Date('2026-03-02T08:00:00Z')
const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Santiago']

function scheduleIn(timezone: string): Schedule {
  return {
    daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
    timeWindow: { start: '09:00', end: '17:00' },
    timezone,
    startDate: null,
    endDate: null,
  }
}

function mailbox(number: number, changes: Partial<PlannedMailbox> = {}): PlannedMailbox {
  return {
    id: `mailbox-${number}`,
    timezone: 'Europe/Berlin',
    dailyCap: 50,
    rampUp: null,
    connectedAt: now,
    minGapSeconds: 90,
    maxPerDomainPerHour: 10,
    connected: true,
    load: { day: null, reserved: 0, nextSlotAt: null },
    ...changes,
  }
}

function report(name: string, value: number, unit: string): void {
  console.log(`${name.padEnd(58)} ${value.toFixed(1).padStart(9)} ${unit}`)
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!

function perCallNs(calls: number, work: (call: number) => unknown): number {
  const rounds: number[] = []
  for (let round = 0; round < 15; round++) {
    const started = process.hrtime.bigint()
    for (let call = 0; call < calls; call++) work(call)
    rounds.push(Number(process.hrtime.bigint() - started) / calls)
  }
  return median(rounds)
}

const schedules = zones.map(scheduleIn)
const instants = Array.from({ length: 1000 }, (_, hour) => new Date(now.getTime() + hour * 3_600_000))
const hours = schedules.map(schedule => new OpenHours(schedule))
report(
  'isOpen, five zones, any hour of six weeks (p50)',
  perCallNs(20_000, call => new OpenHours(schedules[call % 5]!).isOpen(instants[call % 1000]!.getTime())),
  'ns',
)
report(
  'isOpen of a prepared schedule, the same (p50)',
  perCallNs(20_000, call => hours[call % 5]!.isOpen(instants[call % 1000]!.getTime())),
  'ns',
)
report(
  'isOpen of a prepared schedule, same day (p50)',
  perCallNs(20_000, call => hours[0]!.isOpen(now.getTime() + call)),
  'ns',
)

function simulateMs(mailboxes: PlannedMailbox[], domainCount: number): [ms: number, sends: number] {
  const leads = Array.from({ length: 5000 }, (_, number) => {
    return { id: `lead-${number}`, step: 0, dueAt: now, domain: `company-${number % domainCount}.example` }
  })
  const steps = [{ delayDays: 0 }, { delayDays: 2 }, { delayDays: 3 }, { delayDays: 5 }]
  const input = { schedule: scheduleIn('Europe/Berlin'), steps, leads, mailboxes, now }
  let sends = 0
  const runs = Array.from({ length: 5 }, () => {
    const started = performance.now()
    sends = simulate(input).sends
    return performance.now() - started
  })
  return [median(runs), sends]
}

const mailboxesOf = (count: number, changes?: Partial<PlannedMailbox>) =>
  Array.from({ length: count }, (_, number) => mailbox(number, changes))
const cases: [name: string, mailboxes: PlannedMailbox[], domainCount: number][] = [
  ['simulate 5,000 leads x 4 steps, 4 mailboxes', mailboxesOf(4), 5000],
  ['simulate 5,000 leads x 4 steps, 4 mailboxes, 3 domains', mailboxesOf(4), 3],
  ['simulate 5,000 leads x 4 steps, 4 mailboxes, no cap, no gap', mailboxesOf(4, { dailyCap: 1e6, minGapSeconds: 0 }), 5000],
  ['simulate 5,000 leads x 4 steps, 50 mailboxes', mailboxesOf(50), 5000],
]
for (const [name, mailboxes, domainCount] of cases) {
  const [ms, sends] = simulateMs(mailboxes, domainCount)
  report(`${name} (${sends} sends)`, ms, 'ms')
}

const campaigns = Array.from({ length: 2000 }, (_, number) => ({
  id: `campaign-${number}`,
  status: 'active',
  schedule: scheduleIn(zones[number % 5]!),
  steps: [{ delayDays: 0 }, { delayDays: 2 }],
  mailboxIds: [`mailbox-${number % 200}`],
}))
const state: PlannerState = {
  campaigns,
  leads: campaigns.flatMap(({ id }) =>
    Array.from({ length: 5 }, (_, number) => ({
      id: `lead-${number}`,
      campaignId: id,
      step: 0,
      dueAt: now,
      domain: `company-${number}.example`,
      mailboxId: null,
      hold: null,
    })),
  ),
  mailboxes: mailboxesOf(200),
  recentSends: [],
  seed: 'bench',
}
report('chooseSends, 2,000 campaigns x 5 leads, 200 mailboxes', perCallNs(5, () => chooseSends(state, now)) / 1e6, 'ms')
