import type { Event } from '@overture/sdk'
import type { Tone } from '@/ui/badge.tsx'
import { statusWords } from '@/ui/badge.tsx'

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

const asText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** What of an event is worth a line. All fields are checked: an event that was stored long ago may lack one. */
export function factsOf({ type, data }: Event): EventFacts {
  return { leadId: asText(data.leadId), email: asText(data.email), detail: detailOf(type, data) }
}

function detailOf(type: Type, data: Record<string, unknown>): string | null {
  const step = typeof data.step === 'number' ? `Step ${data.step + 1}` : null
  const join = (...parts: (string | null)[]): string | null => parts.filter(Boolean).join(' · ') || null
  switch (type) {
    case 'email.sent':
      return join(step, asText(data.subject), data.reconciled ? 'found out afterwards' : null)
    case 'email.opened':
    case 'email.clicked':
      return join(step, asText(data.url), data.machine === true ? 'by a machine, not counted' : null)
    case 'email.replied':
    case 'email.auto_replied':
    case 'ai_sdr.positive_reply':
    case 'reply.updated':
      return join(step, asText(data.classification), asText(data.subject))
    case 'email.bounced':
    case 'lead.unsubscribed':
      return join(step, asText(data.reason), asText(data.source))
    case 'lead.status_changed':
      return data.from && data.to ? `${statusWords(String(data.from))} → ${statusWords(String(data.to))}` : null
    case 'campaign.updated':
      return Array.isArray(data.changed) ? `changed: ${data.changed.join(', ')}` : null
    case 'operation.succeeded':
      return asText(data.action)
    case 'operation.failed':
      return join(asText(data.action), asText((data.error as { message?: unknown } | undefined)?.message))
    default:
      return asText(data.reason)
  }
}
