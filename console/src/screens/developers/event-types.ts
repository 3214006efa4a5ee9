import type { Event, NewWebhookEndpoint } from '@overture/sdk'

export type EventType = Event['type']
export type Subscription = NewWebhookEndpoint['events'][number]

/** Every kind, checked against the SDK: a new one is an error of the compiler until it has its words. */
const WORDS: Record<EventType, string> = {
  'email.sent': 'A message has left',
  'email.opened': 'A message was opened',
  'email.clicked': 'A link was followed',
  'email.bounced': 'A message came back',
  'email.replied': 'Somebody has answered',
  'email.auto_replied': 'A machine has answered',
  'email.answered': 'You have answered somebody',
  'ai_sdr.positive_reply': 'An answer shows interest',
  'reply.updated': 'A reply was corrected or handled',
  'lead.status_changed': 'A lead has another status',
  'lead.updated': 'A lead was changed',
  'lead.unsubscribed': 'Somebody wants no more mail',
  'campaign.updated': 'A campaign was changed',
  'campaign.activated': 'A campaign has begun',
  'campaign.paused': 'A campaign was paused',
  'campaign.resumed': 'A campaign goes on',
  'campaign.completed': 'A campaign is over',
  'campaign.archived': 'A campaign was archived',
  'campaign.unarchived': 'A campaign was brought back',
  'campaign.attention_needed': 'A campaign cannot go on by itself',
  'lead_search.completed': 'An export is there',
  'lead_search.failed': 'An export has failed',
  'provider.disconnected': 'A mailbox cannot be reached',
  'provider.inbox_unreadable': 'An inbox cannot be read',
  'provider.inbox_readable': 'An inbox can be read again',
  'provider.copies_failing': 'A mailbox takes no copies of sent messages',
  'provider.copies_stored': 'A mailbox takes copies of sent messages again',
  'tracking_host.verified': 'A tracking host was verified',
  'tracking_host.failing': 'A tracking host does not work any more',
  'provider.health_changed': 'A domain began to fail its checks, or passes again',
  'operation.succeeded': 'A write is done',
  'operation.failed': 'A write has failed',
  'plan.proposed': 'An agent waits for an approval',
  'plan.approved': 'A plan was approved',
  'plan.rejected': 'A plan was rejected',
  'plan.applied': 'A plan was carried out',
  'plan.failed': 'A plan has failed',
  'webhook.test': 'A test of a webhook',
}

export const EVENT_TYPES = Object.keys(WORDS) as EventType[]
export const eventWords = (type: EventType): string => WORDS[type]
