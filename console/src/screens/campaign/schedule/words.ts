import type { Schedule } from '@overture/sdk'

export type Weekday = NonNullable<Schedule['daysOfWeek']>[number]

export const WEEKDAYS: readonly { value: Weekday; short: string }[] = [
  { value: 'monday', short: 'Mon' },
  { value: 'tuesday', short: 'Tue' },
  { value: 'wednesday', short: 'Wed' },
  { value: 'thursday', short: 'Thu' },
  { value: 'friday', short: 'Fri' },
  { value: 'saturday', short: 'Sat' },
  { value: 'sunday', short: 'Sun' },
]

/** "Mon–Fri", "Mon, Wed, Sat and Sun", "every day". */
export function wordDays(days: readonly Weekday[]): string {
  const on = WEEKDAYS.map(({ value }) => days.includes(value))
  if (on.every(Boolean)) return 'every day'
  const parts: string[] = []
  for (let first = 0; first < 7; first++) {
    if (!on[first]) continue
    let last = first
    while (last < 6 && on[last + 1]) last++
    if (last - first >= 2) parts.push(`${WEEKDAYS[first]!.short}–${WEEKDAYS[last]!.short}`)
    else for (let at = first; at <= last; at++) parts.push(WEEKDAYS[at]!.short)
    first = last
  }
  return parts.length === 0 ? 'on no day' : parts.join(', ')
}

export const wordWindow = (window: Schedule['timeWindow']): string => (window ? `${window.start}–${window.end}` : 'at no time')
