import type { Schedule } from '@overture/sdk'

export type Weekday = NonNullable<Schedule['daysOfWeek']>[number]

export const WEEKDAYS: readonly { value: Weekday; short: string; label: string }[] = [
  { value: 'monday', short: 'Mon', label: 'Monday' },
  { value: 'tuesday', short: 'Tue', label: 'Tuesday' },
  { value: 'wednesday', short: 'Wed', label: 'Wednesday' },
  { value: 'thursday', short: 'Thu', label: 'Thursday' },
  { value: 'friday', short: 'Fri', label: 'Friday' },
  { value: 'saturday', short: 'Sat', label: 'Saturday' },
  { value: 'sunday', short: 'Sun', label: 'Sunday' },
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
