import Type, { type Static } from 'typebox'
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

/** What a person can have meant. */
export const REPLY_KINDS = ['positive', 'negative', 'neutral', 'opt_out'] as const
export const LISTED_KINDS = [...REPLY_KINDS, 'auto_reply'] as const
export type ListedKind = (typeof LISTED_KINDS)[number]

const Kind = oneOf(LISTED_KINDS, {
  description: 'What the reply means: `positive` (interested), `negative`, `neutral`, `opt_out`, or `auto_reply` when no person wrote it.',
})

export const Reply = named(
  'Reply',
  strict({
    id: Uuid,
    workspaceId: Uuid,
    campaignId: nullable(Uuid),
    leadId: nullable(Uuid),
    providerId: Uuid,
    sendId: nullable(Uuid),
    step: nullable(Type.Integer({ minimum: 0, description: 'The step whose message was answered, counted from 0 as in events.' })),
    kind: Kind,
    judgedKind: oneOf(LISTED_KINDS, { description: 'What the reply was taken for when it came in.' }),
    confidence: nullable(Type.Number({ minimum: 0, maximum: 1 })),
    needsLook: Type.Boolean({ description: 'Nobody knows well enough what it means: a person should read it.' }),
    handled: Type.Boolean(),
    handledAt: nullable(DateTime),
    correctedKind: nullable(oneOf(LISTED_KINDS, { description: 'What a person said it means; null when nobody did.' })),
    correctedBy: nullable({ ...Uuid, description: 'The token with which that was said.' }),
    correctedAt: nullable(DateTime),
    from: nullable(Type.String({ description: 'Who wrote it. Null, like subject and text, when the person was erased.' })),
    subject: nullable(Type.String()),
    text: nullable(Type.String()),
    receivedAt: DateTime,
    links: Links,
  }),
)

export const ReplyPatchBody = named(
  'ReplyPatch',
  strict({
    kind: Type.Optional(oneOf(REPLY_KINDS, { description: 'What the reply really means.' })),
    handled: Type.Optional(Type.Boolean({ description: 'Whether somebody has dealt with it.' })),
  }),
)
export type ReplyPatch = Static<typeof ReplyPatchBody>
