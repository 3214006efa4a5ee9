import { about, DateTime, Links, NOT_BLANK, namedObject, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'
import { type Static, Type } from '../../lib/type.ts'
import { Actor } from '../tokens/schema.ts'

const UNREAD_REASONS = ['too_expensive', 'unreadable', 'not_recorded', 'unproven_bounce'] as const
export type UnreadReason = (typeof UNREAD_REASONS)[number]

export const UnreadMessage = namedObject('UnreadMessage', {
  id: Uuid,
  providerId: Uuid,
  folder: Type.String({ description: 'The folder of the mailbox that contains the message.' }),
  uidValidity: about(Type.String(), 'The UIDVALIDITY of the folder.'),
  uid: Type.Integer({
    minimum: 0,
    description: 'The number of the message in the folder. It is valid as long as the folder has this `uidValidity`.',
  }),
  messageId: nullable(Type.String({ description: 'The Message-ID, if there is one.' })),
  reason: oneOf(UNREAD_REASONS, {
    description:
      '`too_expensive`: reading the message exceeded the limit of time or memory. `unreadable`: it is not a valid message. `not_recorded`: its content could not be stored. `unproven_bounce`: it reports that a lead cannot be reached but names no message that we sent, so nothing was done.',
  }),
  detail: Type.String({ description: 'The reason as text.' }),
  receivedAt: DateTime,
  createdAt: DateTime,
  links: Links,
})

/** The kinds of replies that a person writes. */
export const REPLY_KINDS = ['positive', 'negative', 'neutral', 'opt_out'] as const
export const LISTED_KINDS = [...REPLY_KINDS, 'auto_reply'] as const
export type ListedKind = (typeof LISTED_KINDS)[number]

const Kind = oneOf(LISTED_KINDS, {
  description:
    'The meaning of the reply: `positive` (interested), `negative`, `neutral`, `opt_out`, or `auto_reply` when no person wrote it.',
})

const IsCut = Type.Boolean({
  description: 'The message was larger than the limit for stored messages. Texts or attachments may be missing.',
})

const Cc = Type.Array(Type.String(), {
  description: 'Other people who received the message, from its `Cc`: at most 50. An answer is not sent to them.',
})

export const Attachment = namedObject('Attachment', {
  id: Uuid,
  filename: Type.String({ description: 'The name that the sender gave, without folders and invisible characters.' }),
  contentType: Type.String({ description: 'The type that the sender stated. The service does not check the content.' }),
  sizeBytes: about(Type.Integer({ minimum: 0 }), 'The size in bytes.'),
  isKept: Type.Boolean({ description: 'False when it exceeds the 10 MB of attachments that are kept of one message.' }),
  links: Links,
})

export const Reply = namedObject('Reply', {
  id: Uuid,
  workspaceId: Uuid,
  campaignId: nullable(Uuid),
  leadId: nullable(Uuid),
  providerId: Uuid,
  sendId: nullable(Uuid),
  step: nullable(Type.Integer({ minimum: 0, description: 'The step that the reply answers, counted from 0 as in events.' })),
  kind: Kind,
  judgedKind: oneOf(LISTED_KINDS, { description: 'The kind that was detected when the reply arrived.' }),
  confidence: about(nullable(Type.Number({ minimum: 0, maximum: 1 })), 'The confidence of the classification.'),
  needsLook: Type.Boolean({ description: 'True when the classification is uncertain and a person should read the reply.' }),
  handled: Type.Boolean(),
  handledAt: about(nullable(DateTime), 'When it was marked as handled.'),
  correctedKind: nullable(oneOf(LISTED_KINDS, { description: 'The kind that a person set; null if it was not corrected.' })),
  correctedBy: nullable({ ...Uuid, description: 'The token that was used for the correction.' }),
  correctedAt: about(nullable(DateTime), 'When a person corrected the kind.'),
  from: nullable(Type.String({ description: 'The sender of the reply. Null, like subject and text, when the person was erased.' })),
  replyTo: nullable(
    Type.String({ description: 'The address that the sender wants answers to go to, if it is not `from`. An answer is sent to it.' }),
  ),
  cc: Cc,
  leadName: nullable(Type.String({ description: 'The name of the lead, if it is known and the reply came from the address of the lead.' })),
  subject: nullable(Type.String()),
  text: nullable(
    Type.String({ description: 'The text of the person, without quotes and signature. The thread of the lead has the complete text.' }),
  ),
  messageId: nullable(Type.String({ description: 'The Message-ID of the reply, if it has one.' })),
  isCut: IsCut,
  attachments: Type.Array(Attachment),
  referral: nullable(
    strict({
      email: Type.String({ description: 'The address in the reply.' }),
      name: nullable(Type.String({ description: 'The name next to the address, if there is one.' })),
    }),
  ),
  deferredUntil: nullable(
    Type.String({
      format: 'date',
      description: 'The first day on which the person wants to be contacted again. The service does not act on it.',
    }),
  ),
  receivedAt: DateTime,
  links: Links,
})

export const NewAnswerBody = namedObject('NewAnswer', {
  text: Type.String({
    minLength: 1,
    maxLength: 50_000,
    format: NOT_BLANK,
    description: 'The text of the answer. Overture sends it unchanged.',
    examples: ['Hello Ann,\n\nThursday at ten suits me.\n\nAda'],
  }),
  html: Type.Optional(Type.String({ maxLength: 100_000, description: 'The same answer as HTML.' })),
  subject: Type.Optional(Type.String({ maxLength: 255, description: 'Defaults to the subject of the thread with one `Re:` before it.' })),
  again: Type.Optional(
    Type.Boolean({
      description:
        'True sends another answer to a reply that was answered before. Without it, the request returns 409 with `currentStatus` `answered`, and the details name the author and the time of the latest answer.',
    }),
  ),
})
export type NewAnswer = Static<typeof NewAnswerBody>

export const Composers = strict({ data: Type.Array(Actor) })

const MESSAGE_KINDS = ['step', 'answer', ...LISTED_KINDS, 'bounce'] as const

export const ThreadMessage = namedObject('ThreadMessage', {
  id: Uuid,
  direction: oneOf(['out', 'in'], { description: '`out`: a sent message. `in`: a received message.' }),
  kind: oneOf(MESSAGE_KINDS, {
    description:
      '`step`: a message of the sequence. `answer`: a message that a user wrote in answer to a reply. A received message has the kind of its classification.',
  }),
  status: nullable(
    oneOf(['queued', 'sending', 'sent', 'failed', 'unknown'], {
      description: 'The outcome of a sent message; null for a received message. Among queued messages, only answers are shown.',
    }),
  ),
  hold: about(
    nullable(
      strict({
        reason: Type.String({ description: 'Why an answer has not been sent, such as `mailbox_cap`, or why it will never be sent.' }),
        until: nullable({ ...DateTime, description: 'When the reason will pass, if that is known.' }),
      }),
    ),
    'Why an answer waits; null otherwise.',
  ),
  at: about(DateTime, 'When it was sent or arrived.'),
  step: nullable(Type.Integer({ minimum: 0, description: 'The step, counted from 0. For a received message, the step that it answers.' })),
  sendId: nullable(Uuid),
  replyId: nullable({
    ...Uuid,
    description: 'For a received message, its id in the list of replies. For an answer, the reply that it answers.',
  }),
  messageId: nullable(Type.String()),
  from: about(nullable(Type.String()), 'The sender.'),
  to: about(nullable(Type.String()), 'The recipient.'),
  author: about(
    nullable(Actor),
    'The author of an answer: the user, or the workspace key. Null for other messages, and when the operation of the answer is no longer kept.',
  ),
  cc: Cc,
  subject: nullable(Type.String()),
  text: nullable(Type.String({ description: 'The complete text with quotes. Null when it is no longer kept.' })),
  html: nullable(
    Type.String({
      description:
        'Untrusted: a stranger may have written it. Show it only in a sandboxed frame that loads nothing. Our own tracking is removed, so that reading a thread counts no open and no click.',
    }),
  ),
  isCut: IsCut,
  attachments: Type.Array(Attachment),
  links: Links,
})

export const ReplyPatchBody = namedObject('ReplyPatch', {
  kind: Type.Optional(oneOf(REPLY_KINDS, { description: 'The correct meaning of the reply.' })),
  handled: Type.Optional(Type.Boolean({ description: 'Whether a person has dealt with the reply.' })),
})
export type ReplyPatch = Static<typeof ReplyPatchBody>

export const AnswerResult = namedObject('AnswerResult', {
  replyId: Uuid,
  sendId: Uuid,
  messageId: nullable(Type.String()),
  sentAt: about(nullable(DateTime), 'When it was sent.'),
  reconciled: nullable(Type.String({ description: 'How Overture resolved the outcome, if it was unknown whether the answer was sent.' })),
})
