import { isRecord } from '../../lib/canonical-json.ts'
import type { CampaignFile } from './file.ts'

export type Section = 'campaign' | 'schedule' | 'mailboxes' | 'contactRules' | 'sequence'
const SECTIONS: readonly Section[] = ['campaign', 'schedule', 'mailboxes', 'contactRules', 'sequence']

export interface Change {
  section: Section
  /** `sequence.1.variants.0.body`, counted from 1 where people count. */
  path: string
  from: unknown
  to: unknown
}

/** The file as the service would store it, so that equal meanings compare equal. */
function normalized(file: CampaignFile): CampaignFile {
  const { id: _, ...settings } = file.campaign
  const schedule = file.schedule && Object.fromEntries(Object.entries(file.schedule).map(([name, value]) => [name, asTime(name, value)]))
  return {
    ...file,
    campaign: { ...settings, name: settings.name.trim() },
    ...(schedule ? { schedule: sortDays(schedule) } : {}),
    ...(file.sequence
      ? {
          sequence: file.sequence.map(({ delayDays, variants }) => ({
            delayDays,
            variants: variants.map(({ subject, body, weight = 1 }) => ({ subject: subject?.trim() || null, body, weight })),
          })),
        }
      : {}),
  }
}

const asTime = (name: string, value: unknown): unknown =>
  (name === 'startDate' || name === 'endDate') && typeof value === 'string' && !Number.isNaN(Date.parse(value))
    ? new Date(value).toISOString()
    : value

const WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** Days are a set: their order has no meaning. */
function sortDays(schedule: Record<string, unknown>): Record<string, unknown> {
  const { daysOfWeek } = schedule
  return Array.isArray(daysOfWeek)
    ? { ...schedule, daysOfWeek: [...daysOfWeek].sort((left, right) => WEEK.indexOf(left) - WEEK.indexOf(right)) }
    : schedule
}

/** The differences. Sections and settings that the file leaves out are not compared. */
export function compare(wanted: CampaignFile, running: CampaignFile | null): Change[] {
  const [to, from] = [normalized(wanted), running && normalized(running)]
  return SECTIONS.flatMap(section => {
    if (to[section] === undefined) return []
    // Rules and lists are replaced as a whole; of settings and the schedule, only the given values.
    const isPartial = section === 'campaign' || section === 'schedule'
    return differences(section, section, from?.[section], to[section], isPartial)
  })
}

function differences(section: Section, path: string, from: unknown, to: unknown, isPartial: boolean): Change[] {
  if (isRecord(to) && (isRecord(from) || from === undefined || from === null)) {
    const before = (from ?? {}) as Record<string, unknown>
    const names = isPartial ? Object.keys(to) : [...new Set([...Object.keys(before), ...Object.keys(to)])]
    return names.flatMap(name => differences(section, `${path}.${name}`, before[name], to[name], false))
  }
  if (section === 'sequence' && Array.isArray(to)) {
    const before = Array.isArray(from) ? from : []
    return Array.from({ length: Math.max(before.length, to.length) }).flatMap((_, at) =>
      at < to.length
        ? differences(section, `${path}.${at + 1}`, before[at], to[at], false)
        : [{ section, path: `${path}.${at + 1}`, from: before[at], to: undefined }],
    )
  }
  return JSON.stringify(from ?? null) === JSON.stringify(to ?? null) ? [] : [{ section, path, from, to }]
}

const shown = (value: unknown): string[] =>
  value === undefined || value === null ? [] : typeof value === 'string' ? value.split('\n') : [JSON.stringify(value)]

/** The changes as lines of a diff. */
export function diffLines(changes: readonly Change[]): string[] {
  return changes.flatMap(({ path, from, to }) => [
    `@@ ${path}`,
    ...shown(from).map(line => `- ${line}`),
    ...shown(to).map(line => `+ ${line}`),
  ])
}
