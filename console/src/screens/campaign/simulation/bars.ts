import type { Simulation } from '@overture/sdk'
import type { BarGroup, StackedBar } from '@/ui/stacked-bars.tsx'

export type Stacking = 'mailbox' | 'step'

const COLOURS = ['bg-accent', 'bg-info', 'bg-good', 'bg-warn', 'bg-bad', 'bg-faint'] as const
const OTHERS = 'others'
/** More days than this become weeks. */
const MOST_DAYS = 70
const DAY_MS = 86_400_000

const short = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const long = new Intl.DateTimeFormat('en', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' })

const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS
const dateOf = (day: number): Date => new Date(day * DAY_MS)
/** Day 0 was a Thursday. */
const mondayOf = (day: number): number => day - ((day + 3) % 7)

type Day = Simulation['days'][number]

const valuesOf = ({ byMailbox, byStep }: Day, stacking: Stacking): Record<string, number> =>
  stacking === 'mailbox' ? byMailbox : Object.fromEntries(byStep.map((count, step) => [String(step), count]))

/** Days without a message are there, too: a gap says as much as a bar. */
export function drawSimulation(
  { days }: Simulation,
  stacking: Stacking,
  nameOf: (key: string) => string,
): { bars: StackedBar[]; groups: BarGroup[]; isByWeek: boolean } {
  const totals = new Map<string, number>()
  for (const day of days)
    for (const [key, count] of Object.entries(valuesOf(day, stacking))) totals.set(key, (totals.get(key) ?? 0) + count)
  const inOrder = [...totals].sort((a, b) => (stacking === 'step' ? Number(a[0]) - Number(b[0]) : b[1] - a[1])).map(([key]) => key)
  const isCut = inOrder.length > COLOURS.length
  const own = isCut ? inOrder.slice(0, COLOURS.length - 1) : inOrder
  const groups = [
    ...own.map((key, index) => ({ key, label: nameOf(key), colour: COLOURS[index]! as string })),
    ...(isCut ? [{ key: OTHERS, label: `${inOrder.length - own.length} others`, colour: COLOURS.at(-1)! as string }] : []),
  ]
  if (days.length === 0) return { bars: [], groups, isByWeek: false }
  const [first, last] = [dayOf(days[0]!.date), dayOf(days.at(-1)!.date)]
  const isByWeek = last - first > MOST_DAYS
  const begin = isByWeek ? mondayOf(first) : first
  const size = isByWeek ? 7 : 1
  const bars: (StackedBar & { values: Record<string, number> })[] = []
  for (let day = begin; day <= last; day += size) {
    const date = dateOf(day)
    bars.push({
      key: String(day),
      label: short.format(date),
      title: isByWeek ? `Week of ${short.format(date)}` : long.format(date),
      values: {},
    })
  }
  for (const day of days) {
    const bar = bars[Math.floor((dayOf(day.date) - begin) / size)]!
    for (const [key, count] of Object.entries(valuesOf(day, stacking))) {
      const group = own.includes(key) ? key : OTHERS
      bar.values[group] = (bar.values[group] ?? 0) + count
    }
  }
  return { bars, groups, isByWeek }
}
