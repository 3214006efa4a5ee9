import type { Event } from '@overture/sdk'
import type { Tone } from '@/ui/badge.tsx'
import { statusWords } from '@/ui/badge.tsx'
import { formatDay } from '@/ui/format.ts'

type Type = Event['type']

/** The types that a campaign has, in the order of the filter. */
export const CAMPAIGN_TYPES: readonly { value: Type; label: string }[] = [
  { value: 'email.sent', label: 'Message sent' },
  { value: 'email.opened', label: 'Message opened' },
  { value: 'email.clicked', label: 'Link clicked' },
  { value: 'email.replied', label: 'Reply' },
  { value: 'email.auto_replied', label: 'Automatic reply' },
  { value: 'email.answered', label: 'Answered by us' },
  { value: 'email.bounced', label: 'Bounced' },
  { value: 'ai_sdr.positive_reply', label: 'Positive reply' },
  { value: 'reply.updated', label: 'Reply corrected' },
  { value: 'lead.status_changed', label: 'Status of a lead' },
  { value: 'lead.updated', label: 'Lead changed' },
  { value: 'lead.unsubscribed', label: 'Unsubscribed' },
  { value: 'campaign.updated', label: 'Campaign changed' },
  { value: 'campaign.activated', label: 'Activated' },
  { value: 'campaign.paused', label: 'Paused' },
  { value: 'campaign.resumed', label: 'Resumed' },
  { value: 'campaign.completed', label: 'Completed' },
  { value: 'campaign.attention_needed', label: 'Needs attention' },
  { value: 'operation.succeeded', label: 'Operation done' },
  { value: 'operation.failed', label: 'Operation failed' },
]

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

export const toneOf = (type: Type): Tone => TONES[type] ?? 'neutral'
export const labelOf = (type: Type): string => CAMPAIGN_TYPES.find(({ value }) => value === type)?.label ?? type

export interface EventFacts {
  leadId: string | null
  email: string | null
  /** What happened, beyond the type. */
  detail: string | null
}

/** What of an event is worth a line. */
export function factsOf(event: Event): EventFacts {
  const { leadId = null, email = null } = event.data as { leadId?: string; email?: string | null }
  return { leadId, email, detail: detailOf(event) }
}

const join = (...parts: (string | null | undefined | false)[]): string | null => parts.filter(Boolean).join(' · ') || null
const stepOf = (step: number | null): string | null => (step === null ? null : `Step ${step + 1}`)
const RECONCILED = {
  found: 'found in the mailbox afterwards',
  named: 'found by its name afterwards',
  assumed: 'nobody could tell, so it counts',
}

function detailOf(event: Event): string | null {
  switch (event.type) {
    case 'email.sent':
      return join(stepOf(event.data.step), event.data.subject, event.data.reconciled && RECONCILED[event.data.reconciled])
    case 'email.opened':
      return join(stepOf(event.data.step), event.data.machine && `by a program, not counted: ${event.data.judgedBy}`)
    case 'email.clicked':
      return join(stepOf(event.data.step), event.data.url, event.data.machine && `by a program, not counted: ${event.data.judgedBy}`)
    case 'email.replied':
      return join(stepOf(event.data.step), statusWords(event.data.kind), event.data.subject)
    case 'email.auto_replied':
      return join(
        stepOf(event.data.step),
        event.data.subject,
        event.data.postponedTo && `goes on ${formatDay(new Date(event.data.postponedTo))}`,
      )
    case 'ai_sdr.positive_reply':
      return join(stepOf(event.data.step), event.data.subject)
    case 'email.answered':
      return event.data.subject
    case 'reply.updated':
      return `${statusWords(event.data.previousKind)} → ${statusWords(event.data.kind)}, by ${event.data.by}`
    case 'email.bounced':
      return join(stepOf(event.data.step), event.data.kind.replaceAll('_', ' '), event.data.status, event.data.diagnostic)
    case 'lead.unsubscribed':
      return `by ${event.data.by}`
    case 'lead.status_changed':
      return `${statusWords(event.data.from)} → ${statusWords(event.data.to)}, by ${event.data.by}`
    case 'lead.updated':
      return join(event.data.changed?.length ? `changed: ${event.data.changed.join(', ')}` : null, `by ${event.data.by}`)
    case 'campaign.updated':
      return `changed: ${event.data.changed.join(', ')}`
    case 'campaign.activated':
    case 'campaign.paused':
    case 'campaign.resumed':
    case 'campaign.completed':
    case 'campaign.archived':
    case 'campaign.unarchived':
    case 'campaign.attention_needed':
      return join(`${statusWords(event.data.from)} → ${statusWords(event.data.to)}`, event.data.reason)
    case 'operation.succeeded':
      return event.data.action
    case 'operation.failed':
      return join(event.data.action, event.data.error.message)
    default:
      return null
  }
}
