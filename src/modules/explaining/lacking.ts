import type { SimulationLead } from '../../scheduling/play.ts'

/** Leads that are at a step, and cannot be written a certain step, this one or a later one. */
export interface Stop {
  step: number
  stopsAt: number
  count: number
}

/**
 * The same leads, of which as many stop as the dry run has found. Leads that are alike to the planner may differ in what they lack: those that
 * stop are taken from all of them alike, because only their number is known. The dry run counts leads that are held as well, all but the
 * suppressed ones: they take their share, and what holds them stays their reason.
 */
export function withStops(leads: readonly SimulationLead[], stops: readonly Stop[]): SimulationLead[] {
  const isCounted = (lead: SimulationLead): boolean => lead.hold?.reason !== 'suppressed'
  const left = new Map<number, number>()
  for (const lead of leads.filter(isCounted)) left.set(lead.step, (left.get(lead.step) ?? 0) + countOf(lead))
  const open = stops.map(stop => ({ ...stop }))
  return leads.flatMap(lead => {
    if (!isCounted(lead)) return [lead]
    const parts = takeStops(lead, open, left)
    return lead.hold ? [lead] : parts
  })
}

/** Takes from one entry its share of all that stop, and of each stop its share of that: rounded one after the other, they add up. */
function takeStops(lead: SimulationLead, open: Stop[], left: Map<number, number>): SimulationLead[] {
  const total = left.get(lead.step)!
  const count = countOf(lead)
  left.set(lead.step, total - count)
  const here = open.filter(({ step }) => step === lead.step)
  let stopping = here.reduce((sum, stop) => sum + stop.count, 0)
  // The leads and the stops are read one after the other, so there may be more stops than leads.
  let taking = Math.min(count, Math.round((stopping * count) / total))
  const staying = count - taking
  const parts: SimulationLead[] = staying === 0 ? [] : [staying === count ? lead : { ...lead, count: staying }]
  for (const stop of here) {
    const share = stopping === 0 ? 0 : Math.round((taking * stop.count) / stopping)
    stopping -= stop.count
    taking -= share
    stop.count -= share
    if (share > 0) parts.push({ ...lead, id: `${lead.id}:${stop.stopsAt}`, count: share, stopsAt: stop.stopsAt })
  }
  return parts
}

const countOf = ({ count = 1 }: SimulationLead): number => count
