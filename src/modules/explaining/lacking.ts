import type { SimulationLead } from '../../scheduling/play.ts'

/** Leads at one step that cannot get a certain step: this one or a later one. */
export type Stop = { step: number; stopsAt: number; count: number }

/**
 * Marks as many of the leads as the dry run found. Leads that are equal for the planner can lack different variables, and only the number
 * of stops is known, so the stops are taken from all entries in proportion. The dry run also counts leads with a hold (but not suppressed
 * ones): they get their share, and keep their hold as the reason.
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

/** Takes the share of one entry from every stop. The shares are rounded one after the other, so that they add up. */
function takeStops(lead: SimulationLead, open: Stop[], left: Map<number, number>): SimulationLead[] {
  const total = left.get(lead.step)!
  const count = countOf(lead)
  left.set(lead.step, total - count)
  const here = open.filter(({ step }) => step === lead.step)
  let stopping = here.reduce((sum, stop) => sum + stop.count, 0)
  // Leads and stops are read one after the other, so there can be more stops than leads.
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
