import { type Attachment, textOf } from './parts.ts'

/** The response of a calendar to an invitation, because its user pressed a button (RFC 5546). */
export type CalendarAnswer = 'accepted' | 'declined' | 'tentative' | 'other_time'

const MAX_BYTES = 100_000
const ANSWERS: Record<string, CalendarAnswer> = { ACCEPTED: 'accepted', DECLINED: 'declined', TENTATIVE: 'tentative' }

/** Null for an invitation or a cancellation. */
export function readCalendar(attachments: Attachment[], from: string): CalendarAnswer | null {
  const part = attachments.find(({ mimeType }) => mimeType === 'text/calendar')
  if (!part) return null
  const lines = textOf(part, MAX_BYTES)
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]/g, '')
    .split('\n')
  const method = fieldOf(lines, 'METHOD')
  if (method === 'COUNTER') return 'other_time'
  if (method !== 'REPLY') return null
  const attendees = lines.filter(line => /^ATTENDEE[;:]/i.test(line))
  const own = attendees.find(line => line.toLowerCase().endsWith(`mailto:${from}`)) ?? attendees[0] ?? ''
  const status = /;PARTSTAT="?([A-Z-]{1,30})/i.exec(own.slice(0, 2000))?.[1]?.toUpperCase() ?? ''
  return ANSWERS[status] ?? null
}

const fieldOf = (lines: string[], name: string): string =>
  lines
    .find(line => line.toUpperCase().startsWith(`${name}:`))
    ?.slice(name.length + 1)
    .trim()
    .toUpperCase() ?? ''
