import { canonicalJson } from '../../lib/canonical-json.ts'
import { invalid } from '../../lib/errors.ts'
import { parseDateTime } from '../../lib/time.ts'
import { checkTimezone } from '../../scheduling/zone.ts'
import { type CampaignRow, CONFIGURATION_FIELDS, type Configuration } from './queries.ts'
import type { CampaignPatch } from './schema.ts'

// The configuration of a campaign, and the checks of a change: nothing here uses the database.

/** All checks of a patch that do not need the campaign. */
export function checkPatch(patch: CampaignPatch): void {
  if (patch.name !== undefined) {
    const length = [...patch.name.trim()].length
    if (length < 1 || length > 200) throw invalid('body', '/name', 'length', 'must have 1 to 200 characters after trimming')
  }
  const { schedule } = patch
  if (schedule) {
    checkSchedule(schedule, '/schedule')
    for (const name of ['startDate', 'endDate'] as const) {
      const [inside, outside] = [schedule[name], patch[name]]
      if (inside !== undefined && outside !== undefined && toDate(inside)?.getTime() !== toDate(outside)?.getTime()) {
        throw invalid('body', `/${name}`, 'contradiction', `is the same date as schedule.${name}, but another value was sent there`)
      }
    }
  }
  checkSentDates(datesOf(patch))
}

/** Checks a schedule alone; `at` is its path in the body. */
export function checkSchedule(schedule: NonNullable<CampaignPatch['schedule']>, at: string): void {
  const parts = [schedule.daysOfWeek, schedule.timeWindow, schedule.timezone].filter(part => part !== undefined).length
  if (parts !== 0 && parts !== 3) {
    throw invalid('body', at, 'window_incomplete', 'daysOfWeek, timeWindow and timezone must be sent together')
  }
  if (schedule.timeWindow && schedule.timeWindow.start >= schedule.timeWindow.end) {
    throw invalid('body', `${at}/timeWindow`, 'order', 'start must be before end')
  }
  checkTimezone(`${at}/timezone`, schedule.timezone)
  checkSentDates(datesOf({ schedule }))
}

const toDate = (text: string | null): Date | null => (text === null ? null : parseDateTime(text))

function datesOf(patch: CampaignPatch): Partial<Pick<Configuration, 'startDate' | 'endDate'>> {
  const dates: Partial<Pick<Configuration, 'startDate' | 'endDate'>> = {}
  for (const name of ['startDate', 'endDate'] as const) {
    const sent = patch.schedule?.[name] !== undefined ? patch.schedule[name] : patch[name]
    if (sent !== undefined) dates[name] = toDate(sent)
  }
  return dates
}

/** The first window after a later start could lie in a year that no time of the API can name. */
const LATEST_START = new Date('9999-01-01T00:00:00Z')

function checkSentDates(dates: Partial<Pick<Configuration, 'startDate' | 'endDate'>>): void {
  if (dates.startDate && dates.startDate >= LATEST_START) {
    throw invalid('body', '/startDate', 'range', 'must be before the year 9999')
  }
  checkDates(dates)
}

function checkDates({ startDate, endDate }: { startDate?: Date | null; endDate?: Date | null }): void {
  if (startDate && endDate && endDate <= startDate) throw invalid('body', '/endDate', 'order', 'must be after startDate')
}

/** Changes only the fields that were sent. The window is replaced as a whole; a date stays unless it was sent. */
export function applyPatch(current: Configuration, patch: CampaignPatch): Configuration {
  const { schedule, startDate: _start, endDate: _end, name, ...plain } = patch
  const next: Configuration = { ...current, ...plain, ...datesOf(patch) }
  if (name !== undefined) next.name = name.trim()
  // As the database stores and shows them.
  for (const field of ['providerId', 'pipelineId', 'salesPersonId'] as const) if (plain[field]) next[field] = plain[field].toLowerCase()
  if (plain.rotationProviderIds) next.rotationProviderIds = plain.rotationProviderIds.map(id => id.toLowerCase())
  if (schedule?.useLeadTimezone !== undefined) next.useLeadTimezone = schedule.useLeadTimezone
  if (schedule?.daysOfWeek && schedule.timeWindow && schedule.timezone) {
    next.daysOfWeek = schedule.daysOfWeek
    next.windowStart = schedule.timeWindow.start
    next.windowEnd = schedule.timeWindow.end
    next.timezone = schedule.timezone
  }
  checkDates(next)
  return next
}

export const configurationOf = (campaign: CampaignRow): Configuration =>
  Object.fromEntries(CONFIGURATION_FIELDS.map(field => [field, campaign[field]])) as unknown as Configuration

/** The fields that differ. The order of the members of an object is ignored, because the database changes it. */
export function changedFields(a: Configuration, b: Configuration): (keyof Configuration)[] {
  const textOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : canonicalJson(value ?? null))
  return CONFIGURATION_FIELDS.filter(field => a[field] !== b[field] && textOf(a[field]) !== textOf(b[field]))
}
