import Type from 'typebox'
import { DateTime, Links, named, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'

export const SandboxMessage = named(
  'SandboxMessage',
  strict({
    id: Uuid,
    providerId: Uuid,
    campaignId: nullable(Uuid),
    leadId: nullable(Uuid),
    direction: oneOf(['out', 'in'], { description: '`out`: what would have been sent. `in`: what the made-up recipient answered.' }),
    from: Type.String(),
    to: Type.String(),
    subject: Type.String(),
    text: Type.String(),
    html: nullable(Type.String()),
    raw: Type.String({ description: 'The whole message with its headers.' }),
    createdAt: DateTime,
    links: Links,
  }),
)
