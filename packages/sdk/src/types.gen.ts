// Generated from openapi.json by `npm run generate`. Do not edit.

export interface EventBase {
  id: string
  timestamp: string
  workspaceId: string
  /** The number of the event within the workspace: consecutive, in the order in which the events happened. */
  seq: number
  links: Links
}

export interface OperationBase {
  id: string
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  actor: Actor
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  /** Not before the `updatedAt` of what the operation has changed. */
  completedAt: string | null
  links: Links
}

/** The caller who requested it. */
export interface Actor {
  type: 'user' | 'token' | 'system'
  /** The id of the person or of the organization key; null for the service itself. */
  id: string | null
  name: string
}

export interface AiSdrPositiveReplyData {
  leadId: string
  campaignId: string
  email: string | null
  sendId: string | null
  /** The step of the sequence, counted from 0. */
  step: number | null
  replyId: string
  /** The confidence of the classification. */
  confidence: number | null
  subject: string | null
  text: string | null
  fullName: string | null
  company: string | null
  jobTitle: string | null
}

/** A reply shows interest. `email.replied` is recorded as well. */
export interface AiSdrPositiveReplyEvent extends EventBase {
  type: 'ai_sdr.positive_reply'
  data: AiSdrPositiveReplyData
}

export interface AnswerOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'reply.answer'
  result: AnswerResult | null
}

export interface AnswerResult {
  replyId: string
  sendId: string
  messageId: string | null
  sentAt: string | null
  /** It was unknown for a while whether the answer was sent. This field shows how that was resolved. */
  reconciled: string | null
}

export interface Attachment {
  id: string
  /** The name that the sender gave, without folders and invisible characters. */
  filename: string
  /** The type that the sender stated. The service does not check the content. */
  contentType: string
  sizeBytes: number
  /** False when it exceeds the 10 MB of attachments that are kept of one message. */
  isKept: boolean
  links: Links
}

export interface AuditEntry {
  /** It is also the id of the operation. */
  id: string
  /** The action, like `campaign.pause`, `session.create` or `team.invite`. */
  action: string
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  actor: Actor
  campaignId: string | null
  createdAt: string
  links: Links
}

export interface AuditEntryEnvelope {
  data: AuditEntry
}

export interface AuditEntryPage {
  data: AuditEntry[]
  links: PageLinks
  meta: PageMeta
}

export interface BulkSuppressionResult {
  createdCount: number
  /** Values that were suppressed before, and keep their entry and its reason, or that are in the list more than once. */
  existingCount: number
  /** Rows that are neither an address nor a domain. The other rows are suppressed. */
  invalid: {
    index: number
    reason: string
  }[]
  links: Links
}

export interface BulkSuppressionResultEnvelope {
  data: BulkSuppressionResult
}

export interface Campaign {
  id: string
  workspaceId: string
  name: string
  status: 'draft' | 'active' | 'paused' | 'completed' | 'archived' | 'attention_needed'
  displayStatus: 'active' | 'archived'
  providerId: string | null
  pipelineId: string | null
  salesPersonId: string | null
  startDate: string | null
  endDate: string | null
  leadListName: string | null
  sourceUrl: string | null
  niche: string | null
  location: string | null
  jobTitle: string | null
  companySize: string | null
  industry: string | null
  trackOpens: boolean
  trackClicks: boolean
  /** How a recipient unsubscribes. `header` (default): List-Unsubscribe headers, with one-click unsubscribe when this service has an https address, and a link in the footer. Google and Yahoo require one-click unsubscribe from everyone who sends 5000 or more messages a day to their users. However, mail servers send no automatic replies (Sieve `vacation`, RFC 5230) to messages with list headers, so you do not learn of absences. `link`: only the link in the footer, without list headers. Automatic replies arrive, but the requirement for one-click unsubscribe is not met. `reply-line`: neither headers nor link. The footer asks the recipient to answer "stop", and the service honors that answer. This is the most personal form; use it only for small numbers of first contacts. */
  unsubscribe: 'header' | 'link' | 'reply-line'
  /** The sentence in the footer: before the link, or in place of the sentence that asks for an answer. Null: the built-in sentence in the language of the lead. */
  optOutText: string | null
  rotationProviderIds: string[]
  contactRules: ContactOverrides
  effectiveContactRules: ContactRules
  totalLeads: number
  metrics: CampaignMetrics
  createdAt: string
  updatedAt: string
  links: Links
}

/** A campaign was activated. */
export interface CampaignActivatedEvent extends EventBase {
  type: 'campaign.activated'
  data: CampaignStatusChange
}

/** A campaign was archived. */
export interface CampaignArchivedEvent extends EventBase {
  type: 'campaign.archived'
  data: CampaignStatusChange
}

/** A campaign has stopped and needs the action of a person. `reason` explains why. */
export interface CampaignAttentionNeededEvent extends EventBase {
  type: 'campaign.attention_needed'
  data: CampaignStatusChange
}

/** A campaign has completed: its end date has passed, or every lead is final. After its last message, a lead is final when the time to answer is over: as long as the delay of the last step, and at least one business day. */
export interface CampaignCompletedEvent extends EventBase {
  type: 'campaign.completed'
  data: CampaignStatusChange
}

export interface CampaignCopy {
  sourceCampaignId: string
  campaign: Campaign
}

export interface CampaignCopyOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'campaign.duplicate'
  result: CampaignCopy | null
}

export interface CampaignEnvelope {
  data: Campaign
}

export interface CampaignMetrics {
  openCount: number
  uniqueOpenCount: number
  linkClickCount: number
  replyCount: number
  uniqueReplyCount: number
  bouncedCount: number
  unsubscribedCount: number
  emailsSentCount: number
  newLeadsContactedCount: number
  contactedLeadsCount: number
  totalOpportunities: number
  totalInterested: number
  totalMeetingBooked: number
  totalMeetingCompleted: number
  totalClosed: number
  totalOpportunityValue: number
  /** A fraction with four decimals; 0 when nothing was sent. */
  openRate: number
  /** A fraction with four decimals; 0 when nothing was sent. */
  replyRate: number
  /** A fraction with four decimals; 0 when nothing was sent. */
  bounceRate: number
  /** A fraction with four decimals; 0 when nothing was sent. */
  meetingBookingRate: number
  snapshotAt: string
}

export interface CampaignOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'campaign.create' | 'campaign.update' | 'campaign.update_schedule' | 'campaign.update_mailboxes' | 'campaign.update_settings' | 'campaign.activate' | 'campaign.pause' | 'campaign.resume' | 'campaign.archive' | 'campaign.unarchive'
  result: CampaignResult | null
}

export interface CampaignPage {
  data: Campaign[]
  links: PageLinks
  meta: PageMeta
}

export interface CampaignPatch {
  /** 1 to 200 characters after trimming. */
  name?: string
  leadListName?: string | null
  niche?: string | null
  location?: string | null
  jobTitle?: string | null
  companySize?: string | null
  industry?: string | null
  sourceUrl?: string | null
  pipelineId?: string | null
  salesPersonId?: string | null
  /** Adds an open pixel to e-mails. Off by default, because it raises the spam score and turns plain text into HTML. */
  trackOpens?: boolean
  /** Redirects links through this service to count clicks. Off by default. In HTML, a link whose visible text is an address is never rewritten, so it is not tracked. */
  trackClicks?: boolean
  /** How a recipient unsubscribes. `header` (default): List-Unsubscribe headers, with one-click unsubscribe when this service has an https address, and a link in the footer. Google and Yahoo require one-click unsubscribe from everyone who sends 5000 or more messages a day to their users. However, mail servers send no automatic replies (Sieve `vacation`, RFC 5230) to messages with list headers, so you do not learn of absences. `link`: only the link in the footer, without list headers. Automatic replies arrive, but the requirement for one-click unsubscribe is not met. `reply-line`: neither headers nor link. The footer asks the recipient to answer "stop", and the service honors that answer. This is the most personal form; use it only for small numbers of first contacts. */
  unsubscribe?: 'header' | 'link' | 'reply-line'
  /** The sentence in the footer: before the link, or in place of the sentence that asks for an answer. Null: the built-in sentence in the language of the lead. */
  optOutText?: string | null
  /** Rules across the campaigns of the workspace. They override the rules of the workspace and are replaced as a whole: a rule that you leave out comes from the workspace. */
  contactRules?: ContactOverrides
  providerId?: string | null
  /** Additional mailboxes besides `providerId`. First contacts are distributed among all of them. */
  rotationProviderIds?: string[]
  startDate?: string | null
  endDate?: string | null
  schedule?: ScheduleUpdate
}

/** A campaign was paused. It sends no message. */
export interface CampaignPausedEvent extends EventBase {
  type: 'campaign.paused'
  data: CampaignStatusChange
}

export interface CampaignResult {
  campaign: Campaign
}

/** A paused campaign was resumed. */
export interface CampaignResumedEvent extends EventBase {
  type: 'campaign.resumed'
  data: CampaignStatusChange
}

export interface CampaignStatusChange {
  campaignId: string
  name: string
  from: string
  to: string
  reason?: string
}

/** A campaign was unarchived. */
export interface CampaignUnarchivedEvent extends EventBase {
  type: 'campaign.unarchived'
  data: CampaignStatusChange
}

export interface CampaignUpdatedData {
  campaignId: string
  name: string
  /** The names of the fields that changed. */
  changed: string[]
}

/** Settings, schedule, mailboxes or sequence of a campaign have changed. */
export interface CampaignUpdatedEvent extends EventBase {
  type: 'campaign.updated'
  data: CampaignUpdatedData
}

export interface ClockAdvance {
  stoppedBy: 'target' | 'idle' | 'limit'
  from: string
  to: string
  sentCount: number
  openedCount: number
  clickedCount: number
  repliedCount: number
  autoRepliedCount: number
  bouncedCount: number
}

export interface ClockAdvanceOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'sandbox.advance_clock'
  result: ClockAdvance | null
}

export interface Consent {
  id: string
  workspaceId: string
  /** The mailbox. Null until a new mailbox has been created. */
  providerId: string | null
  /** The issuer that signs the owner of the mailbox in. */
  issuer: 'google' | 'microsoft'
  flow: 'browser' | 'device'
  status: 'open' | 'granted' | 'refused' | 'expired'
  /** The reason for the refusal. */
  reason: string | null
  /** The address that gave consent. */
  account: string | null
  /** The URL to open in the browser. Only the answer to the request that starts the consent contains it. */
  authorizationUrl: string | null
  /** The code to type in and the URL to open. Only the answer to the request that starts the consent contains them. Then poll with `POST …/poll`, at most once per interval. */
  device: {
    userCode: string
    verificationUri: string
    intervalSeconds: number
  } | null
  createdAt: string
  expiresAt: string
  links: Links
}

export interface ConsentEnvelope {
  data: Consent
}

/** The rules that the campaign overrides. All others come from the workspace. */
export interface ContactOverrides {
  /** A first message waits until no other campaign of the workspace has written to the person for this many days. Null: it does not wait. */
  contactedElsewhereWithinDays?: number | null
  /** `hold`: when a person is in several active campaigns, only one of them writes to the person at a time: the campaign that has written before, or else the campaign to which the person was added first. */
  inOtherActiveCampaign?: 'allow' | 'hold'
  /** What happens to other leads with the same domain after one of them has replied in any campaign: `pause` holds them, `stop` skips them. Providers of personal mailboxes, such as gmail.com, do not count as a company. */
  companyReplied?: 'ignore' | 'pause' | 'stop'
  /** The maximum number of people of one company in a sequence at the same time, across all campaigns. Null: no limit. */
  maxPerCompanyAtOnce?: number | null
}

export interface ContactRules {
  /** A first message waits until no other campaign of the workspace has written to the person for this many days. Null: it does not wait. */
  contactedElsewhereWithinDays: number | null
  /** `hold`: when a person is in several active campaigns, only one of them writes to the person at a time: the campaign that has written before, or else the campaign to which the person was added first. */
  inOtherActiveCampaign: 'allow' | 'hold'
  /** What happens to other leads with the same domain after one of them has replied in any campaign: `pause` holds them, `stop` skips them. Providers of personal mailboxes, such as gmail.com, do not count as a company. */
  companyReplied: 'ignore' | 'pause' | 'stop'
  /** The maximum number of people of one company in a sequence at the same time, across all campaigns. Null: no limit. */
  maxPerCompanyAtOnce: number | null
}

export interface CreditGrantOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'credits.grant'
  result: CreditGrantResult | null
}

export interface CreditGrantResult {
  entry: LedgerEntry
}

export interface Credits {
  balance: number
  held: number
  available: number
  links: Links
}

export interface CreditsEnvelope {
  data: Credits
}

export interface CsvImportOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'campaign.import_csv'
  result: CsvImportResult | null
  /** During the import of a CSV file: the number of processed rows. Not included in lists. */
  doneCount?: number
}

export interface CsvImportResult {
  campaignId: string
  importedCount: number
  duplicateCount: number
  suppressedCount: number
  updatedCount: number
  invalidCount: number
  invalid: {
    line: number
    reason: string
  }[]
  /** Rows that were imported, but with a value that was ignored; and one for the columns of a file that were left out. */
  warningCount: number
  warnings: {
    line: number
    reason: string
  }[]
  /** The URL of a file with all rejected rows. */
  rejectedRowsUrl: string | null
}

export interface CsvSuppressionResult {
  createdCount: number
  /** Values that were suppressed before, and keep their entry and its reason, or that are in the list more than once. */
  existingCount: number
  invalidCount: number
  /** The first 100 rows that have neither an address nor a domain. The other rows are suppressed. */
  invalid: {
    line: number
    reason: string
  }[]
  links: Links
}

export interface CsvSuppressionResultEnvelope {
  data: CsvSuppressionResult
}

export interface CsvTrial {
  /** Cells that are not UTF-8 are read as Windows-1252. */
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
  delimiter: ',' | ';' | '	' | '|'
  /** To correct a column, send it in `mapping`. */
  columns: {
    header: string
    /** A field of the lead, or the name of a variable. Null: the column is ignored. */
    target: string | null
  }[]
  firstRows: (string[])[]
  rowCount: number
  validCount: number
  invalidCount: number
  invalid: {
    line: number
    reason: string
  }[]
  warningCount: number
  warnings: {
    line: number
    reason: string
  }[]
}

/** One attempt to deliver one event to one endpoint. */
export interface Delivery {
  id: string
  workspaceId: string
  endpointId: string
  eventId: string
  eventType: 'lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'provider.copies_failing' | 'provider.copies_stored' | 'tracking_host.verified' | 'tracking_host.failing' | 'provider.health_changed' | 'operation.succeeded' | 'operation.failed' | 'plan.proposed' | 'plan.approved' | 'plan.rejected' | 'plan.applied' | 'plan.failed' | 'webhook.test'
  attempt: number
  status: 'pending' | 'succeeded' | 'failed'
  responseStatus: number | null
  /** Why there was no answer, or why the answer does not count as success: for example `timeout`, `redirect`, or `event_expired` when the event is no longer kept. */
  error: string | null
  durationMs: number | null
  nextAttemptAt: string | null
  createdAt: string
  links: Links
}

export interface DeliveryEnvelope {
  data: Delivery
}

export interface DeliveryOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'webhook.test' | 'webhook.retry_delivery'
  result: DeliveryResult | null
}

export interface DeliveryPage {
  data: Delivery[]
  links: PageLinks
  meta: PageMeta
}

export interface DeliveryResult {
  delivery: Delivery
}

export interface DirectoryCompany {
  name?: string | null
  /** URL or domain. It distinguishes companies with the same name. */
  website?: string | null
  /** Slug or label. */
  industry?: string | null
  employees?: number | null
  /** When the exact number is not known: `51-200`, `10001+`. */
  size?: string | null
  /** Headquarters: `Munich, Germany`. */
  location?: string | null
  founded?: number | null
  revenue?: number | null
  /** ISO 4217. */
  revenueCurrency?: string | null
  /** A value that `GET /lead-filters` lists. */
  fundingStage?: string | null
  fundingTotal?: number | null
  /** ISO 4217. */
  fundingCurrency?: string | null
  fundedAt?: string | null
  technologies?: string[]
  tags?: string[]
  description?: string | null
}

export interface DirectoryImport {
  people: DirectoryPerson[]
  /** The source of the records. It is stored with each record. */
  source?: string
}

export interface DirectoryImportOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'directory.import'
  result: DirectoryImportResult | null
}

export interface DirectoryImportResult {
  insertedCount: number
  updatedCount: number
  unchangedCount: number
  /** The version of the directory after the import. */
  version: number
  rejectedCount: number
  /** The first 100 rows that were skipped. */
  rejected: {
    index: number
    reason: string
  }[]
  /** The first 100 fields that were ignored because their value is not known. */
  unread: {
    index: number
    field: string
  }[]
}

export interface DirectoryPerson {
  email?: string | null
  /** A value that `GET /lead-filters` lists. Words such as `bounced` and `do_not_mail` count as `invalid`. `verified` is ignored when a workspace sends it: only our own check sets it. */
  emailStatus?: string | null
  /** A value that `GET /lead-filters` lists. */
  emailType?: string | null
  /** Ignored when a workspace sends it, like `verified`. */
  lastVerifiedAt?: string | null
  firstName?: string | null
  lastName?: string | null
  fullName?: string | null
  jobTitle?: string | null
  /** A value that `GET /lead-filters` lists. */
  seniority?: string | null
  /** A value that `GET /lead-filters` lists. */
  department?: string | null
  /** `Munich, Germany`. */
  location?: string | null
  linkedinUrl?: string | null
  phone?: string | null
  company?: DirectoryCompany
}

export interface DiscoveredSettings {
  /** How the settings were found: a known hosting provider, recognized by the domain or its mail server; a file that the domain publishes; its service records; or a guess. */
  source: 'preset' | 'mx' | 'autoconfig' | 'srv' | 'guess'
  /** The name of the hosting provider, if it is known. */
  hoster: string | null
  settings: {
    smtp: {
      host: string
      port: number
      secure: boolean
    }
    imap: {
      host: string
      port: number
      secure: boolean
    } | null
  }
  /** The sign-in methods that the hosting provider accepts, best first. */
  signIn: ('password' | 'app_password' | 'oauth')[]
  /** What you must do first. */
  note: string | null
  /** Recommended limits for cold e-mail. You can send them unchanged when you connect the mailbox. */
  limits: {
    /** The number of messages per day that the hosting provider allows for a mailbox, if it is published. */
    hosterPerDay: number | null
    dailyCap: number
    minGapSeconds: number
    ramp: {
      startPerDay: number
      increasePerDay: number
    }
  }
  /** Both servers answer and encrypt. Verify the mailbox to find out whether they accept the password. */
  works: boolean
  /** The problem, if there is one. */
  problem: string | null
}

export interface DomainHealth {
  providerId: string
  workspaceId: string
  /** The domain that the mailbox sends from. */
  domain: string
  /** The worst result of the checks: `fail`, then `warn`, then `unknown`. `pass` only when every check has passed. */
  status: 'pass' | 'warn' | 'fail' | 'unknown'
  /** Null before the first check. */
  checkedAt: string | null
  checks: {
    check: 'spf' | 'dkim' | 'dmarc' | 'mx' | 'reverse_name' | 'tracking_host'
    /** Why it matters, in one sentence. */
    why: string
    status: 'pass' | 'warn' | 'fail' | 'unknown'
    /** What the check found. */
    found: string
    /** What to do, when the record alone does not explain it. */
    advice: string | null
    /** The DNS record to publish, if there is one. */
    record: {
      type: 'TXT' | 'CNAME' | 'MX' | 'PTR'
      name: string
      value: string
    } | null
  }[]
  links: Links
}

export interface DomainHealthEnvelope {
  data: DomainHealth
}

export interface DomainHealthOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'provider.check_health'
  result: DomainHealthResult | null
}

export interface DomainHealthResult {
  health: DomainHealth
}

export interface EmailAnsweredData {
  leadId: string
  campaignId: string
  email: string | null
  sendId: string
  replyId: string
  providerId: string
  messageId: string | null
  subject: string | null
  reconciled?: string
}

/** Your answer to a reply was sent. */
export interface EmailAnsweredEvent extends EventBase {
  type: 'email.answered'
  data: EmailAnsweredData
}

export interface EmailAutoRepliedData {
  leadId: string
  campaignId: string
  email: string | null
  sendId: string
  /** The step of the sequence, counted from 0. */
  step: number | null
  subject: string | null
  /** The confidence of the classification. */
  confidence: number | null
  referral?: {
    email: string | null
    name?: string | null
  } | null
  /** When the person will be back, according to their message. */
  returnDate: string | null
  postponedTo: string | null
}

/** A program has replied, for example with an absence notice. Later steps may be postponed. */
export interface EmailAutoRepliedEvent extends EventBase {
  type: 'email.auto_replied'
  data: EmailAutoRepliedData
}

export interface EmailBouncedData {
  leadId: string
  campaignId: string
  email: string | null
  sendId: string | null
  /** The step of the sequence, counted from 0. */
  step: number | null
  /** `hard`: the address does not work. `soft`: it may work later. `sender_fault`: the problem is the sending mailbox. */
  kind: 'hard' | 'soft' | 'sender_fault'
  /** The enhanced status code (RFC 3463), like `5.1.1`. */
  status: string | null
  diagnostic: string | null
  /** It ends the sequence of this lead. */
  first: boolean
}

/** A message bounced, or the mail server refused it permanently. */
export interface EmailBouncedEvent extends EventBase {
  type: 'email.bounced'
  data: EmailBouncedData
}

export interface EmailClickedData {
  leadId: string
  campaignId: string
  email: string | null
  sendId: string
  /** The step of the sequence, counted from 0. */
  step: number
  variantId: string
  /** A program made this visit, not a person. It is not counted. */
  machine: boolean
  /** Why the visit is attributed to a program. */
  judgedBy: string
  /** The first visit by a person to any pixel or link of this lead. */
  first: boolean
  url: string | null
  /** The link of the message that was opened. */
  link: number
}

/** A link was clicked. Only in campaigns that track clicks. */
export interface EmailClickedEvent extends EventBase {
  type: 'email.clicked'
  data: EmailClickedData
}

export interface EmailOpenedData {
  leadId: string
  campaignId: string
  email: string | null
  sendId: string
  /** The step of the sequence, counted from 0. */
  step: number
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
  type: 'email.opened'
  data: EmailOpenedData
}

export interface EmailRepliedData {
  leadId: string
  campaignId: string
  email: string | null
  sendId: string | null
  /** The step of the sequence, counted from 0. */
  step: number | null
  replyId: string
  /** The confidence of the classification. */
  confidence: number | null
  subject: string | null
  text: string | null
  messageId?: string | null
  referral?: {
    email: string | null
    name?: string | null
  } | null
  deferredUntil?: string | null
  kind: string
  needsLook: boolean
  first: boolean
}

/** A person has replied. `kind` is the classification of the reply. */
export interface EmailRepliedEvent extends EventBase {
  type: 'email.replied'
  data: EmailRepliedData
}

export interface EmailSentData {
  leadId: string
  campaignId: string
  email: string | null
  sendId: string
  /** The step of the sequence, counted from 0. */
  step: number
  variantId: string
  providerId: string
  messageId: string | null
  subject: string | null
  /** The first message to this lead. */
  first: boolean
  /** It was unknown for a while whether the message was sent. This field shows how that was resolved. */
  reconciled?: 'found' | 'named' | 'assumed'
}

/** A message of a sequence was sent. */
export interface EmailSentEvent extends EventBase {
  type: 'email.sent'
  data: EmailSentData
}

/** The person was erased later. Only ids, types and times are left; the other fields are null. */
export interface ErasedRecord {
  id: string
}

export interface ErasureOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'person.erase'
  result: ErasureResult | null
}

export interface ErasureResult {
  leadCount: number
  messageCount: number
  replyCount: number
  eventCount: number
  exportCount: number
  operationCount: number
}

export interface Error {
  error: {
    /** The machine-readable code. A new code is a change of the contract. */
    code: 'invalid_json' | 'invalid_request' | 'invalid_cursor' | 'invalid_idempotency_key' | 'invalid_if_match' | 'unauthenticated' | 'invalid_token' | 'insufficient_credits' | 'insufficient_scope' | 'forbidden' | 'token_budget_exceeded' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'idempotency_key_reused' | 'invalid_state' | 'campaign_not_ready' | 'limit_exceeded' | 'export_expired' | 'events_expired' | 'payload_too_large' | 'unsupported_media_type' | 'validation_failed' | 'invalid_reference' | 'url_not_allowed' | 'precondition_required' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'service_unavailable'
    /** An explanation for people. */
    message: string
    requestId: string
    details: ErrorDetails | null
  }
}

/** Further data, depending on the code. */
export interface ErrorDetails {
  /** What is wrong with the request. */
  issues?: {
    /** `body`, `query`, `path` or `header`. */
    in: string
    /** A JSON pointer to the value. */
    path: string
    rule: string
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
  data: Event
}

export interface EventPage {
  data: Event[]
  links: PageLinks
  meta: PageMeta
}

export interface Export {
  id: string
  workspaceId: string
  operationId: string
  status: 'building' | 'completed' | 'failed' | 'expired'
  /** The number of leads that was ordered. */
  requestedCount: number
  /** The number of leads in the file. */
  leadCount: number
  /** One credit for each lead that the workspace did not own before. */
  creditsCharged: number
  /** Works without a token as long as the file is kept. Null when there is no file. */
  downloadUrl: string | null
  expiresAt: string | null
  createdAt: string
  links: Links
}

export interface ExportEnvelope {
  data: Export
}

export interface ExportPage {
  data: Export[]
  links: PageLinks
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
    include?: string[]
    exclude?: string[]
  }
  /** How titles are compared. Defaults to `similar`. */
  jobTitleMatch?: 'similar' | 'words' | 'exact'
  /** Level of the current position. */
  seniorities?: {
    include?: ('intern' | 'entry' | 'senior' | 'manager' | 'director' | 'head' | 'vp' | 'partner' | 'c_suite' | 'founder' | 'owner')[]
    exclude?: ('intern' | 'entry' | 'senior' | 'manager' | 'director' | 'head' | 'vp' | 'partner' | 'c_suite' | 'founder' | 'owner')[]
  }
  /** Function of the current position. */
  departments?: {
    include?: ('engineering' | 'it' | 'security' | 'data' | 'product' | 'design' | 'research' | 'marketing' | 'sales' | 'business_development' | 'customer_success' | 'support' | 'operations' | 'supply_chain' | 'procurement' | 'manufacturing' | 'finance' | 'legal' | 'hr' | 'administration' | 'medical' | 'education')[]
    exclude?: ('engineering' | 'it' | 'security' | 'data' | 'product' | 'design' | 'research' | 'marketing' | 'sales' | 'business_development' | 'customer_success' | 'support' | 'operations' | 'supply_chain' | 'procurement' | 'manufacturing' | 'finance' | 'legal' | 'hr' | 'administration' | 'medical' | 'education')[]
  }
  /** The location of the person, or the headquarters of the company when that is unknown. */
  locations?: {
    include?: {
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
    exclude?: {
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
    include?: {
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
    exclude?: {
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
    include?: ('technology' | 'software' | 'saas' | 'it-services' | 'managed-service-providers' | 'cybersecurity' | 'artificial-intelligence' | 'data-analytics' | 'cloud-infrastructure' | 'developer-tools' | 'computer-hardware' | 'semiconductors' | 'consumer-electronics' | 'telecommunications' | 'robotics' | 'iot' | 'blockchain' | 'video-games' | 'martech' | 'adtech' | 'hrtech' | 'legaltech' | 'internet-platforms' | 'financial-services' | 'banking' | 'fintech' | 'payments' | 'lending' | 'insurance' | 'insurtech' | 'investment-management' | 'venture-capital' | 'private-equity' | 'accounting' | 'capital-markets' | 'professional-services' | 'legal-services' | 'management-consulting' | 'staffing-recruiting' | 'hr-services' | 'engineering-services' | 'architecture' | 'market-research' | 'translation' | 'outsourcing' | 'training-coaching' | 'event-services' | 'security-services' | 'facilities-services' | 'research-development' | 'agencies' | 'marketing-agencies' | 'advertising-agencies' | 'digital-agencies' | 'seo-agencies' | 'pr-agencies' | 'design-agencies' | 'healthcare' | 'hospitals' | 'medical-practices' | 'dental-practices' | 'physiotherapy' | 'mental-health' | 'veterinary' | 'senior-care' | 'pharmacies' | 'pharmaceuticals' | 'biotechnology' | 'medical-devices' | 'healthtech' | 'diagnostics-laboratories' | 'manufacturing' | 'industrial-machinery' | 'industrial-automation' | 'automotive' | 'aerospace' | 'defense' | 'chemicals' | 'plastics' | 'metals' | 'electronics-manufacturing' | 'packaging' | 'paper-forest-products' | 'textiles' | 'furniture' | 'building-materials' | 'glass-ceramics' | 'shipbuilding' | 'printing' | 'toys' | 'consumer-goods' | 'food-production' | 'beverages' | 'wine-spirits' | 'cosmetics' | 'apparel-fashion' | 'luxury-jewelry' | 'sporting-goods' | 'pet-products' | 'tobacco' | 'cannabis' | 'household-goods' | 'retail' | 'ecommerce' | 'grocery' | 'fashion-retail' | 'car-dealerships' | 'home-improvement-retail' | 'wholesale' | 'construction-trades' | 'construction' | 'home-builders' | 'civil-engineering' | 'roofing' | 'hvac-plumbing' | 'electrical-contractors' | 'landscaping' | 'interior-design' | 'real-estate' | 'real-estate-agencies' | 'commercial-real-estate' | 'property-management' | 'real-estate-development' | 'proptech' | 'coworking' | 'energy-environment' | 'oil-gas' | 'renewable-energy' | 'solar' | 'utilities' | 'mining' | 'waste-recycling' | 'environmental-services' | 'cleantech' | 'water' | 'transport-logistics' | 'logistics' | 'freight-forwarding' | 'trucking' | 'warehousing' | 'courier-delivery' | 'maritime' | 'airlines' | 'rail' | 'mobility' | 'travel-hospitality' | 'hotels' | 'restaurants' | 'catering' | 'cafes' | 'bars-nightlife' | 'travel-tourism' | 'gambling-casinos' | 'leisure-recreation' | 'media' | 'publishing' | 'news-media' | 'broadcasting' | 'film-tv' | 'music' | 'animation' | 'photography' | 'sports' | 'performing-arts' | 'education' | 'schools' | 'higher-education' | 'edtech' | 'childcare' | 'language-schools' | 'public-nonprofit' | 'government' | 'nonprofits' | 'associations' | 'religious-organizations' | 'museums-culture' | 'law-enforcement-military' | 'think-tanks' | 'agriculture' | 'farming' | 'forestry' | 'fishing' | 'agtech' | 'personal-services' | 'beauty-salons' | 'fitness-gyms' | 'wellness' | 'auto-repair' | 'home-services' | 'funeral-services' | 'moving-companies')[]
    exclude?: ('technology' | 'software' | 'saas' | 'it-services' | 'managed-service-providers' | 'cybersecurity' | 'artificial-intelligence' | 'data-analytics' | 'cloud-infrastructure' | 'developer-tools' | 'computer-hardware' | 'semiconductors' | 'consumer-electronics' | 'telecommunications' | 'robotics' | 'iot' | 'blockchain' | 'video-games' | 'martech' | 'adtech' | 'hrtech' | 'legaltech' | 'internet-platforms' | 'financial-services' | 'banking' | 'fintech' | 'payments' | 'lending' | 'insurance' | 'insurtech' | 'investment-management' | 'venture-capital' | 'private-equity' | 'accounting' | 'capital-markets' | 'professional-services' | 'legal-services' | 'management-consulting' | 'staffing-recruiting' | 'hr-services' | 'engineering-services' | 'architecture' | 'market-research' | 'translation' | 'outsourcing' | 'training-coaching' | 'event-services' | 'security-services' | 'facilities-services' | 'research-development' | 'agencies' | 'marketing-agencies' | 'advertising-agencies' | 'digital-agencies' | 'seo-agencies' | 'pr-agencies' | 'design-agencies' | 'healthcare' | 'hospitals' | 'medical-practices' | 'dental-practices' | 'physiotherapy' | 'mental-health' | 'veterinary' | 'senior-care' | 'pharmacies' | 'pharmaceuticals' | 'biotechnology' | 'medical-devices' | 'healthtech' | 'diagnostics-laboratories' | 'manufacturing' | 'industrial-machinery' | 'industrial-automation' | 'automotive' | 'aerospace' | 'defense' | 'chemicals' | 'plastics' | 'metals' | 'electronics-manufacturing' | 'packaging' | 'paper-forest-products' | 'textiles' | 'furniture' | 'building-materials' | 'glass-ceramics' | 'shipbuilding' | 'printing' | 'toys' | 'consumer-goods' | 'food-production' | 'beverages' | 'wine-spirits' | 'cosmetics' | 'apparel-fashion' | 'luxury-jewelry' | 'sporting-goods' | 'pet-products' | 'tobacco' | 'cannabis' | 'household-goods' | 'retail' | 'ecommerce' | 'grocery' | 'fashion-retail' | 'car-dealerships' | 'home-improvement-retail' | 'wholesale' | 'construction-trades' | 'construction' | 'home-builders' | 'civil-engineering' | 'roofing' | 'hvac-plumbing' | 'electrical-contractors' | 'landscaping' | 'interior-design' | 'real-estate' | 'real-estate-agencies' | 'commercial-real-estate' | 'property-management' | 'real-estate-development' | 'proptech' | 'coworking' | 'energy-environment' | 'oil-gas' | 'renewable-energy' | 'solar' | 'utilities' | 'mining' | 'waste-recycling' | 'environmental-services' | 'cleantech' | 'water' | 'transport-logistics' | 'logistics' | 'freight-forwarding' | 'trucking' | 'warehousing' | 'courier-delivery' | 'maritime' | 'airlines' | 'rail' | 'mobility' | 'travel-hospitality' | 'hotels' | 'restaurants' | 'catering' | 'cafes' | 'bars-nightlife' | 'travel-tourism' | 'gambling-casinos' | 'leisure-recreation' | 'media' | 'publishing' | 'news-media' | 'broadcasting' | 'film-tv' | 'music' | 'animation' | 'photography' | 'sports' | 'performing-arts' | 'education' | 'schools' | 'higher-education' | 'edtech' | 'childcare' | 'language-schools' | 'public-nonprofit' | 'government' | 'nonprofits' | 'associations' | 'religious-organizations' | 'museums-culture' | 'law-enforcement-military' | 'think-tanks' | 'agriculture' | 'farming' | 'forestry' | 'fishing' | 'agtech' | 'personal-services' | 'beauty-salons' | 'fitness-gyms' | 'wellness' | 'auto-repair' | 'home-services' | 'funeral-services' | 'moving-companies')[]
  }
  /** Words in the company name, tags, description or industry. */
  keywords?: {
    include?: string[]
    exclude?: string[]
  }
  /** Company names or domains. */
  companies?: {
    include?: string[]
    exclude?: string[]
  }
  /** Technologies that the company uses. */
  technologies?: {
    include?: string[]
    exclude?: string[]
  }
  employees?: {
    min?: number
    max?: number
  }[]
  revenue?: {
    min?: number
    max?: number
    /** ISO 4217. Defaults to USD. */
    currency?: 'USD' | 'EUR' | 'GBP' | 'CHF' | 'CAD' | 'AUD' | 'NZD' | 'SEK' | 'NOK' | 'DKK' | 'PLN' | 'CZK' | 'HUF' | 'RON' | 'TRY' | 'ILS' | 'AED' | 'SAR' | 'INR' | 'CNY' | 'JPY' | 'KRW' | 'SGD' | 'HKD' | 'BRL' | 'MXN' | 'ZAR'
  }[]
  fundingTotal?: {
    min?: number
    max?: number
    /** ISO 4217. Defaults to USD. */
    currency?: 'USD' | 'EUR' | 'GBP' | 'CHF' | 'CAD' | 'AUD' | 'NZD' | 'SEK' | 'NOK' | 'DKK' | 'PLN' | 'CZK' | 'HUF' | 'RON' | 'TRY' | 'ILS' | 'AED' | 'SAR' | 'INR' | 'CNY' | 'JPY' | 'KRW' | 'SGD' | 'HKD' | 'BRL' | 'MXN' | 'ZAR'
  }[]
  founded?: {
    min?: number
    max?: number
  }[]
  /** Latest funding stage. */
  fundingStages?: {
    include?: ('bootstrapped' | 'angel' | 'pre_seed' | 'seed' | 'series_a' | 'series_b' | 'series_c' | 'series_d' | 'series_e_plus' | 'private_equity' | 'public' | 'acquired')[]
    exclude?: ('bootstrapped' | 'angel' | 'pre_seed' | 'seed' | 'series_a' | 'series_b' | 'series_c' | 'series_d' | 'series_e_plus' | 'private_equity' | 'public' | 'acquired')[]
  }
  fundedWithinMonths?: number
  emailStatus?: ('verified' | 'accept_all' | 'unverified' | 'invalid' | 'missing')[]
  emailTypes?: ('work' | 'personal' | 'role')[]
  suppress?: ('owned' | 'contacted' | 'in_campaign' | 'replied')[]
  /** Excludes leads that were contacted in this period. */
  contactedWithinDays?: number
  maxPerCompany?: number
}

/** The request that solves the problem. Replace the values in angle brackets. A PUT also needs `if-match`. */
export interface Fix {
  method: 'POST' | 'PUT' | 'PATCH'
  path: string
  body: Record<string, unknown>
}

export interface IdOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'lead.delete' | 'webhook.delete' | 'provider.delete' | 'provider.begin_consent' | 'reply.update' | 'suppression.delete' | 'api_key.revoke' | 'token.revoke' | 'session.create' | 'session.revoke' | 'team.withdraw_invitation' | 'plan.create' | 'plan.approve' | 'plan.reject'
  result: IdResult | null
}

export interface IdResult {
  id: string
}

export interface Identity {
  token: {
    id: string
    kind: 'personal' | 'organization'
    name: string
  }
  /** The scopes of the token. `*` means all scopes. */
  scopes: string[]
  user: {
    id: string
    name: string
    email: string
  } | null
  /** The workspaces that the token can use, oldest first. */
  workspaces: {
    id: string
    name: string
    /** The role of the person; null for an organization key. */
    role: 'owner' | 'admin' | 'member' | 'viewer' | null
    /** The scopes of the token in this workspace: those that its own scopes and the role both include. */
    scopes: string[]
    /** The `seq` of the latest event; 0 when there is none. Read your lists after this, then follow the stream from here: nothing is missed between the two. */
    lastEventSeq: number
  }[]
  session: Session | null
  /** When the session, or else the token, expires. Null: never. */
  expiresAt: string | null
  links: Links
}

export interface IdentityEnvelope {
  data: Identity
}

/** What would change without this limit. The planner of the sender simulates the campaign with and without it. */
export interface IfLifted {
  limit: 'daily_cap' | 'ramp' | 'gap' | 'domain_throttle' | 'window' | 'start_date' | 'end_date'
  /** The daily cap that would be enough to send to these leads on that day. */
  value: number | null
  /** When the first of these messages would be sent. */
  leavesAt: string
  /** How many of these messages would be sent on that day. */
  count: number
  /** The same as text: "leaves today 14:30 Europe/Berlin if the daily cap were 45". */
  text: string
}

export interface Invitation {
  id: string
  email: string
  /** `owner`: everything in the workspace. `admin`: the same, except deciding who is an owner. `member`: campaigns, leads and mailboxes. `viewer`: read access. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
  createdAt: string
  expiresAt: string
  links: Links
}

export interface InvitationEnvelope {
  data: Invitation
}

export interface InvitationOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'team.invite'
  result: InvitationResult | null
}

export interface InvitationPage {
  data: Invitation[]
  links: PageLinks
  meta: PageMeta
}

export interface InvitationResult {
  invitation: IssuedInvitation
}

export interface IssuedInvitation {
  id: string
  email: string
  /** `owner`: everything in the workspace. `admin`: the same, except deciding who is an owner. `member`: campaigns, leads and mailboxes. `viewer`: read access. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
  createdAt: string
  expiresAt: string
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
  id: string
  kind: 'personal' | 'organization'
  name: string
  scopes: ('*' | 'campaigns:read' | 'campaigns:write' | 'leads:read' | 'leads:write' | 'webhooks:read' | 'webhooks:write' | 'workspaces:read' | 'workspaces:write' | 'providers:read' | 'providers:write' | 'suppressions:read' | 'suppressions:write' | 'tokens:read' | 'tokens:write' | 'operations:read' | 'credits:read' | 'credits:write' | 'events:read' | 'leads:export' | 'people:write' | 'deals:write' | 'team:read' | 'team:write' | 'audit:read')[]
  lastFour: string
  limits: TokenLimits | null
  spentToday: TokenSpending | null
  /** When the token stops working. For a key that was replaced, this is the end of the overlap. Null: never. */
  expiresAt: string | null
  createdAt: string
  links: Links
  /** The token itself. Shown once, when it is created. Null when the creation is replayed. */
  token: string | null
}

export interface IssuedTokenEnvelope {
  data: IssuedToken
}

export interface JoinOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'team.join'
  result: JoinResult | null
}

export interface JoinResult {
  invitationId: string
  member: Member
}

export interface Joined {
  workspaceId: string
  member: Member
  /** A personal token. It is shown only in this answer. The session in the cookie acts as this token. */
  token: string
  /** The key of the session. A page sends it with each request in the header `x-overture-console`, because the cookie alone is not enough. Shown only in this answer. */
  sessionKey: string
}

export interface JoinedEnvelope {
  data: Joined
}

export interface Lead {
  id: string
  workspaceId: string
  campaignId: string
  firstName: string | null
  lastName: string | null
  fullName: string | null
  email: string
  company: string | null
  jobTitle: string | null
  timezone: string | null
  variables: Record<string, string>
  /** Values of the lead that cannot be used, such as an unknown time zone. */
  warnings: {
    field: string
    message: string
  }[]
  leadListName: string | null
  status: 'not_yet_contacted' | 'contacted' | 'sequence_completed' | 'replied' | 'interested' | 'not_interested' | 'meeting_booked' | 'meeting_completed' | 'closed' | 'bounced' | 'unsubscribed' | 'skipped'
  source: 'scraped_lead' | 'csv_import' | 'api_import' | 'manual'
  emailOpenCount: number
  emailBounceCount: number
  emailSent: boolean
  /** The lead is interested, or has a later status. */
  isProspect: boolean
  opportunityValue: number | null
  meetingAt: string | null
  /** The next planned step, counted from 0, and the earliest time at which it can be sent. Null: nothing is planned, or the message is being sent. */
  next: {
    step: number
    dueAt: string
  } | null
  /** Why nothing was sent when the sender last checked the lead, and when the reason will pass. The timeline explains it. */
  hold: {
    reason: string
    until: string | null
  } | null
  createdAt: string
  updatedAt: string
  links: Links
}

export type LeadBulk = LeadBulkByIds | LeadBulkByFilter

export interface LeadBulkByFilter {
  action: 'delete' | 'requeue' | 'set_status' | 'move'
  /** For `set_status`. */
  status?: 'replied' | 'interested' | 'not_interested' | 'meeting_booked' | 'meeting_completed' | 'closed' | 'unsubscribed' | 'skipped'
  /** For `move`. */
  targetCampaignId?: string
  /** Instead of `ids`: every lead that matches. An empty filter matches all leads. */
  filter: {
    status?: 'not_yet_contacted' | 'contacted' | 'sequence_completed' | 'replied' | 'interested' | 'not_interested' | 'meeting_booked' | 'meeting_completed' | 'closed' | 'bounced' | 'unsubscribed' | 'skipped'
    email?: string
  }
}

export interface LeadBulkByIds {
  action: 'delete' | 'requeue' | 'set_status' | 'move'
  /** For `set_status`. */
  status?: 'replied' | 'interested' | 'not_interested' | 'meeting_booked' | 'meeting_completed' | 'closed' | 'unsubscribed' | 'skipped'
  /** For `move`. */
  targetCampaignId?: string
  ids: string[]
}

export interface LeadBulkOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'lead.bulk'
  result: LeadBulkResult | null
}

export interface LeadBulkResult {
  campaignId: string
  action: 'delete' | 'requeue' | 'set_status' | 'move'
  /** Leads of the campaign that match the filter or have one of the ids. */
  matchedCount: number
  changedCount: number
  /** Matched leads whose state the action does not apply to. */
  unchangedCount: number
}

export interface LeadEnvelope {
  data: Lead
}

export interface LeadFilters {
  version: number
  fields: {
    name: string
    /** `includeExclude`, `ranges`, `values`, `value` or `number`. */
    form: string
    /** The type of one value: `text`, `slug`, `place`, `integer`, `money` or `enum`. */
    type: string
    about: string
    values: {
      value: string
      label: string
      parent: string | null
    }[] | null
    /** True: `values` lists the known values, and other values are accepted, too. */
    isOpen: boolean
    maxItems: number | null
    maxLength: number | null
    minimum: number | null
    maximum: number | null
    default: string | null
  }[]
  links: Links
}

export interface LeadFiltersEnvelope {
  data: LeadFilters
}

export type LeadImport = LeadImportOfPeople | LeadImportOfExport

export interface LeadImportOfExport {
  /** Instead of `leads`: the people of an export that the workspace bought. */
  exportId: string
  leadListName?: string | null
  /** What happens to a lead that the campaign already has, or that an earlier row has added. `update` changes the fields that you send. Defaults to `skip`. */
  onDuplicate?: 'skip' | 'update'
}

export interface LeadImportOfPeople {
  leads: NewLead[]
  leadListName?: string | null
  /** What happens to a lead that the campaign already has, or that an earlier row has added. `update` changes the fields that you send. Defaults to `skip`. */
  onDuplicate?: 'skip' | 'update'
}

export interface LeadImportOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'campaign.import_leads'
  result: LeadImportResult | null
}

export interface LeadImportResult {
  campaignId: string
  importedCount: number
  duplicateCount: number
  suppressedCount: number
  updatedCount: number
  invalidCount: number
  /** The first 100. */
  invalid: {
    index: number
    reason: string
  }[]
  /** Rows that were imported, but with a value that was ignored; and one for the columns of a file that were left out. */
  warningCount: number
  /** The first 100. */
  warnings: {
    index: number
    reason: string
  }[]
}

export interface LeadOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'lead.update' | 'lead.requeue'
  result: LeadResult | null
}

export interface LeadPage {
  data: Lead[]
  links: PageLinks
  meta: PageMeta
}

export interface LeadPatch {
  firstName?: string | null
  lastName?: string | null
  fullName?: string | null
  company?: string | null
  jobTitle?: string | null
  timezone?: string | null
  /** Changes only the variables that you send. Null removes a variable. */
  variables?: Record<string, string | null>
  status?: 'replied' | 'interested' | 'not_interested' | 'meeting_booked' | 'meeting_completed' | 'closed' | 'unsubscribed' | 'skipped'
  opportunityValue?: number | null
  meetingAt?: string | null
}

export interface LeadResult {
  lead: Lead | ErasedRecord
}

export interface LeadSearchAttachment {
  campaignId: string
  requestedCount: number
  attachedCount: number
  creditsCharged: number
}

export interface LeadSearchAttachmentOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'lead_search.attach'
  result: LeadSearchAttachment | null
}

export interface LeadSearchBrief {
  /** A description of the people you are looking for, in English, German, French or Spanish. */
  brief: string
}

export interface LeadSearchCompletedData {
  operationId: string
  exportId: string
  requestedCount: number
  exportedCount: number
  creditsCharged: number
  downloadUrl: string | null
  expiresAt: string
}

/** An export of leads has succeeded and is charged. */
export interface LeadSearchCompletedEvent extends EventBase {
  type: 'lead_search.completed'
  data: LeadSearchCompletedData
}

export interface LeadSearchDelivery {
  exportId: string
  requestedCount: number
  exportedCount: number
  creditsCharged: number
  /** Works without a token; null for a token that may not read leads. */
  downloadUrl: string | null
  expiresAt: string
}

export interface LeadSearchDeliveryOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'lead_search.export'
  result: LeadSearchDelivery | null
  progress?: ExportProgress
}

export interface LeadSearchFailedData {
  operationId: string
  requestedCount: number
  error: OperationError
}

/** An export of leads failed. Nothing is charged. */
export interface LeadSearchFailedEvent extends EventBase {
  type: 'lead_search.failed'
  data: LeadSearchFailedData
}

export interface LeadSearchOrder {
  /** The filter document; `GET /lead-filters` lists its fields. Shorthand is accepted: a list instead of `{include}`, the name of a place, a range like `50-200`, the label of an industry. Results contain the full document that was derived from it. `{}` matches all people: a preview accepts it, and an order refuses it with 422. */
  filters: FilterDocument | Record<string, unknown>
  /** The number of leads to buy. The same number of credits is reserved until the operation has ended. */
  leadCount: number
}

export interface LeadSearchPreview {
  /** The filter document; `GET /lead-filters` lists its fields. Shorthand is accepted: a list instead of `{include}`, the name of a place, a range like `50-200`, the label of an industry. Results contain the full document that was derived from it. `{}` matches all people: a preview accepts it, and an order refuses it with 422. */
  filters: FilterDocument | Record<string, unknown>
}

export interface LeadSearchPreviewOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'lead_search.preview'
  result: LeadSearchPreviewResult | null
}

export interface LeadSearchPreviewResult {
  campaignId: string | null
  filters: FilterDocument
  matchCount: number
  verifiedCount: number
  /** How many people an export could deliver: those with an address that Overture verified. */
  deliverableCount: number
  /** How many people an order into a campaign could add: also people whom the workspace imported, with any address that is not known to be bad. */
  attachableCount: number
  facets: {
    /** Largest first. */
    industry: {
      value: string
      count: number
    }[]
    /** Largest first. */
    country: {
      value: string
      count: number
    }[]
    /** Largest first. */
    size: {
      value: string
      count: number
    }[]
    /** Largest first. */
    seniority: {
      value: string
      count: number
    }[]
  }
  /** A few of the people whom an order would deliver, without their names, addresses and companies. Empty when the filters name companies. */
  sample?: {
    jobTitle: string | null
    seniority: string | null
    industry: string | null
    companySize: string | null
    country: string | null
    city: string | null
  }[]
  directoryVersion: number
  warnings: string[]
}

export interface LeadStatusChangedData {
  leadId: string
  campaignId: string
  email: string | null
  from: string
  to: string
  /** True when the lead gets this status for the first time. */
  first: boolean
  /** True when the lead becomes interested, or gets a later status, for the first time. */
  firstProspect: boolean
  opportunityValue?: number | null
  meetingAt?: string | null
  opportunityValueChange?: number
  /** What caused the change, like `api`, `sender`, `reply`. */
  by: string
}

/** The status of a lead has changed. */
export interface LeadStatusChangedEvent extends EventBase {
  type: 'lead.status_changed'
  data: LeadStatusChangedData
}

export interface LeadUnsubscribedData {
  leadId: string
  campaignId: string
  email: string | null
  first: boolean
  /** What caused the change, like `api`, `sender`, `reply`. */
  by: string
}

/** A person has unsubscribed, by the link or by a reply. */
export interface LeadUnsubscribedEvent extends EventBase {
  type: 'lead.unsubscribed'
  data: LeadUnsubscribedData
}

export interface LeadUpdatedData {
  leadId: string
  campaignId: string
  email: string | null
  from?: string
  to?: string
  /** True when the lead gets this status for the first time. */
  first?: boolean
  /** True when the lead becomes interested, or gets a later status, for the first time. */
  firstProspect?: boolean
  opportunityValue?: number | null
  meetingAt?: string | null
  opportunityValueChange?: number
  /** The fields of the lead that changed. */
  changed?: string[] | null
  /** What caused the change, like `api`, `sender`, `reply`. */
  by: string
}

/** Fields of a lead have changed. */
export interface LeadUpdatedEvent extends EventBase {
  type: 'lead.updated'
  data: LeadUpdatedData
}

export interface LedgerEntry {
  id: string
  kind: 'grant' | 'hold' | 'release' | 'capture' | 'refund'
  /** The change in available credits. */
  amount: number
  operationId: string | null
  /** The reason for a grant, if one was given. */
  note: string | null
  createdAt: string
  links: Links
}

export interface LedgerEntryEnvelope {
  data: LedgerEntry
}

export interface LedgerEntryPage {
  data: LedgerEntry[]
  links: PageLinks
  meta: PageMeta
}

export interface Links {
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
  providerId?: string
  /** Additional mailboxes besides `providerId`. First contacts are distributed among all of them. */
  rotationProviderIds?: string[]
  /** Leads that a removed mailbox has written to continue from another mailbox, in a new thread. Without this field, they stay with their mailbox as long as it exists. */
  moveThreads?: boolean
}

export interface Member {
  /** The id of the person. */
  id: string
  user: {
    id: string
    name: string
    email: string
    /** Whether the address is known to be theirs. False for a person who accepted an invitation: the inviter wrote the address. */
    isProved: boolean
  }
  /** `owner`: everything in the workspace. `admin`: the same, except deciding who is an owner. `member`: campaigns, leads and mailboxes. `viewer`: read access. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
  joinedAt: string
  links: Links
}

export interface MemberEnvelope {
  data: Member
}

export interface MemberOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'team.update'
  result: MemberResult | null
}

export interface MemberPage {
  data: Member[]
  links: PageLinks
  meta: PageMeta
}

export interface MemberPatch {
  /** `owner`: everything in the workspace. `admin`: the same, except deciding who is an owner. `member`: campaigns, leads and mailboxes. `viewer`: read access. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
}

export interface MemberResult {
  member: Member
}

export interface MetricSeries {
  interval: 'hour' | 'day' | 'week'
  timezone: string
  from: string
  to: string
  groupBy: 'step' | 'variant' | 'mailbox' | 'campaign' | null
  series: {
    /** The group: the number of the step, counted from 0 as in events, or an id. Null: all groups together, or unknown, or all campaigns that are not shown by themselves. */
    key: string | null
    totals: {
      sent: number
      /** The part of `sent` that counts as sent although it is not certain: the connection was lost, and no copy shows it. */
      assumed: number
      opened: number
      clicked: number
      replied: number
      positive: number
      bounced: number
      unsubscribed: number
    }
    /** In chronological order. Periods in which nothing happened are left out. */
    points: {
      at: string
      sent: number
      /** The part of `sent` that counts as sent although it is not certain: the connection was lost, and no copy shows it. */
      assumed: number
      opened: number
      clicked: number
      replied: number
      positive: number
      bounced: number
      unsubscribed: number
    }[]
  }[]
  links: Links
}

export interface MetricSeriesEnvelope {
  data: MetricSeries
}

export interface MetricsResult {
  campaignId: string
  workspaceId: string
  metrics: CampaignMetrics
  links: {
    self: string
    campaign: string
  }
}

export interface MetricsResultEnvelope {
  data: MetricsResult
}

export interface NewAnswer {
  /** The text of the answer. It is sent unchanged; nothing is added. */
  text: string
  /** The same answer as HTML. */
  html?: string
  /** Defaults to the subject of the thread with one `Re:` before it. */
  subject?: string
}

export interface NewApiKey {
  name: string
  scopes: ('*' | 'campaigns:read' | 'campaigns:write' | 'leads:read' | 'leads:write' | 'webhooks:read' | 'webhooks:write' | 'workspaces:read' | 'workspaces:write' | 'providers:read' | 'providers:write' | 'suppressions:read' | 'suppressions:write' | 'tokens:read' | 'tokens:write' | 'operations:read' | 'credits:read' | 'credits:write' | 'events:read' | 'leads:export' | 'people:write' | 'deals:write' | 'team:read' | 'team:write' | 'audit:read')[]
  limits?: TokenLimits | null
  /** Not after the token of the request expires. Defaults to 90 days from now, or to that time when it is earlier. Null means never: it is allowed only for organization keys, and only when the token of the request never expires. */
  expiresAt?: string | null
}

export interface NewCampaign {
  /** 1 to 200 characters after trimming. */
  name: string
  leadListName?: string | null
  niche?: string | null
  location?: string | null
  jobTitle?: string | null
  companySize?: string | null
  industry?: string | null
  sourceUrl?: string | null
  pipelineId?: string | null
  salesPersonId?: string | null
  /** Adds an open pixel to e-mails. Off by default, because it raises the spam score and turns plain text into HTML. */
  trackOpens?: boolean
  /** Redirects links through this service to count clicks. Off by default. In HTML, a link whose visible text is an address is never rewritten, so it is not tracked. */
  trackClicks?: boolean
  /** How a recipient unsubscribes. `header` (default): List-Unsubscribe headers, with one-click unsubscribe when this service has an https address, and a link in the footer. Google and Yahoo require one-click unsubscribe from everyone who sends 5000 or more messages a day to their users. However, mail servers send no automatic replies (Sieve `vacation`, RFC 5230) to messages with list headers, so you do not learn of absences. `link`: only the link in the footer, without list headers. Automatic replies arrive, but the requirement for one-click unsubscribe is not met. `reply-line`: neither headers nor link. The footer asks the recipient to answer "stop", and the service honors that answer. This is the most personal form; use it only for small numbers of first contacts. */
  unsubscribe?: 'header' | 'link' | 'reply-line'
  /** The sentence in the footer: before the link, or in place of the sentence that asks for an answer. Null: the built-in sentence in the language of the lead. */
  optOutText?: string | null
  /** Rules across the campaigns of the workspace. They override the rules of the workspace and are replaced as a whole: a rule that you leave out comes from the workspace. */
  contactRules?: ContactOverrides
  providerId?: string | null
  /** Additional mailboxes besides `providerId`. First contacts are distributed among all of them. */
  rotationProviderIds?: string[]
  startDate?: string | null
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
  amount: number
  /** The reason, shown in the ledger. Do not put personal data here. */
  note?: string
}

export interface NewErasure {
  /** The e-mail address of the person to erase. */
  email: string
}

export interface NewInvitation {
  email: string
  /** `owner`: everything in the workspace. `admin`: the same, except deciding who is an owner. `member`: campaigns, leads and mailboxes. `viewer`: read access. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
}

export interface NewLead {
  email: string
  firstName?: string | null
  lastName?: string | null
  fullName?: string | null
  company?: string | null
  jobTitle?: string | null
  timezone?: string | null
  /** Your own fields, for templates. */
  variables?: Record<string, string>
}

export interface NewPlan {
  operation: 'campaigns.activate' | 'campaigns.pause' | 'campaigns.resume' | 'campaigns.archive' | 'campaigns.updateSchedule' | 'campaigns.updateMailboxes' | 'sequences.replace' | 'sequences.sendTest' | 'leads.import' | 'leads.changeMany' | 'leads.requeue' | 'leads.delete' | 'leadSearches.export' | 'leadSearches.attach' | 'replies.answer' | 'suppressions.create' | 'suppressions.createMany' | 'suppressions.delete'
  /** The ids in the path of the request, except workspaceId. */
  params?: Record<string, string>
  body?: Record<string, unknown>
  /** For requests that need `if-match`. */
  ifMatch?: string
  expiresInMinutes?: number
}

export interface NewProvider {
  kind: 'smtp' | 'sandbox'
  name: string
  fromEmail: string
  fromName?: string | null
  /** The footer of every e-mail shows it. */
  postalAddress?: string | null
  /** The address for replies, if it differs from the sender address. Only replies that arrive in the inbox of this mailbox stop a sequence. */
  replyTo?: string | null
  /** Added below every e-mail: as text, and as HTML when the e-mail is HTML. */
  signature?: {
    text?: string | null
    html?: string | null
  } | null
  dailyCap?: number
  minGapSeconds?: number
  /** Warm-up: the number of e-mails on the first day, and the increase per day, up to the cap. */
  ramp?: {
    startPerDay: number
    increasePerDay: number
  } | null
  /** An IANA time zone. The daily cap counts days in this zone. */
  timezone?: string
  /** The maximum number of e-mails to one recipient domain in any hour. Null: no limit. */
  maxPerDomainPerHour?: number | null
  settings?: ProviderSettings
  credentials?: ProviderCredentials
}

export interface NewSequence {
  steps: NewStep[]
}

export interface NewStep {
  /** Business days after the previous step; 0 for the first step. */
  delayDays: number
  variants: {
    /** Leave it empty for a follow-up that continues the thread of the previous step. */
    subject?: string | null
    /** A Liquid template with the fields and variables of the lead. */
    body: string
    weight?: number
  }[]
}

export interface NewSuppression {
  kind: 'email' | 'domain'
  value: string
  reason?: string
}

export interface NewSuppressions {
  suppressions: {
    /** When it is missing, a value with an @ is an address. */
    kind?: 'email' | 'domain'
    value: string
    reason?: string
  }[]
}

export interface NewToken {
  name: string
  scopes?: ('*' | 'campaigns:read' | 'campaigns:write' | 'leads:read' | 'leads:write' | 'webhooks:read' | 'webhooks:write' | 'workspaces:read' | 'workspaces:write' | 'providers:read' | 'providers:write' | 'suppressions:read' | 'suppressions:write' | 'tokens:read' | 'tokens:write' | 'operations:read' | 'credits:read' | 'credits:write' | 'events:read' | 'leads:export' | 'people:write' | 'deals:write' | 'team:read' | 'team:write' | 'audit:read')[]
  limits?: TokenLimits | null
  /** Not after the token of the request expires. Defaults to 90 days from now, or to that time when it is earlier. Null means never: it is allowed only for organization keys, and only when the token of the request never expires. */
  expiresAt?: string | null
}

export interface NewTrackingHost {
  /** A subdomain of your own domain, like `go.example.com`. */
  host: string
}

export interface NewWebhookEndpoint {
  /** An https URL at a public address. */
  url: string
  /** Event types, or `["*"]` for all of them. */
  events: ('lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'provider.copies_failing' | 'provider.copies_stored' | 'tracking_host.verified' | 'tracking_host.failing' | 'provider.health_changed' | 'operation.succeeded' | 'operation.failed' | 'plan.proposed' | 'plan.approved' | 'plan.rejected' | 'plan.applied' | 'plan.failed' | 'webhook.test' | '*')[]
  description?: string | null
}

/** A requested action and its outcome. `result` is null unless the operation has succeeded, `error` is null unless it has failed. */
export type Operation = CampaignOperation | CampaignCopyOperation | SequenceOperation | SequenceCopyOperation | WorkspaceSettingsOperation | LeadImportOperation | LeadOperation | LeadBulkOperation | IdOperation | CsvImportOperation | LeadSearchPreviewOperation | ProposedFiltersOperation | LeadSearchDeliveryOperation | LeadSearchAttachmentOperation | DirectoryImportOperation | WebhookOperation | DeliveryOperation | ReplayOperation | ProviderOperation | VerificationOperation | DomainHealthOperation | AnswerOperation | SuppressionOperation | SuppressionsOperation | SuppressionCsvOperation | ErasureOperation | CreditGrantOperation | WorkspaceOperation | TokenOperation | MemberOperation | RemovedMemberOperation | InvitationOperation | JoinOperation | TrackingHostOperation | ClockAdvanceOperation | TestMessageOperation

export interface OperationError {
  code: 'invalid_json' | 'invalid_request' | 'invalid_cursor' | 'invalid_idempotency_key' | 'invalid_if_match' | 'unauthenticated' | 'invalid_token' | 'insufficient_credits' | 'insufficient_scope' | 'forbidden' | 'token_budget_exceeded' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'idempotency_key_reused' | 'invalid_state' | 'campaign_not_ready' | 'limit_exceeded' | 'export_expired' | 'events_expired' | 'payload_too_large' | 'unsupported_media_type' | 'validation_failed' | 'invalid_reference' | 'url_not_allowed' | 'precondition_required' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'service_unavailable' | 'precondition_failed' | 'filters_not_derivable' | 'upstream_unavailable' | 'timeout'
  message: string
  /** True: nothing was saved or charged, and the same request with a new idempotency key may succeed. */
  retryable: boolean
}

export interface OperationFailedData {
  operationId: string
  action: string
  campaignId: string | null
  error: OperationError
}

/** An operation has failed. `error` contains the reason. */
export interface OperationFailedEvent extends EventBase {
  type: 'operation.failed'
  data: OperationFailedData
}

export interface OperationPage {
  data: Operation[]
  links: PageLinks
  meta: PageMeta
}

export interface OperationReference {
  id: string
  status: 'queued' | 'succeeded' | 'failed'
  links: Links
}

export interface OperationSucceededData {
  operationId: string
  action: string
  campaignId: string | null
}

/** An operation has succeeded. `GET /v1/operations/{operationId}` returns its result. */
export interface OperationSucceededEvent extends EventBase {
  type: 'operation.succeeded'
  data: OperationSucceededData
}

/** The sentences that explain how to unsubscribe, by language of the lead. Campaigns without an `optOutText` use them. A built-in sentence replaces every sentence that is missing. */
export interface OptOutLines {
  en?: {
    /** The sentence before the link. */
    link?: string
    /** The sentence that asks for an answer, in campaigns whose `unsubscribe` is `reply-line`. */
    reply?: string
  }
  de?: {
    /** The sentence before the link. */
    link?: string
    /** The sentence that asks for an answer, in campaigns whose `unsubscribe` is `reply-line`. */
    reply?: string
  }
  fr?: {
    /** The sentence before the link. */
    link?: string
    /** The sentence that asks for an answer, in campaigns whose `unsubscribe` is `reply-line`. */
    reply?: string
  }
  es?: {
    /** The sentence before the link. */
    link?: string
    /** The sentence that asks for an answer, in campaigns whose `unsubscribe` is `reply-line`. */
    reply?: string
  }
}

export interface PageLinks {
  self: string
  next: string | null
}

export interface PageMeta {
  pagination: {
    nextCursor: string | null
    hasMore: boolean
    limit: number
  }
}

export interface Plan {
  id: string
  workspaceId: string
  operation: 'campaigns.activate' | 'campaigns.pause' | 'campaigns.resume' | 'campaigns.archive' | 'campaigns.updateSchedule' | 'campaigns.updateMailboxes' | 'sequences.replace' | 'sequences.sendTest' | 'leads.import' | 'leads.changeMany' | 'leads.requeue' | 'leads.delete' | 'leadSearches.export' | 'leadSearches.attach' | 'replies.answer' | 'suppressions.create' | 'suppressions.createMany' | 'suppressions.delete'
  status: 'pending' | 'approved' | 'applied' | 'rejected' | 'failed' | 'expired'
  summary: PlanSummary
  /** The exact request that will be made. Null for a token that could not make the request itself, and after the plan has ended. */
  request: {
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    path: string
    body: Record<string, unknown>
  } | null
  proposedBy: string
  decidedBy: string | null
  decidedAt: string | null
  appliedAt: string | null
  operationId: string | null
  error: OperationError | null
  createdAt: string
  expiresAt: string
  links: Links
}

/** A plan was carried out. */
export interface PlanAppliedEvent extends EventBase {
  type: 'plan.applied'
  data: PlanProposedData
}

/** A person has approved a plan. */
export interface PlanApprovedEvent extends EventBase {
  type: 'plan.approved'
  data: PlanProposedData
}

export interface PlanEnvelope {
  data: Plan
}

/** An approved plan could not be carried out. */
export interface PlanFailedEvent extends EventBase {
  type: 'plan.failed'
  data: PlanProposedData
}

export interface PlanPage {
  data: Plan[]
  links: PageLinks
  meta: PageMeta
}

export interface PlanProposedData {
  planId: string
  /** The operationId of the proposed request. */
  operation: string
  leadCount: number
  /** The maximum number of e-mails that can follow. */
  mailCount: number
  /** The maximum number of credits that it can cost. */
  creditCost: number
  expiresAt: string
}

/** An agent has proposed a plan, and a person must approve it. */
export interface PlanProposedEvent extends EventBase {
  type: 'plan.proposed'
  data: PlanProposedData
}

/** A person has rejected a plan. */
export interface PlanRejectedEvent extends EventBase {
  type: 'plan.rejected'
  data: PlanProposedData
}

export interface PlanSummary {
  /** One sentence that describes what will happen. */
  text: string
  campaignName: string | null
  /** The addresses of the mailboxes that would send. */
  from: string[]
  /** The affected people, if they are few; at most 20. */
  recipients: string[]
  leadCount: number
  /** The maximum number of e-mails that can follow. */
  mailCount: number
  /** The maximum number of credits that it can cost. */
  creditCost: number
}

export interface Preview {
  campaignId: string
  leadId: string | null
  /** The number of the step, from 0. */
  step: number
  variantId: string
  from: string
  to: string
  subject: string
  text: string
  html: string | null
  headers: {
    name: string
    value: string
  }[]
  /** The sentence that explains how to unsubscribe. */
  optOut: {
    line: string
    /** The language of the lead, if its variable `language` is set, or else the language of the text. */
    language: 'en' | 'de' | 'fr' | 'es'
    /** Where the sentence comes from. */
    source: 'campaign' | 'workspace' | 'built_in'
  } | null
  /** Properties of the message that raise its spam score, most serious first, including the tracking of the campaign. The list comes from built-in rules. An empty list is best. */
  scoreHints: {
    code: string
    points: number
    message: string
  }[]
  links: {
    self: string
    campaign: string
  }
}

export interface PreviewEnvelope {
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
  explanations: {
    field: string
    /** The value of the filter: a word, a number, a place or a range. */
    value: string | number | {
      area?: string
      country?: string
      region?: string
      city?: string
      radiusKm?: number
      min?: number
      max?: number
      currency?: string
    }
    /** The words of the brief from which the value was read. */
    text: string
    engine: 'rules' | 'llm'
  }[]
  /** Words of the brief that could not be turned into a filter. */
  unmatched: string[]
  /** Words of the brief that do not describe a filter. */
  context: string[]
  engine: 'rules' | 'llm'
  fallbackReason?: string
}

export interface ProposedFiltersOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'lead_search.generate_filters'
  result: ProposedFilters | null
}

export interface ProposedPlan {
  plan: Plan
  /** The token that carries out the plan after approval. Only the token that proposed the plan can use it. */
  planToken: string | null
}

export interface ProposedPlanEnvelope {
  data: ProposedPlan
}

export interface Provider {
  id: string
  workspaceId: string
  kind: 'smtp' | 'sandbox'
  name: string
  fromName: string | null
  fromEmail: string
  /** The footer of every e-mail shows it. */
  postalAddress: string | null
  /** The address for replies, if it differs from the sender address. Only replies that arrive in the inbox of this mailbox stop a sequence. */
  replyTo: string | null
  /** Added below every e-mail: as text, and as HTML when the e-mail is HTML. */
  signature: {
    text?: string | null
    html?: string | null
  } | null
  dailyCap: number
  minGapSeconds: number
  /** Warm-up: the number of e-mails on the first day, and the increase per day, up to the cap. */
  ramp: {
    startPerDay: number
    increasePerDay: number
  } | null
  /** An IANA time zone. The daily cap counts days in this zone. */
  timezone: string
  /** The maximum number of e-mails to one recipient domain in any hour. Null: no limit. */
  maxPerDomainPerHour: number | null
  status: 'connected' | 'disconnected' | 'unverified'
  statusReason: string | null
  settings: ProviderSettings
  /** The mail server failed temporarily, and nothing is sent until this time. After 15 minutes of failures the mailbox is disconnected. */
  resting: {
    until: string
    reason: string | null
  } | null
  /** Whether the inbox can be read. While it cannot be read, follow-ups wait, because it may contain a reply. Null without an inbox, and before it is read for the first time. */
  inbox: {
    status: 'readable' | 'unread' | 'unreadable'
    reason: string | null
    since: string | null
  } | null
  /** The server refuses to store copies of sent messages in the Sent folder, most often because the mailbox is full. Messages are sent nevertheless. A full mailbox also refuses replies. */
  copiesFailing: {
    reason: string
    since: string | null
  } | null
  load: {
    /** The number of messages sent today in its time zone, including answers. */
    sentToday: number
    /** The number of messages allowed today: the daily cap, or the limit of the warm-up. */
    limitToday: number
    nextSlotAt: string | null
  }
  /** The consent with which the mailbox signs in. Null when it signs in with a password, or with a token that you provided. */
  consent: {
    /** The issuer that signs the owner of the mailbox in. */
    issuer: 'google' | 'microsoft'
    /** The account that gave consent. */
    account: string
  } | null
  fix: Fix | null
  hasCredentials: boolean
  connectedAt: string | null
  createdAt: string
  updatedAt: string
  links: Links
}

/** The server of a mailbox refuses to store copies of sent messages, most often because the mailbox is full. */
export interface ProviderCopiesFailingEvent extends EventBase {
  type: 'provider.copies_failing'
  data: ProviderState
}

/** The server of a mailbox stores copies of sent messages again. */
export interface ProviderCopiesStoredEvent extends EventBase {
  type: 'provider.copies_stored'
  data: ProviderState
}

/** Write-only: never shown again. */
export interface ProviderCredentials {
  username: string
  password?: string
  oauth?: {
    tokenUrl: string
    clientId: string
    clientSecret?: string
    refreshToken: string
  }
}

/** A mailbox can no longer send. */
export interface ProviderDisconnectedEvent extends EventBase {
  type: 'provider.disconnected'
  data: ProviderState
}

export interface ProviderDiscovery {
  email: string
  candidates: DiscoveredSettings[]
  links: Links
}

export interface ProviderDiscoveryEnvelope {
  data: ProviderDiscovery
}

export interface ProviderEnvelope {
  data: Provider
}

export interface ProviderHealthChangedData {
  providerId: string
  name: string
  fromEmail: string
  /** The previous status; null at the first check. */
  from: string | null
  to: string
  /** The checks that fail at present. */
  failing: string[]
}

/** The domain of a mailbox began to fail its checks, or passes again. */
export interface ProviderHealthChangedEvent extends EventBase {
  type: 'provider.health_changed'
  data: ProviderHealthChangedData
}

/** The inbox of a mailbox can be read again. */
export interface ProviderInboxReadableEvent extends EventBase {
  type: 'provider.inbox_readable'
  data: ProviderState
}

/** The inbox of a mailbox cannot be read, so new replies are not found. */
export interface ProviderInboxUnreadableEvent extends EventBase {
  type: 'provider.inbox_unreadable'
  data: ProviderState
}

export interface ProviderOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'provider.create' | 'provider.update' | 'provider.consent'
  result: ProviderResult | null
}

export interface ProviderPage {
  data: Provider[]
  links: PageLinks
  meta: PageMeta
}

export interface ProviderPatch {
  name?: string
  fromEmail?: string
  fromName?: string | null
  /** The footer of every e-mail shows it. */
  postalAddress?: string | null
  /** The address for replies, if it differs from the sender address. Only replies that arrive in the inbox of this mailbox stop a sequence. */
  replyTo?: string | null
  /** Added below every e-mail: as text, and as HTML when the e-mail is HTML. */
  signature?: {
    text?: string | null
    html?: string | null
  } | null
  dailyCap?: number
  minGapSeconds?: number
  /** Warm-up: the number of e-mails on the first day, and the increase per day, up to the cap. */
  ramp?: {
    startPerDay: number
    increasePerDay: number
  } | null
  /** An IANA time zone. The daily cap counts days in this zone. */
  timezone?: string
  /** The maximum number of e-mails to one recipient domain in any hour. Null: no limit. */
  maxPerDomainPerHour?: number | null
  settings?: ProviderSettings
  credentials?: ProviderCredentials
}

export interface ProviderResult {
  provider: Provider
}

export interface ProviderSettings {
  smtp?: {
    host: string
    port: number
    /** True: TLS from the first byte. False: STARTTLS is required. */
    secure: boolean
    /** Allows sending the password over an unencrypted connection when the server offers no encryption. */
    allowPlaintext?: boolean
    tls?: MailServerTls
  }
  imap?: {
    host: string
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
  providerId: string
  name: string
  fromEmail: string
  reason: string | null
}

export interface Readiness {
  campaignId: string
  workspaceId: string
  /** True without failures: `activate` or `resume` would succeed now. For an active campaign, which needs neither: nothing is wrong with it. */
  ready: boolean
  failures: {
    rule: string
    message: string
  }[]
  warnings: {
    /** `missing_variable`, `template`, `suppressed`, `bad_address`, `follow_up_without_delay`, or a contact rule: `contacted_elsewhere`, `in_other_campaign`, `company_replied`, `company_limit`. */
    rule: string
    message: string
    /** The number of leads affected; 0 when it does not concern leads. The count stops at 10 000, and the message then says "at least". */
    count: number
    examples: {
      leadId: string
      email: string
    }[]
  }[]
  links: {
    self: string
    campaign: string
  }
}

export interface ReadinessEnvelope {
  data: Readiness
}

export interface RemovedMember {
  userId: string
}

export interface RemovedMemberOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'team.remove'
  result: RemovedMember | null
}

export interface Replay {
  since: string
  until?: string
}

export interface ReplayOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'webhook.replay'
  result: ReplayResult | null
}

export interface ReplayResult {
  replayedCount: number
}

export interface ReplayResultEnvelope {
  data: ReplayResult
}

export interface Reply {
  id: string
  workspaceId: string
  campaignId: string | null
  leadId: string | null
  providerId: string
  sendId: string | null
  /** The step that the reply answers, counted from 0 as in events. */
  step: number | null
  /** What the reply means: `positive` (interested), `negative`, `neutral`, `opt_out`, or `auto_reply` when no person wrote it. */
  kind: 'positive' | 'negative' | 'neutral' | 'opt_out' | 'auto_reply'
  /** The kind that was detected when the reply arrived. */
  judgedKind: 'positive' | 'negative' | 'neutral' | 'opt_out' | 'auto_reply'
  confidence: number | null
  /** True when the classification is uncertain and a person should read the reply. */
  needsLook: boolean
  handled: boolean
  handledAt: string | null
  /** The kind that a person set; null when nobody has corrected it. */
  correctedKind: 'positive' | 'negative' | 'neutral' | 'opt_out' | 'auto_reply' | null
  /** The token that was used for the correction. */
  correctedBy: string | null
  correctedAt: string | null
  /** The sender of the reply. Null, like subject and text, when the person was erased. */
  from: string | null
  /** The address that the sender wants answers to go to, if it is not `from`. An answer is sent to it. */
  replyTo: string | null
  /** Other people who received the message, from its `Cc`: at most 50. An answer is not sent to them. */
  cc: string[]
  /** The name of the lead, if it is known and the reply came from the address of the lead. */
  leadName: string | null
  subject: string | null
  /** The text of the person, without quotes and signature. The thread of the lead has the complete text. */
  text: string | null
  /** The Message-ID of the reply, if it has one. */
  messageId: string | null
  /** The message was larger than the limit for stored messages. Texts or attachments may be missing. */
  isCut: boolean
  attachments: Attachment[]
  referral: {
    /** The address in the reply. */
    email: string
    /** The name next to the address, if there is one. */
    name: string | null
  } | null
  /** The first day on which the person wants to be contacted again. The service does not act on it. */
  deferredUntil: string | null
  receivedAt: string
  links: Links
}

export interface ReplyEnvelope {
  data: Reply
}

export interface ReplyPage {
  data: Reply[]
  links: PageLinks
  meta: PageMeta
}

export interface ReplyPatch {
  /** The correct meaning of the reply. */
  kind?: 'positive' | 'negative' | 'neutral' | 'opt_out'
  /** Whether somebody has handled the reply. */
  handled?: boolean
}

export interface ReplyUpdatedData {
  leadId: string
  campaignId: string
  email: string | null
  replyId: string
  sendId: string | null
  /** The step of the sequence, counted from 0. */
  step: number | null
  kind: string
  previousKind: string
  judgedKind: string
  handled: boolean
  /** What caused the change, like `api`, `sender`, `reply`. */
  by: string
}

/** Somebody has corrected the kind of a reply, or marked it as handled. */
export interface ReplyUpdatedEvent extends EventBase {
  type: 'reply.updated'
  data: ReplyUpdatedData
}

export interface SandboxClock {
  now: string
  /** The difference to real time. */
  offsetMs: number
  canAdvance: boolean
  /** Why the clock cannot be advanced. */
  reason: string | null
  /** The operation that is advancing the clock; `now` shows its progress. */
  advancing: {
    operationId: string | null
    from: string
    /** Null: until nothing more is planned. */
    to: string | null
  } | null
  links: Links
}

export interface SandboxClockEnvelope {
  data: SandboxClock
}

export interface SandboxMessage {
  id: string
  providerId: string
  campaignId: string | null
  leadId: string | null
  /** `out`: a message that would have been sent. `in`: a reply of the simulated recipient. */
  direction: 'out' | 'in'
  from: string
  to: string
  subject: string
  text: string
  html: string | null
  /** The whole message with its headers. */
  raw: string
  createdAt: string
  links: Links
}

export interface SandboxMessageEnvelope {
  data: SandboxMessage
}

export interface SandboxMessagePage {
  data: SandboxMessage[]
  links: PageLinks
  meta: PageMeta
}

export interface Schedule {
  campaignId: string
  daysOfWeek: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[] | null
  /** Messages are sent from `start` until just before `end`. A window until `23:59` ends with the day, so `00:00` to `23:59` is the whole day. */
  timeWindow: {
    /** HH:mm */
    start: string
    /** HH:mm */
    end: string
  } | null
  timezone: string | null
  /** Uses the time zone of the lead for the days and hours, when it is known, and `timezone` for other leads. Delays are counted in the same time zone. Defaults to false. */
  useLeadTimezone: boolean
  startDate: string | null
  endDate: string | null
  links: {
    self: string
    campaign: string
  }
}

export interface ScheduleEnvelope {
  data: Schedule
}

/** Send the three fields of the window together: they replace it. The dates and `useLeadTimezone` stay unless you send them. */
export interface ScheduleUpdate {
  daysOfWeek?: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[]
  /** Messages are sent from `start` until just before `end`. A window until `23:59` ends with the day, so `00:00` to `23:59` is the whole day. */
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
  startDate?: string | null
  endDate?: string | null
}

export interface SecretRotation {
  /** How long every delivery is also signed with the old secret. */
  overlapSeconds?: number
}

export interface SendingStatus {
  campaignId: string
  workspaceId: string
  status: 'draft' | 'active' | 'paused' | 'completed' | 'archived' | 'attention_needed'
  attentionReason: string | null
  trackOpens: boolean
  trackClicks: boolean
  /** Messages that may be sent at this moment. */
  readyCount: number
  inFlightCount: number
  /** Messages that count as sent although their outcome is unknown. They are not sent again, to avoid duplicates. */
  assumedCount: number
  /** Messages whose outcome is not known yet. */
  unknownCount: number
  nextAttemptAt: string | null
  /** A summary in one line. */
  summary: string
  reasons: {
    /** Why these leads wait. */
    reason: 'waiting_window' | 'not_due' | 'campaign_not_started' | 'mailbox_cap' | 'mailbox_gap' | 'mailbox_resting' | 'inbox_unread' | 'domain_throttle' | 'earlier_step_open' | 'contacted_elsewhere' | 'in_other_campaign' | 'company_limit' | 'company_replied' | 'tracking_host_failing' | 'campaign_not_active' | 'no_mailbox' | 'mailbox_disconnected' | 'missing_variable' | 'campaign_expired' | 'due_after_end' | 'suppressed' | 'lead_final' | 'sequence_completed' | 'beyond_horizon' | 'recipient_deferred' | 'connection_lost' | 'mailbox_unreachable' | 'mailbox_refused' | 'message_too_large' | 'content_refused' | 'recipient_away'
    count: number
    nextAttemptAt: string | null
    text: string
    fix: Fix | null
    ifLifted: IfLifted | null
  }[]
  mailboxes: {
    id: string
    name: string
    status: string
    sentToday: number
    limitToday: number
    nextSlotAt: string | null
  }[]
  links: {
    self: string
    campaign: string
  }
}

export interface SendingStatusEnvelope {
  data: SendingStatus
}

export interface Sequence {
  campaignId: string
  /** 0: there is no sequence yet. */
  version: number
  steps: {
    id: string
    /** Business days after the previous step; 0 for the first step. */
    delayDays: number
    variants: {
      id: string
      /** Leave it empty for a follow-up that continues the thread of the previous step. */
      subject: string | null
      /** A Liquid template with the fields and variables of the lead. */
      body: string
      weight: number
    }[]
  }[]
  updatedAt: string | null
  links: Links
}

export interface SequenceCopy {
  campaignId: string
  stepCount: number
  updatedAt: string
  sourceCampaignId: string
}

export interface SequenceCopyOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'campaign.copy_sequence'
  result: SequenceCopy | null
}

export interface SequenceEnvelope {
  data: Sequence
}

export interface SequenceOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'campaign.update_sequence'
  result: SequenceResult | null
}

export interface SequenceResult {
  campaignId: string
  stepCount: number
  updatedAt: string
}

export interface Session {
  id: string
  tokenId: string
  /** The name of the token from which the session was created. The session acts as this token. */
  tokenName: string
  /** The User-Agent header of the browser. */
  userAgent: string | null
  /** True: this request uses this session. */
  isCurrent: boolean
  createdAt: string
  /** Accurate to five minutes. */
  lastUsedAt: string
  /** 12 hours after its last use, but at most 30 days after its start, and no later than its token. */
  expiresAt: string
  links: Links
}

export interface SessionEnvelope {
  data: Session
}

export interface SessionPage {
  data: Session[]
  links: PageLinks
  meta: PageMeta
}

export interface SettingsUpdate {
  /** 1 to 200 characters after trimming. */
  name?: string
  leadListName?: string | null
  niche?: string | null
  location?: string | null
  jobTitle?: string | null
  companySize?: string | null
  industry?: string | null
  sourceUrl?: string | null
  pipelineId?: string | null
  salesPersonId?: string | null
  /** Adds an open pixel to e-mails. Off by default, because it raises the spam score and turns plain text into HTML. */
  trackOpens?: boolean
  /** Redirects links through this service to count clicks. Off by default. In HTML, a link whose visible text is an address is never rewritten, so it is not tracked. */
  trackClicks?: boolean
  /** How a recipient unsubscribes. `header` (default): List-Unsubscribe headers, with one-click unsubscribe when this service has an https address, and a link in the footer. Google and Yahoo require one-click unsubscribe from everyone who sends 5000 or more messages a day to their users. However, mail servers send no automatic replies (Sieve `vacation`, RFC 5230) to messages with list headers, so you do not learn of absences. `link`: only the link in the footer, without list headers. Automatic replies arrive, but the requirement for one-click unsubscribe is not met. `reply-line`: neither headers nor link. The footer asks the recipient to answer "stop", and the service honors that answer. This is the most personal form; use it only for small numbers of first contacts. */
  unsubscribe?: 'header' | 'link' | 'reply-line'
  /** The sentence in the footer: before the link, or in place of the sentence that asks for an answer. Null: the built-in sentence in the language of the lead. */
  optOutText?: string | null
  /** Rules across the campaigns of the workspace. They override the rules of the workspace and are replaced as a whole: a rule that you leave out comes from the workspace. */
  contactRules?: ContactOverrides
}

export interface SignIn {
  /** The code from a sign-in link. It works once. */
  code?: string
}

export interface SignedIn {
  token: {
    id: string
    kind: 'personal' | 'organization'
    name: string
  }
  /** The scopes of the token. `*` means all scopes. */
  scopes: string[]
  user: {
    id: string
    name: string
    email: string
  } | null
  /** The workspaces that the token can use, oldest first. */
  workspaces: {
    id: string
    name: string
    /** The role of the person; null for an organization key. */
    role: 'owner' | 'admin' | 'member' | 'viewer' | null
    /** The scopes of the token in this workspace: those that its own scopes and the role both include. */
    scopes: string[]
    /** The `seq` of the latest event; 0 when there is none. Read your lists after this, then follow the stream from here: nothing is missed between the two. */
    lastEventSeq: number
  }[]
  session: Session | null
  /** When the session, or else the token, expires. Null: never. */
  expiresAt: string | null
  links: Links
  /** The key of the session. A page sends it with each request in the header `x-overture-console`, because the cookie alone is not enough. Shown only in this answer. */
  sessionKey: string
}

export interface SignedInEnvelope {
  data: SignedIn
}

export interface Simulation {
  campaignId: string
  workspaceId: string
  /** All planned messages. */
  sends: number
  startsAt: string | null
  endsAt: string | null
  days: {
    /** In the time zone of the campaign. */
    date: string
    total: number
    byMailbox: Record<string, number>
    byStep: number[]
  }[]
  /** The limit that delays the campaign most: without it, the campaign would end soonest. */
  bindingLimit: {
    code: string
    message: string
  }
  /** Leads that do not get all their messages, by reason, and the messages that they do not get. `missing_variable`: a step cannot be written to them; they get the steps before it. */
  notSent: {
    reason: string
    count: number
    messages: number
    text: string
  }[]
  /** True when there are more messages than the horizon shows. */
  truncated: boolean
  /** The number of leads without a value that the e-mails need. Only present when you try out changes; for the saved campaign, `validate` returns it. */
  lacks: {
    /** The number of the step, from 0. */
    step: number
    variable: string | null
    count: number
    text: string
  }[] | null
  links: {
    self: string
    campaign: string
  }
}

export interface SimulationEnvelope {
  data: Simulation
}

/** All fields except `horizonDays` are changes to try out. The simulation applies them; the campaign itself does not change. */
export interface SimulationRequest {
  /** How many days to look ahead. Default: 365. */
  horizonDays?: number
  /** The same fields as for an update. Fields that are left out stay as they are. */
  schedule?: ScheduleUpdate
  providerId?: string
  /** Additional mailboxes besides `providerId`. First contacts are distributed among all of them. */
  rotationProviderIds?: string[]
  /** Instead of the rules of the campaign. */
  contactRules?: ContactOverrides
  /** Replaces the sequence for leads that have not started. */
  steps?: NewStep[]
}

export interface StageResult {
  stage: 'dns' | 'tcp' | 'tls' | 'auth' | 'test_message' | 'imap' | 'folders'
  ok: boolean
  detail: string
  /** The most common solution if the stage failed. */
  cure: string | null
  durationMs: number
}

export interface Suppression {
  id: string
  workspaceId: string
  kind: 'email' | 'domain'
  /** Null when the person has been erased and only the hash is left. */
  value: string | null
  reason: string
  createdAt: string
  links: Links
}

export interface SuppressionCsvOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'suppression.import_csv'
  result: SuppressionCsvResult | null
}

export interface SuppressionCsvResult {
  outcome: {
    createdCount: number
    /** Values that were suppressed before, and keep their entry and its reason, or that are in the list more than once. */
    existingCount: number
    invalidCount: number
    /** The first 100 rows that have neither an address nor a domain. The other rows are suppressed. */
    invalid: {
      line: number
      reason: string
    }[]
  }
}

export interface SuppressionEnvelope {
  data: Suppression
}

export interface SuppressionOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'suppression.create'
  result: SuppressionResult | null
}

export interface SuppressionPage {
  data: Suppression[]
  links: PageLinks
  meta: PageMeta
}

export interface SuppressionResult {
  suppression: Suppression | ErasedRecord
}

export interface SuppressionsOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'suppression.create_many'
  result: SuppressionsResult | null
}

export interface SuppressionsResult {
  outcome: {
    createdCount: number
    /** Values that were suppressed before, and keep their entry and its reason, or that are in the list more than once. */
    existingCount: number
    /** Rows that are neither an address nor a domain. The other rows are suppressed. */
    invalid: {
      index: number
      reason: string
    }[]
  }
}

export interface TestMessage {
  campaignId: string
  step: number
  variantId: string
  providerId: string
  from: string
  to: string
  subject: string
  messageId: string
}

export interface TestMessageOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'campaign.send_test'
  result: TestMessage | null
}

export interface ThreadMessage {
  id: string
  /** `out`: a sent message. `in`: a received message. */
  direction: 'out' | 'in'
  /** `step`: a message of the sequence. `answer`: a message that a user wrote in answer to a reply. A received message has the kind of its classification. */
  kind: 'step' | 'answer' | 'positive' | 'negative' | 'neutral' | 'opt_out' | 'auto_reply' | 'bounce'
  /** The outcome of a sent message; null for a received message. Among queued messages, only answers are shown. */
  status: 'queued' | 'sending' | 'sent' | 'failed' | 'unknown' | null
  hold: {
    /** Why an answer has not been sent, such as `mailbox_cap`, or why it will never be sent. */
    reason: string
    /** When the reason will pass, if that is known. */
    until: string | null
  } | null
  at: string
  /** The step, counted from 0. For a received message, the step that it answers. */
  step: number | null
  sendId: string | null
  /** For a received message, its id in the list of replies. For an answer, the reply that it answers. */
  replyId: string | null
  messageId: string | null
  from: string | null
  to: string | null
  /** Other people who received the message, from its `Cc`: at most 50. An answer is not sent to them. */
  cc: string[]
  subject: string | null
  /** The complete text with quotes. Null when it is no longer kept. */
  text: string | null
  /** Untrusted: a stranger may have written it. Show it only in a sandboxed frame that loads nothing. Our own tracking is removed, so that reading a thread counts no open and no click. */
  html: string | null
  /** The message was larger than the limit for stored messages. Texts or attachments may be missing. */
  isCut: boolean
  attachments: Attachment[]
  links: Links
}

export interface ThreadMessageEnvelope {
  data: ThreadMessage
}

export interface ThreadMessagePage {
  data: ThreadMessage[]
  links: PageLinks
  meta: PageMeta
}

export interface TimelineEntry {
  id: string
  type: string
  timestamp: string
  data: Record<string, unknown>
  links: Links
}

export interface TimelineEntryEnvelope {
  data: TimelineEntry
}

export interface TimelineEntryPage {
  data: TimelineEntry[]
  links: PageLinks
  meta: PageMeta
}

export interface Token {
  id: string
  kind: 'personal' | 'organization'
  name: string
  scopes: ('*' | 'campaigns:read' | 'campaigns:write' | 'leads:read' | 'leads:write' | 'webhooks:read' | 'webhooks:write' | 'workspaces:read' | 'workspaces:write' | 'providers:read' | 'providers:write' | 'suppressions:read' | 'suppressions:write' | 'tokens:read' | 'tokens:write' | 'operations:read' | 'credits:read' | 'credits:write' | 'events:read' | 'leads:export' | 'people:write' | 'deals:write' | 'team:read' | 'team:write' | 'audit:read')[]
  lastFour: string
  limits: TokenLimits | null
  spentToday: TokenSpending | null
  /** When the token stops working. For a key that was replaced, this is the end of the overlap. Null: never. */
  expiresAt: string | null
  createdAt: string
  links: Links
}

export interface TokenEnvelope {
  data: Token
}

/** The limits of the token per day (UTC). A request beyond a limit answers 403 `token_budget_exceeded`; it can be proposed as a plan. Requests of tokens that this token created count, too. */
export interface TokenLimits {
  /** Leads that are added to campaigns or bought. */
  leadsPerDay?: number
  /** Credits that are spent. */
  creditsPerDay?: number
  /** The maximum number of e-mails that can follow from accepted requests: started campaigns, leads added to running campaigns, answers, tests. */
  mailsPerDay?: number
  /** The token cannot send from a real mailbox, and cannot change one. */
  sandboxOnly?: boolean
}

export interface TokenOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'api_key.create' | 'api_key.rotate' | 'token.create'
  result: TokenResult | null
}

export interface TokenPage {
  data: Token[]
  links: PageLinks
  meta: PageMeta
}

export interface TokenResult {
  token: IssuedToken
}

/** What the token and the tokens that it created have used today (UTC). Null: the token has no limits, and nothing is counted. */
export interface TokenSpending {
  leads: number
  credits: number
  mails: number
}

export interface TrackingHost {
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
    type: 'CNAME'
    name: string
    value: string
  } | null
  verifiedAt: string | null
  checkedAt: string | null
  nextCheckAt: string | null
  links: Links
}

export interface TrackingHostEnvelope {
  data: TrackingHost
}

/** The tracking host no longer leads to this installation. */
export interface TrackingHostFailingEvent extends EventBase {
  type: 'tracking_host.failing'
  data: TrackingHostState
}

export interface TrackingHostOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'tracking_host.set' | 'tracking_host.delete'
  result: TrackingHostResult | null
}

export interface TrackingHostResult {
  trackingHost: TrackingHost
}

export interface TrackingHostState {
  host: string
  reason: string | null
}

/** The tracking host was verified: it leads to this installation. */
export interface TrackingHostVerifiedEvent extends EventBase {
  type: 'tracking_host.verified'
  data: TrackingHostState
}

export interface UnreadMessage {
  id: string
  providerId: string
  /** The folder of the mailbox that contains the message. */
  folder: string
  uidValidity: string
  /** The number of the message in the folder. It is valid as long as the folder has this `uidValidity`. */
  uid: number
  /** The Message-ID, if there is one. */
  messageId: string | null
  /** `too_expensive`: reading the message exceeded the limit of time or memory. `unreadable`: it is not a valid message. `not_recorded`: its content could not be stored. `unproven_bounce`: it reports that a lead cannot be reached but names no message that we sent, so nothing was done. */
  reason: 'too_expensive' | 'unreadable' | 'not_recorded' | 'unproven_bounce'
  /** The reason as text. */
  detail: string
  receivedAt: string
  createdAt: string
  links: Links
}

export interface UnreadMessageEnvelope {
  data: UnreadMessage
}

export interface UnreadMessagePage {
  data: UnreadMessage[]
  links: PageLinks
  meta: PageMeta
}

export interface Unsubscription {
  /** Whether the address is already suppressed. */
  unsubscribed: boolean
  /** The masked address of the recipient. Null: the lead no longer exists. */
  address: string | null
  /** Null: the mailbox no longer exists. */
  sender: {
    name: string | null
    email: string
  } | null
}

export interface UnsubscriptionEnvelope {
  data: Unsubscription
}

export interface VariantComparison {
  campaignId: string
  workspaceId: string
  steps: {
    /** The number of the step, from 0. */
    step: number
    verdict: 'only_variant' | 'not_enough_data' | 'no_clear_difference' | 'clear_winner'
    winnerVariantId: string | null
    message: string
    variants: {
      variantId: string
      subject: string | null
      weight: number
      sentCount: number
      replyCount: number
      positiveReplyCount: number
      positiveReplyRate: number
      /** The 95% confidence interval of the rate (Wilson). */
      interval: {
        low: number
        high: number
      }
    }[]
  }[]
  links: {
    self: string
    campaign: string
  }
}

export interface VariantComparisonEnvelope {
  data: VariantComparison
}

export interface Verification {
  provider: Provider
  /** True when every stage passed. The mailbox is then connected. */
  ok: boolean
  stages: StageResult[]
}

export interface VerificationEnvelope {
  data: Verification
}

export interface VerificationOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'provider.verify'
  result: VerificationResult | null
  progress?: VerificationProgress
}

/** While the operation is running: the stages so far. Not included in lists. */
export interface VerificationProgress {
  stages: StageResult[]
  /** The stages that are being tried. SMTP and IMAP are tried at the same time. */
  running: ('dns' | 'tcp' | 'tls' | 'auth' | 'test_message' | 'imap' | 'folders')[]
}

export interface VerificationResult {
  verification: Verification
}

export interface WebhookEndpoint {
  id: string
  workspaceId: string
  url: string
  events: ('lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'provider.copies_failing' | 'provider.copies_stored' | 'tracking_host.verified' | 'tracking_host.failing' | 'provider.health_changed' | 'operation.succeeded' | 'operation.failed' | 'plan.proposed' | 'plan.approved' | 'plan.rejected' | 'plan.applied' | 'plan.failed' | 'webhook.test' | '*')[]
  status: 'active' | 'paused' | 'disabled'
  description: string | null
  /** `gone`: the receiver answered 410. `failing`: all deliveries have failed for five days. */
  disabledReason: 'gone' | 'failing' | null
  createdAt: string
  updatedAt: string
  links: Links
}

export interface WebhookEndpointEnvelope {
  data: WebhookEndpoint
}

export interface WebhookEndpointPage {
  data: WebhookEndpoint[]
  links: PageLinks
  meta: PageMeta
}

export interface WebhookEndpointPatch {
  /** An https URL at a public address. */
  url?: string
  /** Event types, or `["*"]` for all of them. */
  events?: ('lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'provider.copies_failing' | 'provider.copies_stored' | 'tracking_host.verified' | 'tracking_host.failing' | 'provider.health_changed' | 'operation.succeeded' | 'operation.failed' | 'plan.proposed' | 'plan.approved' | 'plan.rejected' | 'plan.applied' | 'plan.failed' | 'webhook.test' | '*')[]
  description?: string | null
  /** Events that happen while the endpoint is not active are not delivered later. Replay them. */
  status?: 'active' | 'paused'
}

export interface WebhookEndpointWithSecret {
  id: string
  workspaceId: string
  url: string
  events: ('lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'provider.copies_failing' | 'provider.copies_stored' | 'tracking_host.verified' | 'tracking_host.failing' | 'provider.health_changed' | 'operation.succeeded' | 'operation.failed' | 'plan.proposed' | 'plan.approved' | 'plan.rejected' | 'plan.applied' | 'plan.failed' | 'webhook.test' | '*')[]
  status: 'active' | 'paused' | 'disabled'
  description: string | null
  /** `gone`: the receiver answered 410. `failing`: all deliveries have failed for five days. */
  disabledReason: 'gone' | 'failing' | null
  createdAt: string
  updatedAt: string
  links: Links
  /** The secret that signs every delivery, as Standard Webhooks specifies. Null only in a replay of a request whose endpoint no longer exists. */
  secret: string | null
}

export interface WebhookEndpointWithSecretEnvelope {
  data: WebhookEndpointWithSecret
}

export interface WebhookOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'webhook.create' | 'webhook.update' | 'webhook.rotate_secret'
  result: WebhookResult | null
}

export interface WebhookResult {
  webhook: WebhookEndpoint
}

export interface WebhookTestData {
  endpointId: string
}

/** A test event for a webhook endpoint. Only that endpoint gets it. */
export interface WebhookTestEvent extends EventBase {
  type: 'webhook.test'
  data: WebhookTestData
}

export interface Workspace {
  id: string
  name: string
  createdAt: string
  updatedAt: string
  links: Links
}

export interface WorkspaceEnvelope {
  data: Workspace
}

export interface WorkspaceOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'workspace.create' | 'workspace.update'
  result: WorkspaceResult | null
}

export interface WorkspacePage {
  data: Workspace[]
  links: PageLinks
  meta: PageMeta
}

export interface WorkspaceResult {
  workspace: Workspace
}

export interface WorkspaceSettings {
  workspaceId: string
  contactRules: ContactRules
  /** Whether a campaign may start from a mailbox whose domain failed its last check. `warn`: it may, with a warning. `require`: no campaign may start with a domain that fails or was never checked. */
  domainHealth: 'warn' | 'require'
  optOutLines: OptOutLines
  updatedAt: string
  links: Links
}

export interface WorkspaceSettingsEnvelope {
  data: WorkspaceSettings
}

export interface WorkspaceSettingsOperation extends OperationBase {
  /** The action that the operation performs. */
  action: 'workspace.update_settings'
  result: WorkspaceSettingsResult | null
}

export interface WorkspaceSettingsResult {
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
