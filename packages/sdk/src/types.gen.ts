// Made from openapi.json by scripts/sdk-types.ts. Do not edit: run `node scripts/sdk-types.ts`.

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
  links: {
    self: string
  }
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
  links: {
    self: string
  }
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
  links: {
    self: string
  }
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

/** Rules across the campaigns of the workspace, in place of those of the workspace. They are replaced as a whole: a rule that is left out is that of the workspace. */
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

export interface Credits {
  balance: number
  held: number
  available: number
  links: {
    self: string
  }
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
  eventType: string
  attempt: number
  status: 'pending' | 'succeeded' | 'failed'
  responseStatus: number | null
  /** Why there was no answer, or why the answer does not count, like `timeout` or `redirect`. */
  error: string | null
  durationMs: number | null
  nextAttemptAt: string | null
  createdAt: string
  links: {
    self: string
  }
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

export interface Error {
  error: {
    code: string
    message: string
    requestId: string
    details: unknown | null
  }
}

export interface Event {
  id: string
  /** Its number within the workspace: without gaps, in the order in which things happened. */
  seq: number
  type: 'lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'operation.succeeded' | 'operation.failed' | 'webhook.test'
  timestamp: string
  workspaceId: string
  /** What happened; its fields depend on the type. */
  data: Record<string, unknown>
  links: {
    self: string
  }
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
  links: {
    self: string
  }
}

/** The request that solves it. Replace the values in angle brackets; a PUT also needs `if-match`. */
export type Fix = {
  method: 'POST' | 'PUT' | 'PATCH'
  path: string
  body: Record<string, unknown>
} | null

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
  links: {
    self: string
  }
}

/** What would change if the limit were not there. The sender’s own planner plays the campaign with and without it. */
export type IfLifted = {
  limit: 'daily_cap' | 'ramp' | 'gap' | 'domain_throttle' | 'window' | 'start_date' | 'end_date'
  /** The daily cap that would be enough for these leads on that day. */
  value: number | null
  /** When the first of them would leave. */
  leavesAt: string
  /** How many of them would leave on that day. */
  count: number
  /** The same in words: "leaves today 14:30 Europe/Berlin if the daily cap were 45". */
  text: string
} | null

export interface Invitation {
  id: string
  email: string
  /** `owner`: everything. `admin`: all but granting credits. `member`: campaigns, leads and mailboxes. `viewer`: reads. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
  createdAt: string
  expiresAt: string
  links: {
    self: string
  }
}

export interface IssuedInvitation {
  id: string
  email: string
  /** `owner`: everything. `admin`: all but granting credits. `member`: campaigns, leads and mailboxes. `viewer`: reads. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
  createdAt: string
  expiresAt: string
  links: {
    self: string
  }
  /** Shown once, at creation. Null when a creation is replayed. */
  code: string | null
  /** The link to send to the person. We send nothing. Shown once, like the code. */
  url: string | null
}

export interface IssuedToken {
  id: string
  kind: 'personal' | 'organization'
  name: string
  scopes: string[]
  lastFour: string
  expiresAt: string | null
  createdAt: string
  links: {
    self: string
  }
  /** The token itself: shown once, at creation. Null when a creation is replayed. */
  token: string | null
}

export interface Joined {
  workspaceId: string
  member: Member
  /** A personal token, shown this once. The session in the cookie acts as it. */
  token: string
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
  createdAt: string
  updatedAt: string
  links: {
    self: string
  }
}

export interface LeadBulk {
  action: 'delete' | 'requeue' | 'set_status' | 'move'
  ids?: string[]
  /** Instead of `ids`: every lead that fits. An empty filter fits all. */
  filter?: {
    status?: 'not_yet_contacted' | 'contacted' | 'sequence_completed' | 'replied' | 'interested' | 'not_interested' | 'meeting_booked' | 'meeting_completed' | 'closed' | 'bounced' | 'unsubscribed' | 'skipped'
    email?: string
  }
  /** For `set_status`. */
  status?: 'replied' | 'interested' | 'not_interested' | 'meeting_booked' | 'meeting_completed' | 'closed' | 'unsubscribed' | 'skipped'
  /** For `move`. */
  targetCampaignId?: string
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
  links: {
    self: string
  }
}

export interface LeadImport {
  leads?: {
    email: string
    firstName?: string | null
    lastName?: string | null
    fullName?: string | null
    company?: string | null
    jobTitle?: string | null
    timezone?: string | null
    /** Your own fields, for templates. */
    variables?: Record<string, string>
  }[]
  /** Instead of `leads`: the people of an export that the workspace has bought. */
  exportId?: string
  leadListName?: string | null
  /** What becomes of a lead that the campaign has already. `update` changes the fields that are sent. `skip` when left out. */
  onDuplicate?: 'skip' | 'update'
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

export interface LeadSearchBrief {
  /** Describe the people you look for, in English, German, French or Spanish. */
  brief: string
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

export interface LedgerEntry {
  id: string
  kind: 'grant' | 'hold' | 'release' | 'capture' | 'refund'
  /** The change of the available credits. */
  amount: number
  operationId: string | null
  /** The reason for a grant, if one was given. */
  note: string | null
  createdAt: string
  links: {
    self: string
  }
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
  links: {
    self: string
  }
}

export interface MemberPatch {
  /** `owner`: everything. `admin`: all but granting credits. `member`: campaigns, leads and mailboxes. `viewer`: reads. */
  role: 'owner' | 'admin' | 'member' | 'viewer'
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
  links: {
    self: string
  }
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
  /** Defaults to 90 days from now; null: never, for organization keys only. */
  expiresAt?: string | null
}

export interface NewWebhookEndpoint {
  /** https, at a public address. */
  url: string
  /** Kinds of events, or `["*"]` for all of them. */
  events: ('lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'operation.succeeded' | 'operation.failed' | 'webhook.test' | '*')[]
  description?: string | null
}

export interface Operation {
  id: string
  /** The action, for example `campaign.pause`. */
  action: string
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it. */
  actor: {
    type: 'user' | 'token' | 'system'
    /** Of the person, or of the organization key; null for the service itself. */
    id: string | null
    name: string
  }
  /** The result of the action; null unless the operation succeeded. */
  result: unknown
  error: {
    code: string
    message: string
    /** True: nothing was saved or charged, and the same request with a new key may succeed. */
    retryable: boolean
  } | null
  createdAt: string
  startedAt: string | null
  completedAt: string | null
  links: {
    self: string
  }
}

export interface OperationReference {
  id: string
  status: 'queued' | 'succeeded' | 'failed'
  links: {
    self: string
  }
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

export interface PreviewRequest {
  /** The number of the step, from 0. */
  step: number
  /** When omitted: the first lead of the campaign, or an invented one. */
  leadId?: string
  /** When omitted: the variant that the lead would get. */
  variantId?: string
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
  hasCredentials: boolean
  connectedAt: string | null
  createdAt: string
  updatedAt: string
  links: {
    self: string
  }
}

export interface ProviderDiscovery {
  email: string
  candidates: DiscoveredSettings[]
  links: {
    self: string
  }
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
    /** How many leads it concerns; 0 when it is not about leads. */
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

export interface Replay {
  since: string
  until?: string
}

export interface ReplayResult {
  replayedCount: number
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
    links: {
      self: string
    }
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
  links: {
    self: string
  }
}

export interface ReplyPatch {
  /** What the reply really means. */
  kind?: 'positive' | 'negative' | 'neutral' | 'opt_out'
  /** Whether somebody has dealt with it. */
  handled?: boolean
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
  links: {
    self: string
  }
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
  links: {
    self: string
  }
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

/** The three of the window come together and replace it; the dates and `useLeadTimezone` are kept unless sent. */
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
  status: string
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
    fix: Fix
    ifLifted: IfLifted
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
  links: {
    self: string
  }
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
  links: {
    self: string
  }
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
  links: {
    self: string
    campaign: string
  }
}

export interface SimulationRequest {
  /** How many days to look ahead. Default: 365. */
  horizonDays?: number
}

export interface Suppression {
  id: string
  workspaceId: string
  kind: 'email' | 'domain'
  /** Null when the person has been erased and only the hash is left. */
  value: string | null
  reason: string
  createdAt: string
  links: {
    self: string
  }
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
    links: {
      self: string
    }
  }[]
  links: {
    self: string
  }
}

export interface TimelineEntry {
  id: string
  type: string
  timestamp: string
  data: Record<string, unknown>
  links: {
    self: string
  }
}

export interface Token {
  id: string
  kind: 'personal' | 'organization'
  name: string
  scopes: string[]
  lastFour: string
  expiresAt: string | null
  createdAt: string
  links: {
    self: string
  }
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
  links: {
    self: string
  }
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

export interface WebhookEndpoint {
  id: string
  workspaceId: string
  url: string
  events: string[]
  status: 'active' | 'paused' | 'disabled'
  description: string | null
  /** `gone`: the receiver answered 410. `failing`: nothing but failures for five days. */
  disabledReason: 'gone' | 'failing' | null
  createdAt: string
  updatedAt: string
  links: {
    self: string
  }
}

export interface WebhookEndpointPatch {
  /** https, at a public address. */
  url?: string
  /** Kinds of events, or `["*"]` for all of them. */
  events?: ('lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'operation.succeeded' | 'operation.failed' | 'webhook.test' | '*')[]
  description?: string | null
  /** What happens while an endpoint is not active is not delivered later by itself: replay it. */
  status?: 'active' | 'paused'
}

export interface WebhookEndpointWithSecret {
  id: string
  workspaceId: string
  url: string
  events: string[]
  status: 'active' | 'paused' | 'disabled'
  description: string | null
  /** `gone`: the receiver answered 410. `failing`: nothing but failures for five days. */
  disabledReason: 'gone' | 'failing' | null
  createdAt: string
  updatedAt: string
  links: {
    self: string
  }
  /** Signs every delivery as Standard Webhooks says. Null only in the repetition of a request whose endpoint is gone. */
  secret: string | null
}

export interface Workspace {
  id: string
  name: string
  createdAt: string
  updatedAt: string
  links: {
    self: string
  }
}

export interface WorkspaceSettings {
  workspaceId: string
  contactRules: ContactRules
  updatedAt: string
  links: {
    self: string
  }
}

export interface WorkspaceSettingsUpdate {
  contactRules?: ContactOverrides
}
