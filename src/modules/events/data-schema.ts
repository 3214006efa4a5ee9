import { about, Count, DateTime, namedObject, nullable, OperationError, oneOf, strict, Url, Uuid } from '../../http/schema.ts'
import { type Static, Type } from '../../lib/type.ts'

// The data of each event type. This is the only list of types: a type without a schema does not compile.
//
// When a person is erased, the events about them stay, and everything that names them becomes null (see erase.ts).
// That is why most texts can be null here.

const Text = nullable(Type.String())
const Step = Type.Integer({ minimum: 0, description: 'The step of the sequence, counted from 0.' })
const Confidence = nullable(Type.Number({ minimum: 0, maximum: 1, description: 'The confidence of the classification.' }))
const By = Type.String({ description: 'The cause of the change, such as `api`, `sender` or `reply`.' })
const ActorId = Type.Optional({ ...Uuid, description: 'The user or the workspace key that requested the change, if one did.' })

/** A person whom the reply names instead; erased like the lead. */
const Referral = about(nullable(strict({ email: Text, name: Type.Optional(Text) })), 'Another person to contact, named in the reply.')

const lead = { leadId: Uuid, campaignId: Uuid, email: Text }

const StatusChange = namedObject('CampaignStatusChange', {
  campaignId: Uuid,
  name: Type.String(),
  from: about(Type.String(), 'The previous status.'),
  to: about(Type.String(), 'The new status.'),
  reason: Type.Optional(about(Type.String(), 'Why the status changed.')),
  actorId: ActorId,
})

const Visit = {
  ...lead,
  sendId: Uuid,
  step: Step,
  variantId: Uuid,
  machine: Type.Boolean({ description: 'A program made this visit, not a person. It is not counted.' }),
  judgedBy: Type.String({ description: 'Why the visit is attributed to a program.' }),
  first: Type.Boolean({ description: 'The first visit by a person to any pixel or link of this lead.' }),
}

const MailboxState = namedObject('ProviderState', { providerId: Uuid, name: Type.String(), fromEmail: Type.String(), reason: Text })

const HostState = namedObject('TrackingHostState', { host: Type.String(), reason: Text })

const OperationEnd = {
  operationId: Uuid,
  action: about(Type.String(), 'The action of the operation.'),
  campaignId: nullable(Uuid),
}

const outcome = {
  from: about(Type.String(), 'The previous status of the lead.'),
  to: about(Type.String(), 'The new status of the lead.'),
  first: Type.Boolean({ description: 'True when the lead gets this status for the first time.' }),
  firstProspect: Type.Boolean({ description: 'True when the lead becomes interested, or gets a later status, for the first time.' }),
  withdrawn: Type.Optional(
    Type.Boolean({
      description: 'True when the correction of a reply ends the interest: the lead no longer counts as interested, nor as an opportunity.',
    }),
  ),
  opportunityValue: Type.Optional(nullable(Type.Number())),
  meetingAt: Type.Optional(nullable(DateTime)),
  opportunityValueChange: Type.Optional(Type.Number()),
}

const said = {
  sendId: nullable(Uuid),
  step: nullable(Step),
  replyId: Uuid,
  confidence: Confidence,
  subject: Text,
  text: Text,
}

const PlanState = strict({
  planId: about(Uuid, 'The plan.'),
  operation: Type.String({ description: 'The operationId of the proposed request.' }),
  leadCount: Count,
  mailCount: Type.Integer({ minimum: 0, description: 'The maximum number of emails that can follow.' }),
  creditCost: Type.Integer({ minimum: 0, description: 'The maximum number of credits that it can cost.' }),
  expiresAt: about(DateTime, 'When the plan expires.'),
})

export const EVENT_DATA = {
  'lead_search.completed': strict({
    operationId: Uuid,
    exportId: Uuid,
    requestedCount: Count,
    exportedCount: Count,
    creditsCharged: Count,
    downloadUrl: about(nullable(Url), 'Opens the file without a token; null for a token that may not read leads.'),
    expiresAt: DateTime,
  }),
  'lead_search.failed': strict({ operationId: Uuid, requestedCount: Count, error: OperationError }),
  'ai_sdr.positive_reply': strict({ ...lead, ...said, fullName: Text, company: Text, jobTitle: Text }),
  'campaign.updated': strict({
    campaignId: Uuid,
    name: Type.String(),
    changed: Type.Array(Type.String(), { description: 'The names of the fields that changed.' }),
    actorId: ActorId,
  }),
  'campaign.activated': StatusChange,
  'campaign.paused': StatusChange,
  'campaign.resumed': StatusChange,
  'campaign.completed': StatusChange,
  'campaign.archived': StatusChange,
  'campaign.unarchived': StatusChange,
  'campaign.attention_needed': StatusChange,
  'email.sent': strict({
    ...lead,
    sendId: Uuid,
    step: Step,
    variantId: Uuid,
    providerId: Uuid,
    messageId: Text,
    subject: Text,
    first: Type.Boolean({ description: 'The first message to this lead.' }),
    reconciled: Type.Optional(
      oneOf(['found', 'named', 'assumed'], {
        description: 'How Overture resolved the outcome, if it was unknown whether the message was sent.',
      }),
    ),
  }),
  'email.opened': strict(Visit),
  'email.clicked': strict({
    ...Visit,
    url: about(Text, 'The target of the link.'),
    link: Type.Integer({ minimum: 0, description: 'The link of the message that was opened.' }),
  }),
  'email.bounced': strict({
    ...lead,
    sendId: nullable(Uuid),
    step: nullable(Step),
    kind: oneOf(['hard', 'soft', 'sender_fault'], {
      description: '`hard`: the address does not work. `soft`: it may work later. `sender_fault`: the problem is the sending mailbox.',
    }),
    status: nullable(Type.String({ description: 'The enhanced status code (RFC 3463), like `5.1.1`.' })),
    diagnostic: about(Text, 'The response of the mail server.'),
    first: Type.Boolean({ description: 'It ends the sequence of this lead.' }),
  }),
  'email.replied': strict({
    ...lead,
    ...said,
    messageId: Type.Optional(Text),
    referral: Type.Optional(Referral),
    deferredUntil: Type.Optional(about(Text, 'The first day on which the person wants to be contacted again.')),
    kind: about(Type.String(), 'The meaning of the reply: `positive`, `negative`, `neutral` or `opt_out`.'),
    needsLook: about(Type.Boolean(), 'True if the classification is uncertain and a person should read the reply.'),
    first: about(Type.Boolean(), 'The first reply of this lead.'),
  }),
  'email.auto_replied': strict({
    ...lead,
    sendId: Uuid,
    step: nullable(Step),
    subject: Text,
    confidence: Confidence,
    referral: Type.Optional(Referral),
    returnDate: nullable(Type.String({ description: 'When the person will be back, according to their message.' })),
    postponedTo: about(nullable(DateTime), 'When the next step is due instead; null if it is not postponed.'),
  }),
  'email.answered': strict({
    ...lead,
    sendId: Uuid,
    replyId: Uuid,
    providerId: Uuid,
    messageId: Text,
    subject: Text,
    reconciled: Type.Optional(about(Type.String(), 'How Overture resolved the outcome, if it was unknown whether the answer was sent.')),
    actorId: ActorId,
  }),
  'reply.updated': strict({
    ...lead,
    replyId: Uuid,
    sendId: nullable(Uuid),
    step: nullable(Step),
    kind: about(Type.String(), 'The present kind.'),
    previousKind: about(Type.String(), 'The kind before the change.'),
    judgedKind: about(Type.String(), 'The kind that was detected when the reply arrived.'),
    handled: Type.Boolean(),
    repliedAt: about(DateTime, 'When the reply was recorded.'),
    by: By,
    actorId: ActorId,
  }),
  'lead.status_changed': strict({ ...lead, ...outcome, by: By, actorId: ActorId }),
  'lead.updated': strict({
    ...lead,
    from: Type.Optional(outcome.from),
    to: Type.Optional(outcome.to),
    first: Type.Optional(outcome.first),
    firstProspect: Type.Optional(outcome.firstProspect),
    opportunityValue: outcome.opportunityValue,
    meetingAt: outcome.meetingAt,
    opportunityValueChange: outcome.opportunityValueChange,
    changed: Type.Optional(nullable(Type.Array(Type.String(), { description: 'The fields of the lead that changed.' }))),
    by: By,
    actorId: ActorId,
  }),
  'lead.unsubscribed': strict({ ...lead, first: about(Type.Boolean(), 'The lead was not unsubscribed before.'), by: By, actorId: ActorId }),
  'provider.disconnected': MailboxState,
  'provider.inbox_unreadable': MailboxState,
  'provider.inbox_readable': MailboxState,
  'provider.copies_failing': MailboxState,
  'provider.copies_stored': MailboxState,
  'tracking_host.verified': HostState,
  'tracking_host.failing': HostState,
  'provider.health_changed': strict({
    providerId: Uuid,
    name: Type.String(),
    fromEmail: Type.String(),
    from: nullable(Type.String({ description: 'The previous status; null at the first check.' })),
    to: about(Type.String(), 'The new status.'),
    failing: Type.Array(Type.String(), { description: 'The checks that fail at present.' }),
  }),
  'operation.succeeded': strict(OperationEnd),
  'operation.failed': strict({ ...OperationEnd, error: OperationError }),
  'plan.proposed': PlanState,
  'plan.approved': PlanState,
  'plan.rejected': PlanState,
  'plan.applied': PlanState,
  'plan.failed': PlanState,
  'webhook.test': strict({ endpointId: Uuid }),
}

export type EventType = keyof typeof EVENT_DATA
export const EVENT_TYPES = Object.keys(EVENT_DATA) as EventType[]
export type EventData<T extends EventType> = Static<(typeof EVENT_DATA)[T]>
