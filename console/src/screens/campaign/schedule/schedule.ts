import type { Schedule, ScheduleUpdate } from '@overture/sdk'
import type { ConflictField } from '@/ui/draft.tsx'
import { formatMoment, ownZone, zoneWords } from '@/ui/format.ts'
import { formatSpan, minutesOf, spanOf } from './zones.ts'

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
export function formatDays(days: readonly Weekday[]): string {
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
  return parts.length === 0 ? 'no days' : parts.join(', ')
}

export const formatWindow = (window: Schedule['timeWindow']): string =>
  window ? formatSpan(spanOf(window).from, spanOf(window).to - spanOf(window).from) : 'no hours'

export interface ScheduleValues {
  days: Weekday[]
  window: { start: string; end: string }
  timezone: string
  useLeadTimezone: boolean
  startDate: string | null
  endDate: string | null
}

const inOrder = (days: readonly Weekday[]): Weekday[] => WEEKDAYS.map(({ value }) => value).filter(day => days.includes(day))

/** The suggestion for a campaign without a schedule. */
const SUGGESTED = { days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as Weekday[], window: { start: '09:00', end: '17:00' } }

export function toValues({ daysOfWeek, timeWindow, timezone, useLeadTimezone, startDate, endDate }: Schedule): ScheduleValues {
  const window = timeWindow ?? SUGGESTED.window
  return {
    days: inOrder(daysOfWeek ?? SUGGESTED.days),
    window: { start: window.start, end: window.end },
    timezone: timezone ?? ownZone(),
    useLeadTimezone,
    startDate,
    endDate,
  }
}

export const toUpdate = ({ days, window, timezone, useLeadTimezone, startDate, endDate }: ScheduleValues): ScheduleUpdate => ({
  daysOfWeek: inOrder(days),
  timeWindow: window,
  timezone,
  useLeadTimezone,
  startDate,
  endDate,
})

/** The problems of each field. */
export function problemsOf({ days, window, startDate, endDate }: ScheduleValues): Partial<Record<keyof ScheduleValues, string>> {
  return {
    ...(days.length === 0 ? { days: 'Choose at least one day.' } : {}),
    ...(minutesOf(window.end) <= minutesOf(window.start) ? { window: 'The end time must be after the start time.' } : {}),
    ...(startDate && endDate && startDate >= endDate ? { endDate: 'The end date must be after the start date.' } : {}),
  }
}

const formatDate = (at: string | null, zone: string): string => (at ? formatMoment(at, zone) : 'none')

export const CONFLICT_FIELDS: readonly ConflictField<ScheduleValues>[] = [
  { key: 'days', label: 'Days', format: ({ days }) => formatDays(days) },
  { key: 'window', label: 'Hours', format: ({ window }) => formatWindow(window) },
  { key: 'timezone', label: 'Time zone', format: ({ timezone }) => zoneWords(timezone) },
  { key: 'useLeadTimezone', label: 'Time zone used', format: ({ useLeadTimezone }) => (useLeadTimezone ? "the lead's" : "the campaign's") },
  { key: 'startDate', label: 'Start', format: ({ startDate, timezone }) => formatDate(startDate, timezone) },
  { key: 'endDate', label: 'End', format: ({ endDate, timezone }) => formatDate(endDate, timezone) },
]
