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

const IsCut = Type.Boolean({ description: 'It was larger than what is kept of a message: texts or attachments may be missing.' })

const Attachment = strict({
  id: Uuid,
  filename: Type.String({ description: 'The name that the sender gave, without folders and invisible characters.' }),
  contentType: Type.String({ description: 'The type that the sender stated. The service does not check the content.' }),
  sizeBytes: Type.Integer({ minimum: 0 }),
  isKept: Type.Boolean({ description: 'False when it exceeds the 10 MB of attachments that are kept of one message.' }),
  links: Links,
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
    judgedKind: oneOf(LISTED_KINDS, { description: 'The kind that was detected when the reply arrived.' }),
    confidence: nullable(Type.Number({ minimum: 0, maximum: 1 })),
    needsLook: Type.Boolean({ description: 'True when the classification is uncertain and a person should read the reply.' }),
    handled: Type.Boolean(),
    handledAt: nullable(DateTime),
    correctedKind: nullable(oneOf(LISTED_KINDS, { description: 'The kind that a person set; null when nobody has corrected it.' })),
    correctedBy: nullable({ ...Uuid, description: 'The token that was used for the correction.' }),
    correctedAt: nullable(DateTime),
    from: nullable(Type.String({ description: 'Who wrote it. Null, like subject and text, when the person was erased.' })),
    subject: nullable(Type.String()),
    text: nullable(
      Type.String({ description: 'What the person wrote, without quotes and signature. The thread of the lead has all of it.' }),
    ),
    messageId: nullable(Type.String({ description: 'The Message-ID of the reply, where it has one.' })),
    isCut: IsCut,
    attachments: Type.Array(Attachment),
    referral: nullable(
      strict({
        email: Type.String({ description: 'The address that is named.' }),
        name: nullable(Type.String({ description: 'The name that stands beside it, where there is one.' })),
      }),
    ),
    deferredUntil: nullable(
      Type.String({
        format: 'date',
        description: 'The day from which on the person asks to be written to again. Nothing follows from it.',
      }),
    ),
    receivedAt: DateTime,
    links: Links,
  }),
)

export const NewAnswerBody = named(
  'NewAnswer',
  strict({
    text: Type.String({ minLength: 1, maxLength: 50_000, description: 'What is said, as it leaves: nothing is added to it.' }),
    html: Type.Optional(Type.String({ maxLength: 100_000, description: 'The same in HTML, for those who read that.' })),
    subject: Type.Optional(Type.String({ maxLength: 255, description: 'Left out: the subject of the thread, with one `Re:` in front.' })),
  }),
)
export type NewAnswer = Static<typeof NewAnswerBody>

const MESSAGE_KINDS = ['step', 'answer', ...LISTED_KINDS, 'bounce'] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

export const ThreadMessage = named(
  'ThreadMessage',
  strict({
    id: Uuid,
    direction: oneOf(['out', 'in'], { description: '`out`: we sent it. `in`: it came in.' }),
    kind: oneOf(MESSAGE_KINDS, {
      description: '`step`: a message of the sequence. `answer`: what a person answered. What came in is called what it was taken for.',
    }),
    status: nullable(
      oneOf(['queued', 'sending', 'sent', 'failed', 'unknown'], {
        description: 'What became of a message that we sent; null for what came in. Only an answer is shown while it is `queued`.',
      }),
    ),
    hold: nullable(
      strict({
        reason: Type.String({ description: 'Why an answer has not left, such as `mailbox_cap`, or why it never will.' }),
        until: nullable({ ...DateTime, description: 'When that passes, as far as anybody knows.' }),
      }),
    ),
    at: DateTime,
    step: nullable(Type.Integer({ minimum: 0, description: 'The step, counted from 0; of what came in, the one that was answered.' })),
    sendId: nullable(Uuid),
    replyId: nullable({
      ...Uuid,
      description: 'Of a received message, its id in the list of replies; of an answer, the reply that it answers.',
    }),
    messageId: nullable(Type.String()),
    from: nullable(Type.String()),
    to: nullable(Type.String()),
    subject: nullable(Type.String()),
    text: nullable(Type.String({ description: 'All of it, quotes included; null where it is not kept any more.' })),
    html: nullable(
      Type.String({
        description:
          'Untrusted: a stranger may have written it. Show it only in a sandboxed frame that loads nothing. Our own tracking is taken out of it, so that reading a thread counts as no open and no click.',
      }),
    ),
    isCut: IsCut,
    attachments: Type.Array(Attachment),
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

export const AnswerResult = named(
  'AnswerResult',
  strict({
    replyId: Uuid,
    sendId: Uuid,
    messageId: nullable(Type.String()),
    sentAt: nullable(DateTime),
    reconciled: nullable(Type.String({ description: 'It was not known for a while whether the answer left; this is how it was settled.' })),
  }),
)
