import { type BindingLimit, findBindingLimit } from './binding-limit.ts'
import { type Play, type PlayedSend, play, type SimulationInput } from './play.ts'
import type { ReasonCode } from './reasons.ts'
import { dateOfDay, zoneOf } from './zone.ts'

// The sender's own planner on a virtual clock. It assumes that nobody answers, bounces or opts out and that no other
// campaign uses the mailboxes beyond what is already counted today, so it shows the most that this campaign will send.

type SimulatedDay = {
  /** The date in the campaign's zone. */
  date: string
  total: number
  byMailbox: Record<string, number>
  /** One number for each step of the sequence. */
  byStep: number[]
}

export type Simulation = {
  sends: number
  days: SimulatedDay[]
  startsAt: Date | null
  endsAt: Date | null
  bindingLimit: BindingLimit
  /** `count` is leads that will not receive all they should, `messages` the messages they will not receive. */
  notSent: { reason: ReasonCode; count: number; messages: number }[]
  /** True when there is more to send than the horizon shows. */
  truncated: boolean
}

/** `onSend` sees every planned message in order. */
export function simulate(input: SimulationInput, onSend?: (send: PlayedSend) => void): Simulation {
  const days = new DayTable(input)
  const played = play(input, send => {
    days.add(send)
    onSend?.(send)
  })
  return {
    sends: played.sends,
    days: days.list(),
    startsAt: played.firstMs === null ? null : new Date(played.firstMs),
    endsAt: played.lastMs === null ? null : new Date(played.lastMs),
    bindingLimit: findBindingLimit(input, played),
    notSent: sumUnsent(played),
    truncated: played.truncated,
  }
}

class DayTable {
  readonly #days = new Map<number, SimulatedDay>()
  readonly #zone
  readonly #stepCount: number

  constructor(input: SimulationInput) {
    this.#zone = zoneOf(input.schedule.timezone)
    this.#stepCount = input.steps.length
  }

  add({ atMs, mailboxId, step }: PlayedSend): void {
    const number = this.#zone.dayAt(atMs)
    let day = this.#days.get(number)
    if (day === undefined) {
      day = { date: dateOfDay(number), total: 0, byMailbox: {}, byStep: new Array<number>(this.#stepCount).fill(0) }
      this.#days.set(number, day)
    }
    day.total++
    day.byMailbox[mailboxId] = (day.byMailbox[mailboxId] ?? 0) + 1
    day.byStep[step]!++
  }

  /** The clock only moves forward, so the days were met in order. */
  list(): SimulatedDay[] {
    return [...this.#days.values()]
  }
}

function sumUnsent(played: Play): Simulation['notSent'] {
  const sums = new Map<ReasonCode, { reason: ReasonCode; count: number; messages: number }>()
  for (const { reason, count, messages } of played.unsent) {
    const sum = sums.get(reason) ?? { reason, count: 0, messages: 0 }
    sum.count += count
    sum.messages += messages
    sums.set(reason, sum)
  }
  return [...sums.values()].sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
}
