import type { Event } from '@overture/sdk'
import type { NameOf } from '@/data/actors.ts'
import { fieldWords, sentence } from '@/data/field-words.ts'
import { actionWords, botWords, bounceWords, causeWords, eventWords } from '@/data/words.ts'
import { statusWords, type Tone } from '@/ui/badge.tsx'
import { formatDay } from '@/ui/format.ts'

type Type = Event['type']

/** The event types of a campaign, in the order of the filter. */
export const CAMPAIGN_TYPES: readonly { value: Type; label: string }[] = (
  [
    'email.sent',
    'email.opened',
    'email.clicked',
    'email.replied',
    'email.auto_replied',
    'email.answered',
    'email.bounced',
    'ai_sdr.positive_reply',
    'reply.updated',
    'lead.status_changed',
    'lead.updated',
    'lead.unsubscribed',
    'campaign.updated',
    'campaign.activated',
    'campaign.paused',
    'campaign.resumed',
    'campaign.completed',
    'campaign.attention_needed',
    'operation.succeeded',
    'operation.failed',
  ] as const
).map(value => ({ value, label: eventWords(value) }))

const TONES: Partial<Record<Type, Tone>> = {
  'email.replied': 'accent',
  'ai_sdr.positive_reply': 'good',
  'email.bounced': 'bad',
  'lead.unsubscribed': 'warn',
  'campaign.attention_needed': 'bad',
  'campaign.activated': 'good',
  'campaign.resumed': 'good',
  'campaign.paused': 'warn',
  'operation.failed': 'bad',
  'email.opened': 'info',
  'email.clicked': 'info',
}

/** Opens and clicks by programs do not count. */
export const toneOf = ({ type, data }: Event): Tone => ('machine' in data && data.machine ? 'neutral' : (TONES[type] ?? 'neutral'))

const join = (...parts: (string | null | undefined | false)[]): string | null => parts.filter(Boolean).join(' · ') || null
const stepOf = (step: number | null): string | null => (step === null ? null : `Step ${step + 1}`)
const RECONCILED = {
  found: 'confirmed in the Sent folder',
  named: 'confirmed by its message ID',
  assumed: 'not confirmed, counted as sent',
}

const actorWords = (name: string | undefined): string | undefined => name && `by ${name}`

/** The details of an event beyond its type. */
export function detailOf(event: Event, nameOf: NameOf): string | null {
  switch (event.type) {
    case 'email.sent':
      return join(stepOf(event.data.step), event.data.subject, event.data.reconciled && RECONCILED[event.data.reconciled])
    case 'email.opened':
      return join(stepOf(event.data.step), event.data.machine && botWords(event.data.judgedBy))
    case 'email.clicked':
      return join(stepOf(event.data.step), event.data.url, event.data.machine && botWords(event.data.judgedBy))
    case 'email.replied':
      return join(stepOf(event.data.step), statusWords(event.data.kind), event.data.subject)
    case 'email.auto_replied':
      return join(
        stepOf(event.data.step),
        event.data.postponedTo && `resumes ${formatDay(new Date(event.data.postponedTo))}`,
        event.data.subject,
      )
    case 'ai_sdr.positive_reply':
      return join(stepOf(event.data.step), event.data.subject)
    case 'email.answered':
      return join(event.data.subject, actorWords(nameOf(event.data.actorId)))
    case 'reply.updated': {
      const { kind, previousKind, handled, by, actorId } = event.data
      if (kind === previousKind) return join(handled ? 'Marked as handled' : 'Reopened', actorWords(nameOf(actorId)))
      return `${statusWords(previousKind)} → ${statusWords(kind)}, ${causeWords(by, nameOf(actorId))}`
    }
    case 'email.bounced':
      return join(stepOf(event.data.step), bounceWords(event.data.kind), event.data.diagnostic || event.data.status)
    case 'lead.unsubscribed':
      return sentence(causeWords(event.data.by, nameOf(event.data.actorId)))
    case 'lead.status_changed':
      return `${statusWords(event.data.from)} → ${statusWords(event.data.to)}, ${causeWords(event.data.by, nameOf(event.data.actorId))}`
    case 'lead.updated':
      return join(
        event.data.changed?.length ? `Changed: ${fieldWords(event.data.changed)}` : null,
        causeWords(event.data.by, nameOf(event.data.actorId)),
      )
    case 'campaign.updated':
      return join(`Changed: ${fieldWords(event.data.changed)}`, actorWords(nameOf(event.data.actorId)))
    case 'campaign.activated':
    case 'campaign.paused':
    case 'campaign.resumed':
    case 'campaign.completed':
    case 'campaign.archived':
    case 'campaign.unarchived':
    case 'campaign.attention_needed':
      return join(
        `${statusWords(event.data.from)} → ${statusWords(event.data.to)}`,
        event.data.reason,
        actorWords(nameOf(event.data.actorId)),
      )
    case 'operation.succeeded':
      return actionWords(event.data.action)
    case 'operation.failed':
      return join(actionWords(event.data.action), event.data.error.message)
    default:
      return null
  }
}
