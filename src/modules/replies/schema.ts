import Type from 'typebox'
import { DateTime, Links, named, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'

const UNREAD_REASONS = ['too_expensive', 'unreadable', 'not_recorded', 'unproven_bounce'] as const
export type UnreadReason = (typeof UNREAD_REASONS)[number]

export const UnreadMessage = named(
  'UnreadMessage',
  strict({
    id: Uuid,
    providerId: Uuid,
    folder: Type.String({ description: 'The folder of the mailbox in which the message lies.' }),
    uidValidity: Type.String(),
    uid: Type.Integer({ minimum: 0, description: 'Its number in the folder, for as long as the folder has this `uidValidity`.' }),
    messageId: nullable(Type.String({ description: 'Its Message-ID, where it has one.' })),
    reason: oneOf(UNREAD_REASONS, {
      description:
        '`too_expensive`: reading it took more time or memory than a message may. `unreadable`: it is no message. `not_recorded`: what it says could not be stored. `unproven_bounce`: it reports that a lead cannot be reached without naming a message of ours, so nothing was done.',
    }),
    detail: Type.String({ description: 'The same for people.' }),
    receivedAt: DateTime,
    createdAt: DateTime,
    links: Links,
  }),
)
