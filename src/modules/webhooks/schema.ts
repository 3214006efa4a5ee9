import { about, DateTime, dataOf, Links, namedObject, nullable, oneOf, Url, Uuid } from '../../http/schema.ts'
import { type Static, Type } from '../../lib/type.ts'
import { EVENT_TYPES } from '../events/data-schema.ts'

const ENDPOINT_STATUSES = ['active', 'paused', 'disabled'] as const
const DISABLED_REASONS = ['gone', 'failing'] as const
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const

/** Subscribes to every kind, including future ones. */
export const ALL_EVENTS = '*'

const Subscription = Type.Array(oneOf([...EVENT_TYPES, ALL_EVENTS]), {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: 'Event types, or `["*"]` for all of them. `*` must be the only entry.',
})

const endpoint = {
  id: Uuid,
  workspaceId: Uuid,
  url: about(
    Url,
    'Where events are sent. For a token without `webhooks:write`, it has no user info, and `***` in place of the path and the query: `https://hooks.example.com/***`.',
  ),
  events: about(Type.Array(oneOf([...EVENT_TYPES, ALL_EVENTS])), 'The subscribed event types; `*` stands for all.'),
  status: about(oneOf(ENDPOINT_STATUSES), 'Only an `active` endpoint gets events.'),
  description: about(nullable(Type.String()), 'Your own note.'),
  disabledReason: nullable(
    oneOf(DISABLED_REASONS, {
      examples: [null],
      description: '`gone`: the receiver returned 410. `failing`: all deliveries have failed for five days.',
    }),
  ),
  createdAt: DateTime,
  updatedAt: DateTime,
  links: Links,
}

export const WebhookEndpoint = namedObject('WebhookEndpoint', endpoint)

export const WebhookEndpointWithSecret = namedObject('WebhookEndpointWithSecret', {
  ...endpoint,
  secret: nullable(
    Type.String({
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
      description:
        'The secret that signs every delivery, as Standard Webhooks specifies. Null only in a replay of a request whose endpoint no longer exists.',
    }),
  ),
})

export const WebhookResult = namedObject('WebhookResult', { webhook: about(WebhookEndpoint, 'The endpoint.') })

const Target = Type.String({ format: 'uri', maxLength: 2048, description: 'An https URL at a public address.' })
const Description = nullable(Type.String({ maxLength: 500, description: 'Your own note.' }))

export const NewWebhookEndpoint = namedObject(
  'NewWebhookEndpoint',
  { url: Target, events: Subscription, description: Type.Optional(Description) },
  { examples: [{ url: 'https://hooks.example.com/overture', events: ['email.replied', 'lead.unsubscribed'] }] },
)
export type NewWebhookEndpoint = Static<typeof NewWebhookEndpoint>

export const WebhookEndpointPatch = namedObject('WebhookEndpointPatch', {
  url: Type.Optional(Target),
  events: Type.Optional(Subscription),
  description: Type.Optional(Description),
  status: Type.Optional(
    oneOf(['active', 'paused'], {
      description: 'Events that happen while the endpoint is not active are not delivered later. Replay them.',
    }),
  ),
})
export type WebhookEndpointPatch = Static<typeof WebhookEndpointPatch>

export const SecretRotation = namedObject('SecretRotation', {
  overlapSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      default: 86_400,
      description: 'How long every delivery is also signed with the old secret.',
    }),
  ),
})

export const Replay = namedObject('Replay', {
  since: about(DateTime, 'Start of the period.'),
  until: Type.Optional(about(DateTime, 'End of the period, not before `since`. Defaults to now.')),
})

export const ReplayResult = namedObject('ReplayResult', {
  replayedCount: about(Type.Integer({ minimum: 0 }), 'Deliveries that were created.'),
})

export const Delivery = namedObject(
  'Delivery',
  {
    id: Uuid,
    workspaceId: Uuid,
    endpointId: Uuid,
    eventId: about(Uuid, 'The event.'),
    eventType: about(oneOf(EVENT_TYPES), 'The type of the event.'),
    attempt: about(Type.Integer({ minimum: 1 }), 'The number of the attempt, from 1.'),
    status: oneOf(DELIVERY_STATUSES),
    responseStatus: about(nullable(Type.Integer()), 'The HTTP status of the receiver; null without a response.'),
    error: nullable(
      Type.String({
        description:
          'Why there was no response, or why the response does not count as success, for example `timeout` or `redirect`. `event_expired`: the event is no longer kept.',
      }),
    ),
    durationMs: about(nullable(Type.Integer({ minimum: 0 })), 'How long the attempt took.'),
    nextAttemptAt: nullable(DateTime),
    createdAt: DateTime,
    links: Links,
  },
  { description: 'One attempt to deliver one event to one endpoint.' },
)

export const DeliveryResult = namedObject('DeliveryResult', { delivery: Delivery })

/** The replies of a request that makes a delivery. */
export const DELIVERED = {
  201: { about: 'The new delivery.', schema: dataOf(Delivery) },
  200: { about: 'A replay: the delivery as the first request returned it.', schema: dataOf(Delivery) },
}
