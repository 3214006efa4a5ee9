import { about, Count, DateTime, Fix, Links, namedObject, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'
import { type Static, Type } from '../../lib/type.ts'
import { CONTACT_REASONS, HOLD_REASONS } from '../../scheduling/reasons.ts'
import { CAMPAIGN_STATUSES, CampaignLinks, MailboxesUpdate, ScheduleUpdate } from '../campaigns/schema.ts'
import { NewSequence } from '../sequences/schema.ts'
import { ContactOverrides } from '../workspaces/schema.ts'

const Step = Type.Integer({ minimum: 0, description: 'The number of the step, from 0.' })

const IfLifted = namedObject(
  'IfLifted',
  {
    limit: about(
      oneOf(['daily_cap', 'ramp', 'gap', 'domain_throttle', 'window', 'start_date', 'end_date']),
      'The limit that delays the leads.',
    ),
    value: nullable(Type.Integer({ description: 'The daily cap that would be enough to send to these leads on that day.' })),
    leavesAt: { ...DateTime, description: 'When the first of these messages would be sent.' },
    count: Type.Integer({ minimum: 1, description: 'How many of these messages would be sent on that day.' }),
    text: Type.String({
      description: 'The same as text: "with a daily limit of 45, the email would be sent on Friday 2026-03-06 14:30 Europe/Berlin".',
    }),
  },
  { description: 'The effect of lifting this limit. The planner of the sender simulates the campaign with and without it.' },
)

const WaitingReason = strict({
  reason: oneOf(HOLD_REASONS, { description: 'Why these leads wait.' }),
  count: about(Count, 'How many leads wait for this reason.'),
  nextAttemptAt: nullable(DateTime),
  text: about(Type.String(), 'The reason in words.'),
  fix: nullable(Fix),
  ifLifted: nullable(IfLifted),
})

export const SendingStatus = namedObject('SendingStatus', {
  campaignId: Uuid,
  workspaceId: Uuid,
  status: oneOf(CAMPAIGN_STATUSES),
  attentionReason: about(nullable(Type.String()), 'Why the campaign needs attention; null otherwise.'),
  trackOpens: Type.Boolean(),
  trackClicks: Type.Boolean(),
  readyCount: Type.Integer({ minimum: 0, description: 'Messages that may be sent at this moment.' }),
  inFlightCount: about(Count, 'Messages that are being sent.'),
  assumedCount: Type.Integer({
    minimum: 0,
    description: 'Messages that count as sent although their outcome is unknown. They are not sent again, to avoid duplicates.',
  }),
  unknownCount: Type.Integer({ minimum: 0, description: 'Messages whose outcome is not known yet.' }),
  nextAttemptAt: nullable(DateTime),
  summary: Type.String({ description: 'A summary in one line.' }),
  reasons: about(Type.Array(WaitingReason), 'Why the other leads wait, most leads first.'),
  mailboxes: about(
    Type.Array(
      strict({
        id: Uuid,
        name: Type.String(),
        status: Type.String(),
        sentToday: about(Count, 'Messages sent today.'),
        limitToday: about(Count, 'Messages allowed today.'),
        nextSlotAt: nullable(DateTime),
      }),
    ),
    'The mailboxes of the campaign today.',
  ),
  links: CampaignLinks,
})

export const PreviewRequest = namedObject('PreviewRequest', {
  step: Step,
  leadId: Type.Optional({
    ...Uuid,
    description: 'Defaults to the first lead of the campaign, or to an invented lead when there is none.',
  }),
  variantId: Type.Optional({ ...Uuid, description: 'Defaults to the variant that the lead would receive.' }),
  steps: Type.Optional({
    ...NewSequence.properties.steps,
    description: 'Steps to try out instead of the saved sequence. They are not saved.',
  }),
})
export type PreviewRequest = Static<typeof PreviewRequest>

export const Preview = namedObject('Preview', {
  campaignId: Uuid,
  leadId: nullable(Uuid),
  step: Step,
  variantId: Uuid,
  from: about(Type.String(), 'The sender.'),
  to: about(Type.String(), 'The recipient.'),
  subject: Type.String(),
  text: Type.String(),
  html: nullable(Type.String()),
  headers: about(Type.Array(strict({ name: Type.String(), value: Type.String() })), 'The headers of the message.'),
  optOut: about(
    nullable(
      strict({
        line: about(Type.String(), 'The sentence.'),
        language: oneOf(['en', 'de', 'fr', 'es'], {
          description: 'The language of the lead, if its variable `language` is set, or else the language of the text.',
        }),
        source: oneOf(['campaign', 'workspace', 'built_in'], { description: 'Where the sentence comes from.' }),
      }),
    ),
    'The sentence that explains how to unsubscribe.',
  ),
  scoreHints: Type.Array(
    strict({
      code: Type.String(),
      points: about(Type.Number({ minimum: 0 }), 'The points that a spam filter may add.'),
      message: Type.String(),
    }),
    {
      description:
        'Properties of the message that raise its spam score, most serious first, including the tracking of the campaign. The list comes from built-in rules. An empty list is best.',
    },
  ),
  links: CampaignLinks,
})

const Rate = Type.Number({ minimum: 0, maximum: 1 })

export const VariantComparison = namedObject('VariantComparison', {
  campaignId: Uuid,
  workspaceId: Uuid,
  steps: Type.Array(
    strict({
      step: Step,
      verdict: about(
        oneOf(['only_variant', 'not_enough_data', 'no_clear_difference', 'clear_winner']),
        'Whether one variant is better with 95% confidence.',
      ),
      winnerVariantId: about(nullable(Uuid), 'The better variant; null without a clear winner.'),
      message: about(Type.String(), 'The verdict in words.'),
      variants: Type.Array(
        strict({
          variantId: Uuid,
          subject: nullable(Type.String()),
          weight: Type.Integer(),
          sentCount: about(Count, 'Messages sent with this variant.'),
          replyCount: about(Count, 'Replies to this variant.'),
          positiveReplyCount: about(Count, 'Positive replies to this variant.'),
          positiveReplyRate: about(Rate, 'Positive replies per message sent.'),
          interval: about(
            strict({ low: about(Rate, 'The lower end.'), high: about(Rate, 'The upper end.') }),
            'The 95% confidence interval of the rate (Wilson).',
          ),
        }),
      ),
    }),
  ),
  links: CampaignLinks,
})

const horizonDays = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 365, description: 'How many days to look ahead. Default: 365.', examples: [30] }),
)
export const SimulationQuery = strict({ horizonDays })

export const SimulationRequest = namedObject(
  'SimulationRequest',
  {
    horizonDays,
    schedule: Type.Optional({
      ...ScheduleUpdate,
      description: 'The same fields as for an update. Fields that are left out stay as they are.',
    }),
    providerId: Type.Optional(Uuid),
    rotationProviderIds: MailboxesUpdate.properties.rotationProviderIds,
    contactRules: Type.Optional({ ...ContactOverrides, description: 'Instead of the rules of the campaign.' }),
    steps: Type.Optional({ ...NewSequence.properties.steps, description: 'Replaces the sequence for leads that have not started.' }),
  },
  {
    description:
      'All fields except `horizonDays` are changes to try out. The simulation applies them. The campaign itself does not change.',
  },
)

export const SimulationResult = namedObject('Simulation', {
  campaignId: Uuid,
  workspaceId: Uuid,
  sends: Type.Integer({ minimum: 0, description: 'All planned messages.' }),
  startsAt: about(nullable(DateTime), 'When the first message would be sent.'),
  endsAt: about(nullable(DateTime), 'When the last message would be sent.'),
  days: about(
    Type.Array(
      strict({
        date: Type.String({ description: 'In the time zone of the campaign.' }),
        total: about(Count, 'Messages on this day.'),
        byMailbox: about(Type.Record(Type.String(), Count), 'Messages by the id of the mailbox.'),
        byStep: about(Type.Array(Count), 'Messages by step.'),
      }),
    ),
    'The days on which messages would be sent.',
  ),
  bindingLimit: about(
    strict({ code: Type.String(), message: Type.String() }),
    'The limit that delays the campaign most: without it, the campaign would end soonest.',
  ),
  notSent: Type.Array(
    strict({
      reason: about(Type.String(), 'The code of the reason.'),
      count: Count,
      messages: about(Count, 'How many messages they do not get.'),
      text: Type.String(),
    }),
    {
      description:
        'Leads that do not get all their messages, by reason, and the messages that they do not get. `missing_variable`: they cannot get a step, but get the steps before it.',
    },
  ),
  truncated: Type.Boolean({ description: 'True when there are more messages than the horizon shows.' }),
  lacks: nullable(
    Type.Array(
      strict({
        step: Step,
        variable: about(nullable(Type.String()), 'The variable without a value; null if the template fails.'),
        count: Count,
        text: Type.String(),
      }),
      {
        description:
          'The number of leads without a value that the emails need. Only present when you try out changes. For the saved campaign, `validate` returns it.',
      },
    ),
  ),
  links: CampaignLinks,
})

export const TimelineEntry = namedObject('TimelineEntry', {
  id: Uuid,
  type: about(Type.String(), 'The type of the event, `decision.waiting` for a reason why nothing was sent, or `lead.added`.'),
  timestamp: DateTime,
  data: about(Type.Record(Type.String(), Type.Unknown()), 'The data of the event, or the reason.'),
  links: Links,
})

const FAILURE_RULES = [
  'leads_missing',
  'leads_all_suppressed',
  'sequence_missing',
  'sequence_step_invalid',
  'schedule_missing',
  'schedule_expired',
  'provider_missing',
  'provider_disconnected',
  'sender_identity_missing',
  'domain_health',
  'status_not_activatable',
] as const
const OTHER_WARNINGS = ['follow_up_without_delay', 'domain_health', 'tracking_host_failing'] as const
const WARNING_RULES = ['missing_variable', 'template', 'suppressed', 'bad_address', ...CONTACT_REASONS, ...OTHER_WARNINGS] as const

export const Readiness = namedObject('Readiness', {
  campaignId: Uuid,
  workspaceId: Uuid,
  ready: Type.Boolean({
    description:
      'True without failures: `activate` or `resume` would succeed now. For an active campaign, which needs neither: nothing is wrong with it.',
  }),
  failures: Type.Array(
    strict({
      rule: about(oneOf(FAILURE_RULES), 'The code of the rule. Failures are listed in this order.'),
      message: Type.String(),
    }),
    {
      description: 'The problems that prevent the start. Empty when the campaign is ready.',
    },
  ),
  warnings: Type.Array(
    strict({
      rule: about(oneOf(WARNING_RULES), 'The code of the rule.'),
      message: Type.String(),
      count: Type.Integer({
        minimum: 0,
        description:
          'The number of leads affected; 0 when it does not concern leads. The count stops at 10,000, and the message then says "at least".',
      }),
      examples: about(
        Type.Array(strict({ leadId: Uuid, email: Type.String() }), { maxItems: 5 }),
        'Up to five of the leads, for tokens with `leads:read`.',
      ),
    }),
  ),
  links: CampaignLinks,
})
