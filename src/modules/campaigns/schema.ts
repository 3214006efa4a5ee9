import {
  about,
  Count,
  DateTime,
  Links,
  line,
  NOT_BLANK,
  namedObject,
  nameOf,
  nullable,
  oneOf,
  strict,
  Url,
  Uuid,
} from '../../http/schema.ts'
import { type Static, Type } from '../../lib/type.ts'
import { ContactOverrides, ContactRules } from '../workspaces/schema.ts'

export const CAMPAIGN_STATUSES = ['draft', 'active', 'paused', 'completed', 'archived', 'attention_needed'] as const
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number]
export const DISPLAY_STATUSES = ['active', 'archived'] as const
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof WEEKDAYS)[number]
const UNSUBSCRIBE_WAYS = ['header', 'link', 'reply-line'] as const
export type UnsubscribeWay = (typeof UNSUBSCRIBE_WAYS)[number]

const Rate = Type.Number({ minimum: 0, description: 'A fraction with four decimals; 0 when nothing was sent.' })

const CampaignMetrics = namedObject('CampaignMetrics', {
  openCount: about(Count, 'Opens by people; 0 unless opens are tracked.'),
  uniqueOpenCount: about(Count, 'Leads who opened a message.'),
  linkClickCount: about(Count, 'Clicks by people; 0 unless clicks are tracked.'),
  replyCount: about(Count, 'Replies by people, without automatic ones.'),
  uniqueReplyCount: about(Count, 'Leads who replied.'),
  bouncedCount: about(Count, 'Leads whose address bounced.'),
  unsubscribedCount: about(Count, 'Leads who unsubscribed.'),
  emailsSentCount: about(Count, 'Messages sent, including those that are assumed to be.'),
  newLeadsContactedCount: about(Count, 'Leads who got their first message today, in the time zone of the campaign.'),
  contactedLeadsCount: about(Count, 'Leads who got their first message.'),
  totalOpportunities: about(Count, 'Leads who became interested, or got a later status.'),
  totalInterested: about(Count, 'Leads who became `interested`, without those whose reply was corrected.'),
  totalMeetingBooked: about(Count, 'Leads who became `meeting_booked`.'),
  totalMeetingCompleted: about(Count, 'Leads who became `meeting_completed`.'),
  totalClosed: about(Count, 'Leads who became `closed`.'),
  totalOpportunityValue: about(Type.Number(), 'The sum of all opportunity values.'),
  openRate: Rate,
  replyRate: Rate,
  bounceRate: Rate,
  meetingBookingRate: Rate,
  snapshotAt: about(DateTime, 'When the counts were read.'),
})

const Unsubscribe = oneOf(UNSUBSCRIBE_WAYS, {
  description:
    'How a recipient unsubscribes. `header` (default): List-Unsubscribe headers, with one-click unsubscribe when this service has an https address, and a link in the footer. Google and Yahoo require one-click unsubscribe from everyone who sends 5,000 or more messages a day to their users. However, mail servers send no automatic replies (Sieve `vacation`, RFC 5230) to messages with list headers, so you do not receive out-of-office replies. `link`: only the link in the footer, without list headers. Automatic replies arrive, but the requirement for one-click unsubscribe is not met. `reply-line`: neither headers nor link. The footer asks the recipient to reply "stop", and Overture honors that reply. This is the most personal form. Use it only for small numbers of first contacts.',
})
const OptOutText = nullable(
  Type.String({
    maxLength: 500,
    format: NOT_BLANK,
    description:
      'The sentence in the footer: before the link, or in place of the sentence that asks for a reply. Null: the built-in sentence in the language of the lead.',
  }),
)

export const Campaign = namedObject('Campaign', {
  id: Uuid,
  workspaceId: Uuid,
  name: Type.String(),
  status: about(oneOf(CAMPAIGN_STATUSES), '`attention_needed`: stopped by a problem that a person must solve.'),
  displayStatus: about(oneOf(DISPLAY_STATUSES), '`archived` for an archived campaign, `active` for any other.'),
  providerId: nullable(Uuid),
  pipelineId: nullable(Uuid),
  salesPersonId: nullable(Uuid),
  startDate: nullable(DateTime),
  endDate: nullable(DateTime),
  leadListName: nullable(Type.String()),
  sourceUrl: nullable(Type.String()),
  niche: nullable(Type.String()),
  location: nullable(Type.String()),
  jobTitle: nullable(Type.String()),
  companySize: nullable(Type.String()),
  industry: nullable(Type.String()),
  trackOpens: Type.Boolean(),
  trackClicks: Type.Boolean(),
  unsubscribe: Unsubscribe,
  optOutText: OptOutText,
  rotationProviderIds: about(Type.Array(Uuid), 'Further mailboxes. New leads rotate across all mailboxes.'),
  contactRules: { ...ContactOverrides, description: 'The rules that the campaign overrides. All others come from the workspace.' },
  effectiveContactRules: about(ContactRules, 'The rules that apply: those of the campaign, or else of the workspace.'),
  totalLeads: about(Count, 'How many leads the campaign has.'),
  metrics: CampaignMetrics,
  createdAt: DateTime,
  updatedAt: about(DateTime, 'When it was last changed. Changes of the campaign, its sequence and its settings need it as `if-match`.'),
  links: Links,
})

/** The result of an operation that creates or changes a campaign. */
export const CampaignResult = namedObject('CampaignResult', { campaign: Campaign })
export const CampaignCopy = namedObject('CampaignCopy', { sourceCampaignId: Uuid, campaign: Campaign })

export const CampaignLinks = strict({ self: Url, campaign: Url })

export const MetricsResult = namedObject('MetricsResult', {
  campaignId: Uuid,
  workspaceId: Uuid,
  metrics: CampaignMetrics,
  links: CampaignLinks,
})

const Clock = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'HH:mm', examples: ['09:00'] })
const TimeWindow = about(
  strict({ start: Clock, end: Clock }),
  'Messages are sent from `start` until just before `end`, which must be later. A window until `23:59` ends with the day, so `00:00` to `23:59` is the whole day.',
)
const Days = Type.Array(oneOf(WEEKDAYS), { minItems: 1, maxItems: 7, uniqueItems: true })

const UseLeadTimezone = Type.Boolean({
  description:
    'Uses the time zone of the lead for the days and hours, when it is known, and `timezone` for other leads. Delays are counted in the same time zone. Defaults to false.',
})

export const Schedule = namedObject('Schedule', {
  campaignId: Uuid,
  daysOfWeek: nullable(Days),
  timeWindow: nullable(TimeWindow),
  timezone: nullable(Type.String()),
  useLeadTimezone: UseLeadTimezone,
  startDate: nullable(DateTime),
  endDate: nullable(DateTime),
  links: CampaignLinks,
})

const Text255 = nullable(line({ maxLength: 255 }))

/** The name, tracking and labels of a campaign: nothing that decides when or from where it sends. */
const settings = {
  leadListName: Type.Optional(Text255),
  niche: Type.Optional(Text255),
  location: Type.Optional(Text255),
  jobTitle: Type.Optional(Text255),
  companySize: Type.Optional(Text255),
  industry: Type.Optional(Text255),
  sourceUrl: Type.Optional(nullable(Type.String({ format: 'uri', maxLength: 2048 }))),
  pipelineId: Type.Optional(nullable(Uuid)),
  salesPersonId: Type.Optional(nullable(Uuid)),
  trackOpens: Type.Optional(
    Type.Boolean({
      description: 'Adds an open pixel to emails. Off by default, because it raises the spam score and turns plain text into HTML.',
    }),
  ),
  trackClicks: Type.Optional(
    Type.Boolean({
      description:
        'Redirects links through this service to count clicks. Off by default. In HTML, a link whose visible text is an address is never rewritten, so it is not tracked.',
    }),
  ),
  unsubscribe: Type.Optional(Unsubscribe),
  optOutText: Type.Optional(OptOutText),
  contactRules: Type.Optional({
    ...ContactOverrides,
    description:
      'Rules across the campaigns of the workspace. They override the rules of the workspace and are replaced as a whole: a rule that you leave out comes from the workspace.',
  }),
}

const Rotation = Type.Array(Uuid, {
  maxItems: 50,
  uniqueItems: true,
  description:
    'Mailboxes in addition to `providerId`. Of the mailboxes that can send now, the one that has used the smallest share of its daily cap sends a first message. No mailbox waits for another. Those with the same gap share new leads evenly, and one with a shorter gap gets more of them.',
})

const ScheduleExample = {
  daysOfWeek: ['monday', 'tuesday', 'thursday'],
  timeWindow: { start: '09:00', end: '17:00' },
  timezone: 'Europe/Berlin',
}
export const ScheduleUpdate = namedObject(
  'ScheduleUpdate',
  {
    daysOfWeek: Type.Optional(Days),
    timeWindow: Type.Optional(TimeWindow),
    timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'An IANA name, like Europe/Berlin.' })),
    useLeadTimezone: Type.Optional(UseLeadTimezone),
    startDate: Type.Optional(nullable(DateTime)),
    endDate: Type.Optional(nullable(DateTime)),
  },
  {
    description:
      'Send the three fields of the window together: they replace it. The dates and `useLeadTimezone` stay unless you send them. `endDate` must be after `startDate`.',
    examples: [ScheduleExample],
  },
)

/** The fields that can be set at creation and changed while the campaign is a draft. */
const configuration = {
  ...settings,
  providerId: Type.Optional(nullable(Uuid)),
  rotationProviderIds: Type.Optional(Rotation),
  startDate: Type.Optional(nullable(DateTime)),
  endDate: Type.Optional(nullable(DateTime)),
  schedule: Type.Optional(ScheduleUpdate),
}

export const CampaignName = nameOf(1000, '1 to 200 characters after trimming.')

export const NewCampaign = namedObject(
  'NewCampaign',
  { name: CampaignName, ...configuration },
  { examples: [{ name: 'Spring', schedule: ScheduleExample }] },
)
export const CampaignPatch = namedObject('CampaignPatch', { name: Type.Optional(CampaignName), ...configuration })
export type CampaignPatch = Static<typeof CampaignPatch>

// The same in three parts, for a campaign that may be running.
export const SettingsUpdate = namedObject(
  'SettingsUpdate',
  { name: Type.Optional(CampaignName), ...settings },
  { examples: [{ name: 'Spring', trackOpens: false }] },
)
export type SettingsUpdate = Static<typeof SettingsUpdate>
export const MailboxesUpdate = namedObject('MailboxesUpdate', {
  providerId: Type.Optional(Uuid),
  rotationProviderIds: Type.Optional(Rotation),
  moveThreads: Type.Optional(
    Type.Boolean({
      description:
        'Leads that a removed mailbox has emailed continue from another mailbox, in a new thread. Without this field, they stay with their mailbox as long as it exists.',
    }),
  ),
})
