// Made from openapi.json by scripts/sdk-types.ts. Do not edit: run `node scripts/sdk-types.ts`.

export interface AiSdrPositiveReplyData {
  leadId: string
  campaignId: string
  email: string | null
  sendId: string | null
  /** The step of the sequence, counted from 0. */
  step: number | null
  replyId: string
  /** How sure the reading of the reply is. */
  confidence: number | null
  subject: string | null
  text: string | null
  fullName: string | null
  company: string | null
  jobTitle: string | null
}

/** A reply shows interest. `email.replied` comes as well. */
export interface AiSdrPositiveReplyEvent {
  id: string
  type: 'ai_sdr.positive_reply'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: AiSdrPositiveReplyData
  links: Links
}

export interface AnswerOperation {
  id: string
  /** What is being done. */
  action: 'reply.answer'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: AnswerResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface AnswerResult {
  replyId: string
  sendId: string
  messageId: string | null
  sentAt: string | null
  /** It was not known for a while whether the answer left; this is how it was settled. */
  reconciled: string | null
}

export interface AuditEntry {
  /** Of the operation, too. */
  id: string
  /** What was done, like `campaign.pause`, `session.create` or `team.invite`. */
  action: string
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
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
  /** What was suppressed before, or is in the list more than once. */
  existingCount: number
  /** Rows that are neither an address nor a domain; the others are suppressed all the same. */
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
  /** How a recipient leaves. `header` (default): List-Unsubscribe headers, with one click where this service is reached by https, and a link in the footer. Google and Yahoo demand the one click of everybody who sends 5000 messages a day or more to their users. But automatic answers (Sieve `vacation`, RFC 5230) are not sent to messages with list headers, so absences go unnoticed there. `link`: the link alone, no list headers; absences are answered, and the demand for one click is not met. `reply-line`: neither, the footer asks for the answer "stop", which is read and honoured; the most personal, for small numbers of first contacts only. */
  unsubscribe: 'header' | 'link' | 'reply-line'
  /** The sentence of the footer, before the link or in place of the one that asks for an answer. Null: ours, in the language of the lead. */
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

/** A campaign begins to send. */
export interface CampaignActivatedEvent {
  id: string
  type: 'campaign.activated'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: CampaignStatusChange
  links: Links
}

/** A campaign was archived. */
export interface CampaignArchivedEvent {
  id: string
  type: 'campaign.archived'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: CampaignStatusChange
  links: Links
}

/** A campaign cannot go on until somebody acts. `reason` says what is in the way. */
export interface CampaignAttentionNeededEvent {
  id: string
  type: 'campaign.attention_needed'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: CampaignStatusChange
  links: Links
}

/** Every lead of a campaign has come to its end. */
export interface CampaignCompletedEvent {
  id: string
  type: 'campaign.completed'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: CampaignStatusChange
  links: Links
}

export interface CampaignCopy {
  sourceCampaignId: string
  campaign: Campaign
}

export interface CampaignCopyOperation {
  id: string
  /** What is being done. */
  action: 'campaign.duplicate'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: CampaignCopy | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
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

export interface CampaignOperation {
  id: string
  /** What is being done. */
  action: 'campaign.create' | 'campaign.update' | 'campaign.update_schedule' | 'campaign.update_mailboxes' | 'campaign.update_settings' | 'campaign.activate' | 'campaign.pause' | 'campaign.resume' | 'campaign.archive' | 'campaign.unarchive'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: CampaignResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
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
  /** Put an open pixel into e-mails. Off unless switched on: it costs points with spam filters, and makes HTML of a plain text. */
  trackOpens?: boolean
  /** Lead links through this service to see clicks. Off unless switched on. A link that shows an address in HTML is never led elsewhere, so it is not tracked. */
  trackClicks?: boolean
  /** How a recipient leaves. `header` (default): List-Unsubscribe headers, with one click where this service is reached by https, and a link in the footer. Google and Yahoo demand the one click of everybody who sends 5000 messages a day or more to their users. But automatic answers (Sieve `vacation`, RFC 5230) are not sent to messages with list headers, so absences go unnoticed there. `link`: the link alone, no list headers; absences are answered, and the demand for one click is not met. `reply-line`: neither, the footer asks for the answer "stop", which is read and honoured; the most personal, for small numbers of first contacts only. */
  unsubscribe?: 'header' | 'link' | 'reply-line'
  /** The sentence of the footer, before the link or in place of the one that asks for an answer. Null: ours, in the language of the lead. */
  optOutText?: string | null
  contactRules?: ContactOverrides
  providerId?: string | null
  /** Mailboxes besides `providerId` that first contacts are shared out to. */
  rotationProviderIds?: string[]
  startDate?: string | null
  endDate?: string | null
  /** The three of the window come together and replace it; the dates and `useLeadTimezone` are kept unless sent. */
  schedule?: {
    daysOfWeek?: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[]
    timeWindow?: {
      /** HH:mm */
      start: string
      /** HH:mm */
      end: string
    }
    /** An IANA name, like Europe/Berlin. */
    timezone?: string
    /** The days and hours are those of the lead, where its time zone is known; `timezone` holds for the others. Delays are counted in that zone, too. False unless set. */
    useLeadTimezone?: boolean
    startDate?: string | null
    endDate?: string | null
  }
}

/** A campaign was paused. Nothing more leaves. */
export interface CampaignPausedEvent {
  id: string
  type: 'campaign.paused'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: CampaignStatusChange
  links: Links
}

export interface CampaignResult {
  campaign: Campaign
}

/** A paused campaign goes on. */
export interface CampaignResumedEvent {
  id: string
  type: 'campaign.resumed'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: CampaignStatusChange
  links: Links
}

export interface CampaignStatusChange {
  campaignId: string
  name: string
  from: string
  to: string
  reason?: string
}

/** A campaign was taken out of the archive. */
export interface CampaignUnarchivedEvent {
  id: string
  type: 'campaign.unarchived'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: CampaignStatusChange
  links: Links
}

export interface CampaignUpdatedData {
  campaignId: string
  name: string
  /** The names of the fields that have other values now. */
  changed: string[]
}

/** Settings, schedule, mailboxes or sequence of a campaign have changed. */
export interface CampaignUpdatedEvent {
  id: string
  type: 'campaign.updated'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: CampaignUpdatedData
  links: Links
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

export interface ClockAdvanceOperation {
  id: string
  /** What is being done. */
  action: 'sandbox.advance_clock'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: ClockAdvance | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface Consent {
  id: string
  workspaceId: string
  /** The mailbox. Of one that is to be made, null until then. */
  providerId: string | null
  /** Who signs the owner of the mailbox in. */
  issuer: 'google' | 'microsoft'
  flow: 'browser' | 'device'
  status: 'open' | 'granted' | 'refused' | 'expired'
  /** Why it was refused. */
  reason: string | null
  /** The address that consented. */
  account: string | null
  /** Where to send the browser. Shown only to whoever begins. */
  authorizationUrl: string | null
  /** What to type in, and where; shown only to whoever begins. Then ask with `POST …/poll`, not more often than every so many seconds. */
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

/** The rules of the campaign itself; all others come from the workspace. */
export interface ContactOverrides {
  /** A first message waits until no other campaign of the workspace has written to the person for so many days. Null: never. */
  contactedElsewhereWithinDays?: number | null
  /** `hold`: a person who is in several active campaigns is written to by one of them at a time: the one that has written before, or else the one that the person was added to first. */
  inOtherActiveCampaign?: 'allow' | 'hold'
  /** What becomes of everybody else with the same domain once somebody there has answered, in whichever campaign: `pause` holds them back, `stop` skips them. Providers of personal mailboxes, such as gmail.com, are no company. */
  companyReplied?: 'ignore' | 'pause' | 'stop'
  /** How many people of one company may be in a sequence at a time, in all campaigns. Null: any number. */
  maxPerCompanyAtOnce?: number | null
}

export interface ContactRules {
  /** A first message waits until no other campaign of the workspace has written to the person for so many days. Null: never. */
  contactedElsewhereWithinDays: number | null
  /** `hold`: a person who is in several active campaigns is written to by one of them at a time: the one that has written before, or else the one that the person was added to first. */
  inOtherActiveCampaign: 'allow' | 'hold'
  /** What becomes of everybody else with the same domain once somebody there has answered, in whichever campaign: `pause` holds them back, `stop` skips them. Providers of personal mailboxes, such as gmail.com, are no company. */
  companyReplied: 'ignore' | 'pause' | 'stop'
  /** How many people of one company may be in a sequence at a time, in all campaigns. Null: any number. */
  maxPerCompanyAtOnce: number | null
}

export interface CreditGrantOperation {
  id: string
  /** What is being done. */
  action: 'credits.grant'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: CreditGrantResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
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

export interface CsvImportOperation {
  id: string
  /** What is being done. */
  action: 'campaign.import_csv'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: CsvImportResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  /** While a CSV file is imported: how many of its rows are done. Not in lists. */
  doneCount?: number
  links: Links
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
  /** Rows that were taken, with something about them that is not used. */
  warningCount: number
  warnings: {
    line: number
    reason: string
  }[]
  /** All rows that were not taken, as a file. */
  rejectedRowsUrl: string | null
}

export interface CsvTrial {
  /** Cells that are not UTF-8 are read as Windows-1252. */
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
  delimiter: ',' | ';' | '	' | '|'
  /** Send what is wrong here as `mapping`. */
  columns: {
    header: string
    /** A field of the lead, or the name of a variable. Null: left out. */
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
  eventType: 'lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'tracking_host.verified' | 'tracking_host.failing' | 'provider.health_changed' | 'operation.succeeded' | 'operation.failed' | 'plan.proposed' | 'plan.approved' | 'plan.rejected' | 'plan.applied' | 'plan.failed' | 'webhook.test'
  attempt: number
  status: 'pending' | 'succeeded' | 'failed'
  responseStatus: number | null
  /** Why there was no answer, or why the answer does not count, like `timeout`, `redirect`, or `event_expired` when the event is no longer kept. */
  error: string | null
  durationMs: number | null
  nextAttemptAt: string | null
  createdAt: string
  links: Links
}

export interface DeliveryEnvelope {
  data: Delivery
}

export interface DeliveryOperation {
  id: string
  /** What is being done. */
  action: 'webhook.test' | 'webhook.retry_delivery'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: DeliveryResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
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
  /** Address or domain: what tells companies of one name apart. */
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
  /** Where the records come from; kept with each of them. */
  source?: string
}

export interface DirectoryImportOperation {
  id: string
  /** What is being done. */
  action: 'directory.import'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: DirectoryImportResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface DirectoryImportResult {
  insertedCount: number
  updatedCount: number
  unchangedCount: number
  /** The version that the directory has afterwards. */
  version: number
  rejectedCount: number
  /** The first 100 rows that were left out. */
  rejected: {
    index: number
    reason: string
  }[]
  /** The first 100 fields that were left out because their value was not understood. */
  unread: {
    index: number
    field: string
  }[]
}

export interface DirectoryPerson {
  email?: string | null
  /** A value that `GET /lead-filters` lists. `verified` is not taken from a workspace: only our own check says so. */
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
  /** How they were found: a hoster that Overture knows, by the domain or by its mail server; a file that the domain publishes; its service records; or a guess. */
  source: 'preset' | 'mx' | 'autoconfig' | 'srv' | 'guess'
  /** The name of the hoster, where it is a known one. */
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
  /** What the hoster accepts, the best way first. */
  signIn: ('password' | 'app_password' | 'oauth')[]
  /** What must be done first. */
  note: string | null
  /** Recommended limits for cold e-mail. You can send them unchanged when you connect the mailbox. */
  limits: {
    /** What the hoster lets a mailbox send in a day, as far as it says so. */
    hosterPerDay: number | null
    dailyCap: number
    minGapSeconds: number
    ramp: {
      startPerDay: number
      increasePerDay: number
    }
  }
  /** Both servers answer and encrypt. Verifying the mailbox tells whether they accept the password. */
  works: boolean
  /** The problem, if there is one. */
  problem: string | null
}

export interface DomainHealth {
  providerId: string
  workspaceId: string
  /** The domain that the mailbox sends from. */
  domain: string
  /** The worst of the checks: `fail`, then `warn`, then `unknown`. `pass` only when every check has passed. */
  status: 'pass' | 'warn' | 'fail' | 'unknown'
  /** Null before the first check. */
  checkedAt: string | null
  checks: {
    check: 'spf' | 'dkim' | 'dmarc' | 'mx' | 'reverse_name' | 'tracking_host'
    /** Why it matters, in one sentence. */
    why: string
    status: 'pass' | 'warn' | 'fail' | 'unknown'
    /** What was found. */
    found: string
    /** What to do, where a record alone does not say it. */
    advice: string | null
    /** The record to publish, where one can be named. */
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

export interface DomainHealthOperation {
  id: string
  /** What is being done. */
  action: 'provider.check_health'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: DomainHealthResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
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

/** Your answer to a reply has left. */
export interface EmailAnsweredEvent {
  id: string
  type: 'email.answered'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: EmailAnsweredData
  links: Links
}

export interface EmailAutoRepliedData {
  leadId: string
  campaignId: string
  email: string | null
  sendId: string
  /** The step of the sequence, counted from 0. */
  step: number | null
  subject: string | null
  /** How sure the reading of the reply is. */
  confidence: number | null
  referral?: {
    email: string | null
    name?: string | null
  } | null
  /** When the person said to be back. */
  returnDate: string | null
  postponedTo: string | null
}

/** A machine has answered, such as an absence note. Later steps may be postponed. */
export interface EmailAutoRepliedEvent {
  id: string
  type: 'email.auto_replied'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: EmailAutoRepliedData
  links: Links
}

export interface EmailBouncedData {
  leadId: string
  campaignId: string
  email: string | null
  sendId: string | null
  /** The step of the sequence, counted from 0. */
  step: number | null
  /** `hard`: the address is dead. `soft`: it may work later. `sender_fault`: the mailbox that sent is the problem. */
  kind: 'hard' | 'soft' | 'sender_fault'
  /** The enhanced status code (RFC 3463), like `5.1.1`. */
  status: string | null
  diagnostic: string | null
  /** It ends the sequence of this lead. */
  first: boolean
}

/** A message came back, or was refused for good. */
export interface EmailBouncedEvent {
  id: string
  type: 'email.bounced'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: EmailBouncedData
  links: Links
}

export interface EmailClickedData {
  leadId: string
  campaignId: string
  email: string | null
  sendId: string
  /** The step of the sequence, counted from 0. */
  step: number
  variantId: string
  /** A program came, not a person; it is not counted. */
  machine: boolean
  /** Why that is thought. */
  judgedBy: string
  /** The first visit of a person to anything of this lead. */
  first: boolean
  url: string | null
  /** Which link of the message. */
  link: number
}

/** A link was followed, where the campaign tracks clicks. */
export interface EmailClickedEvent {
  id: string
  type: 'email.clicked'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: EmailClickedData
  links: Links
}

export interface EmailOpenedData {
  leadId: string
  campaignId: string
  email: string | null
  sendId: string
  /** The step of the sequence, counted from 0. */
  step: number
  variantId: string
  /** A program came, not a person; it is not counted. */
  machine: boolean
  /** Why that is thought. */
  judgedBy: string
  /** The first visit of a person to anything of this lead. */
  first: boolean
}

/** A message was opened, where the campaign tracks opens. */
export interface EmailOpenedEvent {
  id: string
  type: 'email.opened'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: EmailOpenedData
  links: Links
}

export interface EmailRepliedData {
  leadId: string
  campaignId: string
  email: string | null
  sendId: string | null
  /** The step of the sequence, counted from 0. */
  step: number | null
  replyId: string
  /** How sure the reading of the reply is. */
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

/** A person has answered. `kind` says how. */
export interface EmailRepliedEvent {
  id: string
  type: 'email.replied'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: EmailRepliedData
  links: Links
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
  /** It was not known for a while whether the message left; this is how it was settled. */
  reconciled?: 'found' | 'named' | 'assumed'
}

/** A message of a sequence has left. */
export interface EmailSentEvent {
  id: string
  type: 'email.sent'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: EmailSentData
  links: Links
}

/** The person has been erased since: only ids, kinds and times are left. */
export interface ErasedRecord {
  id: string
}

export interface ErasureOperation {
  id: string
  /** What is being done. */
  action: 'person.erase'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: ErasureResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
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
    /** Programs decide by this. A new code is a change of the contract. */
    code: 'invalid_json' | 'invalid_request' | 'invalid_cursor' | 'invalid_idempotency_key' | 'invalid_if_match' | 'unauthenticated' | 'invalid_token' | 'insufficient_credits' | 'insufficient_scope' | 'forbidden' | 'token_budget_exceeded' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'idempotency_key_reused' | 'invalid_state' | 'campaign_not_ready' | 'limit_exceeded' | 'export_expired' | 'events_expired' | 'payload_too_large' | 'unsupported_media_type' | 'validation_failed' | 'invalid_reference' | 'url_not_allowed' | 'precondition_required' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'service_unavailable'
    /** For people. */
    message: string
    requestId: string
    details: unknown | null
  }
}

export type Event = LeadSearchCompletedEvent | LeadSearchFailedEvent | AiSdrPositiveReplyEvent | CampaignUpdatedEvent | CampaignActivatedEvent | CampaignPausedEvent | CampaignResumedEvent | CampaignCompletedEvent | CampaignArchivedEvent | CampaignUnarchivedEvent | CampaignAttentionNeededEvent | EmailSentEvent | EmailOpenedEvent | EmailClickedEvent | EmailBouncedEvent | EmailRepliedEvent | EmailAutoRepliedEvent | EmailAnsweredEvent | ReplyUpdatedEvent | LeadStatusChangedEvent | LeadUpdatedEvent | LeadUnsubscribedEvent | ProviderDisconnectedEvent | ProviderInboxUnreadableEvent | ProviderInboxReadableEvent | TrackingHostVerifiedEvent | TrackingHostFailingEvent | ProviderHealthChangedEvent | OperationSucceededEvent | OperationFailedEvent | PlanProposedEvent | PlanApprovedEvent | PlanRejectedEvent | PlanAppliedEvent | PlanFailedEvent | WebhookTestEvent

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
  /** One for each lead that the workspace did not own before. */
  creditsCharged: number
  /** Works without a token, for as long as the file is kept; null when there is no file. */
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

/** AND across fields, OR within include; any exclude that matches drops the lead. */
export interface FilterDocument {
  /** Titles of the current position, compared as jobTitleMatch says. */
  jobTitles?: {
    include?: string[]
    exclude?: string[]
  }
  /** How titles are compared; similar when absent. */
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
  /** Where the person is; the headquarters when that is unknown. */
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
  /** Where the company has its headquarters. */
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
  /** What the company uses. */
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
    /** ISO 4217; USD when absent. */
    currency?: 'USD' | 'EUR' | 'GBP' | 'CHF' | 'CAD' | 'AUD' | 'NZD' | 'SEK' | 'NOK' | 'DKK' | 'PLN' | 'CZK' | 'HUF' | 'RON' | 'TRY' | 'ILS' | 'AED' | 'SAR' | 'INR' | 'CNY' | 'JPY' | 'KRW' | 'SGD' | 'HKD' | 'BRL' | 'MXN' | 'ZAR'
  }[]
  fundingTotal?: {
    min?: number
    max?: number
    /** ISO 4217; USD when absent. */
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
  emailStatus?: ('verified' | 'accept_all' | 'unverified' | 'missing')[]
  emailTypes?: ('work' | 'personal' | 'role')[]
  suppress?: ('owned' | 'contacted' | 'in_campaign' | 'replied')[]
  /** Leaves out leads contacted in that window. */
  contactedWithinDays?: number
  maxPerCompany?: number
}

/** The request that solves it. Replace the values in angle brackets; a PUT also needs `if-match`. */
export interface Fix {
  method: 'POST' | 'PUT' | 'PATCH'
  path: string
  body: Record<string, unknown>
}

export interface IdOperation {
  id: string
  /** What is being done. */
  action: 'reply.update' | 'lead.delete' | 'webhook.delete' | 'provider.delete' | 'provider.begin_consent' | 'suppression.delete' | 'api_key.revoke' | 'token.revoke' | 'session.create' | 'session.revoke' | 'plan.create' | 'plan.approve' | 'plan.reject' | 'team.withdraw_invitation'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: IdResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
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
  /** What the token may do; `*` is everything. */
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
    /** Of the person; null for an organization key. */
    role: 'owner' | 'admin' | 'member' | 'viewer' | null
    /** What the token may do here: what its scopes and the role both allow. */
    scopes: string[]
  }[]
  session: Session | null
  /** When the session, or else the token, stops working; null: never. */
  expiresAt: string | null
  links: Links
}

export interface IdentityEnvelope {
  data: Identity
}

/** What would change if the limit were not there. The sender’s own planner plays the campaign with and without it. */
export interface IfLifted {
  limit: 'daily_cap' | 'ramp' | 'gap' | 'domain_throttle' | 'window' | 'start_date' | 'end_date'
  /** The daily cap that would be enough for these leads on that day. */
  value: number | null
  /** When the first of them would leave. */
  leavesAt: string
  /** How many of them would leave on that day. */
  count: number
  /** The same in words: "leaves today 14:30 Europe/Berlin if the daily cap were 45". */
  text: string
}

export interface Invitation {
  id: string
  email: string
  /** `owner`: everything. `admin`: all but granting credits. `member`: campaigns, leads and mailboxes. `viewer`: reads. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
  createdAt: string
  expiresAt: string
  links: Links
}

export interface InvitationEnvelope {
  data: Invitation
}

export interface InvitationOperation {
  id: string
  /** What is being done. */
  action: 'team.invite'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: InvitationResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
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
  /** `owner`: everything. `admin`: all but granting credits. `member`: campaigns, leads and mailboxes. `viewer`: reads. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
  createdAt: string
  expiresAt: string
  links: Links
  /** Shown once, at creation. Null when a creation is replayed. */
  code: string | null
  /** The link to send to the person. We send nothing. Shown once, like the code. */
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
  expiresAt: string | null
  createdAt: string
  links: Links
  /** The token itself: shown once, at creation. Null when a creation is replayed. */
  token: string | null
}

export interface IssuedTokenEnvelope {
  data: IssuedToken
}

export interface JoinOperation {
  id: string
  /** What is being done. */
  action: 'team.join'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: JoinResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface JoinResult {
  invitationId: string
  member: Member
}

export interface Joined {
  workspaceId: string
  member: Member
  /** A personal token, shown this once. The session in the cookie acts as it. */
  token: string
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
  /** What about the lead cannot be used as it is, such as a time zone that is not known. */
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
  /** Interested or beyond. */
  isProspect: boolean
  opportunityValue: number | null
  meetingAt: string | null
  /** The step that is planned, counted from 0, and from when on it may leave. Null: nothing is, or it is on its way. */
  next: {
    step: number
    dueAt: string
  } | null
  /** Why nothing was sent when the lead was last looked at, and when that passes. The timeline explains it. */
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
  /** Instead of `ids`: every lead that fits. An empty filter fits all. */
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

export interface LeadBulkOperation {
  id: string
  /** What is being done. */
  action: 'lead.bulk'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: LeadBulkResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface LeadBulkResult {
  campaignId: string
  action: 'delete' | 'requeue' | 'set_status' | 'move'
  matchedCount: number
  changedCount: number
  /** Not there, or in a state that the action has nothing to do with. */
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
    /** What one value is: `text`, `slug`, `place`, `integer`, `money` or `enum`. */
    type: string
    about: string
    values: {
      value: string
      label: string
      parent: string | null
    }[] | null
    /** True: `values` lists what is known, and others are accepted too. */
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
  /** Instead of `leads`: the people of an export that the workspace has bought. */
  exportId: string
  leadListName?: string | null
  /** What becomes of a lead that the campaign has already. `update` changes the fields that are sent. `skip` when left out. */
  onDuplicate?: 'skip' | 'update'
}

export interface LeadImportOfPeople {
  leads: NewLead[]
  leadListName?: string | null
  /** What becomes of a lead that the campaign has already. `update` changes the fields that are sent. `skip` when left out. */
  onDuplicate?: 'skip' | 'update'
}

export interface LeadImportOperation {
  id: string
  /** What is being done. */
  action: 'campaign.import_leads'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: LeadImportResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
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
  /** Rows that were taken, with something about them that is not used. */
  warningCount: number
  /** The first 100. */
  warnings: {
    index: number
    reason: string
  }[]
}

export interface LeadOperation {
  id: string
  /** What is being done. */
  action: 'lead.update' | 'lead.requeue'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: LeadResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
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
  /** Only the variables sent are changed; null removes one. */
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

export interface LeadSearchAttachmentOperation {
  id: string
  /** What is being done. */
  action: 'lead_search.attach'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: LeadSearchAttachment | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface LeadSearchBrief {
  /** Describe the people you look for, in English, German, French or Spanish. */
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

/** An export of leads is done and paid for. */
export interface LeadSearchCompletedEvent {
  id: string
  type: 'lead_search.completed'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: LeadSearchCompletedData
  links: Links
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

export interface LeadSearchDeliveryOperation {
  id: string
  /** What is being done. */
  action: 'lead_search.export'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: LeadSearchDelivery | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface LeadSearchFailedData {
  operationId: string
  requestedCount: number
  error: OperationError
}

/** An export of leads failed. Nothing is charged. */
export interface LeadSearchFailedEvent {
  id: string
  type: 'lead_search.failed'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: LeadSearchFailedData
  links: Links
}

export interface LeadSearchOrder {
  /** The filter document; `GET /lead-filters` lists its fields. Shorthand is accepted: a list instead of `{include}`, the name of a place, a range like `50-200`, the label of an industry. Results show the document as it was understood. */
  filters: Record<string, unknown>
  /** The number of leads to buy. The same number of credits is held until the operation is done. */
  leadCount: number
}

export interface LeadSearchPreview {
  /** The filter document; `GET /lead-filters` lists its fields. Shorthand is accepted: a list instead of `{include}`, the name of a place, a range like `50-200`, the label of an industry. Results show the document as it was understood. */
  filters: Record<string, unknown>
}

export interface LeadSearchPreviewOperation {
  id: string
  /** What is being done. */
  action: 'lead_search.preview'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: LeadSearchPreviewResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface LeadSearchPreviewResult {
  campaignId: string | null
  filters: FilterDocument
  matchCount: number
  verifiedCount: number
  /** How many an order could deliver. */
  deliverableCount: number
  facets: {
    /** The largest first. */
    industry: {
      value: string
      count: number
    }[]
    /** The largest first. */
    country: {
      value: string
      count: number
    }[]
    /** The largest first. */
    size: {
      value: string
      count: number
    }[]
    /** The largest first. */
    seniority: {
      value: string
      count: number
    }[]
  }
  directoryVersion: number
  warnings: string[]
}

export interface LeadStatusChangedData {
  leadId: string
  campaignId: string
  email: string | null
  from: string
  to: string
  /** The lead has this status for the first time. */
  first: boolean
  /** The lead is interested, or beyond, for the first time. */
  firstProspect: boolean
  opportunityValue?: number | null
  meetingAt?: string | null
  opportunityValueChange?: number
  /** Who or what caused it, like `api`, `sender`, `reply`. */
  by: string
}

/** A lead has another status. */
export interface LeadStatusChangedEvent {
  id: string
  type: 'lead.status_changed'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: LeadStatusChangedData
  links: Links
}

export interface LeadUnsubscribedData {
  leadId: string
  campaignId: string
  email: string | null
  first: boolean
  /** Who or what caused it, like `api`, `sender`, `reply`. */
  by: string
}

/** A person wants no more mail, by the link or by an answer. */
export interface LeadUnsubscribedEvent {
  id: string
  type: 'lead.unsubscribed'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: LeadUnsubscribedData
  links: Links
}

export interface LeadUpdatedData {
  leadId: string
  campaignId: string
  email: string | null
  from?: string
  to?: string
  /** The lead has this status for the first time. */
  first?: boolean
  /** The lead is interested, or beyond, for the first time. */
  firstProspect?: boolean
  opportunityValue?: number | null
  meetingAt?: string | null
  opportunityValueChange?: number
  /** The fields of the lead that have other values now. */
  changed?: string[] | null
  /** Who or what caused it, like `api`, `sender`, `reply`. */
  by: string
}

/** Fields of a lead have changed. */
export interface LeadUpdatedEvent {
  id: string
  type: 'lead.updated'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: LeadUpdatedData
  links: Links
}

export interface LedgerEntry {
  id: string
  kind: 'grant' | 'hold' | 'release' | 'capture' | 'refund'
  /** The change of the available credits. */
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

export interface MailboxesUpdate {
  providerId?: string
  /** Mailboxes besides `providerId` that first contacts are shared out to. */
  rotationProviderIds?: string[]
  /** Leads that a leaving mailbox has written to go on from another one, in a new thread. Without it they stay with their mailbox, as long as it exists. */
  moveThreads?: boolean
}

export interface Member {
  /** Of the person. */
  id: string
  user: {
    id: string
    name: string
    email: string
  }
  /** `owner`: everything. `admin`: all but granting credits. `member`: campaigns, leads and mailboxes. `viewer`: reads. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
  joinedAt: string
  links: Links
}

export interface MemberEnvelope {
  data: Member
}

export interface MemberOperation {
  id: string
  /** What is being done. */
  action: 'team.update'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: MemberResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface MemberPage {
  data: Member[]
  links: PageLinks
  meta: PageMeta
}

export interface MemberPatch {
  /** `owner`: everything. `admin`: all but granting credits. `member`: campaigns, leads and mailboxes. `viewer`: reads. */
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
    /** Of which group: the number of the step, counted from 0 as in events, or an id. Null: all together, or unknown. */
    key: string | null
    totals: {
      sent: number
      opened: number
      clicked: number
      replied: number
      positive: number
      bounced: number
      unsubscribed: number
    }
    /** In order of time. A time in which nothing happened is left out. */
    points: {
      at: string
      sent: number
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
  /** What is said, as it leaves: nothing is added to it. */
  text: string
  /** The same in HTML, for those who read that. */
  html?: string
  /** Left out: the subject of the thread, with one `Re:` in front. */
  subject?: string
}

export interface NewApiKey {
  name: string
  scopes: ('*' | 'campaigns:read' | 'campaigns:write' | 'leads:read' | 'leads:write' | 'webhooks:read' | 'webhooks:write' | 'workspaces:read' | 'workspaces:write' | 'providers:read' | 'providers:write' | 'suppressions:read' | 'suppressions:write' | 'tokens:read' | 'tokens:write' | 'operations:read' | 'credits:read' | 'credits:write' | 'events:read' | 'leads:export' | 'people:write' | 'deals:write' | 'team:read' | 'team:write' | 'audit:read')[]
  limits?: TokenLimits | null
  /** Defaults to 90 days from now; null: never, for organization keys only. */
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
  /** Put an open pixel into e-mails. Off unless switched on: it costs points with spam filters, and makes HTML of a plain text. */
  trackOpens?: boolean
  /** Lead links through this service to see clicks. Off unless switched on. A link that shows an address in HTML is never led elsewhere, so it is not tracked. */
  trackClicks?: boolean
  /** How a recipient leaves. `header` (default): List-Unsubscribe headers, with one click where this service is reached by https, and a link in the footer. Google and Yahoo demand the one click of everybody who sends 5000 messages a day or more to their users. But automatic answers (Sieve `vacation`, RFC 5230) are not sent to messages with list headers, so absences go unnoticed there. `link`: the link alone, no list headers; absences are answered, and the demand for one click is not met. `reply-line`: neither, the footer asks for the answer "stop", which is read and honoured; the most personal, for small numbers of first contacts only. */
  unsubscribe?: 'header' | 'link' | 'reply-line'
  /** The sentence of the footer, before the link or in place of the one that asks for an answer. Null: ours, in the language of the lead. */
  optOutText?: string | null
  contactRules?: ContactOverrides
  providerId?: string | null
  /** Mailboxes besides `providerId` that first contacts are shared out to. */
  rotationProviderIds?: string[]
  startDate?: string | null
  endDate?: string | null
  /** The three of the window come together and replace it; the dates and `useLeadTimezone` are kept unless sent. */
  schedule?: {
    daysOfWeek?: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[]
    timeWindow?: {
      /** HH:mm */
      start: string
      /** HH:mm */
      end: string
    }
    /** An IANA name, like Europe/Berlin. */
    timezone?: string
    /** The days and hours are those of the lead, where its time zone is known; `timezone` holds for the others. Delays are counted in that zone, too. False unless set. */
    useLeadTimezone?: boolean
    startDate?: string | null
    endDate?: string | null
  }
}

export interface NewConsent {
  /** Who signs the owner of the mailbox in. */
  issuer: 'google' | 'microsoft'
  /** The mailbox that is to sign in with it. Left out: a new mailbox is made for the address that consents. */
  providerId?: string
  /** The account to propose. The address of the mailbox when left out. */
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
  /** `owner`: everything. `admin`: all but granting credits. `member`: campaigns, leads and mailboxes. `viewer`: reads. */
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
  /** The ids in the path of the request, but for workspaceId. */
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
  /** Stands in the footer of every e-mail. */
  postalAddress?: string | null
  /** Where answers go, when not to the sender itself. Only answers that arrive in the inbox of this mailbox stop a sequence. */
  replyTo?: string | null
  /** Stands below every e-mail: as text, and as HTML where the e-mail is HTML. */
  signature?: {
    text?: string | null
    html?: string | null
  } | null
  dailyCap?: number
  minGapSeconds?: number
  /** Warm-up: how many on the first day, and how many more each day, up to the cap. */
  ramp?: {
    startPerDay: number
    increasePerDay: number
  } | null
  /** An IANA name: the daily cap counts the days of this zone. */
  timezone?: string
  /** How many e-mails to one recipient domain in any hour; null for no limit. */
  maxPerDomainPerHour?: number | null
  settings?: {
    smtp?: {
      host: string
      port: number
      /** TLS from the first byte; otherwise STARTTLS is required. */
      secure: boolean
      /** The password may go over a connection that is not encrypted, where the server offers nothing better. */
      allowPlaintext?: boolean
      /** For a server whose certificate no well-known authority has signed. */
      tls?: {
        /** A certificate or its authority, as PEM. */
        ca?: string
        /** The SHA-256 of the one certificate to trust. */
        fingerprint256?: string
      }
    }
    imap?: {
      host: string
      port: number
      /** TLS from the first byte; otherwise STARTTLS is required. */
      secure: boolean
      /** The password may go over a connection that is not encrypted, where the server offers nothing better. */
      allowPlaintext?: boolean
      /** For a server whose certificate no well-known authority has signed. */
      tls?: {
        /** A certificate or its authority, as PEM. */
        ca?: string
        /** The SHA-256 of the one certificate to trust. */
        fingerprint256?: string
      }
      /** The folders that are read besides the INBOX. Without it: all in which a reply can arrive, which leaves out sent messages, drafts and the trash. */
      folders?: string[]
      /** Whether copies of what was sent are put into the Sent folder. Without it: where the server keeps none itself, as seen when it was verified. */
      appendSent?: boolean
      /** Whether first messages may go while the inbox cannot be read. Default: true. Follow-ups never do. */
      firstStepsWithoutInbox?: boolean
    } | null
  }
  /** Write-only: never shown again. */
  credentials?: {
    username: string
    password?: string
    oauth?: {
      tokenUrl: string
      clientId: string
      clientSecret?: string
      refreshToken: string
    }
  }
}

export interface NewSequence {
  steps: {
    /** Business days after the step before; 0 for the first. */
    delayDays: number
    variants: {
      /** Empty on a follow-up: it goes into the thread of the step before. */
      subject?: string | null
      /** Liquid, with the fields and variables of the lead. */
      body: string
      weight?: number
    }[]
  }[]
}

export interface NewSuppression {
  kind: 'email' | 'domain'
  value: string
  reason?: string
}

export interface NewSuppressions {
  suppressions: {
    /** Without it, a value with an @ is an address. */
    kind?: 'email' | 'domain'
    value: string
    reason?: string
  }[]
}

export interface NewToken {
  name: string
  scopes?: ('*' | 'campaigns:read' | 'campaigns:write' | 'leads:read' | 'leads:write' | 'webhooks:read' | 'webhooks:write' | 'workspaces:read' | 'workspaces:write' | 'providers:read' | 'providers:write' | 'suppressions:read' | 'suppressions:write' | 'tokens:read' | 'tokens:write' | 'operations:read' | 'credits:read' | 'credits:write' | 'events:read' | 'leads:export' | 'people:write' | 'deals:write' | 'team:read' | 'team:write' | 'audit:read')[]
  limits?: TokenLimits | null
  /** Defaults to 90 days from now; null: never, for organization keys only. */
  expiresAt?: string | null
}

export interface NewTrackingHost {
  /** A name below your own domain, like `go.example.com`. */
  host: string
}

export interface NewWebhookEndpoint {
  /** https, at a public address. */
  url: string
  /** Kinds of events, or `["*"]` for all of them. */
  events: ('lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'tracking_host.verified' | 'tracking_host.failing' | 'provider.health_changed' | 'operation.succeeded' | 'operation.failed' | 'plan.proposed' | 'plan.approved' | 'plan.rejected' | 'plan.applied' | 'plan.failed' | 'webhook.test' | '*')[]
  description?: string | null
}

/** What was asked for, and what came of it: `result` is null unless it has succeeded, `error` unless it has failed. */
export type Operation = CampaignOperation | CampaignCopyOperation | SequenceCopyOperation | SequenceOperation | LeadImportOperation | CsvImportOperation | LeadOperation | LeadBulkOperation | IdOperation | AnswerOperation | LeadSearchPreviewOperation | ProposedFiltersOperation | LeadSearchDeliveryOperation | LeadSearchAttachmentOperation | DirectoryImportOperation | ErasureOperation | WebhookOperation | DeliveryOperation | ReplayOperation | ProviderOperation | VerificationOperation | DomainHealthOperation | TestMessageOperation | ClockAdvanceOperation | SuppressionOperation | SuppressionsOperation | CreditGrantOperation | TokenOperation | WorkspaceOperation | WorkspaceSettingsOperation | TrackingHostOperation | InvitationOperation | JoinOperation | MemberOperation | RemovedMemberOperation

export interface OperationError {
  code: 'invalid_json' | 'invalid_request' | 'invalid_cursor' | 'invalid_idempotency_key' | 'invalid_if_match' | 'unauthenticated' | 'invalid_token' | 'insufficient_credits' | 'insufficient_scope' | 'forbidden' | 'token_budget_exceeded' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'idempotency_key_reused' | 'invalid_state' | 'campaign_not_ready' | 'limit_exceeded' | 'export_expired' | 'events_expired' | 'payload_too_large' | 'unsupported_media_type' | 'validation_failed' | 'invalid_reference' | 'url_not_allowed' | 'precondition_required' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'service_unavailable' | 'precondition_failed' | 'filters_not_derivable' | 'upstream_unavailable' | 'timeout'
  message: string
  /** True: nothing was saved or charged, and the same request with a new key may succeed. */
  retryable: boolean
}

export interface OperationFailedData {
  operationId: string
  action: string
  campaignId: string | null
  error: OperationError
}

/** A write has failed, for the reason in `error`. */
export interface OperationFailedEvent {
  id: string
  type: 'operation.failed'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: OperationFailedData
  links: Links
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

/** A write is done. `GET /v1/operations/{operationId}` has its result. */
export interface OperationSucceededEvent {
  id: string
  type: 'operation.succeeded'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: OperationSucceededData
  links: Links
}

/** How recipients are told to leave, in the language of the lead: used by campaigns without an `optOutText` of their own. What is left out is a sentence of ours. */
export interface OptOutLines {
  en?: {
    /** Stands before the link. */
    link?: string
    /** Asks for an answer, in campaigns whose `unsubscribe` is `reply-line`. */
    reply?: string
  }
  de?: {
    /** Stands before the link. */
    link?: string
    /** Asks for an answer, in campaigns whose `unsubscribe` is `reply-line`. */
    reply?: string
  }
  fr?: {
    /** Stands before the link. */
    link?: string
    /** Asks for an answer, in campaigns whose `unsubscribe` is `reply-line`. */
    reply?: string
  }
  es?: {
    /** Stands before the link. */
    link?: string
    /** Asks for an answer, in campaigns whose `unsubscribe` is `reply-line`. */
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
  /** Exactly what will be carried out. Null for a token that may not ask for it itself, and once the plan is over. */
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
export interface PlanAppliedEvent {
  id: string
  type: 'plan.applied'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: PlanProposedData
  links: Links
}

/** A person has approved a plan. */
export interface PlanApprovedEvent {
  id: string
  type: 'plan.approved'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: PlanProposedData
  links: Links
}

export interface PlanEnvelope {
  data: Plan
}

/** A plan was approved and could not be carried out. */
export interface PlanFailedEvent {
  id: string
  type: 'plan.failed'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: PlanProposedData
  links: Links
}

export interface PlanPage {
  data: Plan[]
  links: PageLinks
  meta: PageMeta
}

export interface PlanProposedData {
  planId: string
  /** The operationId of the request that is proposed. */
  operation: string
  leadCount: number
  /** How many e-mails can follow at most. */
  mailCount: number
  /** How many credits it can cost at most. */
  creditCost: number
  expiresAt: string
}

/** An agent waits for a person to approve what it wants to do. */
export interface PlanProposedEvent {
  id: string
  type: 'plan.proposed'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: PlanProposedData
  links: Links
}

/** A person has rejected a plan. */
export interface PlanRejectedEvent {
  id: string
  type: 'plan.rejected'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: PlanProposedData
  links: Links
}

export interface PlanSummary {
  /** What will happen, in a sentence of ours. */
  text: string
  campaignName: string | null
  /** The addresses of the mailboxes that would send. */
  from: string[]
  /** Whom it concerns, where these are few; at most 20. */
  recipients: string[]
  leadCount: number
  /** How many e-mails can follow at most. */
  mailCount: number
  /** How many credits it can cost at most. */
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
  /** The sentence that tells how to leave. */
  optOut: {
    line: string
    /** That of the lead, where its variable `language` says so, or else of the text. */
    language: 'en' | 'de' | 'fr' | 'es'
    /** Whose sentence it is. */
    source: 'campaign' | 'workspace' | 'built_in'
  } | null
  /** What spam filters may hold against how the message is made, the heaviest first, with the tracking of the campaign; by our own rules. Empty is best. */
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
  /** When omitted: the first lead of the campaign, or an invented one. */
  leadId?: string
  /** When omitted: the variant that the lead would get. */
  variantId?: string
  /** Instead of the sequence as it is saved: these steps, to be tried out. They are not saved. */
  steps?: {
    /** Business days after the step before; 0 for the first. */
    delayDays: number
    variants: {
      /** Empty on a follow-up: it goes into the thread of the step before. */
      subject?: string | null
      /** Liquid, with the fields and variables of the lead. */
      body: string
      weight?: number
    }[]
  }[]
}

export interface ProposedFilters {
  filters: FilterDocument
  explanations: {
    field: string
    value: unknown
    /** The words of the brief it came from. */
    text: string
    engine: 'rules' | 'llm'
  }[]
  /** Words of the brief that asked for something that was not understood. */
  unmatched: string[]
  /** Words that were understood to ask for nothing. */
  context: string[]
  engine: 'rules' | 'llm'
  fallbackReason?: string
}

export interface ProposedFiltersOperation {
  id: string
  /** What is being done. */
  action: 'lead_search.generate_filters'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: ProposedFilters | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface ProposedPlan {
  plan: Plan
  /** Carries the plan out, once it was approved: for the token that proposed it. */
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
  /** Stands in the footer of every e-mail. */
  postalAddress: string | null
  /** Where answers go, when not to the sender itself. Only answers that arrive in the inbox of this mailbox stop a sequence. */
  replyTo: string | null
  /** Stands below every e-mail: as text, and as HTML where the e-mail is HTML. */
  signature: {
    text?: string | null
    html?: string | null
  } | null
  dailyCap: number
  minGapSeconds: number
  /** Warm-up: how many on the first day, and how many more each day, up to the cap. */
  ramp: {
    startPerDay: number
    increasePerDay: number
  } | null
  /** An IANA name: the daily cap counts the days of this zone. */
  timezone: string
  /** How many e-mails to one recipient domain in any hour; null for no limit. */
  maxPerDomainPerHour: number | null
  status: 'connected' | 'disconnected' | 'unverified'
  statusReason: string | null
  settings: {
    smtp?: {
      host: string
      port: number
      /** TLS from the first byte; otherwise STARTTLS is required. */
      secure: boolean
      /** The password may go over a connection that is not encrypted, where the server offers nothing better. */
      allowPlaintext?: boolean
      /** For a server whose certificate no well-known authority has signed. */
      tls?: {
        /** A certificate or its authority, as PEM. */
        ca?: string
        /** The SHA-256 of the one certificate to trust. */
        fingerprint256?: string
      }
    }
    imap?: {
      host: string
      port: number
      /** TLS from the first byte; otherwise STARTTLS is required. */
      secure: boolean
      /** The password may go over a connection that is not encrypted, where the server offers nothing better. */
      allowPlaintext?: boolean
      /** For a server whose certificate no well-known authority has signed. */
      tls?: {
        /** A certificate or its authority, as PEM. */
        ca?: string
        /** The SHA-256 of the one certificate to trust. */
        fingerprint256?: string
      }
      /** The folders that are read besides the INBOX. Without it: all in which a reply can arrive, which leaves out sent messages, drafts and the trash. */
      folders?: string[]
      /** Whether copies of what was sent are put into the Sent folder. Without it: where the server keeps none itself, as seen when it was verified. */
      appendSent?: boolean
      /** Whether first messages may go while the inbox cannot be read. Default: true. Follow-ups never do. */
      firstStepsWithoutInbox?: boolean
    } | null
  }
  /** The mail server failed for the moment: nothing is sent until then. After 15 minutes of failing it is disconnected. */
  resting: {
    until: string
    reason: string | null
  } | null
  /** Whether the inbox is read. While it is not readable, follow-ups wait: an answer may lie in it. Null without an inbox, and before the first look. */
  inbox: {
    status: 'readable' | 'unread' | 'unreadable'
    reason: string | null
    since: string | null
  } | null
  load: {
    /** What has left on this day of its time zone, answers included. */
    sentToday: number
    /** What may leave on this day: the daily cap, or what the ramp allows until then. */
    limitToday: number
    nextSlotAt: string | null
  }
  /** The mailbox signs in by consent. Null where it signs in with a password, or with a token that you gave. */
  consent: {
    /** Who signs the owner of the mailbox in. */
    issuer: 'google' | 'microsoft'
    /** Who consented. */
    account: string
  } | null
  fix: Fix | null
  hasCredentials: boolean
  connectedAt: string | null
  createdAt: string
  updatedAt: string
  links: Links
}

/** A mailbox cannot send any more. */
export interface ProviderDisconnectedEvent {
  id: string
  type: 'provider.disconnected'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: ProviderState
  links: Links
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
  /** The status before; null at the first check. */
  from: string | null
  to: string
  /** The checks that fail now. */
  failing: string[]
}

/** The domain of a mailbox began to fail its checks, or passes again. */
export interface ProviderHealthChangedEvent {
  id: string
  type: 'provider.health_changed'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: ProviderHealthChangedData
  links: Links
}

/** The inbox of a mailbox can be read again. */
export interface ProviderInboxReadableEvent {
  id: string
  type: 'provider.inbox_readable'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: ProviderState
  links: Links
}

/** The inbox of a mailbox cannot be read, so replies are not seen. */
export interface ProviderInboxUnreadableEvent {
  id: string
  type: 'provider.inbox_unreadable'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: ProviderState
  links: Links
}

export interface ProviderOperation {
  id: string
  /** What is being done. */
  action: 'provider.create' | 'provider.update' | 'provider.consent'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: ProviderResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
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
  /** Stands in the footer of every e-mail. */
  postalAddress?: string | null
  /** Where answers go, when not to the sender itself. Only answers that arrive in the inbox of this mailbox stop a sequence. */
  replyTo?: string | null
  /** Stands below every e-mail: as text, and as HTML where the e-mail is HTML. */
  signature?: {
    text?: string | null
    html?: string | null
  } | null
  dailyCap?: number
  minGapSeconds?: number
  /** Warm-up: how many on the first day, and how many more each day, up to the cap. */
  ramp?: {
    startPerDay: number
    increasePerDay: number
  } | null
  /** An IANA name: the daily cap counts the days of this zone. */
  timezone?: string
  /** How many e-mails to one recipient domain in any hour; null for no limit. */
  maxPerDomainPerHour?: number | null
  settings?: {
    smtp?: {
      host: string
      port: number
      /** TLS from the first byte; otherwise STARTTLS is required. */
      secure: boolean
      /** The password may go over a connection that is not encrypted, where the server offers nothing better. */
      allowPlaintext?: boolean
      /** For a server whose certificate no well-known authority has signed. */
      tls?: {
        /** A certificate or its authority, as PEM. */
        ca?: string
        /** The SHA-256 of the one certificate to trust. */
        fingerprint256?: string
      }
    }
    imap?: {
      host: string
      port: number
      /** TLS from the first byte; otherwise STARTTLS is required. */
      secure: boolean
      /** The password may go over a connection that is not encrypted, where the server offers nothing better. */
      allowPlaintext?: boolean
      /** For a server whose certificate no well-known authority has signed. */
      tls?: {
        /** A certificate or its authority, as PEM. */
        ca?: string
        /** The SHA-256 of the one certificate to trust. */
        fingerprint256?: string
      }
      /** The folders that are read besides the INBOX. Without it: all in which a reply can arrive, which leaves out sent messages, drafts and the trash. */
      folders?: string[]
      /** Whether copies of what was sent are put into the Sent folder. Without it: where the server keeps none itself, as seen when it was verified. */
      appendSent?: boolean
      /** Whether first messages may go while the inbox cannot be read. Default: true. Follow-ups never do. */
      firstStepsWithoutInbox?: boolean
    } | null
  }
  /** Write-only: never shown again. */
  credentials?: {
    username: string
    password?: string
    oauth?: {
      tokenUrl: string
      clientId: string
      clientSecret?: string
      refreshToken: string
    }
  }
}

export interface ProviderResult {
  provider: Provider
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
  ready: boolean
  failures: {
    rule: string
    message: string
  }[]
  warnings: {
    /** `missing_variable`, `template`, `suppressed`, `follow_up_without_delay`, or a contact rule: `contacted_elsewhere`, `in_other_campaign`, `company_replied`, `company_limit`. */
    rule: string
    message: string
    /** How many leads it concerns; 0 when it is not about leads. Counted up to 10 000: the message then says "at least". */
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

export interface RemovedMemberOperation {
  id: string
  /** What is being done. */
  action: 'team.remove'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: RemovedMember | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface Replay {
  since: string
  until?: string
}

export interface ReplayOperation {
  id: string
  /** What is being done. */
  action: 'webhook.replay'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: ReplayResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
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
  /** The step whose message was answered, counted from 0 as in events. */
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
  /** Who wrote it. Null, like subject and text, when the person was erased. */
  from: string | null
  subject: string | null
  /** What the person wrote, without quotes and signature. The thread of the lead has all of it. */
  text: string | null
  /** The Message-ID of the reply, where it has one. */
  messageId: string | null
  /** It was larger than what is kept of a message: texts or attachments may be missing. */
  isCut: boolean
  attachments: {
    id: string
    /** The name that the sender gave, without folders and invisible characters. */
    filename: string
    /** The type that the sender stated. The service does not check the content. */
    contentType: string
    sizeBytes: number
    /** False when it exceeds the 10 MB of attachments that are kept of one message. */
    isKept: boolean
    links: Links
  }[]
  referral: {
    /** The address that is named. */
    email: string
    /** The name that stands beside it, where there is one. */
    name: string | null
  } | null
  /** The day from which on the person asks to be written to again. Nothing follows from it. */
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
  /** What the reply really means. */
  kind?: 'positive' | 'negative' | 'neutral' | 'opt_out'
  /** Whether somebody has dealt with it. */
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
  /** Who or what caused it, like `api`, `sender`, `reply`. */
  by: string
}

/** Somebody has corrected the kind of a reply, or marked it as handled. */
export interface ReplyUpdatedEvent {
  id: string
  type: 'reply.updated'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: ReplyUpdatedData
  links: Links
}

export interface SandboxClock {
  now: string
  /** How far it is ahead of real time. */
  offsetMs: number
  canAdvance: boolean
  /** Why it cannot be advanced. */
  reason: string | null
  /** The operation that is advancing the clock; `now` shows its progress. */
  advancing: {
    operationId: string | null
    from: string
    /** Null: until nothing is planned any more. */
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
  /** `out`: what would have been sent. `in`: what the made-up recipient answered. */
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
  timeWindow: {
    /** HH:mm */
    start: string
    /** HH:mm */
    end: string
  } | null
  timezone: string | null
  /** The days and hours are those of the lead, where its time zone is known; `timezone` holds for the others. Delays are counted in that zone, too. False unless set. */
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

/** As for changing it: what is left out stays. */
export interface ScheduleUpdate {
  daysOfWeek?: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[]
  timeWindow?: {
    /** HH:mm */
    start: string
    /** HH:mm */
    end: string
  }
  /** An IANA name, like Europe/Berlin. */
  timezone?: string
  /** The days and hours are those of the lead, where its time zone is known; `timezone` holds for the others. Delays are counted in that zone, too. False unless set. */
  useLeadTimezone?: boolean
  startDate?: string | null
  endDate?: string | null
}

export interface SecretRotation {
  /** For this long every delivery is signed with the old secret as well. */
  overlapSeconds?: number
}

export interface SendingStatus {
  campaignId: string
  workspaceId: string
  status: 'draft' | 'active' | 'paused' | 'completed' | 'archived' | 'attention_needed'
  attentionReason: string | null
  trackOpens: boolean
  trackClicks: boolean
  /** Messages that may go at this moment. */
  readyCount: number
  inFlightCount: number
  /** Messages that count as sent although their outcome is unknown. They are not sent again, to avoid duplicates. */
  assumedCount: number
  /** Messages whose outcome is not known yet. */
  unknownCount: number
  nextAttemptAt: string | null
  /** All of it in one line. */
  summary: string
  reasons: {
    /** A code from a closed list, such as `waiting_window`, `mailbox_cap`, `missing_variable`. */
    reason: string
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
  /** 0: there is none yet. */
  version: number
  steps: {
    id: string
    /** Business days after the step before; 0 for the first. */
    delayDays: number
    variants: {
      id: string
      /** Empty on a follow-up: it goes into the thread of the step before. */
      subject: string | null
      /** Liquid, with the fields and variables of the lead. */
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

export interface SequenceCopyOperation {
  id: string
  /** What is being done. */
  action: 'campaign.copy_sequence'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: SequenceCopy | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface SequenceEnvelope {
  data: Sequence
}

export interface SequenceOperation {
  id: string
  /** What is being done. */
  action: 'campaign.update_sequence'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: SequenceResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface SequenceResult {
  campaignId: string
  stepCount: number
  updatedAt: string
}

export interface Session {
  id: string
  tokenId: string
  /** The name of the token that it was made from, and acts as. */
  tokenName: string
  /** The User-Agent header of the browser. */
  userAgent: string | null
  /** True: this request was made with it. */
  isCurrent: boolean
  createdAt: string
  /** To within five minutes. */
  lastUsedAt: string
  /** Twelve hours after its last use, 30 days after its beginning at the latest, and no later than its token. */
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
  /** Put an open pixel into e-mails. Off unless switched on: it costs points with spam filters, and makes HTML of a plain text. */
  trackOpens?: boolean
  /** Lead links through this service to see clicks. Off unless switched on. A link that shows an address in HTML is never led elsewhere, so it is not tracked. */
  trackClicks?: boolean
  /** How a recipient leaves. `header` (default): List-Unsubscribe headers, with one click where this service is reached by https, and a link in the footer. Google and Yahoo demand the one click of everybody who sends 5000 messages a day or more to their users. But automatic answers (Sieve `vacation`, RFC 5230) are not sent to messages with list headers, so absences go unnoticed there. `link`: the link alone, no list headers; absences are answered, and the demand for one click is not met. `reply-line`: neither, the footer asks for the answer "stop", which is read and honoured; the most personal, for small numbers of first contacts only. */
  unsubscribe?: 'header' | 'link' | 'reply-line'
  /** The sentence of the footer, before the link or in place of the one that asks for an answer. Null: ours, in the language of the lead. */
  optOutText?: string | null
  contactRules?: ContactOverrides
}

export interface SignIn {
  /** From a sign-in link. It works once. */
  code?: string
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
  notSent: {
    reason: string
    count: number
    messages: number
    text: string
  }[]
  /** There is more to send than the horizon shows. */
  truncated: boolean
  /** How many leads lack something that the e-mails need. Only when something is tried out: `validate` tells it of the campaign as it is. */
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

/** Everything but `horizonDays` is tried out: the campaign is simulated as if it were so, and stays as it is. */
export interface SimulationRequest {
  /** How many days to look ahead. Default: 365. */
  horizonDays?: number
  schedule?: ScheduleUpdate
  providerId?: string
  /** Mailboxes besides `providerId` that first contacts are shared out to. */
  rotationProviderIds?: string[]
  contactRules?: ContactOverrides
  /** Instead of the sequence, for leads that have not begun. */
  steps?: {
    /** Business days after the step before; 0 for the first. */
    delayDays: number
    variants: {
      /** Empty on a follow-up: it goes into the thread of the step before. */
      subject?: string | null
      /** Liquid, with the fields and variables of the lead. */
      body: string
      weight?: number
    }[]
  }[]
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

export interface SuppressionEnvelope {
  data: Suppression
}

export interface SuppressionOperation {
  id: string
  /** What is being done. */
  action: 'suppression.create'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: SuppressionResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface SuppressionPage {
  data: Suppression[]
  links: PageLinks
  meta: PageMeta
}

export interface SuppressionResult {
  suppression: Suppression | ErasedRecord
}

export interface SuppressionsOperation {
  id: string
  /** What is being done. */
  action: 'suppression.create_many'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: SuppressionsResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface SuppressionsResult {
  outcome: {
    createdCount: number
    /** What was suppressed before, or is in the list more than once. */
    existingCount: number
    /** Rows that are neither an address nor a domain; the others are suppressed all the same. */
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

export interface TestMessageOperation {
  id: string
  /** What is being done. */
  action: 'campaign.send_test'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: TestMessage | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface ThreadMessage {
  id: string
  /** `out`: we sent it. `in`: it came in. */
  direction: 'out' | 'in'
  /** `step`: a message of the sequence. `answer`: what a person answered. What came in is called what it was taken for. */
  kind: 'step' | 'answer' | 'positive' | 'negative' | 'neutral' | 'opt_out' | 'auto_reply' | 'bounce'
  /** What became of a message that we sent; null for what came in. Only an answer is shown while it is `queued`. */
  status: 'queued' | 'sending' | 'sent' | 'failed' | 'unknown' | null
  hold: {
    /** Why an answer has not left, such as `mailbox_cap`, or why it never will. */
    reason: string
    /** When that passes, as far as anybody knows. */
    until: string | null
  } | null
  at: string
  /** The step, counted from 0; of what came in, the one that was answered. */
  step: number | null
  sendId: string | null
  /** Of a received message, its id in the list of replies; of an answer, the reply that it answers. */
  replyId: string | null
  messageId: string | null
  from: string | null
  to: string | null
  subject: string | null
  /** All of it, quotes included; null where it is not kept any more. */
  text: string | null
  /** Untrusted: a stranger may have written it. Show it only in a sandboxed frame that loads nothing. Our own tracking is taken out of it, so that reading a thread counts as no open and no click. */
  html: string | null
  /** It was larger than what is kept of a message: texts or attachments may be missing. */
  isCut: boolean
  attachments: {
    id: string
    /** The name that the sender gave, without folders and invisible characters. */
    filename: string
    /** The type that the sender stated. The service does not check the content. */
    contentType: string
    sizeBytes: number
    /** False when it exceeds the 10 MB of attachments that are kept of one message. */
    isKept: boolean
    links: Links
  }[]
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
  expiresAt: string | null
  createdAt: string
  links: Links
}

export interface TokenEnvelope {
  data: Token
}

/** What may be asked for in a day (UTC). What goes beyond answers 403 `token_budget_exceeded`, or is proposed as a plan. What tokens that it makes ask for counts, too. */
export interface TokenLimits {
  /** Leads that come into campaigns, or are bought. */
  leadsPerDay?: number
  /** Credits that are spent. */
  creditsPerDay?: number
  /** E-mails that can follow at most from what was accepted: starts of campaigns, leads for running ones, answers, tests. */
  mailsPerDay?: number
  /** Nothing leaves from a real mailbox, and none is changed. */
  sandboxOnly?: boolean
}

export interface TokenOperation {
  id: string
  /** What is being done. */
  action: 'api_key.create' | 'api_key.rotate' | 'token.create'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: TokenResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface TokenPage {
  data: Token[]
  links: PageLinks
  meta: PageMeta
}

export interface TokenResult {
  token: IssuedToken
}

/** What it has asked for today (UTC), with the tokens that it made. Null: it has no limits, and nothing is counted. */
export interface TokenSpending {
  leads: number
  credits: number
  mails: number
}

export interface TrackingHost {
  workspaceId: string
  /** The host that was asked for; null when the workspace has none. */
  host: string | null
  /** `pending`: not verified yet, and not used in links. `verified`: in use. `failing`: it was in use and does not work any more; messages with links wait. */
  status: 'none' | 'pending' | 'verified' | 'failing'
  /** What the last look has found wrong. */
  reason: string | null
  /** What the links of new messages begin with at present. */
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

/** The host for links does not lead here any more. */
export interface TrackingHostFailingEvent {
  id: string
  type: 'tracking_host.failing'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: TrackingHostState
  links: Links
}

export interface TrackingHostOperation {
  id: string
  /** What is being done. */
  action: 'tracking_host.set' | 'tracking_host.delete'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: TrackingHostResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface TrackingHostResult {
  trackingHost: TrackingHost
}

export interface TrackingHostState {
  host: string
  reason: string | null
}

/** The host for links was found to lead here. */
export interface TrackingHostVerifiedEvent {
  id: string
  type: 'tracking_host.verified'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: TrackingHostState
  links: Links
}

export interface UnreadMessage {
  id: string
  providerId: string
  /** The folder of the mailbox in which the message lies. */
  folder: string
  uidValidity: string
  /** Its number in the folder, for as long as the folder has this `uidValidity`. */
  uid: number
  /** Its Message-ID, where it has one. */
  messageId: string | null
  /** `too_expensive`: reading it took more time or memory than a message may. `unreadable`: it is no message. `not_recorded`: what it says could not be stored. `unproven_bounce`: it reports that a lead cannot be reached without naming a message of ours, so nothing was done. */
  reason: 'too_expensive' | 'unreadable' | 'not_recorded' | 'unproven_bounce'
  /** The same for people. */
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
  /** Whether the address is left alone already. */
  unsubscribed: boolean
  /** The address that was written to, masked. Null: the lead is gone. */
  address: string | null
  /** Null: the mailbox is gone. */
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
      /** Where the true rate lies with 95% certainty (Wilson). */
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
  /** Every stage went well; the mailbox is connected. */
  ok: boolean
  stages: {
    stage: 'dns' | 'tcp' | 'tls' | 'auth' | 'test_message' | 'imap'
    ok: boolean
    detail: string
    durationMs: number
  }[]
}

export interface VerificationEnvelope {
  data: Verification
}

export interface VerificationOperation {
  id: string
  /** What is being done. */
  action: 'provider.verify'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: VerificationResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface VerificationResult {
  verification: Verification
}

export interface WebhookEndpoint {
  id: string
  workspaceId: string
  url: string
  events: ('lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'tracking_host.verified' | 'tracking_host.failing' | 'provider.health_changed' | 'operation.succeeded' | 'operation.failed' | 'plan.proposed' | 'plan.approved' | 'plan.rejected' | 'plan.applied' | 'plan.failed' | 'webhook.test' | '*')[]
  status: 'active' | 'paused' | 'disabled'
  description: string | null
  /** `gone`: the receiver answered 410. `failing`: nothing but failures for five days. */
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
  /** https, at a public address. */
  url?: string
  /** Kinds of events, or `["*"]` for all of them. */
  events?: ('lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'tracking_host.verified' | 'tracking_host.failing' | 'provider.health_changed' | 'operation.succeeded' | 'operation.failed' | 'plan.proposed' | 'plan.approved' | 'plan.rejected' | 'plan.applied' | 'plan.failed' | 'webhook.test' | '*')[]
  description?: string | null
  /** What happens while an endpoint is not active is not delivered later by itself: replay it. */
  status?: 'active' | 'paused'
}

export interface WebhookEndpointWithSecret {
  id: string
  workspaceId: string
  url: string
  events: ('lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'tracking_host.verified' | 'tracking_host.failing' | 'provider.health_changed' | 'operation.succeeded' | 'operation.failed' | 'plan.proposed' | 'plan.approved' | 'plan.rejected' | 'plan.applied' | 'plan.failed' | 'webhook.test' | '*')[]
  status: 'active' | 'paused' | 'disabled'
  description: string | null
  /** `gone`: the receiver answered 410. `failing`: nothing but failures for five days. */
  disabledReason: 'gone' | 'failing' | null
  createdAt: string
  updatedAt: string
  links: Links
  /** Signs every delivery as Standard Webhooks says. Null only in the repetition of a request whose endpoint is gone. */
  secret: string | null
}

export interface WebhookEndpointWithSecretEnvelope {
  data: WebhookEndpointWithSecret
}

export interface WebhookOperation {
  id: string
  /** What is being done. */
  action: 'webhook.create' | 'webhook.update' | 'webhook.rotate_secret'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: WebhookResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface WebhookResult {
  webhook: WebhookEndpoint
}

export interface WebhookTestData {
  endpointId: string
}

/** Somebody tests a webhook endpoint. Only that endpoint gets it. */
export interface WebhookTestEvent {
  id: string
  type: 'webhook.test'
  timestamp: string
  workspaceId: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  data: WebhookTestData
  links: Links
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

export interface WorkspaceOperation {
  id: string
  /** What is being done. */
  action: 'workspace.create' | 'workspace.update'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: WorkspaceResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
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
  /** Whether a campaign may start from a mailbox whose domain failed its last check: `warn` only says so; `require` lets none start with a domain that fails or was never checked. */
  domainHealth: 'warn' | 'require'
  optOutLines: OptOutLines
  updatedAt: string
  links: Links
}

export interface WorkspaceSettingsEnvelope {
  data: WorkspaceSettings
}

export interface WorkspaceSettingsOperation {
  id: string
  /** What is being done. */
  action: 'workspace.update_settings'
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  result: WorkspaceSettingsResult | null
  error: OperationError | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: Links
}

export interface WorkspaceSettingsResult {
  settings: WorkspaceSettings
}

export interface WorkspaceSettingsUpdate {
  contactRules?: ContactOverrides
  /** Whether a campaign may start from a mailbox whose domain failed its last check: `warn` only says so; `require` lets none start with a domain that fails or was never checked. */
  domainHealth?: 'warn' | 'require'
  optOutLines?: OptOutLines
}
