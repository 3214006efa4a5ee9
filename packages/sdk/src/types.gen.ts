// Generated from openapi.json by `npm run generate`. Do not edit.

export interface EventBase {
  /** The id of this resource. */
  id: string
  /** When it happened. */
  timestamp: string
  /** The workspace. */
  workspaceId: string
  /** The number of the event within the workspace: consecutive, in the order in which the events happened. */
  seq: number
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface OperationBase {
  /** The id of this resource. */
  id: string
  /** A failed operation is returned with HTTP 200, too: read this field. */
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  actor: Actor
  /** Why it failed; null otherwise. */
  error: OperationError | null
  /** When it was created. */
  createdAt: string
  /** When a worker started it; null until then. */
  startedAt: string | null
  /** Not before the `updatedAt` of what the operation has changed. */
  completedAt: string | null
  /** The URLs of this resource and of related ones. */
  links: Links
}

/** The caller who requested it. */
export interface Actor {
  /** `user`: a person. `token`: a workspace key. `system`: Overture itself. */
  type: 'user' | 'token' | 'system'
  /** The id of the person or of the workspace key; null for the service itself. */
  id: string | null
  /** The name of the user or of the workspace key. */
  name: string
}

export interface AiSdrPositiveReplyData {
  /** The lead. */
  leadId: string
  /** The campaign. */
  campaignId: string
  /** The email address. */
  email: string | null
  /** The sent message. */
  sendId: string | null
  /** The step of the sequence, counted from 0. */
  step: number | null
  /** The reply. */
  replyId: string
  /** The confidence of the classification. */
  confidence: number | null
  /** The subject. Null in a step: it continues the thread of the step before. */
  subject: string | null
  /** The beginning of the reply, at most 2,000 characters. */
  text: string | null
  /** The full name. If it is missing, it is made from the first and last name. */
  fullName: string | null
  /** The name of the company. */
  company: string | null
  /** The job title. */
  jobTitle: string | null
}

/** A reply shows interest. `email.replied` is recorded as well. */
export interface AiSdrPositiveReplyEvent extends EventBase {
  /** The type of the event. */
  type: 'ai_sdr.positive_reply'
  /** The requested resource, or the resources of the page. */
  data: AiSdrPositiveReplyData
}

export interface AnswerOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'reply.answer'
  /** The result of a successful operation; null otherwise. */
  result: AnswerResult | null
}

export interface AnswerResult {
  /** The reply. */
  replyId: string
  /** The sent message. */
  sendId: string
  /** The Message-ID of the message. */
  messageId: string | null
  /** When it was sent. */
  sentAt: string | null
  /** How Overture resolved the outcome, if it was unknown whether the answer was sent. */
  reconciled: string | null
}

export interface Attachment {
  /** The id of this resource. */
  id: string
  /** The name that the sender gave, without folders and invisible characters. */
  filename: string
  /** The type that the sender stated. The service does not check the content. */
  contentType: string
  /** The size in bytes. */
  sizeBytes: number
  /** False when it exceeds the 10 MB of attachments that are kept of one message. */
  isKept: boolean
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface AuditEntry {
  /** Also the id of the operation. */
  id: string
  /** The action, like `campaign.pause`, `session.create` or `team.invite`. */
  action: string
  /** The status of the operation. */
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  actor: Actor
  /** The campaign. */
  campaignId: string | null
  /** When it was created. */
  createdAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface AuditEntryEnvelope {
  /** The requested resource, or the resources of the page. */
  data: AuditEntry
}

export interface AuditEntryPage {
  /** The requested resource, or the resources of the page. */
  data: AuditEntry[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface BulkSuppressionResult {
  /** How many are new. */
  createdCount: number
  /** Values that were suppressed before, and keep their entry and its reason, or that are in the list more than once. */
  existingCount: number
  /** Rows that are neither an address nor a domain. The other rows are suppressed. */
  invalid: {
    /** The position in the list of the request, counted from 0. */
    index: number
    /** The reason. */
    reason: string
  }[]
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface BulkSuppressionResultEnvelope {
  /** The requested resource, or the resources of the page. */
  data: BulkSuppressionResult
}

export interface Campaign {
  /** The id of this resource. */
  id: string
  /** The workspace. */
  workspaceId: string
  /** The name of the campaign. */
  name: string
  /** `attention_needed`: stopped by a problem that a person must solve. */
  status: 'draft' | 'active' | 'paused' | 'completed' | 'archived' | 'attention_needed'
  /** `archived` for an archived campaign, `active` for any other. */
  displayStatus: 'active' | 'archived'
  /** The mailbox. */
  providerId: string | null
  /** The id of a pipeline in your CRM. */
  pipelineId: string | null
  /** The id of a sales person in your CRM. */
  salesPersonId: string | null
  /** No message is sent before this time. Null: at once. Must be before the year 9999. */
  startDate: string | null
  /** No message is sent after this time. Null: no end. Must be after `startDate`. */
  endDate: string | null
  /** A name for the list that the leads come from. */
  leadListName: string | null
  /** The page that the leads come from, as an http or https URL. */
  sourceUrl: string | null
  /** A label for the niche. */
  niche: string | null
  /** A label for the location. It does not filter. */
  location: string | null
  /** The job title. */
  jobTitle: string | null
  /** A label for the size of the companies. It does not filter. */
  companySize: string | null
  /** The industry. */
  industry: string | null
  /** Whether opens are tracked. */
  trackOpens: boolean
  /** Whether links are tracked. */
  trackClicks: boolean
  /** How a recipient unsubscribes. `header` (default): List-Unsubscribe headers, with one-click unsubscribe when this service has an https address, and a link in the footer. Google and Yahoo require one-click unsubscribe from everyone who sends 5,000 or more messages a day to their users. However, mail servers send no automatic replies (Sieve `vacation`, RFC 5230) to messages with list headers, so you do not receive out-of-office replies. `link`: only the link in the footer, without list headers. Automatic replies arrive, but the requirement for one-click unsubscribe is not met. `reply-line`: neither headers nor link. The footer asks the recipient to reply "stop", and Overture honors that reply. This is the most personal form. Use it only for small numbers of first contacts. */
  unsubscribe: 'header' | 'link' | 'reply-line'
  /** The sentence in the footer: before the link, or in place of the sentence that asks for a reply. Null: the built-in sentence in the language of the lead. */
  optOutText: string | null
  /** Further mailboxes. New leads rotate across all mailboxes. */
  rotationProviderIds: string[]
  contactRules: ContactOverrides
  effectiveContactRules: ContactRules
  /** How many leads the campaign has. */
  totalLeads: number
  /** The results of the campaign. */
  metrics: CampaignMetrics
  /** When it was created. */
  createdAt: string
  /** When it was last changed. Changes of the campaign, its sequence and its settings need it as `if-match`. */
  updatedAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

/** A campaign was activated. */
export interface CampaignActivatedEvent extends EventBase {
  /** The type of the event. */
  type: 'campaign.activated'
  /** The requested resource, or the resources of the page. */
  data: CampaignStatusChange
}

/** A campaign was archived. */
export interface CampaignArchivedEvent extends EventBase {
  /** The type of the event. */
  type: 'campaign.archived'
  /** The requested resource, or the resources of the page. */
  data: CampaignStatusChange
}

/** A campaign has stopped and needs your attention. `reason` explains why. */
export interface CampaignAttentionNeededEvent extends EventBase {
  /** The type of the event. */
  type: 'campaign.attention_needed'
  /** The requested resource, or the resources of the page. */
  data: CampaignStatusChange
}

/** A campaign has completed: its end date has passed, or every lead is final. After its last message, a lead is final when the time to reply has passed. This is as long as the delay of the last step, but at least one business day. */
export interface CampaignCompletedEvent extends EventBase {
  /** The type of the event. */
  type: 'campaign.completed'
  /** The requested resource, or the resources of the page. */
  data: CampaignStatusChange
}

export interface CampaignCopy {
  /** The campaign that is copied. */
  sourceCampaignId: string
  /** The campaign. */
  campaign: Campaign
}

export interface CampaignCopyOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'campaign.duplicate'
  /** The result of a successful operation; null otherwise. */
  result: CampaignCopy | null
}

export interface CampaignEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Campaign
}

export interface CampaignMetrics {
  /** Opens by people; 0 unless opens are tracked. */
  openCount: number
  /** Leads who opened a message. */
  uniqueOpenCount: number
  /** Clicks by people; 0 unless clicks are tracked. */
  linkClickCount: number
  /** Replies by people, without automatic ones. */
  replyCount: number
  /** Leads who replied. */
  uniqueReplyCount: number
  /** Leads whose address bounced. */
  bouncedCount: number
  /** Leads who unsubscribed. */
  unsubscribedCount: number
  /** Messages sent, including those that are assumed to be. */
  emailsSentCount: number
  /** Leads who got their first message today, in the time zone of the campaign. */
  newLeadsContactedCount: number
  /** Leads who got their first message. */
  contactedLeadsCount: number
  /** Leads who became interested, or got a later status. */
  totalOpportunities: number
  /** Leads who became `interested`, without those whose reply was corrected. */
  totalInterested: number
  /** Leads who became `meeting_booked`. */
  totalMeetingBooked: number
  /** Leads who became `meeting_completed`. */
  totalMeetingCompleted: number
  /** Leads who became `closed`. */
  totalClosed: number
  /** The sum of all opportunity values. */
  totalOpportunityValue: number
  /** A fraction with four decimals; 0 when nothing was sent. */
  openRate: number
  /** A fraction with four decimals; 0 when nothing was sent. */
  replyRate: number
  /** A fraction with four decimals; 0 when nothing was sent. */
  bounceRate: number
  /** A fraction with four decimals; 0 when nothing was sent. */
  meetingBookingRate: number
  /** When the counts were read. */
  snapshotAt: string
}

export interface CampaignOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'campaign.create' | 'campaign.update' | 'campaign.update_schedule' | 'campaign.update_mailboxes' | 'campaign.update_settings' | 'campaign.activate' | 'campaign.pause' | 'campaign.resume' | 'campaign.archive' | 'campaign.unarchive'
  /** The result of a successful operation; null otherwise. */
  result: CampaignResult | null
}

export interface CampaignPage {
  /** The requested resource, or the resources of the page. */
  data: Campaign[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface CampaignPatch {
  /** 1 to 200 characters after trimming. */
  name?: string
  /** A name for the list that the leads come from. */
  leadListName?: string | null
  /** A label for the niche. */
  niche?: string | null
  /** A label for the location. It does not filter. */
  location?: string | null
  /** The job title. */
  jobTitle?: string | null
  /** A label for the size of the companies. It does not filter. */
  companySize?: string | null
  /** The industry. */
  industry?: string | null
  /** The page that the leads come from, as an http or https URL. */
  sourceUrl?: string | null
  /** The id of a pipeline in your CRM. */
  pipelineId?: string | null
  /** The id of a sales person in your CRM. */
  salesPersonId?: string | null
  /** Adds an open pixel to emails. Off by default, because it raises the spam score and turns plain text into HTML. */
  trackOpens?: boolean
  /** Redirects links through this service to count clicks. Off by default. In HTML, a link whose visible text is an address is never rewritten, so it is not tracked. */
  trackClicks?: boolean
  /** How a recipient unsubscribes. `header` (default): List-Unsubscribe headers, with one-click unsubscribe when this service has an https address, and a link in the footer. Google and Yahoo require one-click unsubscribe from everyone who sends 5,000 or more messages a day to their users. However, mail servers send no automatic replies (Sieve `vacation`, RFC 5230) to messages with list headers, so you do not receive out-of-office replies. `link`: only the link in the footer, without list headers. Automatic replies arrive, but the requirement for one-click unsubscribe is not met. `reply-line`: neither headers nor link. The footer asks the recipient to reply "stop", and Overture honors that reply. This is the most personal form. Use it only for small numbers of first contacts. */
  unsubscribe?: 'header' | 'link' | 'reply-line'
  /** The sentence in the footer: before the link, or in place of the sentence that asks for a reply. Null: the built-in sentence in the language of the lead. */
  optOutText?: string | null
  /** Rules across the campaigns of the workspace. They override the rules of the workspace and are replaced as a whole: a rule that you leave out comes from the workspace. */
  contactRules?: ContactOverrides
  /** The mailbox. */
  providerId?: string | null
  /** Mailboxes in addition to `providerId`. Of the mailboxes that can send now, the one that has used the smallest share of its daily cap sends a first message. No mailbox waits for another. Those with the same gap share new leads evenly, and one with a shorter gap gets more of them. */
  rotationProviderIds?: string[]
  /** No message is sent before this time. Null: at once. Must be before the year 9999. */
  startDate?: string | null
  /** No message is sent after this time. Null: no end. Must be after `startDate`. */
  endDate?: string | null
  schedule?: ScheduleUpdate
}

/** A campaign was paused. It sends no message. */
export interface CampaignPausedEvent extends EventBase {
  /** The type of the event. */
  type: 'campaign.paused'
  /** The requested resource, or the resources of the page. */
  data: CampaignStatusChange
}

export interface CampaignResult {
  /** The campaign. */
  campaign: Campaign
}

/** A paused campaign was resumed. */
export interface CampaignResumedEvent extends EventBase {
  /** The type of the event. */
  type: 'campaign.resumed'
  /** The requested resource, or the resources of the page. */
  data: CampaignStatusChange
}

export interface CampaignStatusChange {
  /** The campaign. */
  campaignId: string
  /** The name. */
  name: string
  /** The previous status. */
  from: string
  /** The new status. */
  to: string
  /** Why the status changed. */
  reason?: string
  /** The user or the workspace key that requested the change, if one did. */
  actorId?: string
}

/** A campaign was unarchived. */
export interface CampaignUnarchivedEvent extends EventBase {
  /** The type of the event. */
  type: 'campaign.unarchived'
  /** The requested resource, or the resources of the page. */
  data: CampaignStatusChange
}

export interface CampaignUpdatedData {
  /** The campaign. */
  campaignId: string
  /** The name. */
  name: string
  /** The names of the fields that changed. */
  changed: string[]
  /** The user or the workspace key that requested the change, if one did. */
  actorId?: string
}

/** Settings, schedule, mailboxes or sequence of a campaign have changed. */
export interface CampaignUpdatedEvent extends EventBase {
  /** The type of the event. */
  type: 'campaign.updated'
  /** The requested resource, or the resources of the page. */
  data: CampaignUpdatedData
}

export interface ClockAdvance {
  /** `target`: the time was reached. `idle`: nothing more is planned. `limit`: send the request again to continue. */
  stoppedBy: 'target' | 'idle' | 'limit'
  /** The time before. */
  from: string
  /** The time now. */
  to: string
  /** Messages sent in the meantime. */
  sentCount: number
  /** Opens. */
  openedCount: number
  /** Clicks. */
  clickedCount: number
  /** Replies. */
  repliedCount: number
  /** Automatic replies. */
  autoRepliedCount: number
  /** Messages that bounced. */
  bouncedCount: number
}

export interface ClockAdvanceOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'sandbox.advance_clock'
  /** The result of a successful operation; null otherwise. */
  result: ClockAdvance | null
}

export interface Consent {
  /** The id of this resource. */
  id: string
  /** The workspace. */
  workspaceId: string
  /** The mailbox. Null until a new mailbox has been created. */
  providerId: string | null
  /** The issuer that signs the owner of the mailbox in. */
  issuer: 'google' | 'microsoft'
  /** `browser`: by a URL. `device`: by a code on another device. */
  flow: 'browser' | 'device'
  /** `granted`: the mailbox can sign in. */
  status: 'open' | 'granted' | 'refused' | 'expired'
  /** The reason for the refusal. */
  reason: string | null
  /** The address that gave consent. */
  account: string | null
  /** The URL to open in the browser. Only the response to the request that starts the consent contains it. */
  authorizationUrl: string | null
  /** The code to type in and the URL to open. Only the response to the request that starts the consent contains them. Then poll with `POST …/poll`, at most once per interval. */
  device: {
    /** The code to type in. */
    userCode: string
    /** The page for the code. */
    verificationUri: string
    /** The least time between two polls. */
    intervalSeconds: number
  } | null
  /** When it was created. */
  createdAt: string
  /** When it expires. */
  expiresAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface ConsentEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Consent
}

/** The rules that the campaign overrides. All others come from the workspace. */
export interface ContactOverrides {
  /** A first message waits until no other campaign of the workspace has emailed the person for this many days. Null: it does not wait. */
  contactedElsewhereWithinDays?: number | null
  /** `hold`: if a person is in several active campaigns, only one of them emails the person at a time. That is the campaign that has emailed the person before, or else the one to which the person was added first. */
  inOtherActiveCampaign?: 'allow' | 'hold'
  /** The rule for other leads with the same domain after one of them has replied in any campaign: `pause` holds them, `stop` skips them. Providers of personal mailboxes, such as gmail.com, do not count as a company. */
  companyReplied?: 'ignore' | 'pause' | 'stop'
  /** The maximum number of people of one company in a sequence at the same time, across all campaigns. Null: no limit. */
  maxPerCompanyAtOnce?: number | null
}

/** The rules that apply: those of the campaign, or else of the workspace. */
export interface ContactRules {
  /** A first message waits until no other campaign of the workspace has emailed the person for this many days. Null: it does not wait. */
  contactedElsewhereWithinDays: number | null
  /** `hold`: if a person is in several active campaigns, only one of them emails the person at a time. That is the campaign that has emailed the person before, or else the one to which the person was added first. */
  inOtherActiveCampaign: 'allow' | 'hold'
  /** The rule for other leads with the same domain after one of them has replied in any campaign: `pause` holds them, `stop` skips them. Providers of personal mailboxes, such as gmail.com, do not count as a company. */
  companyReplied: 'ignore' | 'pause' | 'stop'
  /** The maximum number of people of one company in a sequence at the same time, across all campaigns. Null: no limit. */
  maxPerCompanyAtOnce: number | null
}

export interface CreditGrantOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'credits.grant'
  /** The result of a successful operation; null otherwise. */
  result: CreditGrantResult | null
}

export interface CreditGrantResult {
  entry: LedgerEntry
}

export interface Credits {
  /** All credits, including those that are held. */
  balance: number
  /** Credits reserved for running orders. */
  held: number
  /** Credits that can be spent: the balance without those that are held. */
  available: number
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface CreditsEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Credits
}

export interface CsvImportOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'campaign.import_csv'
  /** The result of a successful operation; null otherwise. */
  result: CsvImportResult | null
  /** During the import of a CSV file: the number of processed rows. Not included in lists. */
  doneCount?: number
}

export interface CsvImportResult {
  /** The campaign. */
  campaignId: string
  /** Leads that were added. */
  importedCount: number
  /** Rows about leads that the campaign already has, or that are listed twice. */
  duplicateCount: number
  /** Rows about suppressed people. They were not imported. */
  suppressedCount: number
  /** Existing entries that were updated. */
  updatedCount: number
  /** Invalid rows. They were not imported. */
  invalidCount: number
  /** The first 100 invalid rows, with the reason of each. */
  invalid: {
    /** The line in the file, counted from 1. */
    line: number
    /** The reason. */
    reason: string
  }[]
  /** Rows that were imported, but with a value that was ignored. One entry is for the columns of a file that were left out. */
  warningCount: number
  /** Possible problems. */
  warnings: {
    /** The line in the file, counted from 1. */
    line: number
    /** The reason. */
    reason: string
  }[]
  /** The URL of a file with all rejected rows. */
  rejectedRowsUrl: string | null
}

export interface CsvSuppressionResult {
  /** How many are new. */
  createdCount: number
  /** Values that were suppressed before, and keep their entry and its reason, or that are in the list more than once. */
  existingCount: number
  /** Invalid rows. They were not imported. */
  invalidCount: number
  /** The first 100 rows that cannot be read, or have neither an address nor a domain. The other rows are suppressed. */
  invalid: {
    /** The line in the file, counted from 1. */
    line: number
    /** The reason. */
    reason: string
  }[]
  /** Rows that were suppressed only in part. */
  warningCount: number
  /** The first 100 rows that were suppressed only in part: a domain next to an address, or lines inside a quoted cell. */
  warnings: {
    /** The line in the file, counted from 1. */
    line: number
    /** The reason. */
    reason: string
  }[]
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface CsvSuppressionResultEnvelope {
  /** The requested resource, or the resources of the page. */
  data: CsvSuppressionResult
}

export interface CsvTrial {
  /** Detected from the file. Cells that are not UTF-8 are read as Windows-1252. */
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
  /** The separator of the file. */
  delimiter: ',' | ';' | '	' | '|'
  /** To correct a column, send it in `mapping`. */
  columns: {
    /** The header in the file. */
    header: string
    /** A field of the lead, or the name of a variable. Null: the column is ignored. */
    target: string | null
  }[]
  /** The first rows of the file: at most 500 cells of each, cut after 200 characters. */
  firstRows: (string[])[]
  /** Rows, without the header. */
  rowCount: number
  /** Rows that can be imported. */
  validCount: number
  /** Invalid rows. They were not imported. */
  invalidCount: number
  /** The first 100 invalid rows, with the reason of each. */
  invalid: {
    /** The line in the file, counted from 1. */
    line: number
    /** The reason. */
    reason: string
  }[]
  /** Rows that can be imported without one of their values. */
  warningCount: number
  /** Possible problems. */
  warnings: {
    /** The line in the file, counted from 1. */
    line: number
    /** The reason. */
    reason: string
  }[]
}

/** One attempt to deliver one event to one endpoint. */
export interface Delivery {
  /** The id of this resource. */
  id: string
  /** The workspace. */
  workspaceId: string
  /** The webhook endpoint. */
  endpointId: string
  /** The event. */
  eventId: string
  /** The type of the event. */
  eventType: 'lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'provider.copies_failing' | 'provider.copies_stored' | 'tracking_host.verified' | 'tracking_host.failing' | 'provider.health_changed' | 'operation.succeeded' | 'operation.failed' | 'plan.proposed' | 'plan.approved' | 'plan.rejected' | 'plan.applied' | 'plan.failed' | 'webhook.test'
  /** The number of the attempt, from 1. */
  attempt: number
  /** `pending`: the attempt has not been made yet, or is being made. `failed`: `nextAttemptAt` says whether another one follows. */
  status: 'pending' | 'succeeded' | 'failed'
  /** The HTTP status of the receiver; null without a response. */
  responseStatus: number | null
  /** Why there was no response, or why the response does not count as success, for example `timeout` or `redirect`. `event_expired`: the event is no longer kept. */
  error: string | null
  /** How long the attempt took. */
  durationMs: number | null
  /** When the next attempt is made; null if none is planned. */
  nextAttemptAt: string | null
  /** When it was created. */
  createdAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface DeliveryEnvelope {
  data: Delivery
}

export interface DeliveryOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'webhook.test' | 'webhook.retry_delivery'
  /** The result of a successful operation; null otherwise. */
  result: DeliveryResult | null
}

export interface DeliveryPage {
  /** The requested resource, or the resources of the page. */
  data: Delivery[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface DeliveryResult {
  delivery: Delivery
}

export interface DirectoryCompany {
  /** The name of the company. */
  name?: string | null
  /** URL or domain. It distinguishes companies with the same name. */
  website?: string | null
  /** Slug or label. */
  industry?: string | null
  /** The number of employees. */
  employees?: number | null
  /** When the exact number is not known: `51-200`, `10001+`. */
  size?: string | null
  /** Headquarters: `Munich, Germany`. */
  location?: string | null
  /** The year in which it was founded. */
  founded?: number | null
  /** The revenue in a year, in `revenueCurrency`. */
  revenue?: number | null
  /** ISO 4217. */
  revenueCurrency?: string | null
  /** A value that `GET /lead-filters` lists. */
  fundingStage?: string | null
  /** All funding, in `fundingCurrency`. */
  fundingTotal?: number | null
  /** ISO 4217. */
  fundingCurrency?: string | null
  /** The day of the latest funding. */
  fundedAt?: string | null
  /** Technologies that it uses. */
  technologies?: string[]
  /** Your own tags. */
  tags?: string[]
  /** A description of the company. */
  description?: string | null
}

export interface DirectoryImport {
  /** The people. */
  people: DirectoryPerson[]
  /** The source of the records. It is stored with each record. */
  source?: string
}

export interface DirectoryImportOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'directory.import'
  /** The result of a successful operation; null otherwise. */
  result: DirectoryImportResult | null
}

export interface DirectoryImportResult {
  /** People who are new. */
  insertedCount: number
  /** Existing entries that were updated. */
  updatedCount: number
  /** People who were the same before. */
  unchangedCount: number
  /** The version of the directory after the import. */
  version: number
  /** Rows that were skipped. */
  rejectedCount: number
  /** The first 100 rows that were skipped. */
  rejected: {
    /** The position in the list of the request, counted from 0. */
    index: number
    /** The reason. */
    reason: string
  }[]
  /** The first 100 fields that were ignored because their value is not known. */
  unread: {
    /** The position in the list of the request, counted from 0. */
    index: number
    /** The name of the field. */
    field: string
  }[]
}

export interface DirectoryPerson {
  /** The email address. */
  email?: string | null
  /** A value that `GET /lead-filters` lists. Words such as `bounced` and `do_not_mail` count as `invalid`. `verified` is ignored when a workspace sends it: only our own check sets it. */
  emailStatus?: string | null
  /** A value that `GET /lead-filters` lists. */
  emailType?: string | null
  /** Ignored when a workspace sends it, like `verified`. */
  lastVerifiedAt?: string | null
  /** The first name. */
  firstName?: string | null
  /** The last name. */
  lastName?: string | null
  /** The full name. If it is missing, it is made from the first and last name. */
  fullName?: string | null
  /** The job title. */
  jobTitle?: string | null
  /** A value that `GET /lead-filters` lists. */
  seniority?: string | null
  /** A value that `GET /lead-filters` lists. */
  department?: string | null
  /** `Munich, Germany`. */
  location?: string | null
  /** The LinkedIn profile. */
  linkedinUrl?: string | null
  /** The phone number. */
  phone?: string | null
  /** The name of the company. */
  company?: DirectoryCompany
}

export interface DiscoveredSettings {
  /** How the settings were found. `preset`, `mx`: a known hosting provider, by the domain or by its mail server. `autoconfig`: a file that the domain publishes. `srv`: its service records. */
  source: 'preset' | 'mx' | 'autoconfig' | 'srv' | 'guess'
  /** The name of the hosting provider, if it is known. */
  hoster: string | null
  /** The settings. */
  settings: {
    /** The server that sends. */
    smtp: {
      /** The host name. */
      host: string
      /** The port. */
      port: number
      /** True: TLS from the first byte. False: STARTTLS. */
      secure: boolean
    }
    /** The server that receives. */
    imap: {
      /** The host name. */
      host: string
      /** The port. */
      port: number
      /** True: TLS from the first byte. False: STARTTLS. */
      secure: boolean
    } | null
  }
  /** The sign-in methods that the hosting provider accepts, best first. */
  signIn: ('password' | 'app_password' | 'oauth')[]
  /** A step that you must take first. */
  note: string | null
  /** Recommended limits for cold email. You can send them unchanged when you connect the mailbox. */
  limits: {
    /** The number of messages per day that the hosting provider allows for a mailbox, if it is published. */
    hosterPerDay: number | null
    /** The most messages that the mailbox sends in a day. */
    dailyCap: number
    /** The least time between two messages of the mailbox, in seconds. */
    minGapSeconds: number
    /** Raises the daily number of messages slowly. Null: no ramp. */
    ramp: {
      /** The daily number of messages on the first day. */
      startPerDay: number
      /** By how much the daily number grows each day. */
      increasePerDay: number
    }
  }
  /** Both servers respond and use encryption. Verify the mailbox to find out whether they accept the password. */
  works: boolean
  /** The problem, if there is one. */
  problem: string | null
}

/** The health of the domain. */
export interface DomainHealth {
  /** The mailbox. */
  providerId: string
  /** The workspace. */
  workspaceId: string
  /** The domain that the mailbox sends from. */
  domain: string
  /** The worst result of the checks: `fail`, then `warn`, then `unknown`. `pass` only when every check has passed. */
  status: 'pass' | 'warn' | 'fail' | 'unknown'
  /** Null before the first check. */
  checkedAt: string | null
  /** The result of each check. */
  checks: {
    /** The name of the check. */
    check: 'spf' | 'dkim' | 'dmarc' | 'mx' | 'reverse_name' | 'tracking_host'
    /** Why it matters, in one sentence. */
    why: string
    /** `pass`, `warn` or `fail`. `unknown`: the check could not be made. */
    status: 'pass' | 'warn' | 'fail' | 'unknown'
    /** The finding of the check. */
    found: string
    /** The next step, when the record alone does not explain it. */
    advice: string | null
    /** The DNS record to publish, if there is one. */
    record: {
      /** The type of the record. */
      type: 'TXT' | 'CNAME' | 'MX' | 'PTR'
      /** The name of the DNS record. */
      name: string
      /** The content of the DNS record. */
      value: string
    } | null
  }[]
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface DomainHealthEnvelope {
  data: DomainHealth
}

export interface DomainHealthOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'provider.check_health'
  /** The result of a successful operation; null otherwise. */
  result: DomainHealthResult | null
}

export interface DomainHealthResult {
  health: DomainHealth
}

export interface EmailAnsweredData {
  /** The lead. */
  leadId: string
  /** The campaign. */
  campaignId: string
  /** The email address. */
  email: string | null
  /** The sent message. */
  sendId: string
  /** The reply. */
  replyId: string
  /** The mailbox. */
  providerId: string
  /** The Message-ID of the message. */
  messageId: string | null
  /** The subject. Null in a step: it continues the thread of the step before. */
  subject: string | null
  /** How Overture resolved the outcome, if it was unknown whether the answer was sent. */
  reconciled?: string
  /** The user or the workspace key that requested the change, if one did. */
  actorId?: string
}

/** Your answer to a reply was sent. */
export interface EmailAnsweredEvent extends EventBase {
  /** The type of the event. */
  type: 'email.answered'
  /** The requested resource, or the resources of the page. */
  data: EmailAnsweredData
}

export interface EmailAutoRepliedData {
  /** The lead. */
  leadId: string
  /** The campaign. */
  campaignId: string
  /** The email address. */
  email: string | null
  /** The sent message. */
  sendId: string
  /** The step of the sequence, counted from 0. */
  step: number | null
  /** The subject. Null in a step: it continues the thread of the step before. */
  subject: string | null
  /** The confidence of the classification. */
  confidence: number | null
  /** Another person to contact, named in the reply. */
  referral?: {
    /** The email address. */
    email: string | null
    /** The name next to the address, if there is one. */
    name?: string | null
  } | null
  /** When the person will be back, according to their message. */
  returnDate: string | null
  /** When the next step is due instead; null if it is not postponed. */
  postponedTo: string | null
}

/** An automatic reply arrived, such as an out-of-office notice. Later steps may be postponed. */
export interface EmailAutoRepliedEvent extends EventBase {
  /** The type of the event. */
  type: 'email.auto_replied'
  /** The requested resource, or the resources of the page. */
  data: EmailAutoRepliedData
}

export interface EmailBouncedData {
  /** The lead. */
  leadId: string
  /** The campaign. */
  campaignId: string
  /** The email address. */
  email: string | null
  /** The sent message. */
  sendId: string | null
  /** The step of the sequence, counted from 0. */
  step: number | null
  /** `hard`: the address does not work. `soft`: it may work later. `sender_fault`: the problem is the sending mailbox. */
  kind: 'hard' | 'soft' | 'sender_fault'
  /** The enhanced status code (RFC 3463), like `5.1.1`. */
  status: string | null
  /** The response of the mail server. */
  diagnostic: string | null
  /** It ends the sequence of this lead. */
  first: boolean
}

/** A message bounced, or the mail server refused it permanently. */
export interface EmailBouncedEvent extends EventBase {
  /** The type of the event. */
  type: 'email.bounced'
  /** The requested resource, or the resources of the page. */
  data: EmailBouncedData
}

export interface EmailClickedData {
  /** The lead. */
  leadId: string
  /** The campaign. */
  campaignId: string
  /** The email address. */
  email: string | null
  /** The sent message. */
  sendId: string
  /** The step of the sequence, counted from 0. */
  step: number
  /** The variant of the step. */
  variantId: string
  /** A program made this visit, not a person. It is not counted. */
  machine: boolean
  /** Why the visit is attributed to a program. */
  judgedBy: string
  /** The first visit by a person to any pixel or link of this lead. */
  first: boolean
  /** The target of the link. */
  url: string | null
  /** The link of the message that was opened. */
  link: number
}

/** A link was clicked. Only in campaigns that track clicks. */
export interface EmailClickedEvent extends EventBase {
  /** The type of the event. */
  type: 'email.clicked'
  /** The requested resource, or the resources of the page. */
  data: EmailClickedData
}

export interface EmailOpenedData {
  /** The lead. */
  leadId: string
  /** The campaign. */
  campaignId: string
  /** The email address. */
  email: string | null
  /** The sent message. */
  sendId: string
  /** The step of the sequence, counted from 0. */
  step: number
  /** The variant of the step. */
  variantId: string
  /** A program made this visit, not a person. It is not counted. */
  machine: boolean
  /** Why the visit is attributed to a program. */
  judgedBy: string
  /** The first visit by a person to any pixel or link of this lead. */
  first: boolean
}

/** A message was opened. Only in campaigns that track opens. */
export interface EmailOpenedEvent extends EventBase {
  /** The type of the event. */
  type: 'email.opened'
  /** The requested resource, or the resources of the page. */
  data: EmailOpenedData
}

export interface EmailRepliedData {
  /** The lead. */
  leadId: string
  /** The campaign. */
  campaignId: string
  /** The email address. */
  email: string | null
  /** The sent message. */
  sendId: string | null
  /** The step of the sequence, counted from 0. */
  step: number | null
  /** The reply. */
  replyId: string
  /** The confidence of the classification. */
  confidence: number | null
  /** The subject. Null in a step: it continues the thread of the step before. */
  subject: string | null
  /** The beginning of the reply, at most 2,000 characters. */
  text: string | null
  /** The Message-ID of the message. */
  messageId?: string | null
  /** Another person to contact, named in the reply. */
  referral?: {
    /** The email address. */
    email: string | null
    /** The name next to the address, if there is one. */
    name?: string | null
  } | null
  /** The first day on which the person wants to be contacted again. */
  deferredUntil?: string | null
  /** The meaning of the reply: `positive`, `negative`, `neutral` or `opt_out`. */
  kind: string
  /** True if the classification is uncertain and a person should read the reply. */
  needsLook: boolean
  /** The first reply of this lead. */
  first: boolean
}

/** A person has replied. `kind` is the classification of the reply. */
export interface EmailRepliedEvent extends EventBase {
  /** The type of the event. */
  type: 'email.replied'
  /** The requested resource, or the resources of the page. */
  data: EmailRepliedData
}

export interface EmailSentData {
  /** The lead. */
  leadId: string
  /** The campaign. */
  campaignId: string
  /** The email address. */
  email: string | null
  /** The sent message. */
  sendId: string
  /** The step of the sequence, counted from 0. */
  step: number
  /** The variant of the step. */
  variantId: string
  /** The mailbox. */
  providerId: string
  /** The Message-ID of the message. */
  messageId: string | null
  /** The subject. Null in a step: it continues the thread of the step before. */
  subject: string | null
  /** The first message to this lead. */
  first: boolean
  /** How Overture resolved the outcome, if it was unknown whether the message was sent. */
  reconciled?: 'found' | 'named' | 'assumed'
}

/** A message of a sequence was sent. */
export interface EmailSentEvent extends EventBase {
  /** The type of the event. */
  type: 'email.sent'
  /** The requested resource, or the resources of the page. */
  data: EmailSentData
}

/** The person was erased later. Only ids, types and times are left; the other fields are null. */
export interface ErasedRecord {
  /** The id of this resource. */
  id: string
}

export interface ErasureOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'person.erase'
  /** The result of a successful operation; null otherwise. */
  result: ErasureResult | null
}

export interface ErasureResult {
  /** Leads that were removed. */
  leadCount: number
  /** Sent messages whose content was erased. */
  messageCount: number
  /** Replies whose content was erased. */
  replyCount: number
  /** Events that no longer name the person. */
  eventCount: number
  /** Export files that were written again without the person. */
  exportCount: number
  /** Operations that no longer name the person. */
  operationCount: number
}

export interface Error {
  /** Why the request was refused, or failed. */
  error: {
    /** The machine-readable code. A new code is a change of the contract. */
    code: 'invalid_json' | 'invalid_request' | 'invalid_cursor' | 'invalid_idempotency_key' | 'invalid_if_match' | 'unauthenticated' | 'invalid_token' | 'insufficient_credits' | 'insufficient_scope' | 'forbidden' | 'token_budget_exceeded' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'idempotency_key_reused' | 'invalid_state' | 'campaign_not_ready' | 'limit_exceeded' | 'export_expired' | 'events_expired' | 'payload_too_large' | 'unsupported_media_type' | 'validation_failed' | 'invalid_reference' | 'url_not_allowed' | 'precondition_required' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'service_unavailable'
    /** An explanation for people. */
    message: string
    /** The id of the request in the log. */
    requestId: string
    details: ErrorDetails | null
  }
}

/** Further data, depending on the code. */
export interface ErrorDetails {
  /** The problems of the request. */
  issues?: {
    /** `body`, `query`, `path` or `header`. */
    in: string
    /** A JSON pointer to the value. */
    path: string
    /** The broken rule, such as `format` or `minLength`. */
    rule: string
    /** An explanation for people. Its wording may change. */
    message: string
  }[]
  /** With `invalid_state`: the present state. */
  currentStatus?: string
  /** With `invalid_state`: the states that would allow it. */
  allowedStatuses?: string[]
  /** With 403: the scopes that the token lacks. */
  missingScopes?: string[]
}

export type Event = LeadSearchCompletedEvent | LeadSearchFailedEvent | AiSdrPositiveReplyEvent | CampaignUpdatedEvent | CampaignActivatedEvent | CampaignPausedEvent | CampaignResumedEvent | CampaignCompletedEvent | CampaignArchivedEvent | CampaignUnarchivedEvent | CampaignAttentionNeededEvent | EmailSentEvent | EmailOpenedEvent | EmailClickedEvent | EmailBouncedEvent | EmailRepliedEvent | EmailAutoRepliedEvent | EmailAnsweredEvent | ReplyUpdatedEvent | LeadStatusChangedEvent | LeadUpdatedEvent | LeadUnsubscribedEvent | ProviderDisconnectedEvent | ProviderInboxUnreadableEvent | ProviderInboxReadableEvent | ProviderCopiesFailingEvent | ProviderCopiesStoredEvent | TrackingHostVerifiedEvent | TrackingHostFailingEvent | ProviderHealthChangedEvent | OperationSucceededEvent | OperationFailedEvent | PlanProposedEvent | PlanApprovedEvent | PlanRejectedEvent | PlanAppliedEvent | PlanFailedEvent | WebhookTestEvent

export interface EventEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Event
}

export interface EventPage {
  /** The requested resource, or the resources of the page. */
  data: Event[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface Export {
  /** The id of this resource. */
  id: string
  /** The workspace. */
  workspaceId: string
  /** The operation that ordered the export. */
  operationId: string
  /** `completed`: the file can be downloaded. `expired`: it is no longer kept. */
  status: 'building' | 'completed' | 'failed' | 'expired'
  /** The number of leads that was ordered. */
  requestedCount: number
  /** The number of leads in the file. */
  leadCount: number
  /** One credit for each lead that the workspace did not own before. */
  creditsCharged: number
  /** Works without a token until the file is deleted. Null if there is no file. */
  downloadUrl: string | null
  /** When it expires. */
  expiresAt: string | null
  /** When it was created. */
  createdAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface ExportEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Export
}

export interface ExportPage {
  /** The requested resource, or the resources of the page. */
  data: Export[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

/** While the operation is running, from the moment the people are chosen. Not included in lists. */
export interface ExportProgress {
  /** The number of people that were chosen for the file. */
  leadCount: number
  /** The number of people that are in the file so far. */
  writtenCount: number
}

/** Fields are combined with AND, the values in `include` with OR. A lead that matches any `exclude` is dropped. */
export interface FilterDocument {
  /** Titles of the current position. `jobTitleMatch` decides how they are compared. */
  jobTitles?: {
    /** Values of which one must match. */
    include?: string[]
    /** Values that must not match. */
    exclude?: string[]
  }
  /** How titles are compared. Defaults to `similar`. */
  jobTitleMatch?: 'similar' | 'words' | 'exact'
  /** Level of the current position. */
  seniorities?: {
    /** Values of which one must match. */
    include?: ('intern' | 'entry' | 'senior' | 'manager' | 'director' | 'head' | 'vp' | 'partner' | 'c_suite' | 'founder' | 'owner')[]
    /** Values that must not match. */
    exclude?: ('intern' | 'entry' | 'senior' | 'manager' | 'director' | 'head' | 'vp' | 'partner' | 'c_suite' | 'founder' | 'owner')[]
  }
  /** Function of the current position. */
  departments?: {
    /** Values of which one must match. */
    include?: ('engineering' | 'it' | 'security' | 'data' | 'product' | 'design' | 'research' | 'marketing' | 'sales' | 'business_development' | 'customer_success' | 'support' | 'operations' | 'supply_chain' | 'procurement' | 'manufacturing' | 'finance' | 'legal' | 'hr' | 'administration' | 'medical' | 'education')[]
    /** Values that must not match. */
    exclude?: ('engineering' | 'it' | 'security' | 'data' | 'product' | 'design' | 'research' | 'marketing' | 'sales' | 'business_development' | 'customer_success' | 'support' | 'operations' | 'supply_chain' | 'procurement' | 'manufacturing' | 'finance' | 'legal' | 'hr' | 'administration' | 'medical' | 'education')[]
  }
  /** The location of the person, or the headquarters of the company when that is unknown. */
  locations?: {
    /** Values of which one must match. */
    include?: {
      /** A region of several countries, such as DACH. */
      area: 'dach' | 'benelux' | 'nordics' | 'scandinavia' | 'baltics' | 'iberia' | 'uk_ireland' | 'anz' | 'visegrad' | 'balkans' | 'eu' | 'europe' | 'western_europe' | 'southern_europe' | 'cee' | 'middle_east' | 'gcc' | 'mena' | 'africa' | 'emea' | 'apac' | 'asia' | 'southeast_asia' | 'latam' | 'south_america' | 'central_america' | 'north_america' | 'us_canada' | 'bay_area' | 'new_england' | 'us_west_coast' | 'us_east_coast' | 'us_midwest' | 'us_south' | 'pacific_northwest' | 'us_tri_state'
    } | {
      /** ISO 3166-1 alpha-2 */
      country: string
      /** ISO 3166-2 */
      region?: string
      /** English GeoNames name */
      city?: string
      /** Only with a city. */
      radiusKm?: number
    }[]
    /** Values that must not match. */
    exclude?: {
      /** A region of several countries, such as DACH. */
      area: 'dach' | 'benelux' | 'nordics' | 'scandinavia' | 'baltics' | 'iberia' | 'uk_ireland' | 'anz' | 'visegrad' | 'balkans' | 'eu' | 'europe' | 'western_europe' | 'southern_europe' | 'cee' | 'middle_east' | 'gcc' | 'mena' | 'africa' | 'emea' | 'apac' | 'asia' | 'southeast_asia' | 'latam' | 'south_america' | 'central_america' | 'north_america' | 'us_canada' | 'bay_area' | 'new_england' | 'us_west_coast' | 'us_east_coast' | 'us_midwest' | 'us_south' | 'pacific_northwest' | 'us_tri_state'
    } | {
      /** ISO 3166-1 alpha-2 */
      country: string
      /** ISO 3166-2 */
      region?: string
      /** English GeoNames name */
      city?: string
      /** Only with a city. */
      radiusKm?: number
    }[]
  }
  /** The location of the headquarters of the company. */
  companyLocations?: {
    /** Values of which one must match. */
    include?: {
      /** A region of several countries, such as DACH. */
      area: 'dach' | 'benelux' | 'nordics' | 'scandinavia' | 'baltics' | 'iberia' | 'uk_ireland' | 'anz' | 'visegrad' | 'balkans' | 'eu' | 'europe' | 'western_europe' | 'southern_europe' | 'cee' | 'middle_east' | 'gcc' | 'mena' | 'africa' | 'emea' | 'apac' | 'asia' | 'southeast_asia' | 'latam' | 'south_america' | 'central_america' | 'north_america' | 'us_canada' | 'bay_area' | 'new_england' | 'us_west_coast' | 'us_east_coast' | 'us_midwest' | 'us_south' | 'pacific_northwest' | 'us_tri_state'
    } | {
      /** ISO 3166-1 alpha-2 */
      country: string
      /** ISO 3166-2 */
      region?: string
      /** English GeoNames name */
      city?: string
      /** Only with a city. */
      radiusKm?: number
    }[]
    /** Values that must not match. */
    exclude?: {
      /** A region of several countries, such as DACH. */
      area: 'dach' | 'benelux' | 'nordics' | 'scandinavia' | 'baltics' | 'iberia' | 'uk_ireland' | 'anz' | 'visegrad' | 'balkans' | 'eu' | 'europe' | 'western_europe' | 'southern_europe' | 'cee' | 'middle_east' | 'gcc' | 'mena' | 'africa' | 'emea' | 'apac' | 'asia' | 'southeast_asia' | 'latam' | 'south_america' | 'central_america' | 'north_america' | 'us_canada' | 'bay_area' | 'new_england' | 'us_west_coast' | 'us_east_coast' | 'us_midwest' | 'us_south' | 'pacific_northwest' | 'us_tri_state'
    } | {
      /** ISO 3166-1 alpha-2 */
      country: string
      /** ISO 3166-2 */
      region?: string
      /** English GeoNames name */
      city?: string
      /** Only with a city. */
      radiusKm?: number
    }[]
  }
  /** Industry of the company; a group matches its children. */
  industries?: {
    /** Values of which one must match. */
    include?: ('technology' | 'software' | 'saas' | 'it-services' | 'managed-service-providers' | 'cybersecurity' | 'artificial-intelligence' | 'data-analytics' | 'cloud-infrastructure' | 'developer-tools' | 'computer-hardware' | 'semiconductors' | 'consumer-electronics' | 'telecommunications' | 'robotics' | 'iot' | 'blockchain' | 'video-games' | 'martech' | 'adtech' | 'hrtech' | 'legaltech' | 'internet-platforms' | 'financial-services' | 'banking' | 'fintech' | 'payments' | 'lending' | 'insurance' | 'insurtech' | 'investment-management' | 'venture-capital' | 'private-equity' | 'accounting' | 'capital-markets' | 'professional-services' | 'legal-services' | 'management-consulting' | 'staffing-recruiting' | 'hr-services' | 'engineering-services' | 'architecture' | 'market-research' | 'translation' | 'outsourcing' | 'training-coaching' | 'event-services' | 'security-services' | 'facilities-services' | 'research-development' | 'agencies' | 'marketing-agencies' | 'advertising-agencies' | 'digital-agencies' | 'seo-agencies' | 'pr-agencies' | 'design-agencies' | 'healthcare' | 'hospitals' | 'medical-practices' | 'dental-practices' | 'physiotherapy' | 'mental-health' | 'veterinary' | 'senior-care' | 'pharmacies' | 'pharmaceuticals' | 'biotechnology' | 'medical-devices' | 'healthtech' | 'diagnostics-laboratories' | 'manufacturing' | 'industrial-machinery' | 'industrial-automation' | 'automotive' | 'aerospace' | 'defense' | 'chemicals' | 'plastics' | 'metals' | 'electronics-manufacturing' | 'packaging' | 'paper-forest-products' | 'textiles' | 'furniture' | 'building-materials' | 'glass-ceramics' | 'shipbuilding' | 'printing' | 'toys' | 'consumer-goods' | 'food-production' | 'beverages' | 'wine-spirits' | 'cosmetics' | 'apparel-fashion' | 'luxury-jewelry' | 'sporting-goods' | 'pet-products' | 'tobacco' | 'cannabis' | 'household-goods' | 'retail' | 'ecommerce' | 'grocery' | 'fashion-retail' | 'car-dealerships' | 'home-improvement-retail' | 'wholesale' | 'construction-trades' | 'construction' | 'home-builders' | 'civil-engineering' | 'roofing' | 'hvac-plumbing' | 'electrical-contractors' | 'landscaping' | 'interior-design' | 'real-estate' | 'real-estate-agencies' | 'commercial-real-estate' | 'property-management' | 'real-estate-development' | 'proptech' | 'coworking' | 'energy-environment' | 'oil-gas' | 'renewable-energy' | 'solar' | 'utilities' | 'mining' | 'waste-recycling' | 'environmental-services' | 'cleantech' | 'water' | 'transport-logistics' | 'logistics' | 'freight-forwarding' | 'trucking' | 'warehousing' | 'courier-delivery' | 'maritime' | 'airlines' | 'rail' | 'mobility' | 'travel-hospitality' | 'hotels' | 'restaurants' | 'catering' | 'cafes' | 'bars-nightlife' | 'travel-tourism' | 'gambling-casinos' | 'leisure-recreation' | 'media' | 'publishing' | 'news-media' | 'broadcasting' | 'film-tv' | 'music' | 'animation' | 'photography' | 'sports' | 'performing-arts' | 'education' | 'schools' | 'higher-education' | 'edtech' | 'childcare' | 'language-schools' | 'public-nonprofit' | 'government' | 'nonprofits' | 'associations' | 'religious-organizations' | 'museums-culture' | 'law-enforcement-military' | 'think-tanks' | 'agriculture' | 'farming' | 'forestry' | 'fishing' | 'agtech' | 'personal-services' | 'beauty-salons' | 'fitness-gyms' | 'wellness' | 'auto-repair' | 'home-services' | 'funeral-services' | 'moving-companies')[]
    /** Values that must not match. */
    exclude?: ('technology' | 'software' | 'saas' | 'it-services' | 'managed-service-providers' | 'cybersecurity' | 'artificial-intelligence' | 'data-analytics' | 'cloud-infrastructure' | 'developer-tools' | 'computer-hardware' | 'semiconductors' | 'consumer-electronics' | 'telecommunications' | 'robotics' | 'iot' | 'blockchain' | 'video-games' | 'martech' | 'adtech' | 'hrtech' | 'legaltech' | 'internet-platforms' | 'financial-services' | 'banking' | 'fintech' | 'payments' | 'lending' | 'insurance' | 'insurtech' | 'investment-management' | 'venture-capital' | 'private-equity' | 'accounting' | 'capital-markets' | 'professional-services' | 'legal-services' | 'management-consulting' | 'staffing-recruiting' | 'hr-services' | 'engineering-services' | 'architecture' | 'market-research' | 'translation' | 'outsourcing' | 'training-coaching' | 'event-services' | 'security-services' | 'facilities-services' | 'research-development' | 'agencies' | 'marketing-agencies' | 'advertising-agencies' | 'digital-agencies' | 'seo-agencies' | 'pr-agencies' | 'design-agencies' | 'healthcare' | 'hospitals' | 'medical-practices' | 'dental-practices' | 'physiotherapy' | 'mental-health' | 'veterinary' | 'senior-care' | 'pharmacies' | 'pharmaceuticals' | 'biotechnology' | 'medical-devices' | 'healthtech' | 'diagnostics-laboratories' | 'manufacturing' | 'industrial-machinery' | 'industrial-automation' | 'automotive' | 'aerospace' | 'defense' | 'chemicals' | 'plastics' | 'metals' | 'electronics-manufacturing' | 'packaging' | 'paper-forest-products' | 'textiles' | 'furniture' | 'building-materials' | 'glass-ceramics' | 'shipbuilding' | 'printing' | 'toys' | 'consumer-goods' | 'food-production' | 'beverages' | 'wine-spirits' | 'cosmetics' | 'apparel-fashion' | 'luxury-jewelry' | 'sporting-goods' | 'pet-products' | 'tobacco' | 'cannabis' | 'household-goods' | 'retail' | 'ecommerce' | 'grocery' | 'fashion-retail' | 'car-dealerships' | 'home-improvement-retail' | 'wholesale' | 'construction-trades' | 'construction' | 'home-builders' | 'civil-engineering' | 'roofing' | 'hvac-plumbing' | 'electrical-contractors' | 'landscaping' | 'interior-design' | 'real-estate' | 'real-estate-agencies' | 'commercial-real-estate' | 'property-management' | 'real-estate-development' | 'proptech' | 'coworking' | 'energy-environment' | 'oil-gas' | 'renewable-energy' | 'solar' | 'utilities' | 'mining' | 'waste-recycling' | 'environmental-services' | 'cleantech' | 'water' | 'transport-logistics' | 'logistics' | 'freight-forwarding' | 'trucking' | 'warehousing' | 'courier-delivery' | 'maritime' | 'airlines' | 'rail' | 'mobility' | 'travel-hospitality' | 'hotels' | 'restaurants' | 'catering' | 'cafes' | 'bars-nightlife' | 'travel-tourism' | 'gambling-casinos' | 'leisure-recreation' | 'media' | 'publishing' | 'news-media' | 'broadcasting' | 'film-tv' | 'music' | 'animation' | 'photography' | 'sports' | 'performing-arts' | 'education' | 'schools' | 'higher-education' | 'edtech' | 'childcare' | 'language-schools' | 'public-nonprofit' | 'government' | 'nonprofits' | 'associations' | 'religious-organizations' | 'museums-culture' | 'law-enforcement-military' | 'think-tanks' | 'agriculture' | 'farming' | 'forestry' | 'fishing' | 'agtech' | 'personal-services' | 'beauty-salons' | 'fitness-gyms' | 'wellness' | 'auto-repair' | 'home-services' | 'funeral-services' | 'moving-companies')[]
  }
  /** Words in the company name, tags, description or industry. */
  keywords?: {
    /** Values of which one must match. */
    include?: string[]
    /** Values that must not match. */
    exclude?: string[]
  }
  /** Company names or domains. */
  companies?: {
    /** Values of which one must match. */
    include?: string[]
    /** Values that must not match. */
    exclude?: string[]
  }
  /** Technologies that the company uses. */
  technologies?: {
    /** Values of which one must match. */
    include?: string[]
    /** Values that must not match. */
    exclude?: string[]
  }
  /** The number of employees of the company. */
  employees?: {
    /** The lowest value that matches. */
    min?: number
    /** The highest value that matches. */
    max?: number
  }[]
  /** The revenue of the company in a year. */
  revenue?: {
    /** The lowest value that matches. */
    min?: number
    /** The highest value that matches. */
    max?: number
    /** ISO 4217. Defaults to USD. */
    currency?: 'USD' | 'EUR' | 'GBP' | 'CHF' | 'CAD' | 'AUD' | 'NZD' | 'SEK' | 'NOK' | 'DKK' | 'PLN' | 'CZK' | 'HUF' | 'RON' | 'TRY' | 'ILS' | 'AED' | 'SAR' | 'INR' | 'CNY' | 'JPY' | 'KRW' | 'SGD' | 'HKD' | 'BRL' | 'MXN' | 'ZAR'
  }[]
  /** All funding of the company. */
  fundingTotal?: {
    /** The lowest value that matches. */
    min?: number
    /** The highest value that matches. */
    max?: number
    /** ISO 4217. Defaults to USD. */
    currency?: 'USD' | 'EUR' | 'GBP' | 'CHF' | 'CAD' | 'AUD' | 'NZD' | 'SEK' | 'NOK' | 'DKK' | 'PLN' | 'CZK' | 'HUF' | 'RON' | 'TRY' | 'ILS' | 'AED' | 'SAR' | 'INR' | 'CNY' | 'JPY' | 'KRW' | 'SGD' | 'HKD' | 'BRL' | 'MXN' | 'ZAR'
  }[]
  /** The year in which the company was founded. */
  founded?: {
    /** The lowest value that matches. */
    min?: number
    /** The highest value that matches. */
    max?: number
  }[]
  /** Latest funding stage. */
  fundingStages?: {
    /** Values of which one must match. */
    include?: ('bootstrapped' | 'angel' | 'pre_seed' | 'seed' | 'series_a' | 'series_b' | 'series_c' | 'series_d' | 'series_e_plus' | 'private_equity' | 'public' | 'acquired')[]
    /** Values that must not match. */
    exclude?: ('bootstrapped' | 'angel' | 'pre_seed' | 'seed' | 'series_a' | 'series_b' | 'series_c' | 'series_d' | 'series_e_plus' | 'private_equity' | 'public' | 'acquired')[]
  }
  /** The latest funding is at most this many months old. */
  fundedWithinMonths?: number
  /** The state of the address. */
  emailStatus?: ('verified' | 'accept_all' | 'unverified' | 'invalid' | 'missing')[]
  /** The kinds of addresses. */
  emailTypes?: ('work' | 'personal' | 'role')[]
  /** People who are left out, besides those who must not be emailed. */
  suppress?: ('owned' | 'contacted' | 'in_campaign' | 'replied')[]
  /** Excludes leads that were contacted in this period. */
  contactedWithinDays?: number
  /** The most people of one company. */
  maxPerCompany?: number
}

/** The request that solves the problem. Replace the values in angle brackets. A PUT also needs `if-match`. */
export interface Fix {
  /** The HTTP method. */
  method: 'POST' | 'PUT' | 'PATCH'
  /** The path of the request. */
  path: string
  /** The body of the request. */
  body: Record<string, unknown>
}

export interface IdOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'lead.delete' | 'webhook.delete' | 'provider.delete' | 'provider.begin_consent' | 'reply.update' | 'suppression.delete' | 'api_key.revoke' | 'token.revoke' | 'session.create' | 'session.revoke' | 'team.withdraw_invitation' | 'sandbox.reset_clock' | 'plan.create' | 'plan.approve' | 'plan.reject'
  /** The result of a successful operation; null otherwise. */
  result: IdResult | null
}

export interface IdResult {
  /** The id of this resource. */
  id: string
}

export interface Identity {
  /** The token of the request. */
  token: {
    /** The id of this resource. */
    id: string
    /** `personal`: of a person. `organization`: of a workspace. */
    kind: 'personal' | 'organization'
    /** The name of the token. */
    name: string
  }
  /** The scopes of the token. `*` means all scopes. */
  scopes: string[]
  /** The person. */
  user: {
    /** The id of this resource. */
    id: string
    /** The name of the person. */
    name: string
    /** The email address. */
    email: string
  } | null
  /** The workspaces that the token can use, oldest first. */
  workspaces: {
    /** The id of this resource. */
    id: string
    /** The name of the workspace. */
    name: string
    /** The role of the person; null for a workspace key. */
    role: 'owner' | 'admin' | 'member' | 'viewer' | null
    /** The scopes of the token in this workspace: those that its own scopes and the role both include. */
    scopes: string[]
    /** The `seq` of the latest event; 0 when there is none. Read your lists after this, then follow the stream from here: nothing is missed between the two. */
    lastEventSeq: number
  }[]
  /** The session of the request; null for a token. */
  session: Session | null
  /** When the session, or else the token, expires. Null: never. */
  expiresAt: string | null
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface IdentityEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Identity
}

/** The effect of lifting this limit. The planner of the sender simulates the campaign with and without it. */
export interface IfLifted {
  /** The limit that delays the leads. */
  limit: 'daily_cap' | 'ramp' | 'gap' | 'domain_throttle' | 'window' | 'start_date' | 'end_date'
  /** The daily cap that would be enough to send to these leads on that day. */
  value: number | null
  /** When the first of these messages would be sent. */
  leavesAt: string
  /** How many of these messages would be sent on that day. */
  count: number
  /** The same as text: "with a daily limit of 45, the email would be sent on Friday 2026-03-06 14:30 Europe/Berlin". */
  text: string
}

export interface Invitation {
  /** The id of this resource. */
  id: string
  /** The email address. */
  email: string
  /** `owner`: everything in the workspace. `admin`: the same, except deciding who is an owner. `member`: campaigns, leads and mailboxes. `viewer`: read access. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
  /** When it was created. */
  createdAt: string
  /** When it expires. */
  expiresAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface InvitationEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Invitation
}

export interface InvitationOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'team.invite'
  /** The result of a successful operation; null otherwise. */
  result: InvitationResult | null
}

export interface InvitationPage {
  /** The requested resource, or the resources of the page. */
  data: Invitation[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface InvitationResult {
  invitation: IssuedInvitation
}

/** The invitation. */
export interface IssuedInvitation {
  /** The id of this resource. */
  id: string
  /** The email address. */
  email: string
  /** `owner`: everything in the workspace. `admin`: the same, except deciding who is an owner. `member`: campaigns, leads and mailboxes. `viewer`: read access. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
  /** When it was created. */
  createdAt: string
  /** When it expires. */
  expiresAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
  /** Shown once, when it is created. Null when the creation is replayed. */
  code: string | null
  /** The link to send to the person. Overture does not send it. Shown once, like the code. */
  url: string | null
}

export interface IssuedInvitationEnvelope {
  data: IssuedInvitation
}

export interface IssuedToken {
  /** The id of this resource. */
  id: string
  /** `personal`: of a person. `organization`: of a workspace. */
  kind: 'personal' | 'organization'
  /** The name of the token, which lists show. */
  name: string
  /** The scopes of the token. `*` stands for all of a workspace. */
  scopes: ('*' | 'campaigns:read' | 'campaigns:write' | 'leads:read' | 'leads:write' | 'webhooks:read' | 'webhooks:write' | 'workspaces:read' | 'workspaces:write' | 'providers:read' | 'providers:write' | 'suppressions:read' | 'suppressions:write' | 'tokens:read' | 'tokens:write' | 'operations:read' | 'credits:read' | 'credits:write' | 'events:read' | 'leads:export' | 'people:write' | 'deals:write' | 'team:read' | 'team:write' | 'audit:read')[]
  /** The last four characters of the token. */
  lastFour: string
  limits: TokenLimits | null
  spentToday: TokenSpending | null
  /** When the token stops working. For a key that was replaced, this is the end of the overlap. Null: never. */
  expiresAt: string | null
  /** When it was created. */
  createdAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
  /** The token itself. Shown once, when it is created. Null when the creation is replayed. */
  token: string | null
}

export interface IssuedTokenEnvelope {
  /** The requested resource, or the resources of the page. */
  data: IssuedToken
}

export interface JoinOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'team.join'
  /** The result of a successful operation; null otherwise. */
  result: JoinResult | null
}

export interface JoinResult {
  /** The accepted invitation. */
  invitationId: string
  /** The member. */
  member: Member
}

export interface Joined {
  /** The workspace. */
  workspaceId: string
  /** The member. */
  member: Member
  /** A personal token. It is shown only in this response. The session in the cookie acts as this token. */
  token: string
  /** The key of the session. A page sends it with each request in the header `x-overture-console`, because the cookie alone is not enough. Shown only in this response. */
  sessionKey: string
}

export interface JoinedEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Joined
}

export interface Lead {
  /** The id of this resource. */
  id: string
  /** The workspace. */
  workspaceId: string
  /** The campaign. */
  campaignId: string
  /** The first name. */
  firstName: string | null
  /** The last name. */
  lastName: string | null
  /** The full name. If it is missing, it is made from the first and last name. */
  fullName: string | null
  /** The email address. */
  email: string
  /** The name of the company. */
  company: string | null
  /** The job title. */
  jobTitle: string | null
  /** The time zone, as an IANA name such as Europe/Berlin. */
  timezone: string | null
  /** Your own fields, for templates. */
  variables: Record<string, string>
  /** Values of the lead that cannot be used, such as an unknown time zone. */
  warnings: {
    /** The name of the field. */
    field: string
    /** An explanation for people. Its wording may change. */
    message: string
  }[]
  /** A name for the list that the leads come from. */
  leadListName: string | null
  /** Where the lead is: waiting, in the sequence, or finished with an outcome. */
  status: 'not_yet_contacted' | 'contacted' | 'sequence_completed' | 'replied' | 'interested' | 'not_interested' | 'meeting_booked' | 'meeting_completed' | 'closed' | 'bounced' | 'unsubscribed' | 'skipped'
  /** How the lead was added. */
  source: 'scraped_lead' | 'csv_import' | 'api_import' | 'manual'
  /** Opens by the lead. */
  emailOpenCount: number
  /** Bounces of messages to the lead. */
  emailBounceCount: number
  /** Whether a message was sent to the lead. */
  emailSent: boolean
  /** The lead is interested, or has a later status. */
  isProspect: boolean
  /** The value of the opportunity, in your own currency. */
  opportunityValue: number | null
  /** The time of the meeting. */
  meetingAt: string | null
  /** The next planned step, counted from 0, and the earliest time at which it can be sent. Null: nothing is planned, or the message is being sent. */
  next: {
    /** The step, counted from 0. */
    step: number
    /** The earliest time for the step. */
    dueAt: string
  } | null
  /** Why nothing was sent when the sender last checked the lead, and when the reason will pass. The timeline explains it. */
  hold: {
    /** The code of the reason. */
    reason: string
    /** When the reason will pass; null if that is unknown. */
    until: string | null
  } | null
  /** When it was created. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

export type LeadBulk = LeadBulkByIds | LeadBulkByFilter

export interface LeadBulkByFilter {
  /** The change to make. */
  action: 'delete' | 'requeue' | 'set_status' | 'move'
  /** The new status. Required for `set_status`, and refused for any other action. */
  status?: 'replied' | 'interested' | 'not_interested' | 'meeting_booked' | 'meeting_completed' | 'closed' | 'unsubscribed' | 'skipped'
  /** The other campaign. Required for `move`, and refused for any other action. */
  targetCampaignId?: string
  /** Instead of `ids`: every lead that matches. An empty filter matches all leads. */
  filter: {
    /** Only leads with this status. */
    status?: 'not_yet_contacted' | 'contacted' | 'sequence_completed' | 'replied' | 'interested' | 'not_interested' | 'meeting_booked' | 'meeting_completed' | 'closed' | 'bounced' | 'unsubscribed' | 'skipped'
    /** The email address. */
    email?: string
  }
}

export interface LeadBulkByIds {
  /** The change to make. */
  action: 'delete' | 'requeue' | 'set_status' | 'move'
  /** The new status. Required for `set_status`, and refused for any other action. */
  status?: 'replied' | 'interested' | 'not_interested' | 'meeting_booked' | 'meeting_completed' | 'closed' | 'unsubscribed' | 'skipped'
  /** The other campaign. Required for `move`, and refused for any other action. */
  targetCampaignId?: string
  /** The ids of the leads. */
  ids: string[]
}

export interface LeadBulkOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'lead.bulk'
  /** The result of a successful operation; null otherwise. */
  result: LeadBulkResult | null
}

export interface LeadBulkResult {
  /** The campaign. */
  campaignId: string
  /** The change to make. */
  action: 'delete' | 'requeue' | 'set_status' | 'move'
  /** Leads of the campaign that match the filter or have one of the ids. */
  matchedCount: number
  /** Leads that were changed. */
  changedCount: number
  /** Matched leads whose state the action does not apply to. */
  unchangedCount: number
}

export interface LeadEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Lead
}

export interface LeadFilters {
  /** The version of the filter document. */
  version: number
  /** The fields of the filter document. */
  fields: {
    /** The name of the field in the filter document. */
    name: string
    /** `includeExclude`, `ranges`, `values`, `value` or `number`. */
    form: string
    /** The type of one value: `text`, `slug`, `place`, `integer`, `money` or `enum`. */
    type: string
    /** The meaning of the field. */
    about: string
    /** The known values; null if there is no list. */
    values: {
      /** The value to use in the filter document. */
      value: string
      /** The value for people. */
      label: string
      /** The value that includes this one. */
      parent: string | null
    }[] | null
    /** True: `values` lists the known values, and other values are accepted, too. */
    isOpen: boolean
    /** The most values of the field. */
    maxItems: number | null
    /** The most characters of a value. */
    maxLength: number | null
    /** The least value. */
    minimum: number | null
    /** The highest value. */
    maximum: number | null
    /** The value that applies if the field is left out. */
    default: string | null
  }[]
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface LeadFiltersEnvelope {
  /** The requested resource, or the resources of the page. */
  data: LeadFilters
}

export type LeadImport = LeadImportOfPeople | LeadImportOfExport

export interface LeadImportOfExport {
  /** Instead of `leads`: the people of an export that the workspace bought. */
  exportId: string
  /** A name for the list that the leads come from. */
  leadListName?: string | null
  /** The treatment of a lead that the campaign already has, or that an earlier row has added. `update` changes the fields that you send. Defaults to `skip`. */
  onDuplicate?: 'skip' | 'update'
}

export interface LeadImportOfPeople {
  /** The leads. For more, send several requests, or a CSV file. */
  leads: NewLead[]
  /** A name for the list that the leads come from. */
  leadListName?: string | null
  /** The treatment of a lead that the campaign already has, or that an earlier row has added. `update` changes the fields that you send. Defaults to `skip`. */
  onDuplicate?: 'skip' | 'update'
}

export interface LeadImportOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'campaign.import_leads'
  /** The result of a successful operation; null otherwise. */
  result: LeadImportResult | null
}

export interface LeadImportResult {
  /** The campaign. */
  campaignId: string
  /** Leads that were added. */
  importedCount: number
  /** Rows about leads that the campaign already has, or that are listed twice. */
  duplicateCount: number
  /** Rows about suppressed people. They were not imported. */
  suppressedCount: number
  /** Existing entries that were updated. */
  updatedCount: number
  /** Invalid rows. They were not imported. */
  invalidCount: number
  /** The first 100. */
  invalid: {
    /** The position in the list of the request, counted from 0. */
    index: number
    /** The reason. */
    reason: string
  }[]
  /** Rows that were imported, but with a value that was ignored. One entry is for the columns of a file that were left out. */
  warningCount: number
  /** The first 100. */
  warnings: {
    /** The position in the list of the request, counted from 0. */
    index: number
    /** The reason. */
    reason: string
  }[]
}

export interface LeadOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'lead.update' | 'lead.requeue'
  /** The result of a successful operation; null otherwise. */
  result: LeadResult | null
}

export interface LeadPage {
  /** The requested resource, or the resources of the page. */
  data: Lead[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface LeadPatch {
  /** The first name. */
  firstName?: string | null
  /** The last name. */
  lastName?: string | null
  /** The full name. If it is missing, it is made from the first and last name. */
  fullName?: string | null
  /** The name of the company. */
  company?: string | null
  /** The job title. */
  jobTitle?: string | null
  /** The time zone, as an IANA name such as Europe/Berlin. */
  timezone?: string | null
  /** Changes only the variables that you send. Null removes a variable. A lead has at most 50. */
  variables?: Record<string, string | null>
  /** The outcome that you report. */
  status?: 'replied' | 'interested' | 'not_interested' | 'meeting_booked' | 'meeting_completed' | 'closed' | 'unsubscribed' | 'skipped'
  /** In your own currency, with at most two decimals. */
  opportunityValue?: number | null
  /** The time of the meeting. */
  meetingAt?: string | null
}

export interface LeadResult {
  lead: Lead | ErasedRecord
}

export interface LeadSearchAttachment {
  /** The campaign. */
  campaignId: string
  /** How many people were ordered. */
  requestedCount: number
  /** Leads that were added to the campaign. */
  attachedCount: number
  /** The credits that were charged. */
  creditsCharged: number
}

export interface LeadSearchAttachmentOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'lead_search.attach'
  /** The result of a successful operation; null otherwise. */
  result: LeadSearchAttachment | null
}

export interface LeadSearchBrief {
  /** A description of the people you are looking for, in English, German, French or Spanish. */
  brief: string
}

export interface LeadSearchCompletedData {
  /** The operation. */
  operationId: string
  /** The export. */
  exportId: string
  /** How many people were ordered. */
  requestedCount: number
  /** The people that were delivered. */
  exportedCount: number
  /** The credits that were charged. */
  creditsCharged: number
  /** Opens the file without a token; null for a token that may not read leads. */
  downloadUrl: string | null
  /** When it expires. */
  expiresAt: string
}

/** An export of leads has succeeded and is charged. */
export interface LeadSearchCompletedEvent extends EventBase {
  /** The type of the event. */
  type: 'lead_search.completed'
  /** The requested resource, or the resources of the page. */
  data: LeadSearchCompletedData
}

export interface LeadSearchDelivery {
  /** The export. */
  exportId: string
  /** How many people were ordered. */
  requestedCount: number
  /** The people that were delivered. */
  exportedCount: number
  /** The credits that were charged. */
  creditsCharged: number
  /** Works without a token; null for a token that may not read leads. */
  downloadUrl: string | null
  /** When it expires. */
  expiresAt: string
}

export interface LeadSearchDeliveryOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'lead_search.export'
  /** The result of a successful operation; null otherwise. */
  result: LeadSearchDelivery | null
  progress?: ExportProgress
}

export interface LeadSearchFailedData {
  /** The operation. */
  operationId: string
  /** How many people were ordered. */
  requestedCount: number
  /** Why it failed; null otherwise. */
  error: OperationError
}

/** An export of leads failed. Nothing is charged. */
export interface LeadSearchFailedEvent extends EventBase {
  /** The type of the event. */
  type: 'lead_search.failed'
  /** The requested resource, or the resources of the page. */
  data: LeadSearchFailedData
}

export interface LeadSearchOrder {
  /** The filter document. `GET /lead-filters` lists its fields. Shorthand is accepted: a list instead of `{include}`, the name of a place, a range like `50-200`, the label of an industry. Results contain the full document that was derived from it. `{}` matches all people: a preview accepts it, and an order refuses it with 422. */
  filters: FilterDocument | Record<string, unknown>
  /** The number of leads to buy. The same number of credits is reserved until the operation has ended. */
  leadCount: number
}

export interface LeadSearchPreview {
  /** The filter document. `GET /lead-filters` lists its fields. Shorthand is accepted: a list instead of `{include}`, the name of a place, a range like `50-200`, the label of an industry. Results contain the full document that was derived from it. `{}` matches all people: a preview accepts it, and an order refuses it with 422. */
  filters: FilterDocument | Record<string, unknown>
}

export interface LeadSearchPreviewOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'lead_search.preview'
  /** The result of a successful operation; null otherwise. */
  result: LeadSearchPreviewResult | null
}

export interface LeadSearchPreviewResult {
  /** The campaign. */
  campaignId: string | null
  filters: FilterDocument
  /** People who match the filters. */
  matchCount: number
  /** Of these, people with a verified address. */
  verifiedCount: number
  /** How many people an export could deliver: those with an address that Overture verified. */
  deliverableCount: number
  /** How many people an order into a campaign could add. Includes people that the workspace imported, with any address that is not known to be bad. */
  attachableCount: number
  /** How the matches are distributed. */
  facets: {
    /** Largest first. */
    industry: {
      /** The industry. */
      value: string
      /** How many there are. */
      count: number
    }[]
    /** Largest first. */
    country: {
      /** The country code (ISO 3166-1 alpha-2). */
      value: string
      /** How many there are. */
      count: number
    }[]
    /** Largest first. */
    size: {
      /** The number of employees, as a range. */
      value: string
      /** How many there are. */
      count: number
    }[]
    /** Largest first. */
    seniority: {
      /** The seniority. */
      value: string
      /** How many there are. */
      count: number
    }[]
  }
  /** A few of the people that an order would deliver, without their names, addresses and companies. Empty when the filters name companies. */
  sample?: {
    /** The job title. */
    jobTitle: string | null
    /** The seniority. */
    seniority: string | null
    /** The industry. */
    industry: string | null
    /** A label for the size of the companies. It does not filter. */
    companySize: string | null
    /** The country. */
    country: string | null
    /** The city. */
    city: string | null
  }[]
  /** The version of the directory that was searched. */
  directoryVersion: number
  /** Possible problems. */
  warnings: string[]
}

export interface LeadStatusChangedData {
  /** The lead. */
  leadId: string
  /** The campaign. */
  campaignId: string
  /** The email address. */
  email: string | null
  /** The previous status of the lead. */
  from: string
  /** The new status of the lead. */
  to: string
  /** True when the lead gets this status for the first time. */
  first: boolean
  /** True when the lead becomes interested, or gets a later status, for the first time. */
  firstProspect: boolean
  /** True when the correction of a reply ends the interest: the lead no longer counts as interested, nor as an opportunity. */
  withdrawn?: boolean
  /** The value of the opportunity, in your own currency. */
  opportunityValue?: number | null
  /** The time of the meeting. */
  meetingAt?: string | null
  /** By how much the value of the opportunity changed. */
  opportunityValueChange?: number
  /** The cause of the change, such as `api`, `sender` or `reply`. */
  by: string
  /** The user or the workspace key that requested the change, if one did. */
  actorId?: string
}

/** The status of a lead has changed. */
export interface LeadStatusChangedEvent extends EventBase {
  /** The type of the event. */
  type: 'lead.status_changed'
  /** The requested resource, or the resources of the page. */
  data: LeadStatusChangedData
}

export interface LeadUnsubscribedData {
  /** The lead. */
  leadId: string
  /** The campaign. */
  campaignId: string
  /** The email address. */
  email: string | null
  /** The lead was not unsubscribed before. */
  first: boolean
  /** The cause of the change, such as `api`, `sender` or `reply`. */
  by: string
  /** The user or the workspace key that requested the change, if one did. */
  actorId?: string
}

/** A person has unsubscribed, by the link or by a reply. */
export interface LeadUnsubscribedEvent extends EventBase {
  /** The type of the event. */
  type: 'lead.unsubscribed'
  /** The requested resource, or the resources of the page. */
  data: LeadUnsubscribedData
}

export interface LeadUpdatedData {
  /** The lead. */
  leadId: string
  /** The campaign. */
  campaignId: string
  /** The email address. */
  email: string | null
  /** The previous status of the lead. */
  from?: string
  /** The new status of the lead. */
  to?: string
  /** True when the lead gets this status for the first time. */
  first?: boolean
  /** True when the lead becomes interested, or gets a later status, for the first time. */
  firstProspect?: boolean
  /** The value of the opportunity, in your own currency. */
  opportunityValue?: number | null
  /** The time of the meeting. */
  meetingAt?: string | null
  /** By how much the value of the opportunity changed. */
  opportunityValueChange?: number
  /** The fields of the lead that changed. */
  changed?: string[] | null
  /** The cause of the change, such as `api`, `sender` or `reply`. */
  by: string
  /** The user or the workspace key that requested the change, if one did. */
  actorId?: string
}

/** Fields of a lead have changed. */
export interface LeadUpdatedEvent extends EventBase {
  /** The type of the event. */
  type: 'lead.updated'
  /** The requested resource, or the resources of the page. */
  data: LeadUpdatedData
}

/** The entry in the ledger. */
export interface LedgerEntry {
  /** The id of this resource. */
  id: string
  /** `hold` reserves credits for an order, `capture` charges them, `release` returns the rest. */
  kind: 'grant' | 'hold' | 'release' | 'capture' | 'refund'
  /** The change in available credits. */
  amount: number
  /** The operation that moved the credits; null for a grant on the command line. */
  operationId: string | null
  /** The reason for a grant, if one was given. */
  note: string | null
  /** When it was created. */
  createdAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface LedgerEntryEnvelope {
  data: LedgerEntry
}

export interface LedgerEntryPage {
  /** The requested resource, or the resources of the page. */
  data: LedgerEntry[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface Links {
  /** The URL of this resource. */
  self: string
}

/** For a server whose certificate is not signed by a well-known authority. */
export interface MailServerTls {
  /** A certificate or its certificate authority, as PEM. */
  ca?: string
  /** The SHA-256 fingerprint of the only certificate to trust. */
  fingerprint256?: string
}

export interface MailboxesUpdate {
  /** The mailbox. */
  providerId?: string
  /** Mailboxes in addition to `providerId`. Of the mailboxes that can send now, the one that has used the smallest share of its daily cap sends a first message. No mailbox waits for another. Those with the same gap share new leads evenly, and one with a shorter gap gets more of them. */
  rotationProviderIds?: string[]
  /** Leads that a removed mailbox has emailed continue from another mailbox, in a new thread. Without this field, they stay with their mailbox as long as it exists. */
  moveThreads?: boolean
}

export interface Member {
  /** The id of the person. */
  id: string
  /** The person. */
  user: {
    /** The id of this resource. */
    id: string
    /** The name of the person. */
    name: string
    /** The email address. */
    email: string
    /** Whether the address is known to be theirs. False for a person who accepted an invitation: the inviter wrote the address. */
    isProved: boolean
  }
  /** `owner`: everything in the workspace. `admin`: the same, except deciding who is an owner. `member`: campaigns, leads and mailboxes. `viewer`: read access. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
  /** When the person joined. */
  joinedAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface MemberEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Member
}

export interface MemberOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'team.update'
  /** The result of a successful operation; null otherwise. */
  result: MemberResult | null
}

export interface MemberPage {
  /** The requested resource, or the resources of the page. */
  data: Member[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface MemberPatch {
  /** `owner`: everything in the workspace. `admin`: the same, except deciding who is an owner. `member`: campaigns, leads and mailboxes. `viewer`: read access. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
}

export interface MemberResult {
  /** The member. */
  member: Member
}

export interface MetricSeries {
  /** The length of a period. */
  interval: 'hour' | 'day' | 'week'
  /** The time zone, as an IANA name such as Europe/Berlin. */
  timezone: string
  /** Start of the first period. */
  from: string
  /** End of the last period, exclusive. */
  to: string
  /** The property by which the series are grouped. Null: one series for everything. */
  groupBy: 'step' | 'variant' | 'mailbox' | 'campaign' | null
  /** One series for each group. */
  series: {
    /** The group: the number of the step, counted from 0 as in events, or an id. Null: all groups together, or unknown, or all campaigns that are not shown separately. */
    key: string | null
    /** The sums of all points. */
    totals: {
      /** Messages sent. */
      sent: number
      /** The part of `sent` that counts as sent although it is not certain: the connection was lost, and no copy shows it. */
      assumed: number
      /** Opens by people. */
      opened: number
      /** Clicks by people. */
      clicked: number
      /** Replies by people. */
      replied: number
      /** Positive replies by people, as corrected since. */
      positive: number
      /** Leads whose address bounced. */
      bounced: number
      /** Leads who unsubscribed. */
      unsubscribed: number
    }
    /** In chronological order. Periods in which nothing happened are left out. */
    points: {
      /** Start of the period. */
      at: string
      /** Messages sent. */
      sent: number
      /** The part of `sent` that counts as sent although it is not certain: the connection was lost, and no copy shows it. */
      assumed: number
      /** Opens by people. */
      opened: number
      /** Clicks by people. */
      clicked: number
      /** Replies by people. */
      replied: number
      /** Positive replies by people, as corrected since. */
      positive: number
      /** Leads whose address bounced. */
      bounced: number
      /** Leads who unsubscribed. */
      unsubscribed: number
    }[]
  }[]
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface MetricSeriesEnvelope {
  /** The requested resource, or the resources of the page. */
  data: MetricSeries
}

export interface MetricsResult {
  /** The campaign. */
  campaignId: string
  /** The workspace. */
  workspaceId: string
  /** The results of the campaign. */
  metrics: CampaignMetrics
  /** The URLs of this resource and of related ones. */
  links: {
    /** The URL of this resource. */
    self: string
    /** The campaign. */
    campaign: string
  }
}

export interface MetricsResultEnvelope {
  /** The requested resource, or the resources of the page. */
  data: MetricsResult
}

export interface NewAnswer {
  /** The text of the answer. Overture sends it unchanged. */
  text: string
  /** The same answer as HTML. */
  html?: string
  /** Defaults to the subject of the thread with one `Re:` before it. */
  subject?: string
  /** True sends another answer to a reply that was answered before. Without it, the request returns 409 with `currentStatus` `answered`, and the details name the author and the time of the latest answer. */
  again?: boolean
}

export interface NewApiKey {
  /** The name of the key, which lists show. */
  name: string
  /** The scopes of the token. `*` stands for all of a workspace. */
  scopes: ('*' | 'campaigns:read' | 'campaigns:write' | 'leads:read' | 'leads:write' | 'webhooks:read' | 'webhooks:write' | 'workspaces:read' | 'workspaces:write' | 'providers:read' | 'providers:write' | 'suppressions:read' | 'suppressions:write' | 'tokens:read' | 'tokens:write' | 'operations:read' | 'credits:read' | 'credits:write' | 'events:read' | 'leads:export' | 'people:write' | 'deals:write' | 'team:read' | 'team:write' | 'audit:read')[]
  limits?: TokenLimits | null
  /** In the future, and not after the token of the request expires. Defaults to 90 days from now, or to that time when it is earlier. Null means never: it is allowed only for workspace keys, and only when the token of the request never expires. */
  expiresAt?: string | null
}

export interface NewCampaign {
  /** 1 to 200 characters after trimming. */
  name: string
  /** A name for the list that the leads come from. */
  leadListName?: string | null
  /** A label for the niche. */
  niche?: string | null
  /** A label for the location. It does not filter. */
  location?: string | null
  /** The job title. */
  jobTitle?: string | null
  /** A label for the size of the companies. It does not filter. */
  companySize?: string | null
  /** The industry. */
  industry?: string | null
  /** The page that the leads come from, as an http or https URL. */
  sourceUrl?: string | null
  /** The id of a pipeline in your CRM. */
  pipelineId?: string | null
  /** The id of a sales person in your CRM. */
  salesPersonId?: string | null
  /** Adds an open pixel to emails. Off by default, because it raises the spam score and turns plain text into HTML. */
  trackOpens?: boolean
  /** Redirects links through this service to count clicks. Off by default. In HTML, a link whose visible text is an address is never rewritten, so it is not tracked. */
  trackClicks?: boolean
  /** How a recipient unsubscribes. `header` (default): List-Unsubscribe headers, with one-click unsubscribe when this service has an https address, and a link in the footer. Google and Yahoo require one-click unsubscribe from everyone who sends 5,000 or more messages a day to their users. However, mail servers send no automatic replies (Sieve `vacation`, RFC 5230) to messages with list headers, so you do not receive out-of-office replies. `link`: only the link in the footer, without list headers. Automatic replies arrive, but the requirement for one-click unsubscribe is not met. `reply-line`: neither headers nor link. The footer asks the recipient to reply "stop", and Overture honors that reply. This is the most personal form. Use it only for small numbers of first contacts. */
  unsubscribe?: 'header' | 'link' | 'reply-line'
  /** The sentence in the footer: before the link, or in place of the sentence that asks for a reply. Null: the built-in sentence in the language of the lead. */
  optOutText?: string | null
  /** Rules across the campaigns of the workspace. They override the rules of the workspace and are replaced as a whole: a rule that you leave out comes from the workspace. */
  contactRules?: ContactOverrides
  /** The mailbox. */
  providerId?: string | null
  /** Mailboxes in addition to `providerId`. Of the mailboxes that can send now, the one that has used the smallest share of its daily cap sends a first message. No mailbox waits for another. Those with the same gap share new leads evenly, and one with a shorter gap gets more of them. */
  rotationProviderIds?: string[]
  /** No message is sent before this time. Null: at once. Must be before the year 9999. */
  startDate?: string | null
  /** No message is sent after this time. Null: no end. Must be after `startDate`. */
  endDate?: string | null
  schedule?: ScheduleUpdate
}

export interface NewConsent {
  /** The issuer that signs the owner of the mailbox in. */
  issuer: 'google' | 'microsoft'
  /** The mailbox that will sign in with this consent. Without it, a new mailbox is created for the address that gives consent. */
  providerId?: string
  /** The account to suggest at sign-in. Defaults to the address of the mailbox. */
  email?: string
}

export interface NewCreditGrant {
  /** The credits to add. */
  amount: number
  /** The reason, shown in the ledger. Do not put personal data here. */
  note?: string
}

export interface NewErasure {
  /** The email address of the person to erase. */
  email: string
}

export interface NewInvitation {
  /** The email address. */
  email: string
  /** `owner`: everything in the workspace. `admin`: the same, except deciding who is an owner. `member`: campaigns, leads and mailboxes. `viewer`: read access. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
}

export interface NewLead {
  /** The email address. */
  email: string
  /** The first name. */
  firstName?: string | null
  /** The last name. */
  lastName?: string | null
  /** The full name. If it is missing, it is made from the first and last name. */
  fullName?: string | null
  /** The name of the company. */
  company?: string | null
  /** The job title. */
  jobTitle?: string | null
  /** The time zone, as an IANA name such as Europe/Berlin. */
  timezone?: string | null
  /** Your own fields, for templates. */
  variables?: Record<string, string>
}

export interface NewPlan {
  /** The `operationId` of the proposed request. */
  operation: 'campaigns.activate' | 'campaigns.pause' | 'campaigns.resume' | 'campaigns.archive' | 'campaigns.updateSchedule' | 'campaigns.updateMailboxes' | 'campaigns.updateSettings' | 'sequences.replace' | 'sequences.sendTest' | 'leads.import' | 'leads.changeMany' | 'leads.requeue' | 'leads.update' | 'leads.delete' | 'leadSearches.export' | 'leadSearches.attach' | 'replies.answer' | 'suppressions.create' | 'suppressions.createMany' | 'suppressions.delete'
  /** The ids in the path of the request, except workspaceId. All of them are required. */
  params?: Record<string, string>
  /** The body of the request. */
  body?: Record<string, unknown>
  /** Required for requests that need `if-match`. */
  ifMatch?: string
  /** When the plan expires. Defaults to one day. */
  expiresInMinutes?: number
}

/** A mailbox of the kind `smtp` needs `settings.smtp`, and `credentials` with either a password or `oauth`. A `sandbox` takes neither. */
export interface NewProvider {
  /** `smtp`: a real mailbox. `sandbox`: sends no real mail. */
  kind: 'smtp' | 'sandbox'
  /** The name of the mailbox in Overture. Recipients do not see it. */
  name: string
  /** The address from which the mailbox sends. */
  fromEmail: string
  /** The name that recipients see as the sender. */
  fromName?: string | null
  /** The footer of every email shows it. */
  postalAddress?: string | null
  /** The address for replies, if it differs from the sender address. Only replies that arrive in the inbox of this mailbox stop a sequence. */
  replyTo?: string | null
  /** Added below every email: as text, and as HTML when the email is HTML. */
  signature?: {
    /** The signature as text. */
    text?: string | null
    /** The signature as HTML. */
    html?: string | null
  } | null
  /** The most messages that the mailbox sends in a day. */
  dailyCap?: number
  /** The least time between two messages of the mailbox, in seconds. */
  minGapSeconds?: number
  /** Raises the daily number of messages slowly: from the number of the first day, by the increase per day, up to the cap. */
  ramp?: {
    /** The daily number of messages on the first day. */
    startPerDay: number
    /** By how much the daily number grows each day. */
    increasePerDay: number
  } | null
  /** An IANA time zone. The daily cap counts days in this zone. */
  timezone?: string
  /** The maximum number of emails to one recipient domain in any hour. Null: no limit. */
  maxPerDomainPerHour?: number | null
  /** The settings. */
  settings?: ProviderSettings
  credentials?: ProviderCredentials
}

export interface NewSequence {
  /** The steps, in order. */
  steps: NewStep[]
}

export interface NewStep {
  /** Business days after the previous step. Must be 0 for the first step. */
  delayDays: number
  /** One text, or up to five that are compared. */
  variants: {
    /** Required on the first step. Leave it empty for a follow-up that continues the thread of the previous step. */
    subject?: string | null
    /** A Liquid template with the fields and variables of the lead. A template that is blank or cannot be parsed is refused. */
    body: string
    /** The share of new leads that get this variant, relative to the others. Defaults to 1. */
    weight?: number
  }[]
}

export interface NewSuppression {
  /** An address, or a domain with all addresses in it. */
  kind: 'email' | 'domain'
  /** A valid address or domain, as `kind` says. */
  value: string
  /** Your own words. Defaults to `manual`. */
  reason?: string
}

export interface NewSuppressions {
  /** The addresses and domains, up to 5,000. */
  suppressions: {
    /** When it is missing, a value with an @ is an address. */
    kind?: 'email' | 'domain'
    /** The address or domain. */
    value: string
    /** Your own words. Defaults to `manual`. */
    reason?: string
  }[]
}

export interface NewToken {
  /** The name of the token, which lists show. */
  name: string
  /** The scopes of the token. `*` stands for all of a workspace. */
  scopes?: ('*' | 'campaigns:read' | 'campaigns:write' | 'leads:read' | 'leads:write' | 'webhooks:read' | 'webhooks:write' | 'workspaces:read' | 'workspaces:write' | 'providers:read' | 'providers:write' | 'suppressions:read' | 'suppressions:write' | 'tokens:read' | 'tokens:write' | 'operations:read' | 'credits:read' | 'credits:write' | 'events:read' | 'leads:export' | 'people:write' | 'deals:write' | 'team:read' | 'team:write' | 'audit:read')[]
  limits?: TokenLimits | null
  /** In the future, and not after the token of the request expires. Defaults to 90 days from now, or to that time when it is earlier. Null means never: it is allowed only for workspace keys, and only when the token of the request never expires. */
  expiresAt?: string | null
}

export interface NewTrackingHost {
  /** A subdomain of your own domain, like `go.example.com`. */
  host: string
}

export interface NewWebhookEndpoint {
  /** An https URL at a public address. */
  url: string
  /** Event types, or `["*"]` for all of them. `*` must be the only entry. */
  events: ('lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'provider.copies_failing' | 'provider.copies_stored' | 'tracking_host.verified' | 'tracking_host.failing' | 'provider.health_changed' | 'operation.succeeded' | 'operation.failed' | 'plan.proposed' | 'plan.approved' | 'plan.rejected' | 'plan.applied' | 'plan.failed' | 'webhook.test' | '*')[]
  /** Your own note. */
  description?: string | null
}

/** A requested action and its outcome. `result` is null unless the operation has succeeded, `error` is null unless it has failed. */
export type Operation = CampaignOperation | CampaignCopyOperation | SequenceOperation | SequenceCopyOperation | WorkspaceSettingsOperation | LeadImportOperation | LeadOperation | LeadBulkOperation | IdOperation | CsvImportOperation | LeadSearchPreviewOperation | ProposedFiltersOperation | LeadSearchDeliveryOperation | LeadSearchAttachmentOperation | DirectoryImportOperation | WebhookOperation | DeliveryOperation | ReplayOperation | ProviderOperation | VerificationOperation | DomainHealthOperation | AnswerOperation | SuppressionOperation | SuppressionsOperation | SuppressionCsvOperation | ErasureOperation | CreditGrantOperation | WorkspaceOperation | TokenOperation | MemberOperation | RemovedMemberOperation | InvitationOperation | JoinOperation | TrackingHostOperation | ClockAdvanceOperation | TestMessageOperation

export interface OperationError {
  /** The machine-readable code. */
  code: 'invalid_json' | 'invalid_request' | 'invalid_cursor' | 'invalid_idempotency_key' | 'invalid_if_match' | 'unauthenticated' | 'invalid_token' | 'insufficient_credits' | 'insufficient_scope' | 'forbidden' | 'token_budget_exceeded' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'idempotency_key_reused' | 'invalid_state' | 'campaign_not_ready' | 'limit_exceeded' | 'export_expired' | 'events_expired' | 'payload_too_large' | 'unsupported_media_type' | 'validation_failed' | 'invalid_reference' | 'url_not_allowed' | 'precondition_required' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'service_unavailable' | 'precondition_failed' | 'filters_not_derivable' | 'upstream_unavailable' | 'timeout'
  /** The problem, for people. Its wording may change. */
  message: string
  /** True: nothing was saved or charged, and the same request with a new idempotency key may succeed. */
  retryable: boolean
}

export interface OperationFailedData {
  /** The operation. */
  operationId: string
  /** The action of the operation. */
  action: string
  /** The campaign. */
  campaignId: string | null
  /** Why it failed; null otherwise. */
  error: OperationError
}

/** An operation has failed. `error` contains the reason. */
export interface OperationFailedEvent extends EventBase {
  /** The type of the event. */
  type: 'operation.failed'
  /** The requested resource, or the resources of the page. */
  data: OperationFailedData
}

export interface OperationPage {
  /** The requested resource, or the resources of the page. */
  data: Operation[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface OperationReference {
  /** The id of this resource. */
  id: string
  /** `queued` until the operation has ended. */
  status: 'queued' | 'succeeded' | 'failed'
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface OperationSucceededData {
  /** The operation. */
  operationId: string
  /** The action of the operation. */
  action: string
  /** The campaign. */
  campaignId: string | null
}

/** An operation has succeeded. `GET /v1/operations/{operationId}` returns its result. */
export interface OperationSucceededEvent extends EventBase {
  /** The type of the event. */
  type: 'operation.succeeded'
  /** The requested resource, or the resources of the page. */
  data: OperationSucceededData
}

/** The sentences that explain how to unsubscribe, by language of the lead. Campaigns without an `optOutText` use them. A built-in sentence replaces every sentence that is missing. */
export interface OptOutLines {
  /** English. */
  en?: {
    /** The sentence before the link. */
    link?: string
    /** The sentence that asks for a reply, in campaigns whose `unsubscribe` is `reply-line`. */
    reply?: string
  }
  /** German. */
  de?: {
    /** The sentence before the link. */
    link?: string
    /** The sentence that asks for a reply, in campaigns whose `unsubscribe` is `reply-line`. */
    reply?: string
  }
  /** French. */
  fr?: {
    /** The sentence before the link. */
    link?: string
    /** The sentence that asks for a reply, in campaigns whose `unsubscribe` is `reply-line`. */
    reply?: string
  }
  /** Spanish. */
  es?: {
    /** The sentence before the link. */
    link?: string
    /** The sentence that asks for a reply, in campaigns whose `unsubscribe` is `reply-line`. */
    reply?: string
  }
}

export interface PageLinks {
  /** The URL of this resource. */
  self: string
  /** The URL of the next page; null on the last one. */
  next: string | null
}

export interface PageMeta {
  /** Where the page is in the list. */
  pagination: {
    /** Send it as `cursor` for the next page; null on the last one. */
    nextCursor: string | null
    /** Whether there is another page. */
    hasMore: boolean
    /** The most entries of a page. */
    limit: number
  }
}

/** The plan. */
export interface Plan {
  /** The id of this resource. */
  id: string
  /** The workspace. */
  workspaceId: string
  /** The `operationId` of the proposed request. */
  operation: 'campaigns.activate' | 'campaigns.pause' | 'campaigns.resume' | 'campaigns.archive' | 'campaigns.updateSchedule' | 'campaigns.updateMailboxes' | 'campaigns.updateSettings' | 'sequences.replace' | 'sequences.sendTest' | 'leads.import' | 'leads.changeMany' | 'leads.requeue' | 'leads.update' | 'leads.delete' | 'leadSearches.export' | 'leadSearches.attach' | 'replies.answer' | 'suppressions.create' | 'suppressions.createMany' | 'suppressions.delete'
  /** `pending`: waits for a person. `approved`: can be carried out. The others have ended. */
  status: 'pending' | 'approved' | 'applied' | 'rejected' | 'failed' | 'expired'
  summary: PlanSummary
  /** The exact request that will be made. Null for a token that could not make the request itself, and after the plan has ended. */
  request: {
    /** The HTTP method. */
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    /** The path of the request. */
    path: string
    /** The body of the request. */
    body: Record<string, unknown>
  } | null
  /** The token that proposed it. */
  proposedBy: string
  /** The person who approved or rejected it. */
  decidedBy: string | null
  /** When it was approved or rejected. */
  decidedAt: string | null
  /** When it was carried out. */
  appliedAt: string | null
  /** The operation that carried out the plan; null until then. */
  operationId: string | null
  /** Why it failed; null otherwise. */
  error: OperationError | null
  /** When it was created. */
  createdAt: string
  /** When it expires. */
  expiresAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

/** A plan was carried out. */
export interface PlanAppliedEvent extends EventBase {
  /** The type of the event. */
  type: 'plan.applied'
  /** The requested resource, or the resources of the page. */
  data: PlanProposedData
}

/** A person has approved a plan. */
export interface PlanApprovedEvent extends EventBase {
  /** The type of the event. */
  type: 'plan.approved'
  /** The requested resource, or the resources of the page. */
  data: PlanProposedData
}

export interface PlanEnvelope {
  data: Plan
}

/** An approved plan could not be carried out. */
export interface PlanFailedEvent extends EventBase {
  /** The type of the event. */
  type: 'plan.failed'
  /** The requested resource, or the resources of the page. */
  data: PlanProposedData
}

export interface PlanPage {
  /** The requested resource, or the resources of the page. */
  data: Plan[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface PlanProposedData {
  /** The plan. */
  planId: string
  /** The operationId of the proposed request. */
  operation: string
  /** How many leads it concerns. */
  leadCount: number
  /** The maximum number of emails that can follow. */
  mailCount: number
  /** The maximum number of credits that it can cost. */
  creditCost: number
  /** When the plan expires. */
  expiresAt: string
}

/** An agent has proposed a plan, and a person must approve it. */
export interface PlanProposedEvent extends EventBase {
  /** The type of the event. */
  type: 'plan.proposed'
  /** The requested resource, or the resources of the page. */
  data: PlanProposedData
}

/** A person has rejected a plan. */
export interface PlanRejectedEvent extends EventBase {
  /** The type of the event. */
  type: 'plan.rejected'
  /** The requested resource, or the resources of the page. */
  data: PlanProposedData
}

/** The effect of the request, in words and numbers. */
export interface PlanSummary {
  /** One sentence that describes what will happen. */
  text: string
  /** The name of the campaign, if it concerns one. */
  campaignName: string | null
  /** The addresses of the mailboxes that would send. */
  from: string[]
  /** The first 20 affected people, if the request names them. Empty for a token that could not read them. */
  recipients: string[]
  /** How many leads it concerns. */
  leadCount: number
  /** The maximum number of emails that can follow. */
  mailCount: number
  /** The maximum number of credits that it can cost. */
  creditCost: number
}

export interface Preview {
  /** The campaign. */
  campaignId: string
  /** The lead. */
  leadId: string | null
  /** The number of the step, from 0. */
  step: number
  /** The variant of the step. */
  variantId: string
  /** The sender. */
  from: string
  /** The recipient. */
  to: string
  /** The subject. Null in a step: it continues the thread of the step before. */
  subject: string
  /** The text part of the message. */
  text: string
  /** The content as HTML; null if there is none. */
  html: string | null
  /** The headers of the message. */
  headers: {
    /** The name of the header. */
    name: string
    /** The value of the header. */
    value: string
  }[]
  /** The sentence that explains how to unsubscribe. */
  optOut: {
    /** The sentence. */
    line: string
    /** The language of the lead, if its variable `language` is set, or else the language of the text. */
    language: 'en' | 'de' | 'fr' | 'es'
    /** Where the sentence comes from. */
    source: 'campaign' | 'workspace' | 'built_in'
  } | null
  /** Properties of the message that raise its spam score, most serious first, including the tracking of the campaign. The list comes from built-in rules. An empty list is best. */
  scoreHints: {
    /** The machine-readable code. */
    code: string
    /** The points that a spam filter may add. */
    points: number
    /** An explanation for people. Its wording may change. */
    message: string
  }[]
  /** The URLs of this resource and of related ones. */
  links: {
    /** The URL of this resource. */
    self: string
    /** The campaign. */
    campaign: string
  }
}

export interface PreviewEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Preview
}

export interface PreviewRequest {
  /** The number of the step, from 0. */
  step: number
  /** Defaults to the first lead of the campaign, or to an invented lead when there is none. */
  leadId?: string
  /** Defaults to the variant that the lead would receive. */
  variantId?: string
  /** Steps to try out instead of the saved sequence. They are not saved. */
  steps?: NewStep[]
}

export interface ProposedFilters {
  filters: FilterDocument
  /** Where each value came from. */
  explanations: {
    /** The name of the field. */
    field: string
    /** The value of the filter: a word, a number, a place or a range. */
    value: string | number | {
      /** A region of several countries, such as DACH. */
      area?: string
      /** The country. */
      country?: string
      /** The city. */
      city?: string
      /** ISO 3166-2. */
      region?: string
      /** ISO 4217. */
      currency?: string
      /** The radius around the city. */
      radiusKm?: number
      /** The lowest value that matches. */
      min?: number
      /** The highest value that matches. */
      max?: number
    }
    /** The words of the brief from which the value was read. */
    text: string
    /** The engine that read it: the built-in rules or the language model. */
    engine: 'rules' | 'llm'
  }[]
  /** Words of the brief that could not be turned into a filter. */
  unmatched: string[]
  /** Words of the brief that do not describe a filter. */
  context: string[]
  /** The engine that read the brief. */
  engine: 'rules' | 'llm'
  /** Why the language model was not used. */
  fallbackReason?: string
}

export interface ProposedFiltersOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'lead_search.generate_filters'
  /** The result of a successful operation; null otherwise. */
  result: ProposedFilters | null
}

export interface ProposedPlan {
  plan: Plan
  /** The token that carries out the plan after approval. Only the token that proposed the plan can use it. */
  planToken: string | null
}

export interface ProposedPlanEnvelope {
  /** The requested resource, or the resources of the page. */
  data: ProposedPlan
}

export interface Provider {
  /** The id of this resource. */
  id: string
  /** The workspace. */
  workspaceId: string
  /** `smtp`: a real mailbox. `sandbox`: sends no real mail. */
  kind: 'smtp' | 'sandbox'
  /** The name of the mailbox in Overture. Recipients do not see it. */
  name: string
  /** The name that recipients see as the sender. */
  fromName: string | null
  /** The address from which the mailbox sends. */
  fromEmail: string
  /** The footer of every email shows it. */
  postalAddress: string | null
  /** The address for replies, if it differs from the sender address. Only replies that arrive in the inbox of this mailbox stop a sequence. */
  replyTo: string | null
  /** Added below every email: as text, and as HTML when the email is HTML. */
  signature: {
    /** The signature as text. */
    text?: string | null
    /** The signature as HTML. */
    html?: string | null
  } | null
  /** The most messages that the mailbox sends in a day. */
  dailyCap: number
  /** The least time between two messages of the mailbox, in seconds. */
  minGapSeconds: number
  /** Raises the daily number of messages slowly: from the number of the first day, by the increase per day, up to the cap. */
  ramp: {
    /** The daily number of messages on the first day. */
    startPerDay: number
    /** By how much the daily number grows each day. */
    increasePerDay: number
  } | null
  /** An IANA time zone. The daily cap counts days in this zone. */
  timezone: string
  /** The maximum number of emails to one recipient domain in any hour. Null: no limit. */
  maxPerDomainPerHour: number | null
  /** `connected`: may send. `disconnected`: failed. `unverified`: not verified yet. */
  status: 'connected' | 'disconnected' | 'unverified'
  /** Why it is disconnected. */
  statusReason: string | null
  /** The settings. */
  settings: ProviderSettings
  /** The mail server failed temporarily, and nothing is sent until this time. After 15 minutes of failures the mailbox is disconnected. */
  resting: {
    /** When sending continues. */
    until: string
    /** The failure, often in the words of the mail server. */
    reason: string | null
  } | null
  /** Whether the inbox can be read. While it cannot be read, follow-ups wait, because it may contain a reply. Null without an inbox, and before it is read for the first time. */
  inbox: {
    /** `unread`: the inbox has not been read up to now. */
    status: 'readable' | 'unread' | 'unreadable'
    /** Why the inbox cannot be read. */
    reason: string | null
    /** Since when. */
    since: string | null
  } | null
  /** The server refuses to store copies of sent messages in the Sent folder, most often because the mailbox is full. Messages are sent nevertheless. A full mailbox also refuses replies. */
  copiesFailing: {
    /** The response of the mail server. */
    reason: string
    /** Since when. */
    since: string | null
  } | null
  /** How many messages the mailbox has sent today, and how many it may send. */
  load: {
    /** The number of messages sent today in its time zone, including answers. */
    sentToday: number
    /** The number of messages allowed today: the daily cap, or the limit of the ramp. */
    limitToday: number
    /** When the mailbox may send next. */
    nextSlotAt: string | null
  }
  /** The consent with which the mailbox signs in. Null when it signs in with a password, or with a token that you provided. */
  consent: {
    /** The issuer that signs the owner of the mailbox in. */
    issuer: 'google' | 'microsoft'
    /** The account that gave consent. */
    account: string
  } | null
  /** The request that solves the problem, if there is one. */
  fix: Fix | null
  /** Whether credentials for the present servers are stored. */
  hasCredentials: boolean
  /** When it was connected. */
  connectedAt: string | null
  /** When it was created. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

/** The server of a mailbox refuses to store copies of sent messages, most often because the mailbox is full. */
export interface ProviderCopiesFailingEvent extends EventBase {
  /** The type of the event. */
  type: 'provider.copies_failing'
  /** The requested resource, or the resources of the page. */
  data: ProviderState
}

/** The server of a mailbox stores copies of sent messages again. */
export interface ProviderCopiesStoredEvent extends EventBase {
  /** The type of the event. */
  type: 'provider.copies_stored'
  /** The requested resource, or the resources of the page. */
  data: ProviderState
}

/** Write-only: never shown again. */
export interface ProviderCredentials {
  /** The user name, most often the address. */
  username: string
  /** The password, or an app password. */
  password?: string
  /** A refresh token of your own, instead of a password. */
  oauth?: {
    /** The token endpoint of the issuer. */
    tokenUrl: string
    /** The id of your OAuth client. */
    clientId: string
    /** The secret of your OAuth client. */
    clientSecret?: string
    /** The refresh token. */
    refreshToken: string
  }
}

/** A mailbox can no longer send. */
export interface ProviderDisconnectedEvent extends EventBase {
  /** The type of the event. */
  type: 'provider.disconnected'
  /** The requested resource, or the resources of the page. */
  data: ProviderState
}

export interface ProviderDiscovery {
  /** The email address. */
  email: string
  /** Possible settings, most likely first. */
  candidates: DiscoveredSettings[]
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface ProviderDiscoveryEnvelope {
  /** The requested resource, or the resources of the page. */
  data: ProviderDiscovery
}

export interface ProviderEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Provider
}

export interface ProviderHealthChangedData {
  /** The mailbox. */
  providerId: string
  /** The name. */
  name: string
  /** The address from which the mailbox sends. */
  fromEmail: string
  /** The previous status; null at the first check. */
  from: string | null
  /** The new status. */
  to: string
  /** The checks that fail at present. */
  failing: string[]
}

/** The domain of a mailbox started to fail its checks, or passes them again. */
export interface ProviderHealthChangedEvent extends EventBase {
  /** The type of the event. */
  type: 'provider.health_changed'
  /** The requested resource, or the resources of the page. */
  data: ProviderHealthChangedData
}

/** The inbox of a mailbox can be read again. */
export interface ProviderInboxReadableEvent extends EventBase {
  /** The type of the event. */
  type: 'provider.inbox_readable'
  /** The requested resource, or the resources of the page. */
  data: ProviderState
}

/** The inbox of a mailbox cannot be read, so new replies are not found. */
export interface ProviderInboxUnreadableEvent extends EventBase {
  /** The type of the event. */
  type: 'provider.inbox_unreadable'
  /** The requested resource, or the resources of the page. */
  data: ProviderState
}

export interface ProviderOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'provider.create' | 'provider.update' | 'provider.consent'
  /** The result of a successful operation; null otherwise. */
  result: ProviderResult | null
}

export interface ProviderPage {
  /** The requested resource, or the resources of the page. */
  data: Provider[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface ProviderPatch {
  /** The name of the mailbox in Overture. Recipients do not see it. */
  name?: string
  /** The address from which the mailbox sends. */
  fromEmail?: string
  /** The name that recipients see as the sender. */
  fromName?: string | null
  /** The footer of every email shows it. */
  postalAddress?: string | null
  /** The address for replies, if it differs from the sender address. Only replies that arrive in the inbox of this mailbox stop a sequence. */
  replyTo?: string | null
  /** Added below every email: as text, and as HTML when the email is HTML. */
  signature?: {
    /** The signature as text. */
    text?: string | null
    /** The signature as HTML. */
    html?: string | null
  } | null
  /** The most messages that the mailbox sends in a day. */
  dailyCap?: number
  /** The least time between two messages of the mailbox, in seconds. */
  minGapSeconds?: number
  /** Raises the daily number of messages slowly: from the number of the first day, by the increase per day, up to the cap. */
  ramp?: {
    /** The daily number of messages on the first day. */
    startPerDay: number
    /** By how much the daily number grows each day. */
    increasePerDay: number
  } | null
  /** An IANA time zone. The daily cap counts days in this zone. */
  timezone?: string
  /** The maximum number of emails to one recipient domain in any hour. Null: no limit. */
  maxPerDomainPerHour?: number | null
  /** The settings. */
  settings?: ProviderSettings
  credentials?: ProviderCredentials
}

export interface ProviderResult {
  /** The mailbox. */
  provider: Provider
}

export interface ProviderSettings {
  /** The server that sends. */
  smtp?: {
    /** The host name. */
    host: string
    /** The port. */
    port: number
    /** True: TLS from the first byte. False: STARTTLS is required. */
    secure: boolean
    /** Allows sending the password over an unencrypted connection when the server offers no encryption. */
    allowPlaintext?: boolean
    tls?: MailServerTls
  }
  /** The server that receives. */
  imap?: {
    /** The host name. */
    host: string
    /** The port. */
    port: number
    /** True: TLS from the first byte. False: STARTTLS is required. */
    secure: boolean
    /** Allows sending the password over an unencrypted connection when the server offers no encryption. */
    allowPlaintext?: boolean
    tls?: MailServerTls
    /** The folders to read besides the INBOX. Defaults to all folders in which a reply can arrive, which excludes sent messages, drafts and the trash. */
    folders?: string[]
    /** Whether copies of sent messages are stored in the Sent folder. By default, they are stored only if the verification found that the server stores none itself. */
    appendSent?: boolean
    /** Whether first messages may be sent while the inbox cannot be read. Defaults to true. Follow-ups always wait. */
    firstStepsWithoutInbox?: boolean
  } | null
}

export interface ProviderState {
  /** The mailbox. */
  providerId: string
  /** The name. */
  name: string
  /** The address from which the mailbox sends. */
  fromEmail: string
  /** The reason. */
  reason: string | null
}

export interface Readiness {
  /** The campaign. */
  campaignId: string
  /** The workspace. */
  workspaceId: string
  /** True without failures: `activate` or `resume` would succeed now. For an active campaign, which needs neither: nothing is wrong with it. */
  ready: boolean
  /** The problems that prevent the start. Empty when the campaign is ready. */
  failures: {
    /** The code of the rule. Failures are listed in this order. */
    rule: 'leads_missing' | 'leads_all_suppressed' | 'sequence_missing' | 'sequence_step_invalid' | 'schedule_missing' | 'schedule_expired' | 'provider_missing' | 'provider_disconnected' | 'sender_identity_missing' | 'domain_health' | 'status_not_activatable'
    /** An explanation for people. Its wording may change. */
    message: string
  }[]
  /** Possible problems. */
  warnings: {
    /** The code of the rule. */
    rule: 'missing_variable' | 'template' | 'suppressed' | 'bad_address' | 'contacted_elsewhere' | 'in_other_campaign' | 'company_replied' | 'company_limit' | 'follow_up_without_delay' | 'domain_health' | 'tracking_host_failing'
    /** An explanation for people. Its wording may change. */
    message: string
    /** The number of leads affected; 0 when it does not concern leads. The count stops at 10,000, and the message then says "at least". */
    count: number
    /** Up to five of the leads, for tokens with `leads:read`. */
    examples: {
      /** The lead. */
      leadId: string
      /** The email address. */
      email: string
    }[]
  }[]
  /** The URLs of this resource and of related ones. */
  links: {
    /** The URL of this resource. */
    self: string
    /** The campaign. */
    campaign: string
  }
}

export interface ReadinessEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Readiness
}

export interface RemovedMember {
  /** The person who was removed. */
  userId: string
}

export interface RemovedMemberOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'team.remove'
  /** The result of a successful operation; null otherwise. */
  result: RemovedMember | null
}

export interface Replay {
  /** Start of the period. */
  since: string
  /** End of the period, not before `since`. Defaults to now. */
  until?: string
}

export interface ReplayOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'webhook.replay'
  /** The result of a successful operation; null otherwise. */
  result: ReplayResult | null
}

export interface ReplayResult {
  /** Deliveries that were created. */
  replayedCount: number
}

export interface ReplayResultEnvelope {
  /** The requested resource, or the resources of the page. */
  data: ReplayResult
}

export interface Reply {
  /** The id of this resource. */
  id: string
  /** The workspace. */
  workspaceId: string
  /** The campaign. */
  campaignId: string | null
  /** The lead. */
  leadId: string | null
  /** The mailbox. */
  providerId: string
  /** The sent message. */
  sendId: string | null
  /** The step that the reply answers, counted from 0 as in events. */
  step: number | null
  /** The meaning of the reply: `positive` (interested), `negative`, `neutral`, `opt_out`, or `auto_reply` when no person wrote it. */
  kind: 'positive' | 'negative' | 'neutral' | 'opt_out' | 'auto_reply'
  /** The kind that was detected when the reply arrived. */
  judgedKind: 'positive' | 'negative' | 'neutral' | 'opt_out' | 'auto_reply'
  /** The confidence of the classification. */
  confidence: number | null
  /** True when the classification is uncertain and a person should read the reply. */
  needsLook: boolean
  /** Whether a person has handled the reply. */
  handled: boolean
  /** When it was marked as handled. */
  handledAt: string | null
  /** The kind that a person set; null if it was not corrected. */
  correctedKind: 'positive' | 'negative' | 'neutral' | 'opt_out' | 'auto_reply' | null
  /** The token that was used for the correction. */
  correctedBy: string | null
  /** When a person corrected the kind. */
  correctedAt: string | null
  /** The sender of the reply. Null, like subject and text, when the person was erased. */
  from: string | null
  /** The address that the sender wants answers to go to, if it is not `from`. An answer is sent to it. */
  replyTo: string | null
  /** Other people who received the message, from its `Cc`: at most 50. An answer is not sent to them. */
  cc: string[]
  /** The name of the lead, if it is known and the reply came from the address of the lead. */
  leadName: string | null
  /** The subject. Null in a step: it continues the thread of the step before. */
  subject: string | null
  /** The text of the person, without quotes and signature. The thread of the lead has the complete text. */
  text: string | null
  /** The Message-ID of the reply, if it has one. */
  messageId: string | null
  /** The message was larger than the limit for stored messages. Texts or attachments may be missing. */
  isCut: boolean
  /** The attachments of the message. */
  attachments: Attachment[]
  /** Another person to contact, named in the reply. */
  referral: {
    /** The address in the reply. */
    email: string
    /** The name next to the address, if there is one. */
    name: string | null
  } | null
  /** The first day on which the person wants to be contacted again. The service does not act on it. */
  deferredUntil: string | null
  /** When it arrived. */
  receivedAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface ReplyEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Reply
}

export interface ReplyPage {
  /** The requested resource, or the resources of the page. */
  data: Reply[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface ReplyPatch {
  /** The correct meaning of the reply. */
  kind?: 'positive' | 'negative' | 'neutral' | 'opt_out'
  /** Whether a person has dealt with the reply. */
  handled?: boolean
}

export interface ReplyUpdatedData {
  /** The lead. */
  leadId: string
  /** The campaign. */
  campaignId: string
  /** The email address. */
  email: string | null
  /** The reply. */
  replyId: string
  /** The sent message. */
  sendId: string | null
  /** The step of the sequence, counted from 0. */
  step: number | null
  /** The present kind. */
  kind: string
  /** The kind before the change. */
  previousKind: string
  /** The kind that was detected when the reply arrived. */
  judgedKind: string
  /** Whether a person has handled the reply. */
  handled: boolean
  /** When the reply was recorded. */
  repliedAt: string
  /** The cause of the change, such as `api`, `sender` or `reply`. */
  by: string
  /** The user or the workspace key that requested the change, if one did. */
  actorId?: string
}

/** The kind of a reply was corrected, or the reply was marked as handled. */
export interface ReplyUpdatedEvent extends EventBase {
  /** The type of the event. */
  type: 'reply.updated'
  /** The requested resource, or the resources of the page. */
  data: ReplyUpdatedData
}

export interface SandboxClock {
  /** The time of the test clock. */
  now: string
  /** The difference to real time. */
  offsetMs: number
  /** Whether the clock can be advanced; otherwise see `reason`. */
  canAdvance: boolean
  /** Why the clock cannot be advanced. */
  reason: string | null
  /** The operation that is advancing the clock. `now` shows its progress. */
  advancing: {
    /** The operation; null if another workspace has requested it. */
    operationId: string | null
    /** The time at which it began. */
    from: string
    /** Null: until nothing more is planned. */
    to: string | null
  } | null
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface SandboxClockEnvelope {
  /** The requested resource, or the resources of the page. */
  data: SandboxClock
}

export interface SandboxMessage {
  /** The id of this resource. */
  id: string
  /** The mailbox. */
  providerId: string
  /** The campaign. */
  campaignId: string | null
  /** The lead. */
  leadId: string | null
  /** `out`: a message that would have been sent. `in`: a reply of the simulated recipient. */
  direction: 'out' | 'in'
  /** The sender. */
  from: string
  /** The recipient. */
  to: string
  /** The subject. Null in a step: it continues the thread of the step before. */
  subject: string
  /** The text of the message. */
  text: string
  /** The content as HTML; null if there is none. */
  html: string | null
  /** The whole message with its headers. Without the scope `suppressions:write`, only the headers: the links in the message work. */
  raw: string
  /** When it was created. */
  createdAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface SandboxMessageEnvelope {
  /** The requested resource, or the resources of the page. */
  data: SandboxMessage
}

export interface SandboxMessagePage {
  /** The requested resource, or the resources of the page. */
  data: SandboxMessage[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface Schedule {
  /** The campaign. */
  campaignId: string
  /** The days on which messages may be sent. */
  daysOfWeek: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[] | null
  /** Messages are sent from `start` until just before `end`, which must be later. A window until `23:59` ends with the day, so `00:00` to `23:59` is the whole day. */
  timeWindow: {
    /** HH:mm */
    start: string
    /** HH:mm */
    end: string
  } | null
  /** The time zone, as an IANA name such as Europe/Berlin. */
  timezone: string | null
  /** Uses the time zone of the lead for the days and hours, when it is known, and `timezone` for other leads. Delays are counted in the same time zone. Defaults to false. */
  useLeadTimezone: boolean
  /** No message is sent before this time. Null: at once. Must be before the year 9999. */
  startDate: string | null
  /** No message is sent after this time. Null: no end. Must be after `startDate`. */
  endDate: string | null
  /** The URLs of this resource and of related ones. */
  links: {
    /** The URL of this resource. */
    self: string
    /** The campaign. */
    campaign: string
  }
}

export interface ScheduleEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Schedule
}

/** Send the three fields of the window together: they replace it. The dates and `useLeadTimezone` stay unless you send them. `endDate` must be after `startDate`. */
export interface ScheduleUpdate {
  /** The days on which messages may be sent. */
  daysOfWeek?: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[]
  /** Messages are sent from `start` until just before `end`, which must be later. A window until `23:59` ends with the day, so `00:00` to `23:59` is the whole day. */
  timeWindow?: {
    /** HH:mm */
    start: string
    /** HH:mm */
    end: string
  }
  /** An IANA name, like Europe/Berlin. */
  timezone?: string
  /** Uses the time zone of the lead for the days and hours, when it is known, and `timezone` for other leads. Delays are counted in the same time zone. Defaults to false. */
  useLeadTimezone?: boolean
  /** No message is sent before this time. Null: at once. Must be before the year 9999. */
  startDate?: string | null
  /** No message is sent after this time. Null: no end. Must be after `startDate`. */
  endDate?: string | null
}

export interface SecretRotation {
  /** How long every delivery is also signed with the old secret. */
  overlapSeconds?: number
}

export interface SendingStatus {
  /** The campaign. */
  campaignId: string
  /** The workspace. */
  workspaceId: string
  /** The status of the campaign. */
  status: 'draft' | 'active' | 'paused' | 'completed' | 'archived' | 'attention_needed'
  /** Why the campaign needs attention; null otherwise. */
  attentionReason: string | null
  /** Whether opens are tracked. */
  trackOpens: boolean
  /** Whether links are tracked. */
  trackClicks: boolean
  /** Messages that may be sent at this moment. */
  readyCount: number
  /** Messages that are being sent. */
  inFlightCount: number
  /** Messages that count as sent although their outcome is unknown. They are not sent again, to avoid duplicates. */
  assumedCount: number
  /** Messages whose outcome is not known yet. */
  unknownCount: number
  /** When the next attempt is made; null if none is planned. */
  nextAttemptAt: string | null
  /** A summary in one line. */
  summary: string
  /** Why the other leads wait, most leads first. */
  reasons: {
    /** Why these leads wait. */
    reason: 'waiting_window' | 'not_due' | 'campaign_not_started' | 'mailbox_cap' | 'mailbox_gap' | 'mailbox_resting' | 'inbox_unread' | 'domain_throttle' | 'earlier_step_open' | 'contacted_elsewhere' | 'in_other_campaign' | 'company_limit' | 'company_replied' | 'tracking_host_failing' | 'campaign_not_active' | 'no_mailbox' | 'mailbox_disconnected' | 'missing_variable' | 'campaign_expired' | 'due_after_end' | 'suppressed' | 'lead_final' | 'sequence_completed' | 'beyond_horizon' | 'recipient_deferred' | 'connection_lost' | 'mailbox_unreachable' | 'mailbox_refused' | 'message_too_large' | 'content_refused' | 'recipient_away'
    /** How many leads wait for this reason. */
    count: number
    /** When the next attempt is made; null if none is planned. */
    nextAttemptAt: string | null
    /** The reason in words. */
    text: string
    fix: Fix | null
    ifLifted: IfLifted | null
  }[]
  /** The mailboxes of the campaign today. */
  mailboxes: {
    /** The id of this resource. */
    id: string
    /** The name of the mailbox. */
    name: string
    /** `connected`: may send. `disconnected`: failed. `unverified`: not verified yet. */
    status: string
    /** Messages sent today. */
    sentToday: number
    /** Messages allowed today. */
    limitToday: number
    /** When the mailbox may send next. */
    nextSlotAt: string | null
  }[]
  /** The URLs of this resource and of related ones. */
  links: {
    /** The URL of this resource. */
    self: string
    /** The campaign. */
    campaign: string
  }
}

export interface SendingStatusEnvelope {
  /** The requested resource, or the resources of the page. */
  data: SendingStatus
}

export interface Sequence {
  /** The campaign. */
  campaignId: string
  /** 0: there is no sequence yet. */
  version: number
  /** The steps, in order. */
  steps: {
    /** The id of this resource. */
    id: string
    /** Business days after the previous step. Must be 0 for the first step. */
    delayDays: number
    /** The variants of the step. */
    variants: {
      /** The id of this resource. */
      id: string
      /** Required on the first step. Leave it empty for a follow-up that continues the thread of the previous step. */
      subject: string | null
      /** A Liquid template with the fields and variables of the lead. A template that is blank or cannot be parsed is refused. */
      body: string
      /** The share of new leads that get this variant, relative to the others. Defaults to 1. */
      weight: number
    }[]
  }[]
  /** When the sequence was last changed. A change needs the `updatedAt` of the campaign as `if-match`. */
  updatedAt: string | null
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface SequenceCopy {
  /** The campaign. */
  campaignId: string
  /** How many steps the sequence has. */
  stepCount: number
  /** The `updatedAt` of the campaign, for `if-match`. */
  updatedAt: string
  /** The campaign that is copied. */
  sourceCampaignId: string
}

export interface SequenceCopyOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'campaign.copy_sequence'
  /** The result of a successful operation; null otherwise. */
  result: SequenceCopy | null
}

export interface SequenceEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Sequence
}

export interface SequenceOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'campaign.update_sequence'
  /** The result of a successful operation; null otherwise. */
  result: SequenceResult | null
}

export interface SequenceResult {
  /** The campaign. */
  campaignId: string
  /** How many steps the sequence has. */
  stepCount: number
  /** The `updatedAt` of the campaign, for `if-match`. */
  updatedAt: string
}

export interface Session {
  /** The id of this resource. */
  id: string
  /** The token as which the session acts. */
  tokenId: string
  /** The name of the token from which the session was created. The session acts as this token. */
  tokenName: string
  /** The User-Agent header of the browser. */
  userAgent: string | null
  /** True: this request uses this session. */
  isCurrent: boolean
  /** When it was created. */
  createdAt: string
  /** Accurate to five minutes. */
  lastUsedAt: string
  /** 12 hours after its last use, but at most 30 days after its start, and no later than its token. */
  expiresAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface SessionEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Session
}

export interface SessionPage {
  /** The requested resource, or the resources of the page. */
  data: Session[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface SettingsUpdate {
  /** 1 to 200 characters after trimming. */
  name?: string
  /** A name for the list that the leads come from. */
  leadListName?: string | null
  /** A label for the niche. */
  niche?: string | null
  /** A label for the location. It does not filter. */
  location?: string | null
  /** The job title. */
  jobTitle?: string | null
  /** A label for the size of the companies. It does not filter. */
  companySize?: string | null
  /** The industry. */
  industry?: string | null
  /** The page that the leads come from, as an http or https URL. */
  sourceUrl?: string | null
  /** The id of a pipeline in your CRM. */
  pipelineId?: string | null
  /** The id of a sales person in your CRM. */
  salesPersonId?: string | null
  /** Adds an open pixel to emails. Off by default, because it raises the spam score and turns plain text into HTML. */
  trackOpens?: boolean
  /** Redirects links through this service to count clicks. Off by default. In HTML, a link whose visible text is an address is never rewritten, so it is not tracked. */
  trackClicks?: boolean
  /** How a recipient unsubscribes. `header` (default): List-Unsubscribe headers, with one-click unsubscribe when this service has an https address, and a link in the footer. Google and Yahoo require one-click unsubscribe from everyone who sends 5,000 or more messages a day to their users. However, mail servers send no automatic replies (Sieve `vacation`, RFC 5230) to messages with list headers, so you do not receive out-of-office replies. `link`: only the link in the footer, without list headers. Automatic replies arrive, but the requirement for one-click unsubscribe is not met. `reply-line`: neither headers nor link. The footer asks the recipient to reply "stop", and Overture honors that reply. This is the most personal form. Use it only for small numbers of first contacts. */
  unsubscribe?: 'header' | 'link' | 'reply-line'
  /** The sentence in the footer: before the link, or in place of the sentence that asks for a reply. Null: the built-in sentence in the language of the lead. */
  optOutText?: string | null
  /** Rules across the campaigns of the workspace. They override the rules of the workspace and are replaced as a whole: a rule that you leave out comes from the workspace. */
  contactRules?: ContactOverrides
}

export interface SignIn {
  /** The code from a sign-in link. It works once. */
  code?: string
}

export interface SignedIn {
  /** The token as which the session acts. */
  token: {
    /** The id of this resource. */
    id: string
    /** `personal`: of a person. `organization`: of a workspace. */
    kind: 'personal' | 'organization'
    /** The name of the token. */
    name: string
  }
  /** The scopes of the token. `*` means all scopes. */
  scopes: string[]
  /** The person. */
  user: {
    /** The id of this resource. */
    id: string
    /** The name of the person. */
    name: string
    /** The email address. */
    email: string
  } | null
  /** The workspaces that the token can use, oldest first. */
  workspaces: {
    /** The id of this resource. */
    id: string
    /** The name of the workspace. */
    name: string
    /** The role of the person; null for a workspace key. */
    role: 'owner' | 'admin' | 'member' | 'viewer' | null
    /** The scopes of the token in this workspace: those that its own scopes and the role both include. */
    scopes: string[]
    /** The `seq` of the latest event; 0 when there is none. Read your lists after this, then follow the stream from here: nothing is missed between the two. */
    lastEventSeq: number
  }[]
  /** The session of the request; null for a token. */
  session: Session | null
  /** When the session, or else the token, expires. Null: never. */
  expiresAt: string | null
  /** The URLs of this resource and of related ones. */
  links: Links
  /** The key of the session. A page sends it with each request in the header `x-overture-console`, because the cookie alone is not enough. Shown only in this response. */
  sessionKey: string
}

export interface SignedInEnvelope {
  /** The requested resource, or the resources of the page. */
  data: SignedIn
}

export interface Simulation {
  /** The campaign. */
  campaignId: string
  /** The workspace. */
  workspaceId: string
  /** All planned messages. */
  sends: number
  /** When the first message would be sent. */
  startsAt: string | null
  /** When the last message would be sent. */
  endsAt: string | null
  /** The days on which messages would be sent. */
  days: {
    /** In the time zone of the campaign. */
    date: string
    /** Messages on this day. */
    total: number
    /** Messages by the id of the mailbox. */
    byMailbox: Record<string, number>
    /** Messages by step. */
    byStep: number[]
  }[]
  /** The limit that delays the campaign most: without it, the campaign would end soonest. */
  bindingLimit: {
    /** The machine-readable code. */
    code: string
    /** An explanation for people. Its wording may change. */
    message: string
  }
  /** Leads that do not get all their messages, by reason, and the messages that they do not get. `missing_variable`: they cannot get a step, but get the steps before it. */
  notSent: {
    /** The code of the reason. */
    reason: string
    /** How many there are. */
    count: number
    /** How many messages they do not get. */
    messages: number
    /** The same as a sentence. */
    text: string
  }[]
  /** True when there are more messages than the horizon shows. */
  truncated: boolean
  /** The number of leads without a value that the emails need. Only present when you try out changes. For the saved campaign, `validate` returns it. */
  lacks: {
    /** The number of the step, from 0. */
    step: number
    /** The variable without a value; null if the template fails. */
    variable: string | null
    /** How many there are. */
    count: number
    /** The same as a sentence. */
    text: string
  }[] | null
  /** The URLs of this resource and of related ones. */
  links: {
    /** The URL of this resource. */
    self: string
    /** The campaign. */
    campaign: string
  }
}

export interface SimulationEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Simulation
}

/** All fields except `horizonDays` are changes to try out. The simulation applies them. The campaign itself does not change. */
export interface SimulationRequest {
  /** How many days to look ahead. Default: 365. */
  horizonDays?: number
  /** The same fields as for an update. Fields that are left out stay as they are. */
  schedule?: ScheduleUpdate
  /** The mailbox. */
  providerId?: string
  /** Mailboxes in addition to `providerId`. Of the mailboxes that can send now, the one that has used the smallest share of its daily cap sends a first message. No mailbox waits for another. Those with the same gap share new leads evenly, and one with a shorter gap gets more of them. */
  rotationProviderIds?: string[]
  /** Instead of the rules of the campaign. */
  contactRules?: ContactOverrides
  /** Replaces the sequence for leads that have not started. */
  steps?: NewStep[]
}

export interface StageResult {
  /** The stage. */
  stage: 'dns' | 'tcp' | 'tls' | 'auth' | 'test_message' | 'imap' | 'folders'
  /** Whether it passed. */
  ok: boolean
  /** The outcome of the stage, for people. */
  detail: string
  /** The most common solution if the stage failed. */
  cure: string | null
  /** How long it took. */
  durationMs: number
}

export interface Suppression {
  /** The id of this resource. */
  id: string
  /** The workspace. */
  workspaceId: string
  /** An address, or a domain with all addresses in it. */
  kind: 'email' | 'domain'
  /** Null when the person has been erased and only the hash is left. */
  value: string | null
  /** Why it is suppressed, such as `unsubscribed` or `manual`, or your own words. */
  reason: string
  /** When it was created. */
  createdAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface SuppressionCsvOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'suppression.import_csv'
  /** The result of a successful operation; null otherwise. */
  result: SuppressionCsvResult | null
}

export interface SuppressionCsvResult {
  /** The outcome for the rows. */
  outcome: {
    /** How many are new. */
    createdCount: number
    /** Values that were suppressed before, and keep their entry and its reason, or that are in the list more than once. */
    existingCount: number
    /** Invalid rows. They were not imported. */
    invalidCount: number
    /** The first 100 rows that cannot be read, or have neither an address nor a domain. The other rows are suppressed. */
    invalid: {
      /** The line in the file, counted from 1. */
      line: number
      /** The reason. */
      reason: string
    }[]
    /** Rows that were suppressed only in part. */
    warningCount: number
    /** The first 100 rows that were suppressed only in part: a domain next to an address, or lines inside a quoted cell. */
    warnings: {
      /** The line in the file, counted from 1. */
      line: number
      /** The reason. */
      reason: string
    }[]
  }
}

export interface SuppressionEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Suppression
}

export interface SuppressionOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'suppression.create'
  /** The result of a successful operation; null otherwise. */
  result: SuppressionResult | null
}

export interface SuppressionPage {
  /** The requested resource, or the resources of the page. */
  data: Suppression[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface SuppressionResult {
  suppression: Suppression | ErasedRecord
}

export interface SuppressionsOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'suppression.create_many'
  /** The result of a successful operation; null otherwise. */
  result: SuppressionsResult | null
}

export interface SuppressionsResult {
  /** The outcome for the values. */
  outcome: {
    /** How many are new. */
    createdCount: number
    /** Values that were suppressed before, and keep their entry and its reason, or that are in the list more than once. */
    existingCount: number
    /** Rows that are neither an address nor a domain. The other rows are suppressed. */
    invalid: {
      /** The position in the list of the request, counted from 0. */
      index: number
      /** The reason. */
      reason: string
    }[]
  }
}

export interface TestMessage {
  /** The campaign. */
  campaignId: string
  /** The step, counted from 0. */
  step: number
  /** The variant of the step. */
  variantId: string
  /** The mailbox. */
  providerId: string
  /** The sender. */
  from: string
  /** The recipient. */
  to: string
  /** The subject. Null in a step: it continues the thread of the step before. */
  subject: string
  /** The Message-ID of the message. */
  messageId: string
}

export interface TestMessageOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'campaign.send_test'
  /** The result of a successful operation; null otherwise. */
  result: TestMessage | null
}

export interface ThreadMessage {
  /** The id of this resource. */
  id: string
  /** `out`: a sent message. `in`: a received message. */
  direction: 'out' | 'in'
  /** `step`: a message of the sequence. `answer`: a message that a user wrote in answer to a reply. A received message has the kind of its classification. */
  kind: 'step' | 'answer' | 'positive' | 'negative' | 'neutral' | 'opt_out' | 'auto_reply' | 'bounce'
  /** The outcome of a sent message; null for a received message. Among queued messages, only answers are shown. */
  status: 'queued' | 'sending' | 'sent' | 'failed' | 'unknown' | null
  /** Why an answer waits; null otherwise. */
  hold: {
    /** Why an answer has not been sent, such as `mailbox_cap`, or why it will never be sent. */
    reason: string
    /** When the reason will pass, if that is known. */
    until: string | null
  } | null
  /** When it was sent or arrived. */
  at: string
  /** The step, counted from 0. For a received message, the step that it answers. */
  step: number | null
  /** The sent message. */
  sendId: string | null
  /** For a received message, its id in the list of replies. For an answer, the reply that it answers. */
  replyId: string | null
  /** The Message-ID of the message. */
  messageId: string | null
  /** The sender. */
  from: string | null
  /** The recipient. */
  to: string | null
  /** The author of an answer: the user, or the workspace key. Null for other messages, and when the operation of the answer is no longer kept. */
  author: Actor | null
  /** Other people who received the message, from its `Cc`: at most 50. An answer is not sent to them. */
  cc: string[]
  /** The subject. Null in a step: it continues the thread of the step before. */
  subject: string | null
  /** The complete text with quotes. Null when it is no longer kept. */
  text: string | null
  /** Untrusted: a stranger may have written it. Show it only in a sandboxed frame that loads nothing. Our own tracking is removed, so that reading a thread counts no open and no click. */
  html: string | null
  /** The message was larger than the limit for stored messages. Texts or attachments may be missing. */
  isCut: boolean
  /** The attachments of the message. */
  attachments: Attachment[]
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface ThreadMessageEnvelope {
  /** The requested resource, or the resources of the page. */
  data: ThreadMessage
}

export interface ThreadMessagePage {
  /** The requested resource, or the resources of the page. */
  data: ThreadMessage[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface TimelineEntry {
  /** The id of this resource. */
  id: string
  /** The type of the event, `decision.waiting` for a reason why nothing was sent, or `lead.added`. */
  type: string
  /** When it happened. */
  timestamp: string
  /** The data of the event, or the reason. */
  data: Record<string, unknown>
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface TimelineEntryEnvelope {
  /** The requested resource, or the resources of the page. */
  data: TimelineEntry
}

export interface TimelineEntryPage {
  /** The requested resource, or the resources of the page. */
  data: TimelineEntry[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface Token {
  /** The id of this resource. */
  id: string
  /** `personal`: of a person. `organization`: of a workspace. */
  kind: 'personal' | 'organization'
  /** The name of the token, which lists show. */
  name: string
  /** The scopes of the token. `*` stands for all of a workspace. */
  scopes: ('*' | 'campaigns:read' | 'campaigns:write' | 'leads:read' | 'leads:write' | 'webhooks:read' | 'webhooks:write' | 'workspaces:read' | 'workspaces:write' | 'providers:read' | 'providers:write' | 'suppressions:read' | 'suppressions:write' | 'tokens:read' | 'tokens:write' | 'operations:read' | 'credits:read' | 'credits:write' | 'events:read' | 'leads:export' | 'people:write' | 'deals:write' | 'team:read' | 'team:write' | 'audit:read')[]
  /** The last four characters of the token. */
  lastFour: string
  limits: TokenLimits | null
  spentToday: TokenSpending | null
  /** When the token stops working. For a key that was replaced, this is the end of the overlap. Null: never. */
  expiresAt: string | null
  /** When it was created. */
  createdAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface TokenEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Token
}

/** The limits of the token per day (UTC). A request beyond a limit returns 403 `token_budget_exceeded`. It can be proposed as a plan. Limits restrict what is sent, bought and added, and nothing else, such as webhooks or deletions. Requests of tokens that this token created count, too. */
export interface TokenLimits {
  /** Leads that are added to campaigns or bought. */
  leadsPerDay?: number
  /** Credits that are spent. */
  creditsPerDay?: number
  /** The maximum number of emails that can follow from accepted requests: started campaigns, leads added to them, changes of them, removed suppressions, answers, tests and verifications. */
  mailsPerDay?: number
  /** The token cannot send from a real mailbox, and cannot connect, verify or change one. */
  sandboxOnly?: boolean
}

export interface TokenOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'api_key.create' | 'api_key.rotate' | 'token.create'
  /** The result of a successful operation; null otherwise. */
  result: TokenResult | null
}

export interface TokenPage {
  /** The requested resource, or the resources of the page. */
  data: Token[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface TokenResult {
  /** The token. */
  token: IssuedToken
}

/** The amounts that the token and the tokens that it created have used today (UTC). Null: the token has no limits, and nothing is counted. */
export interface TokenSpending {
  /** Leads that were added or bought. */
  leads: number
  /** Credits that were reserved. */
  credits: number
  /** Messages that its requests allowed. */
  mails: number
}

/** The tracking host. */
export interface TrackingHost {
  /** The workspace. */
  workspaceId: string
  /** The requested host; null when the workspace has none. */
  host: string | null
  /** `pending`: not verified yet, and not used in links. `verified`: in use. `failing`: was in use and no longer works; messages with links wait. */
  status: 'none' | 'pending' | 'verified' | 'failing'
  /** The problem that the last check found. */
  reason: string | null
  /** The current base URL of links in new messages. */
  linkOrigin: string
  /** The record to publish; null while this installation has no public name. */
  record: {
    /** The type of the record. */
    type: 'CNAME'
    /** The name of the DNS record. */
    name: string
    /** The content of the DNS record. */
    value: string
  } | null
  /** When it was last found to work. */
  verifiedAt: string | null
  /** When it was checked last. */
  checkedAt: string | null
  /** When it is checked next. */
  nextCheckAt: string | null
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface TrackingHostEnvelope {
  data: TrackingHost
}

/** The tracking host no longer points to this installation. */
export interface TrackingHostFailingEvent extends EventBase {
  /** The type of the event. */
  type: 'tracking_host.failing'
  /** The requested resource, or the resources of the page. */
  data: TrackingHostState
}

export interface TrackingHostOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'tracking_host.set' | 'tracking_host.delete'
  /** The result of a successful operation; null otherwise. */
  result: TrackingHostResult | null
}

export interface TrackingHostResult {
  trackingHost: TrackingHost
}

export interface TrackingHostState {
  /** The host name. */
  host: string
  /** The reason. */
  reason: string | null
}

/** The tracking host was verified: it points to this installation. */
export interface TrackingHostVerifiedEvent extends EventBase {
  /** The type of the event. */
  type: 'tracking_host.verified'
  /** The requested resource, or the resources of the page. */
  data: TrackingHostState
}

export interface UnreadMessage {
  /** The id of this resource. */
  id: string
  /** The mailbox. */
  providerId: string
  /** The folder of the mailbox that contains the message. */
  folder: string
  /** The UIDVALIDITY of the folder. */
  uidValidity: string
  /** The number of the message in the folder. It is valid as long as the folder has this `uidValidity`. */
  uid: number
  /** The Message-ID, if there is one. */
  messageId: string | null
  /** `too_expensive`: reading the message exceeded the limit of time or memory. `unreadable`: it is not a valid message. `not_recorded`: its content could not be stored. `unproven_bounce`: it reports that a lead cannot be reached but names no message that we sent, so nothing was done. */
  reason: 'too_expensive' | 'unreadable' | 'not_recorded' | 'unproven_bounce'
  /** The reason as text. */
  detail: string
  /** When it arrived. */
  receivedAt: string
  /** When it was created. */
  createdAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface UnreadMessageEnvelope {
  /** The requested resource, or the resources of the page. */
  data: UnreadMessage
}

export interface UnreadMessagePage {
  /** The requested resource, or the resources of the page. */
  data: UnreadMessage[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface Unsubscription {
  /** Whether the address is already suppressed. */
  unsubscribed: boolean
  /** The masked address of the recipient. Null: the lead no longer exists. */
  address: string | null
  /** Null: the mailbox no longer exists. */
  sender: {
    /** The name that recipients see as the sender. */
    name: string | null
    /** The email address. */
    email: string
  } | null
}

export interface UnsubscriptionEnvelope {
  /** The requested resource, or the resources of the page. */
  data: Unsubscription
}

export interface VariantComparison {
  /** The campaign. */
  campaignId: string
  /** The workspace. */
  workspaceId: string
  /** The steps, in order. */
  steps: {
    /** The number of the step, from 0. */
    step: number
    /** Whether one variant is better with 95% confidence. */
    verdict: 'only_variant' | 'not_enough_data' | 'no_clear_difference' | 'clear_winner'
    /** The better variant; null without a clear winner. */
    winnerVariantId: string | null
    /** The verdict in words. */
    message: string
    /** The variants of the step. */
    variants: {
      /** The variant of the step. */
      variantId: string
      /** The subject. Null in a step: it continues the thread of the step before. */
      subject: string | null
      /** The share of new leads that get this variant, relative to the others. */
      weight: number
      /** Messages sent with this variant. */
      sentCount: number
      /** Replies to this variant. */
      replyCount: number
      /** Positive replies to this variant. */
      positiveReplyCount: number
      /** Positive replies per message sent. */
      positiveReplyRate: number
      /** The 95% confidence interval of the rate (Wilson). */
      interval: {
        /** The lower end. */
        low: number
        /** The upper end. */
        high: number
      }
    }[]
  }[]
  /** The URLs of this resource and of related ones. */
  links: {
    /** The URL of this resource. */
    self: string
    /** The campaign. */
    campaign: string
  }
}

export interface VariantComparisonEnvelope {
  /** The requested resource, or the resources of the page. */
  data: VariantComparison
}

/** The outcome of the verification. */
export interface Verification {
  /** The mailbox. */
  provider: Provider
  /** True when every stage passed. The mailbox is then connected. */
  ok: boolean
  /** The stages that were tried. */
  stages: StageResult[]
}

export interface VerificationEnvelope {
  data: Verification
}

export interface VerificationOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'provider.verify'
  /** The result of a successful operation; null otherwise. */
  result: VerificationResult | null
  progress?: VerificationProgress
}

/** While the operation is running: the stages so far. Not included in lists. */
export interface VerificationProgress {
  /** The stages that have ended. */
  stages: StageResult[]
  /** The stages that are being tried. SMTP and IMAP are tried at the same time. */
  running: ('dns' | 'tcp' | 'tls' | 'auth' | 'test_message' | 'imap' | 'folders')[]
}

export interface VerificationResult {
  verification: Verification
}

/** The endpoint. */
export interface WebhookEndpoint {
  /** The id of this resource. */
  id: string
  /** The workspace. */
  workspaceId: string
  /** Where events are sent. For a token without `webhooks:write`, it has no user info, and `***` in place of the path and the query: `https://hooks.example.com/***`. */
  url: string
  /** The subscribed event types; `*` stands for all. */
  events: ('lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'provider.copies_failing' | 'provider.copies_stored' | 'tracking_host.verified' | 'tracking_host.failing' | 'provider.health_changed' | 'operation.succeeded' | 'operation.failed' | 'plan.proposed' | 'plan.approved' | 'plan.rejected' | 'plan.applied' | 'plan.failed' | 'webhook.test' | '*')[]
  /** Only an `active` endpoint gets events. */
  status: 'active' | 'paused' | 'disabled'
  /** Your own note. */
  description: string | null
  /** `gone`: the receiver returned 410. `failing`: all deliveries have failed for five days. */
  disabledReason: 'gone' | 'failing' | null
  /** When it was created. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface WebhookEndpointEnvelope {
  data: WebhookEndpoint
}

export interface WebhookEndpointPage {
  /** The requested resource, or the resources of the page. */
  data: WebhookEndpoint[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface WebhookEndpointPatch {
  /** An https URL at a public address. */
  url?: string
  /** Event types, or `["*"]` for all of them. `*` must be the only entry. */
  events?: ('lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'provider.copies_failing' | 'provider.copies_stored' | 'tracking_host.verified' | 'tracking_host.failing' | 'provider.health_changed' | 'operation.succeeded' | 'operation.failed' | 'plan.proposed' | 'plan.approved' | 'plan.rejected' | 'plan.applied' | 'plan.failed' | 'webhook.test' | '*')[]
  /** Your own note. */
  description?: string | null
  /** Events that happen while the endpoint is not active are not delivered later. Replay them. */
  status?: 'active' | 'paused'
}

export interface WebhookEndpointWithSecret {
  /** The id of this resource. */
  id: string
  /** The workspace. */
  workspaceId: string
  /** Where events are sent. For a token without `webhooks:write`, it has no user info, and `***` in place of the path and the query: `https://hooks.example.com/***`. */
  url: string
  /** The subscribed event types; `*` stands for all. */
  events: ('lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'provider.copies_failing' | 'provider.copies_stored' | 'tracking_host.verified' | 'tracking_host.failing' | 'provider.health_changed' | 'operation.succeeded' | 'operation.failed' | 'plan.proposed' | 'plan.approved' | 'plan.rejected' | 'plan.applied' | 'plan.failed' | 'webhook.test' | '*')[]
  /** Only an `active` endpoint gets events. */
  status: 'active' | 'paused' | 'disabled'
  /** Your own note. */
  description: string | null
  /** `gone`: the receiver returned 410. `failing`: all deliveries have failed for five days. */
  disabledReason: 'gone' | 'failing' | null
  /** When it was created. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
  /** The secret that signs every delivery, as Standard Webhooks specifies. Null only in a replay of a request whose endpoint no longer exists. */
  secret: string | null
}

export interface WebhookEndpointWithSecretEnvelope {
  /** The requested resource, or the resources of the page. */
  data: WebhookEndpointWithSecret
}

export interface WebhookOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'webhook.create' | 'webhook.update' | 'webhook.rotate_secret'
  /** The result of a successful operation; null otherwise. */
  result: WebhookResult | null
}

export interface WebhookResult {
  webhook: WebhookEndpoint
}

export interface WebhookTestData {
  /** The webhook endpoint. */
  endpointId: string
}

/** A test event for a webhook endpoint. Only that endpoint gets it. */
export interface WebhookTestEvent extends EventBase {
  /** The type of the event. */
  type: 'webhook.test'
  /** The requested resource, or the resources of the page. */
  data: WebhookTestData
}

/** The workspace. */
export interface Workspace {
  /** The id of this resource. */
  id: string
  /** The name of the workspace. */
  name: string
  /** When it was created. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface WorkspaceEnvelope {
  data: Workspace
}

export interface WorkspaceOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'workspace.create' | 'workspace.update'
  /** The result of a successful operation; null otherwise. */
  result: WorkspaceResult | null
}

export interface WorkspacePage {
  /** The requested resource, or the resources of the page. */
  data: Workspace[]
  /** The URLs of this resource and of related ones. */
  links: PageLinks
  /** Where the page is in the list. */
  meta: PageMeta
}

export interface WorkspaceResult {
  workspace: Workspace
}

export interface WorkspaceSettings {
  /** The workspace. */
  workspaceId: string
  /** The rules for all campaigns; each campaign can override them. */
  contactRules: ContactRules
  /** Whether a campaign may start from a mailbox whose domain failed its last check. `warn`: it may, with a warning. `require`: no campaign may start with a domain that fails or was never checked. */
  domainHealth: 'warn' | 'require'
  optOutLines: OptOutLines
  /** When they were last changed. A change needs it as `if-match`. */
  updatedAt: string
  /** The URLs of this resource and of related ones. */
  links: Links
}

export interface WorkspaceSettingsEnvelope {
  /** The requested resource, or the resources of the page. */
  data: WorkspaceSettings
}

export interface WorkspaceSettingsOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'workspace.update_settings'
  /** The result of a successful operation; null otherwise. */
  result: WorkspaceSettingsResult | null
}

export interface WorkspaceSettingsResult {
  /** The settings. */
  settings: WorkspaceSettings
}

export interface WorkspaceSettingsUpdate {
  /** Replaces all rules. A rule that you leave out is off. */
  contactRules?: ContactOverrides
  /** Whether a campaign may start from a mailbox whose domain failed its last check. `warn`: it may, with a warning. `require`: no campaign may start with a domain that fails or was never checked. */
  domainHealth?: 'warn' | 'require'
  /** Replaces all of them. */
  optOutLines?: OptOutLines
}
