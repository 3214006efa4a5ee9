import Type from 'typebox'
import { DateTime, Links, named, oneOf, strict, Uuid } from '../../http/schema.ts'

export const EVENT_TYPES = [
  'lead_search.completed',
  'lead_search.failed',
  'ai_sdr.positive_reply',
  'campaign.updated',
  'campaign.activated',
  'campaign.paused',
  'campaign.resumed',
  'campaign.completed',
  'campaign.archived',
  'campaign.unarchived',
  'campaign.attention_needed',
  'email.sent',
  'email.opened',
  'email.clicked',
  'email.bounced',
  'email.replied',
  'email.auto_replied',
  'email.answered',
  'reply.updated',
  'lead.status_changed',
  'lead.updated',
  'lead.unsubscribed',
  'provider.disconnected',
  'provider.inbox_unreadable',
  'provider.inbox_readable',
  'operation.succeeded',
  'operation.failed',
  'webhook.test',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** As in the body of a webhook, with its own address. */
export const Event = named(
  'Event',
  strict({
    id: Uuid,
    seq: Type.Integer({
      minimum: 1,
      description: 'Its number within the workspace: without gaps, in the order in which things happened.',
    }),
    type: oneOf(EVENT_TYPES),
    timestamp: DateTime,
    workspaceId: Uuid,
    data: Type.Object({}, { additionalProperties: true, description: 'What happened; its fields depend on the type.' }),
    links: Links,
  }),
)
