import type { Schedule, ScheduleUpdate } from '@overture/sdk'
import { ownZone } from '@/ui/format.ts'
import type { ConflictField } from '../conflict-panel.tsx'
import { wordMoment } from '../moments.ts'
import { WEEKDAYS, type Weekday, wordDays, wordWindow } from './words.ts'
import { minutesOf } from './zones.ts'

export interface ScheduleValues {
  days: Weekday[]
  window: { start: string; end: string }
  timezone: string
  useLeadTimezone: boolean
  startDate: string | null
  endDate: string | null
}

const inOrder = (days: readonly Weekday[]): Weekday[] => WEEKDAYS.map(({ value }) => value).filter(day => days.includes(day))

/** What most people would choose, where nothing is set yet. */
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

/** What is wrong with it, by field, before anything is sent. */
export function problemsOf({ days, window, startDate, endDate }: ScheduleValues): Partial<Record<keyof ScheduleValues, string>> {
  return {
    ...(days.length === 0 ? { days: 'Choose at least one day.' } : {}),
    ...(minutesOf(window.end) <= minutesOf(window.start) ? { window: 'The window ends before it begins.' } : {}),
    ...(startDate && endDate && startDate >= endDate ? { endDate: 'The end date lies before the start date.' } : {}),
  }
}

const wordDate = (at: string | null, zone: string): string => (at ? wordMoment(at, zone) : 'none')

export const CONFLICT_FIELDS: readonly ConflictField<ScheduleValues>[] = [
  { key: 'days', label: 'Days', word: ({ days }) => wordDays(days) },
  { key: 'window', label: 'Hours', word: ({ window }) => wordWindow(window) },
  { key: 'timezone', label: 'Time zone', word: ({ timezone }) => timezone },
  { key: 'useLeadTimezone', label: 'Whose clock', word: ({ useLeadTimezone }) => (useLeadTimezone ? "the lead's" : "the campaign's") },
  { key: 'startDate', label: 'Start date', word: ({ startDate, timezone }) => wordDate(startDate, timezone) },
  { key: 'endDate', label: 'End date', word: ({ endDate, timezone }) => wordDate(endDate, timezone) },
]
