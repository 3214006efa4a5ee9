import type { SimulationInput } from './play.ts'

/** A mailbox of a simulation, and the same without one of its limits. */
export type SimulationMailbox = SimulationInput['mailboxes'][number]

const NO_CAP = 1_000_000_000

export const withoutCap = (mailbox: SimulationMailbox): SimulationMailbox => ({ ...mailbox, dailyCap: NO_CAP, rampUp: null })

export const withoutGap = (mailbox: SimulationMailbox): SimulationMailbox => ({
  ...mailbox,
  minGapSeconds: 0,
  load: { ...mailbox.load, nextSlotAt: null },
})

export const withoutThrottle = (mailbox: SimulationMailbox): SimulationMailbox => ({ ...mailbox, maxPerDomainPerHour: null })
