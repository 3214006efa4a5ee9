import { about, Count, DateTime, Links, namedObject, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'
import { type Static, Type } from '../../lib/type.ts'

export const SandboxMessage = namedObject('SandboxMessage', {
  id: Uuid,
  providerId: Uuid,
  campaignId: nullable(Uuid),
  leadId: nullable(Uuid),
  direction: oneOf(['out', 'in'], {
    description: '`out`: a message that would have been sent. `in`: a reply of the simulated recipient.',
  }),
  from: about(Type.String(), 'The sender.'),
  to: about(Type.String(), 'The recipient.'),
  subject: Type.String(),
  text: Type.String(),
  html: nullable(Type.String()),
  raw: Type.String({
    description:
      'The whole message with its headers. Without the scope `suppressions:write`, only the headers: the links in the message work.',
  }),
  createdAt: DateTime,
  links: Links,
})

export const AdvanceBody = strict(
  {
    advance: Type.Optional(
      strict(
        {
          hours: Type.Optional(about(Type.Integer({ minimum: 1, maximum: 8784 }), 'Hours to add.')),
          days: Type.Optional(about(Type.Integer({ minimum: 1, maximum: 366 }), 'Days to add.')),
        },
        { minProperties: 1, description: 'The amount of time to add, at most 366 days.' },
      ),
    ),
    until: Type.Optional(oneOf(['idle'], { description: '`idle`: until nothing more is planned, for at most 366 days.' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'The time to advance to, at most 366 days ahead of the clock.' })),
  },
  { minProperties: 1, maxProperties: 1, description: 'Set exactly one of the three fields.' },
)

export const SandboxClock = namedObject('SandboxClock', {
  now: about(DateTime, 'The time of the test clock.'),
  offsetMs: Type.Integer({ minimum: 0, description: 'The difference to real time.' }),
  canAdvance: about(Type.Boolean(), 'Whether the clock can be advanced; otherwise see `reason`.'),
  reason: nullable(Type.String({ description: 'Why the clock cannot be advanced.' })),
  advancing: about(
    nullable(
      strict({
        operationId: nullable(Uuid),
        from: about(DateTime, 'The time at which it began.'),
        to: nullable(Type.String({ format: 'date-time', description: 'Null: until nothing more is planned.' })),
      }),
    ),
    'The operation that is advancing the clock. `now` shows its progress.',
  ),
  links: Links,
})

/** The counts of what happened while the clock was advanced. */
export const ClockAdvance = namedObject('ClockAdvance', {
  stoppedBy: about(
    oneOf(['target', 'idle', 'limit']),
    '`target`: the time was reached. `idle`: nothing more is planned. `limit`: send the request again to continue.',
  ),
  from: about(DateTime, 'The time before.'),
  to: about(DateTime, 'The time now.'),
  sentCount: about(Count, 'Messages sent in the meantime.'),
  openedCount: about(Count, 'Opens.'),
  clickedCount: about(Count, 'Clicks.'),
  repliedCount: about(Count, 'Replies.'),
  autoRepliedCount: about(Count, 'Automatic replies.'),
  bouncedCount: Count,
})

/** The stored input of a test. */
export const TestOrder = strict({
  campaignId: Uuid,
  to: Type.String(),
  step: Type.Integer(),
  leadId: Type.Optional(Uuid),
  variantId: Type.Optional(Uuid),
  mayReadLeads: Type.Boolean(),
})
export type TestOrder = Static<typeof TestOrder>

export const TestMessage = namedObject('TestMessage', {
  campaignId: Uuid,
  step: Count,
  variantId: Uuid,
  providerId: Uuid,
  from: about(Type.String(), 'The sender.'),
  to: about(Type.String(), 'The recipient.'),
  subject: Type.String(),
  messageId: Type.String(),
})
