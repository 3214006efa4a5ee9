// Generated from openapi.json by `npm run generate`. Do not edit.

import type { Accepted, AcceptedOptions, List, PageQuery, RequestOptions, ResultOf, StreamOptions, WriteOptions } from './calls.ts'
import type { Actor, AuditEntry, BulkSuppressionResult, Campaign, CampaignPatch, Consent, Credits, CsvSuppressionResult, CsvTrial, Delivery, DirectoryImport, DomainHealth, Event, Export, Identity, Invitation, IssuedInvitation, IssuedToken, Joined, Lead, LeadBulk, LeadFilters, LeadImport, LeadPatch, LeadSearchBrief, LeadSearchOrder, LeadSearchPreview, LedgerEntry, MailboxesUpdate, Member, MemberPatch, MetricSeries, MetricsResult, NewAnswer, NewApiKey, NewCampaign, NewConsent, NewCreditGrant, NewErasure, NewInvitation, NewPlan, NewProvider, NewSequence, NewSuppression, NewSuppressions, NewToken, NewTrackingHost, NewWebhookEndpoint, Operation, Plan, Preview, PreviewRequest, ProposedPlan, Provider, ProviderDiscovery, ProviderPatch, Readiness, Replay, ReplayResult, Reply, ReplyPatch, SandboxClock, SandboxMessage, Schedule, ScheduleUpdate, SecretRotation, SendingStatus, Sequence, Session, SettingsUpdate, SignIn, SignedIn, Simulation, SimulationRequest, Suppression, ThreadMessage, TimelineEntry, Token, TrackingHost, UnreadMessage, VariantComparison, Verification, WebhookEndpoint, WebhookEndpointPatch, WebhookEndpointWithSecret, Workspace, WorkspaceSettings, WorkspaceSettingsUpdate } from './types.gen.ts'

export interface Api {
  campaigns: {
    /**
     * List campaigns.
     * Scope: `campaigns:read`.
     */
    list(query?: PageQuery & {
      /** Part of the name. Case is ignored. */
      q?: string
      /** Only those with this status. */
      status?: 'draft' | 'active' | 'paused' | 'completed' | 'archived' | 'attention_needed'
      /** Defaults to `archived` when `status` is `archived`, and to `active` otherwise. */
      displayStatus?: 'active' | 'archived'
      /** Only those of this mailbox. */
      providerId?: string
      /** Only those that were created at this time or later. */
      createdFrom?: string
      /** Only those that were created at this time or earlier. Not before `createdFrom`. */
      createdTo?: string
      /** Only those that were changed at this time or later. */
      updatedFrom?: string
      /** Only those that were changed at this time or earlier. Not before `updatedFrom`. */
      updatedTo?: string
    }, options?: RequestOptions): List<Campaign>
    /**
     * Create a draft campaign.
     * Scope: `campaigns:write`.
     */
    create(body: NewCampaign, options?: WriteOptions): Promise<Campaign>
    /**
     * Get a campaign.
     * Scope: `campaigns:read`.
     */
    get(campaignId: string, options?: RequestOptions): Promise<Campaign>
    /**
     * Update a draft campaign.
     * Changes only the fields that you send. When the campaign has changed since the `if-match` timestamp, the operation fails with `precondition_failed` and saves nothing.
     * Scope: `campaigns:write`.
     */
    update(campaignId: string, body: CampaignPatch, options: AcceptedOptions & { ifMatch: string }): Accepted<ResultOf<'campaign.update'>>
    /**
     * Duplicate a campaign.
     * Creates a new draft with the same configuration, sequence and sending window. Leads, metrics and dates are not copied.
     * Scope: `campaigns:write`.
     */
    duplicate(campaignId: string, body: {
      /** 1 to 200 characters after trimming. */
      name: string
    }, options?: AcceptedOptions): Accepted<ResultOf<'campaign.duplicate'>>
    /**
     * Get campaign metrics.
     * Scope: `campaigns:read`.
     */
    getMetrics(campaignId: string, options?: RequestOptions): Promise<MetricsResult>
    /**
     * Get the sending schedule.
     * Scope: `campaigns:read`.
     */
    getSchedule(campaignId: string, options?: RequestOptions): Promise<Schedule>
    /**
     * Change when a campaign sends.
     * Allowed in every status except `archived`. After the operation has succeeded, no message is sent outside the new window. A campaign that completed because of its end date continues when you set a later one. Changes only the fields that you send. The operation fails with `precondition_failed` when the campaign has changed since `if-match`.
     * Scope: `campaigns:write`.
     */
    updateSchedule(campaignId: string, body: ScheduleUpdate, options: AcceptedOptions & { ifMatch: string }): Accepted<ResultOf<'campaign.update_schedule'>>
    /**
     * Get the results of a campaign over time.
     * Counts emails sent, opens and clicks by people, replies, interested leads, and leads that bounced or unsubscribed, each at the time it happened. Over all time, the totals equal the metrics of the campaigns.
     * Scope: `campaigns:read`.
     */
    getMetricSeries(campaignId: string, query?: {
      /** Weeks begin on Monday. */
      interval?: 'hour' | 'day' | 'week'
      /** An IANA time zone. It decides when days and weeks begin. If its hours begin at half or quarter past, results older than 60 days are exact to the hour. */
      timezone?: string
      /** Start of the period. Results are stored per quarter of an hour, and per hour when they are older than 60 days. A period includes those that begin in it. Defaults to 2 days, 30 days or 26 weeks before `to`. Must be before `to`, by at most 31 days by hour, 1,100 days by day, or 3,660 days by week, and in a year from 1970 to 9998. */
      from?: string
      /** End of the period, exclusive. Defaults to now. */
      to?: string
      /** Returns one series for each step, variant, mailbox or campaign. */
      groupBy?: 'step' | 'variant' | 'mailbox' | 'campaign'
    }, options?: RequestOptions): Promise<MetricSeries>
    /**
     * Change the mailboxes a campaign sends from.
     * Allowed in every status except `archived`. Leads that already have a thread stay with their mailbox, unless you set `moveThreads` or the mailbox no longer exists. Changes only the fields that you send. The operation fails with `precondition_failed` when the campaign has changed since `if-match`.
     * Scope: `campaigns:write`.
     */
    updateMailboxes(campaignId: string, body: MailboxesUpdate, options: AcceptedOptions & { ifMatch: string }): Accepted<ResultOf<'campaign.update_mailboxes'>>
    /**
     * Change the name, the tracking and the labels of a campaign.
     * Allowed in every status except `archived`. After the operation has succeeded, no message is sent with the old tracking. Changes only the fields that you send. The operation fails with `precondition_failed` when the campaign has changed since `if-match`.
     * Scope: `campaigns:write`.
     */
    updateSettings(campaignId: string, body: SettingsUpdate, options: AcceptedOptions & { ifMatch: string }): Accepted<ResultOf<'campaign.update_settings'>>
    /**
     * Activate a draft campaign.
     * The campaign must be ready. `validate` lists what is missing.
     * Scope: `campaigns:write`.
     */
    activate(campaignId: string, options?: AcceptedOptions): Accepted<ResultOf<'campaign.activate'>>
    /**
     * Pause a campaign.
     * After the operation has succeeded, the campaign sends no message.
     * Scope: `campaigns:write`.
     */
    pause(campaignId: string, options?: AcceptedOptions): Accepted<ResultOf<'campaign.pause'>>
    /**
     * Resume a paused campaign.
     * The campaign must be ready. `validate` lists what is missing.
     * Scope: `campaigns:write`.
     */
    resume(campaignId: string, options?: AcceptedOptions): Accepted<ResultOf<'campaign.resume'>>
    /**
     * Archive a campaign.
     * Returns 409 for an active campaign. Pause it first.
     * Scope: `campaigns:write`.
     */
    archive(campaignId: string, options?: AcceptedOptions): Accepted<ResultOf<'campaign.archive'>>
    /**
     * Unarchive a campaign.
     * Restores the previous status. A campaign that needed attention is paused.
     * Scope: `campaigns:write`.
     */
    unarchive(campaignId: string, options?: AcceptedOptions): Accepted<ResultOf<'campaign.unarchive'>>
    /**
     * Preview a message.
     * Renders one step as a lead would receive it: subject, text, HTML and headers. Nothing is sent or saved. Without the scope `leads:read` you cannot name a lead, and the preview shows an invented person.
     * Scope: `campaigns:read`.
     */
    preview(campaignId: string, body: PreviewRequest, options?: WriteOptions): Promise<Preview>
    /**
     * Get the preview of a message.
     * Renders one step as a lead would receive it: subject, text, HTML and headers. Nothing is sent or saved. Without the scope `leads:read` you cannot name a lead, and the preview shows an invented person.
     * Scope: `campaigns:read`.
     */
    getPreview(campaignId: string, query?: {
      /** Defaults to the first lead of the campaign, or to an invented lead when there is none. */
      leadId?: string
      /** Defaults to the variant that the lead would receive. */
      variantId?: string
      /** The number of the step, from 0. */
      step?: number
    }, options?: RequestOptions): Promise<Preview>
    /**
     * Simulate the rest of a campaign.
     * Plans every remaining message by day and mailbox, with the date on which the campaign ends and the limit that determines it. The simulation uses the planner of the sender. It assumes that there are no replies and that no other campaign uses the mailboxes. It plans at most 250,000 messages; later messages count as beyond the horizon. In campaigns with more than 20,000 leads, leads that are due within the same minute count as due together. Above 100,000 leads, this applies to leads that are due within the same 15 minutes. Nothing is sent or saved.
     * Scope: `campaigns:read`.
     */
    simulate(campaignId: string, body?: SimulationRequest, options?: WriteOptions): Promise<Simulation>
    /**
     * Get the simulation of the rest of a campaign.
     * Plans every remaining message by day and mailbox, with the date on which the campaign ends and the limit that determines it. The simulation uses the planner of the sender. It assumes that there are no replies and that no other campaign uses the mailboxes. It plans at most 250,000 messages; later messages count as beyond the horizon. In campaigns with more than 20,000 leads, leads that are due within the same minute count as due together. Above 100,000 leads, this applies to leads that are due within the same 15 minutes. Nothing is sent or saved.
     * Scope: `campaigns:read`.
     */
    getSimulation(campaignId: string, query?: {
      /** How many days to look ahead. Default: 365. */
      horizonDays?: number
    }, options?: RequestOptions): Promise<Simulation>
    /**
     * Get what a campaign sends now, and why other leads wait.
     * Summarizes in words why leads wait: "142 outside the sending window until Monday 2026-03-09 09:00 Europe/Berlin, 12 without a value for firstName". The contact rules are checked for the first 10,000 leads that are due; the other leads count as if no contact rule applied.
     * Scope: `campaigns:read`.
     */
    getSendingStatus(campaignId: string, options?: RequestOptions): Promise<SendingStatus>
    /**
     * Compare the variants of each step.
     * Compares the rates of positive replies, with a confidence interval for each. When there is not enough data, the response says so and names no winner.
     * Scope: `campaigns:read`.
     */
    compareVariants(campaignId: string, options?: RequestOptions): Promise<VariantComparison>
    /**
     * Validate campaign readiness.
     * Lists every problem that prevents activation. It also returns warnings that do not prevent it: leads that cannot be contacted, counted by reason, and follow-ups without a delay.
     * Scope: `campaigns:read`.
     */
    validate(campaignId: string, options?: RequestOptions): Promise<Readiness>
  }
  metrics: {
    /**
     * Get the results of the workspace over time.
     * Counts emails sent, opens and clicks by people, replies, interested leads, and leads that bounced or unsubscribed, each at the time it happened. Over all time, the totals equal the metrics of the campaigns. Grouped by campaign or variant, the 100 campaigns that have sent most are shown, fewer for a period of many points. All others are one group with the key null.
     * Scope: `campaigns:read`.
     */
    getSeries(query?: {
      /** Weeks begin on Monday. */
      interval?: 'hour' | 'day' | 'week'
      /** An IANA time zone. It decides when days and weeks begin. If its hours begin at half or quarter past, results older than 60 days are exact to the hour. */
      timezone?: string
      /** Start of the period. Results are stored per quarter of an hour, and per hour when they are older than 60 days. A period includes those that begin in it. Defaults to 2 days, 30 days or 26 weeks before `to`. Must be before `to`, by at most 31 days by hour, 1,100 days by day, or 3,660 days by week, and in a year from 1970 to 9998. */
      from?: string
      /** End of the period, exclusive. Defaults to now. */
      to?: string
      /** Returns one series for each step, variant, mailbox or campaign. */
      groupBy?: 'step' | 'variant' | 'mailbox' | 'campaign'
    }, options?: RequestOptions): Promise<MetricSeries>
  }
  sequences: {
    /**
     * Get the sequence of a campaign.
     * Scope: `campaigns:read`.
     */
    get(campaignId: string, options?: RequestOptions): Promise<Sequence>
    /**
     * Replace the sequence.
     * Creates a new version. Leads that have already started stay on the version they started with.
     * Scope: `campaigns:write`.
     */
    replace(campaignId: string, body: NewSequence, options: AcceptedOptions & { ifMatch: string }): Accepted<ResultOf<'campaign.update_sequence'>>
    /**
     * Copy the sequence of another campaign.
     * Scope: `campaigns:write`.
     */
    copy(campaignId: string, body: {
      /** The campaign that is copied. */
      sourceCampaignId: string
    }, options?: AcceptedOptions): Accepted<ResultOf<'campaign.copy_sequence'>>
    /**
     * Send a step to yourself.
     * Sends one step to your own address at once, as a lead would receive it, from the mailbox of the campaign. The subject starts with `[Test]`. Nothing is tracked or counted, and no lead changes. A workspace can send 20 test emails per hour and 60 per day. Using the data of a lead needs the scope `leads:read`; without it, the message uses an invented person.
     * Scope: `campaigns:write`.
     */
    sendTest(campaignId: string, body: {
      /** The recipient, in ASCII before the `@`. A suppressed address is refused. */
      to: string
      /** The number of the step, counted from 0. Defaults to the first step. */
      step?: number
      /** The lead whose variables are used. Defaults to the first lead, or to an invented one. */
      leadId?: string
      /** The variant of the step. */
      variantId?: string
    }, options?: AcceptedOptions): Accepted<ResultOf<'campaign.send_test'>>
  }
  workspaces: {
    /**
     * Get the settings that apply to all campaigns of a workspace.
     * Scope: `workspaces:read`.
     */
    getSettings(options?: RequestOptions): Promise<WorkspaceSettings>
    /**
     * Change the settings that apply to all campaigns of a workspace.
     * After the operation has succeeded, the new rules apply to every message. A campaign can override them in its own settings. The operation fails with `precondition_failed` when the workspace has changed since `if-match`. The settings have the `updatedAt` of the workspace.
     * Scope: `workspaces:write`.
     */
    updateSettings(body: WorkspaceSettingsUpdate, options: AcceptedOptions & { ifMatch: string }): Accepted<ResultOf<'workspace.update_settings'>>
    /**
     * List the workspaces that the token can use.
     * Scope: `workspaces:read`.
     */
    list(query?: PageQuery, options?: RequestOptions): List<Workspace>
    /**
     * Create a workspace.
     * Needs a personal token of a person who may create workspaces: the operator decides that. A workspace key belongs to one workspace.
     * Scope: `workspaces:write`.
     */
    create(body: {
      /** The name. */
      name: string
    }, options?: WriteOptions): Promise<Workspace>
    /**
     * Get a workspace.
     * Scope: `workspaces:read`.
     */
    get(workspaceId: string, options?: RequestOptions): Promise<Workspace>
    /**
     * Rename a workspace.
     * Scope: `workspaces:write`.
     */
    update(workspaceId: string, body?: {
      /** The name. */
      name?: string
    }, options?: WriteOptions): Promise<Workspace>
  }
  leads: {
    /**
     * Get the timeline of a lead.
     * Lists everything that happened to the lead, oldest first, or newest first with `order=desc`.
     * Scope: `leads:read`.
     */
    listTimeline(campaignId: string, leadId: string, query?: PageQuery & {
      /** `desc`: newest first. */
      order?: 'asc' | 'desc'
    }, options?: RequestOptions): List<TimelineEntry>
    /**
     * Get an entry of a timeline.
     * Scope: `leads:read`.
     */
    getTimelineEntry(campaignId: string, leadId: string, entryId: string, options?: RequestOptions): Promise<TimelineEntry>
    /**
     * List the leads of a campaign.
     * Scope: `leads:read`.
     */
    list(campaignId: string, query?: PageQuery & {
      /** Only those with this status. */
      status?: 'not_yet_contacted' | 'contacted' | 'sequence_completed' | 'replied' | 'interested' | 'not_interested' | 'meeting_booked' | 'meeting_completed' | 'closed' | 'bounced' | 'unsubscribed' | 'skipped'
      /** Exactly this address. */
      email?: string
      /** The time zone of the lead, such as `Europe/Berlin`. */
      timezone?: string
      /** Part of the address, the name or the company. Case is ignored. */
      q?: string
    }, options?: RequestOptions): List<Lead>
    /**
     * Import leads.
     * Imports up to 5,000 leads per request, or all people of an earlier export. Duplicates and suppressed addresses are skipped and counted. Invalid rows are reported by their index.
     * Scope: `leads:write`.
     */
    import(campaignId: string, body: LeadImport, options?: AcceptedOptions): Accepted<ResultOf<'campaign.import_leads'>>
    /**
     * Get a campaign lead.
     * Scope: `leads:read`.
     */
    get(campaignId: string, leadId: string, options?: RequestOptions): Promise<Lead>
    /**
     * Update a lead, or report an outcome.
     * Changes only the fields that you send. A lead that was skipped because of a missing variable is queued again when its fields change. With the status `replied` or a later one, the lead gets no further message. `opportunityValue` also needs the scope `deals:write`.
     * Scope: `people:write`.
     */
    update(campaignId: string, leadId: string, body?: LeadPatch, options?: WriteOptions): Promise<Lead>
    /**
     * Remove a lead from a campaign.
     * Scope: `leads:write`.
     */
    delete(campaignId: string, leadId: string, options?: WriteOptions): Promise<void>
    /**
     * Queue a skipped lead again.
     * The next step of the lead is due at once, or when the delay after the previous step has passed. Returns 409 if the lead was not skipped.
     * Scope: `leads:write`.
     */
    requeue(campaignId: string, leadId: string, options?: WriteOptions): Promise<Lead>
    /**
     * Change many leads.
     * Deletes, requeues, moves, or sets the status of up to 1,000 leads by id, or of all leads that match a filter. The result contains the counts. A moved lead starts from the first step in the other campaign and gets a new id. Leads that have replied, are suppressed or are already in the other campaign are not moved. `set_status` also needs the scope `people:write`.
     * Scope: `leads:write`.
     */
    changeMany(campaignId: string, body: LeadBulk, options?: AcceptedOptions): Accepted<ResultOf<'lead.bulk'>>
    /**
     * Import leads from a CSV file.
     * Send the file as the request body, up to 200 MiB and 500 columns. It is in UTF-8, UTF-16 or Windows-1252, with comma, semicolon, tab or vertical bar as the separator. The import recognizes columns by their headers (English, German, French, Spanish). Unknown columns become variables. A warning names those beyond 50, which are left out. With `dryRun=true` the response describes the import and nothing is saved. Rejected rows are counted, and `…/leads/import/{operationId}/rejected-rows` lists all of them.
     * Scope: `leads:write`.
     */
    importCsv(campaignId: string, query: {
      /** Describe the import, but save nothing. */
      dryRun?: boolean
      /** A JSON object that maps headers of the file to fields. It overrides the recognized columns. A header that the file does not have is refused. Values: `email`, `firstName`, `lastName`, `fullName`, `company`, `jobTitle`, `timezone`, any other name for a variable (at most 50), or null to ignore the column. */
      mapping?: string
      /** `update` changes leads that the campaign already has. Defaults to `skip`. */
      onDuplicate?: 'skip' | 'update'
      /** A name for the list that the leads come from. */
      leadListName?: string
    }, file: string | Uint8Array<ArrayBuffer> | Blob, options?: AcceptedOptions): Accepted<ResultOf<'campaign.import_csv'>, { data?: CsvTrial }>
    /**
     * Download the rows that an import rejected.
     * Returns a CSV file with the line number, the reason and the original row. The file exists as long as the operation is kept. A cell that a spreadsheet would run as a formula starts with an apostrophe, which is removed when the corrected file is imported. After a JSON import, `line` is the position in the list, counted from 1. The columns are then the fields and variables of the rejected leads.
     * Scope: `leads:read` or `leads:write`.
     */
    downloadRejectedRows(campaignId: string, operationId: string, options?: RequestOptions): Promise<Response>
    /**
     * Get the messages sent to a lead and its replies.
     * Lists the complete messages as they were sent and received, oldest first. A page has at most 20 messages, and fewer when their texts exceed 2 MiB together. HTML is untrusted data: show it in a sandboxed frame that loads nothing. Our own pixel, tracked links and unsubscribe links are removed, so that reading a thread counts no open and no click, and unsubscribes no one.
     * Scope: `leads:read`.
     */
    listThread(campaignId: string, leadId: string, query?: PageQuery, options?: RequestOptions): List<ThreadMessage>
    /**
     * Get a message of a thread.
     * Scope: `leads:read`.
     */
    getThreadMessage(campaignId: string, leadId: string, messageId: string, options?: RequestOptions): Promise<ThreadMessage>
  }
  leadSearches: {
    /**
     * Preview a lead search.
     * Counts the people who match, those with a verified address, and those that an order could deliver, and shows their distribution. The preview is free: it attaches nothing and spends no credits. `{}` matches all people; an order refuses it.
     * Scope: `leads:read`.
     */
    preview(campaignId: string, body: LeadSearchPreview, options?: AcceptedOptions): Accepted<ResultOf<'lead_search.preview'>>
    /**
     * Preview a lead search without a campaign.
     * Works like the preview of a campaign, but needs no campaign: `campaignId` is null in the response. The preview is free.
     * Scope: `leads:read`.
     */
    explore(body: LeadSearchPreview, options?: AcceptedOptions): Accepted<ResultOf<'lead_search.preview'>>
    /**
     * Turn a brief into filters.
     * Proposes a filter document for review and applies nothing. Every value has the words of the brief from which it was read and the engine that read them. `unmatched` lists words that could not be turned into a filter, and `context` lists words that do not describe a filter. When no filter can be derived from the brief, the operation fails with `filters_not_derivable`.
     * Scope: `leads:read`.
     */
    generateFilters(body: LeadSearchBrief, options?: AcceptedOptions): Accepted<ResultOf<'lead_search.generate_filters'>>
    /**
     * Buy leads and export them.
     * Reserves `leadCount` credits at once, charges one credit for each delivered lead that the workspace did not own before, and returns the rest. Delivers only addresses that Overture verified. People that the workspace imported cost nothing. People who unsubscribed, bounced or are suppressed are excluded. People that the workspace already owns are delivered again without a charge, unless `suppress` is `owned`. `filters` must name at least one criterion: `{}` is refused with 422. The event `lead_search.completed` and the result of the operation contain the link to the file.
     * Scope: `leads:export`.
     */
    export(body: LeadSearchOrder, options?: AcceptedOptions): Accepted<ResultOf<'lead_search.export'>>
    /**
     * Buy leads into a campaign.
     * Buys leads by the same rules as an export and adds them to the campaign. People that the workspace imported are added with any address, but those with an address that is known to be bad only if `emailStatus` contains `invalid`. People who are already in the campaign or are suppressed are not added and not charged.
     * Scope: `leads:export`.
     */
    attach(campaignId: string, body: LeadSearchOrder, options?: AcceptedOptions): Accepted<ResultOf<'lead_search.attach'>>
    /**
     * Get the filter fields.
     * Scope: `leads:read`.
     */
    getFilters(options?: RequestOptions): Promise<LeadFilters>
  }
  exports: {
    /**
     * List exports.
     * Scope: `leads:read` or `leads:export`.
     */
    list(query?: PageQuery, options?: RequestOptions): List<Export>
    /**
     * Get an export.
     * Scope: `leads:read` or `leads:export`.
     */
    get(exportId: string, options?: RequestOptions): Promise<Export>
    /**
     * Download an export.
     * Returns a CSV file (RFC 4180, UTF-8, header row). A cell that a spreadsheet would run as a formula starts with an apostrophe. The `downloadUrl` of the export contains a signature and needs no token. The file is kept for 30 days.
     * Scope: `leads:read` or `leads:export`.
     */
    download(exportId: string, query?: {
      /** Replaces the token. */
      signature?: string
    }, options?: RequestOptions): Promise<Response>
  }
  directory: {
    /**
     * Import your own people.
     * Imports up to 1,000 people per request. They belong to the workspace: only this workspace can find, export and change them, and they cost no credits. The address identifies a person: fields that you send replace the stored values, and other fields stay as they are. When the lead directory already has the person, the workspace gets its own record, and its searches find that record from then on. Invalid records are reported by their index.
     * Scope: `people:write`.
     */
    importPeople(body: DirectoryImport, options?: AcceptedOptions): Accepted<ResultOf<'directory.import'>>
  }
  operations: {
    /**
     * Get an operation.
     * Needs `operations:read`, or the scope that the action of the operation needs. A failed operation also returns 200. The `downloadUrl` of an export is null for a token that has neither `leads:read` nor `leads:export`. The `result` is null for a token that has neither the scope of the action nor the one that reads the same, such as `leads:read` for `leads:write`. Results about webhooks need `webhooks:write`.
     * Scope: `operations:read`.
     */
    get(operationId: string, options?: RequestOptions): Promise<Operation>
    /**
     * List operations.
     * Scope: `operations:read`.
     */
    list(query?: PageQuery & {
      /** Only those with this status. */
      status?: 'queued' | 'running' | 'succeeded' | 'failed'
      /** Only operations with this action. */
      action?: 'campaign.create' | 'campaign.update' | 'campaign.duplicate' | 'campaign.update_sequence' | 'campaign.copy_sequence' | 'workspace.update_settings' | 'campaign.update_schedule' | 'campaign.update_mailboxes' | 'campaign.update_settings' | 'campaign.activate' | 'campaign.pause' | 'campaign.resume' | 'campaign.archive' | 'campaign.unarchive' | 'campaign.import_leads' | 'lead.update' | 'lead.requeue' | 'lead.bulk' | 'lead.delete' | 'campaign.import_csv' | 'lead_search.preview' | 'lead_search.generate_filters' | 'lead_search.export' | 'lead_search.attach' | 'directory.import' | 'webhook.create' | 'webhook.update' | 'webhook.delete' | 'webhook.rotate_secret' | 'webhook.test' | 'webhook.replay' | 'webhook.retry_delivery' | 'provider.create' | 'provider.update' | 'provider.delete' | 'provider.verify' | 'provider.begin_consent' | 'provider.consent' | 'provider.check_health' | 'reply.update' | 'reply.answer' | 'suppression.create' | 'suppression.create_many' | 'suppression.import_csv' | 'suppression.delete' | 'person.erase' | 'credits.grant' | 'workspace.create' | 'workspace.update' | 'api_key.create' | 'api_key.revoke' | 'api_key.rotate' | 'token.create' | 'token.revoke' | 'session.create' | 'session.revoke' | 'team.update' | 'team.remove' | 'team.invite' | 'team.withdraw_invitation' | 'team.join' | 'tracking_host.set' | 'tracking_host.delete' | 'sandbox.advance_clock' | 'sandbox.reset_clock' | 'campaign.send_test' | 'plan.create' | 'plan.approve' | 'plan.reject'
      /** Only those of this campaign. */
      campaignId?: string
    }, options?: RequestOptions): List<Operation>
  }
  events: {
    /**
     * Read the event log.
     * Lists events oldest first, or newest first with `order=desc`. Webhooks get the same events. To follow the log, store the last `seq` that you have seen and request the events `after` it. When the events after it are no longer kept, the endpoint returns 410 and states where to continue. A `downloadUrl` is null for a token that has neither `leads:read` nor `leads:export`.
     * Scope: `events:read`.
     */
    list(query?: PageQuery & {
      /** Only events with a higher `seq`. */
      after?: number
      /** Only events of these types. */
      type?: 'lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'provider.copies_failing' | 'provider.copies_stored' | 'tracking_host.verified' | 'tracking_host.failing' | 'provider.health_changed' | 'operation.succeeded' | 'operation.failed' | 'plan.proposed' | 'plan.approved' | 'plan.rejected' | 'plan.applied' | 'plan.failed' | 'webhook.test'
      /** Only those of this campaign. */
      campaignId?: string
      /** Only those of this lead. */
      leadId?: string
      /** Only what happened to messages of this variant. */
      variantId?: string
      /** Only what happened to messages of this mailbox, and to the mailbox itself. */
      providerId?: string
      /** `desc`: newest first. */
      order?: 'asc' | 'desc'
    }, options?: RequestOptions): List<Event>
    /**
     * Follow the event log.
     * Server-sent events: `id` is the `seq`, `event` the type, `data` the event as in the list. The stream begins with the next event, or after the `seq` in `after` or `Last-Event-ID`. It ends when the client disconnects, the token expires or the server stops. A client that reconnects with the last id misses no event. If later events are no longer kept, the endpoint returns 410. The server sends a comment every 15 seconds to show that the stream is alive. The number of open streams of a person or a workspace key is limited.
     * Scope: `events:read`.
     */
    stream(options?: StreamOptions): AsyncIterable<Event>
    /**
     * Get an event.
     * Scope: `events:read`.
     */
    get(eventId: string, options?: RequestOptions): Promise<Event>
  }
  webhooks: {
    /**
     * List webhook endpoints.
     * Scope: `webhooks:read`.
     */
    list(query?: PageQuery, options?: RequestOptions): List<WebhookEndpoint>
    /**
     * Create a webhook endpoint.
     * The endpoint gets the events that happen from now on. The response contains the secret that signs deliveries. The secret is not shown again. The `downloadUrl` in `lead_search.completed` is null for an endpoint whose `url` was set by a token with neither `leads:read` nor `leads:export`.
     * Scope: `webhooks:write`.
     */
    create(body: NewWebhookEndpoint, options?: WriteOptions): Promise<WebhookEndpointWithSecret>
    /**
     * Get a webhook endpoint.
     * Scope: `webhooks:read`.
     */
    get(webhookId: string, options?: RequestOptions): Promise<WebhookEndpoint>
    /**
     * Update, pause or reactivate a webhook endpoint.
     * Deliveries that were pending when the endpoint was paused or disabled continue when it is active again.
     * Scope: `webhooks:write`.
     */
    update(webhookId: string, body?: WebhookEndpointPatch, options?: WriteOptions): Promise<WebhookEndpoint>
    /**
     * Delete a webhook endpoint and its deliveries.
     * Scope: `webhooks:write`.
     */
    delete(webhookId: string, options?: WriteOptions): Promise<void>
    /**
     * Give a webhook endpoint a new secret.
     * Until the overlap ends, each delivery has two signatures: one made with the new secret and one made with the old secret.
     * Scope: `webhooks:write`.
     */
    rotateSecret(webhookId: string, body?: SecretRotation, options?: WriteOptions): Promise<WebhookEndpointWithSecret>
    /**
     * Send a test event.
     * Records a `webhook.test` event and delivers it only to this endpoint, even when the endpoint does not subscribe to it. The endpoint must be active.
     * Scope: `webhooks:write`.
     */
    test(webhookId: string, options?: WriteOptions): Promise<Delivery>
    /**
     * Replay the events of a period.
     * Delivers every event from `since` to `until` (default: now) that the endpoint subscribes to, including events that were delivered before. Receivers recognize repeated events by `webhook-id`. The endpoint must be active.
     * Scope: `webhooks:write`.
     */
    replay(webhookId: string, body: Replay, options?: WriteOptions): Promise<ReplayResult>
    /**
     * List the deliveries of a webhook endpoint.
     * Each attempt is a separate entry.
     * Scope: `webhooks:read`.
     */
    listDeliveries(webhookId: string, query?: PageQuery & {
      /** Only those with this status. */
      status?: 'pending' | 'succeeded' | 'failed'
    }, options?: RequestOptions): List<Delivery>
    /**
     * Get a delivery.
     * Scope: `webhooks:read`.
     */
    getDelivery(webhookId: string, deliveryId: string, options?: RequestOptions): Promise<Delivery>
    /**
     * Send a delivery again.
     * Sends the delivery at once. A pending attempt is made now (200); otherwise a new attempt is created (201). The endpoint must be active.
     * Scope: `webhooks:write`.
     */
    retryDelivery(webhookId: string, deliveryId: string, options?: WriteOptions): Promise<Delivery>
  }
  providers: {
    /**
     * List mailboxes.
     * Scope: `providers:read`.
     */
    list(query?: PageQuery, options?: RequestOptions): List<Provider>
    /**
     * Connect a mailbox.
     * Scope: `providers:write`.
     */
    create(body: NewProvider, options?: WriteOptions): Promise<Provider>
    /**
     * Find the mail servers of an address.
     * Looks for the mail settings of an address. The sources are presets of large hosting providers, the file and the records that its domain publishes, and the usual server names. The service tries each of them and lists the working settings first. Nothing is stored.
     * Scope: `providers:write`.
     */
    discover(query: {
      /** Exactly this address. */
      email: string
    }, options?: RequestOptions): Promise<ProviderDiscovery>
    /**
     * Get a mailbox.
     * Scope: `providers:read`.
     */
    get(providerId: string, options?: RequestOptions): Promise<Provider>
    /**
     * Update a mailbox.
     * When you change servers or credentials, the mailbox becomes unverified. Verify it again.
     * Scope: `providers:write`.
     */
    update(providerId: string, body?: ProviderPatch, options?: WriteOptions): Promise<Provider>
    /**
     * Remove a mailbox.
     * Scope: `providers:write`.
     */
    delete(providerId: string, options?: WriteOptions): Promise<void>
    /**
     * Verify a mailbox.
     * Connects to the mail servers and reports each stage: name resolution, connection, encryption, sign-in, a test email to the mailbox itself, and its inbox. When every stage passes, the mailbox becomes connected and the campaigns that stopped because of it continue. A workspace can start 120 verifications per hour.
     * Scope: `providers:write`.
     */
    verify(providerId: string, options?: WriteOptions): Promise<Verification>
    /**
     * Verify a mailbox as an operation.
     * Does the same as `verify`, but returns immediately. A workspace can start 120 verifications per hour. While the operation is running, its `progress` contains the stages that have ended and those that are being tried. The operation succeeds when every stage was tried: read `ok` in its result.
     * Scope: `providers:write`.
     */
    startVerification(providerId: string, options?: AcceptedOptions): Accepted<ResultOf<'provider.verify'>>
    /**
     * Get the health of the domain of a mailbox.
     * Returns the result of the last check. Before the first check, the list is empty and `checkedAt` is null.
     * Scope: `providers:read`.
     */
    getHealth(providerId: string, options?: RequestOptions): Promise<DomainHealth>
    /**
     * Check the health of the domain of a mailbox.
     * Looks up SPF, DMARC, MX, the name of the mail server and the host of the links in DNS. To check DKIM, it sends one message to another connected mailbox of the workspace that has an inbox. There, it reads the result that the server reports. The operation ends when the message has arrived, or after one minute. A workspace can run 60 checks per hour.
     * Scope: `providers:write`.
     */
    checkHealth(providerId: string, options?: AcceptedOptions): Accepted<ResultOf<'provider.check_health'>>
    /**
     * List messages of an inbox that could not be read.
     * Overture could not read these messages, stored the reason, and continued with the next message. The mailbox still contains them.
     * Scope: `providers:read`.
     */
    listUnreadMessages(providerId: string, query?: PageQuery, options?: RequestOptions): List<UnreadMessage>
    /**
     * Get a message of an inbox that could not be read.
     * Scope: `providers:read`.
     */
    getUnreadMessage(providerId: string, unreadMessageId: string, options?: RequestOptions): Promise<UnreadMessage>
    /**
     * Read the mail of a sandbox mailbox.
     * Lists the messages that would have been sent, and the replies of the simulated recipients.
     * Scope: `leads:read`.
     */
    listSandboxMessages(providerId: string, query?: PageQuery, options?: RequestOptions): List<SandboxMessage>
    /**
     * Get a message of a sandbox mailbox.
     * Scope: `leads:read`.
     */
    getSandboxMessage(providerId: string, messageId: string, options?: RequestOptions): Promise<SandboxMessage>
  }
  consents: {
    /**
     * Request consent in a browser.
     * Returns a URL at Google or Microsoft where the owner of a mailbox allows Overture to send and read mail. The browser then returns to `/oauth/callback`. The URL works once, for ten minutes. When a session requested it, it works only in the same browser. The installation must have registered its own application at the issuer.
     * Scope: `providers:write`.
     */
    create(body: NewConsent, options?: WriteOptions): Promise<Consent>
    /**
     * Request consent on another device.
     * For a command line without a browser: returns a code that a person types in at the issuer (RFC 8628). Then poll for the outcome. Only Microsoft supports this: Google offers no such codes for mail.
     * Scope: `providers:write`.
     */
    createForDevice(body: NewConsent, options?: WriteOptions): Promise<Consent>
    /**
     * Get a consent.
     * Returns the outcome of the consent. A consent is kept for one day.
     * Scope: `providers:read`.
     */
    get(consentId: string, options?: RequestOptions): Promise<Consent>
    /**
     * Poll for the consent on the other device.
     * Asks the issuer at most once per interval. Between two polls, it returns the last known state.
     * Scope: `providers:write`.
     */
    poll(consentId: string, options?: WriteOptions): Promise<Consent>
  }
  replies: {
    /**
     * List replies.
     * Lists the replies from the leads of all campaigns. Bounces are not included.
     * Scope: `leads:read`.
     */
    list(query?: PageQuery & {
      /** Only those of this campaign. */
      campaignId?: string
      /** Only those of this kind. */
      kind?: 'positive' | 'negative' | 'neutral' | 'opt_out' | 'auto_reply'
      /** Only replies that are, or are not, handled. */
      handled?: boolean
      /** Only replies that need, or do not need, a review. */
      needsLook?: boolean
      /** Part of the sender, the subject or the text. Case is ignored. */
      q?: string
    }, options?: RequestOptions): List<Reply>
    /**
     * Get a reply.
     * Scope: `leads:read`.
     */
    get(replyId: string, options?: RequestOptions): Promise<Reply>
    /**
     * Correct the kind of a reply, or mark it as handled.
     * A correction also changes the lead: `opt_out` unsubscribes the lead and suppresses the address, `positive` makes the lead interested and records `ai_sdr.positive_reply` once per lead. A reported meeting or deal stays, and a correction never removes a suppression. A correction also needs the scope `people:write`, because it is an outcome of the lead.
     * Scope: `leads:write`.
     */
    update(replyId: string, body?: ReplyPatch, options?: WriteOptions): Promise<Reply>
    /**
     * Say that you are writing an answer.
     * Shows your team that you are writing an answer to the reply. Send it again every 15 seconds while you write. It ends automatically after 45 seconds. It is only a hint, and nothing is stored.
     * Scope: `leads:write`.
     */
    noteComposing(replyId: string, options?: WriteOptions): Promise<void>
    /**
     * List who is writing an answer.
     * Lists the people and keys that are writing an answer to the reply now, including yourself.
     * Scope: `leads:read`.
     */
    listComposers(replyId: string, options?: RequestOptions): Promise<Actor[]>
    /**
     * Answer a reply.
     * Sends an answer at once, from the mailbox of the thread to the sender of the reply, without footer or tracking. The answer counts toward the daily cap of the mailbox and waits when the cap is reached (the `hold` of the message in the thread shows this). The sending window, the gap and the state of the campaign do not delay it. The operation succeeds when the answer has been sent. The reply is then marked as handled. Returns 409 if the person opted out or was suppressed after the reply. Also returns 409 if the reply was answered before and `again` is not true.
     * Scope: `leads:write`.
     */
    answer(replyId: string, body: NewAnswer, options?: AcceptedOptions): Accepted<ResultOf<'reply.answer'>>
    /**
     * Download an attachment of a reply.
     * Returns the attachment unchanged, as a download. The content type is always `application/octet-stream`, regardless of the type that the sender stated, and the file name is made harmless. The service does not scan attachments for viruses.
     * Scope: `leads:read`.
     */
    downloadAttachment(replyId: string, attachmentId: string, options?: RequestOptions): Promise<Response>
  }
  suppressions: {
    /**
     * List suppressed addresses and domains.
     * Scope: `suppressions:read`.
     */
    list(query?: PageQuery & {
      /** Only those of this kind. */
      kind?: 'email' | 'domain'
      /** A complete address or domain. Case is ignored. */
      value?: string
      /** A part of an address or domain. Case is ignored. A complete address also finds its suppressed domain. If only the hash of an address is left, only the complete address finds it. */
      q?: string
    }, options?: RequestOptions): List<Suppression>
    /**
     * Suppress an address or a domain.
     * No campaign of this workspace emails the address or domain again. If the value is already suppressed, the endpoint returns 200 with the existing entry and does not store the `reason` of this request.
     * Scope: `suppressions:write`.
     */
    create(body: NewSuppression, options?: WriteOptions): Promise<Suppression>
    /**
     * Suppress many addresses and domains.
     * Suppresses up to 5,000 values in one transaction. A row that is neither an address nor a domain is reported, and the others are suppressed.
     * Scope: `suppressions:write`.
     */
    createMany(body: NewSuppressions, options?: WriteOptions): Promise<BulkSuppressionResult>
    /**
     * Suppress the addresses and domains of a CSV file.
     * Send the file as the request body, up to 10 MiB and 20,000 rows. The values are in a column `email`, `domain` or `value`, or in the only column of a file without headers. The names of the columns can be German, French or Spanish, too. A column `reason` is used for its row, and `reason` of the query for the others. All rows are suppressed in one transaction. The result lists rows that cannot be read, or have no valid value, by line. Of a row with an address and a domain, only the address is suppressed, with a warning.
     * Scope: `suppressions:write`.
     */
    importCsv(query: {
      /** The reason for all values without their own. */
      reason?: string
    }, file: string | Uint8Array<ArrayBuffer> | Blob, options?: WriteOptions): Promise<CsvSuppressionResult>
    /**
     * Get a suppression.
     * Scope: `suppressions:read`.
     */
    get(suppressionId: string, options?: RequestOptions): Promise<Suppression>
    /**
     * Remove a suppression.
     * Scope: `suppressions:write`.
     */
    delete(suppressionId: string, options?: WriteOptions): Promise<void>
  }
  erasures: {
    /**
     * Erase a person.
     * Removes all data that the workspace has about the person with this address: leads, messages, replies, and the personal data in events, exports and operations. A suppression stays, which recognizes the address by a keyed hash, and so do anonymous counts. The result counts the erased records. An address without any data is suppressed, too. Erasure cannot be undone.
     * Scope: `people:write`.
     */
    create(body: NewErasure, options?: AcceptedOptions): Accepted<ResultOf<'person.erase'>>
  }
  credits: {
    /**
     * Get the credit balance.
     * Scope: `credits:read`.
     */
    get(options?: RequestOptions): Promise<Credits>
    /**
     * Grant credits to the workspace.
     * The credits are available at once. If you run Overture for others, keep this scope to yourself.
     * Scope: `credits:write`.
     */
    grant(body: NewCreditGrant, options?: WriteOptions): Promise<LedgerEntry>
    /**
     * List credit movements.
     * Scope: `credits:read`.
     */
    listLedger(query?: PageQuery, options?: RequestOptions): List<LedgerEntry>
    /**
     * Get a credit movement.
     * Scope: `credits:read`.
     */
    getLedgerEntry(entryId: string, options?: RequestOptions): Promise<LedgerEntry>
  }
  apiKeys: {
    /**
     * List workspace keys.
     * Scope: `tokens:read`.
     */
    list(query?: PageQuery, options?: RequestOptions): List<Token>
    /**
     * Create a workspace key.
     * The key has no more scopes than the token that creates it, and expires no later.
     * Scope: `tokens:write`.
     */
    create(body: NewApiKey, options?: WriteOptions): Promise<IssuedToken>
    /**
     * Get a workspace key.
     * Scope: `tokens:read`.
     */
    get(apiKeyId: string, options?: RequestOptions): Promise<Token>
    /**
     * Revoke a workspace key.
     * Every process refuses the key from the next request on. Keys that it created are not revoked. You need all scopes of the key, unless your token created it.
     * Scope: `tokens:write`.
     */
    revoke(apiKeyId: string, options?: WriteOptions): Promise<void>
    /**
     * Replace a workspace key.
     * You need all scopes of the key. Both keys work until the overlap ends. The new key gets the lifetime of the old key. It expires no later than the later of the old key and the token of the request. Keys that the old key created work until they expire or are revoked.
     * Scope: `tokens:write`.
     */
    rotate(apiKeyId: string, body?: {
      /** How long the old key continues to work. Defaults to one day. */
      overlapSeconds?: number
    }, options?: WriteOptions): Promise<IssuedToken>
  }
  tokens: {
    /**
     * List your personal tokens.
     * Scope: `tokens:read`.
     */
    list(query?: PageQuery, options?: RequestOptions): List<Token>
    /**
     * Create a personal token.
     * When you send no scopes, the new token gets the scopes of the token that creates it. It expires no later than that token.
     * Scope: `tokens:write`.
     */
    create(body: NewToken, options?: WriteOptions): Promise<IssuedToken>
    /**
     * Get the token of this request.
     * Any valid token.
     */
    getCurrent(options?: RequestOptions): Promise<Token>
    /**
     * Get a personal token.
     * Scope: `tokens:read`.
     */
    get(tokenId: string, options?: RequestOptions): Promise<Token>
    /**
     * Revoke a personal token.
     * Tokens and keys that it created are not revoked. You need all scopes that the token has for you, unless your token created it.
     * Scope: `tokens:write`.
     */
    revoke(tokenId: string, options?: WriteOptions): Promise<void>
  }
  sessions: {
    /**
     * Sign in.
     * Exchanges a token in the `authorization` header, or the code of a sign-in link, for a session. It consists of a cookie that scripts cannot read, and a key that the page sends with each request. The session acts as the token: it has the same scopes and ends no later.
     * A token or a code.
     */
    create(body?: SignIn, options?: WriteOptions): Promise<SignedIn>
    /**
     * List your sessions.
     * With a personal token: the sessions of all your tokens. With a workspace key: the sessions of this key.
     * Scope: `tokens:read`.
     */
    list(query?: PageQuery, options?: RequestOptions): List<Session>
    /**
     * Get the user, the token and the workspaces of this request.
     * Returns the token, its user, its scopes and its workspaces. With a session, it also returns when the session ends.
     * Any valid token.
     */
    getIdentity(options?: RequestOptions): Promise<Identity>
    /**
     * Get a session.
     * Scope: `tokens:read`.
     */
    get(sessionId: string, options?: RequestOptions): Promise<Session>
    /**
     * End a session.
     * Every process refuses the session from the next request on. A token can end its own sessions, and those of tokens whose scopes it has.
     * Scope: `tokens:write`.
     */
    revoke(sessionId: string, options?: WriteOptions): Promise<void>
    /**
     * Sign out.
     * Ends the session of this request and deletes its cookie.
     * Any valid token.
     */
    signOut(options?: WriteOptions): Promise<void>
  }
  team: {
    /**
     * List the people of a workspace.
     * Scope: `team:read`.
     */
    list(query?: PageQuery, options?: RequestOptions): List<Member>
    /**
     * Invite a person.
     * The person becomes a member when they accept. Returns a link that works once, for seven days. Send it to the person yourself. You can give a role only if you have all of its scopes. An earlier invitation to the same address ends, if you could have made it. All open invitations of a person or a token end when the person is removed or gets another role, or when the token is revoked.
     * Scope: `team:write`.
     */
    invite(body: NewInvitation, options?: WriteOptions): Promise<IssuedInvitation>
    /**
     * Get a person of a workspace.
     * Scope: `team:read`.
     */
    get(userId: string, options?: RequestOptions): Promise<Member>
    /**
     * Change the role of a person.
     * The new role applies from the next request on. You need the scopes of both roles, the old and the new. You therefore cannot give a role above your own, or change the role of a person above you. A workspace always keeps at least one owner. Open invitations that the person made end.
     * Scope: `team:write`.
     */
    update(userId: string, body: MemberPatch, options?: WriteOptions): Promise<Member>
    /**
     * Remove a person from a workspace, or leave it.
     * From the next request on, the tokens, sessions and streams of the person cannot use the workspace. When the person is in no other workspace, all their tokens and sessions end. Workspace keys and webhook endpoints that they created keep working: review those, too. Every member may leave; removing another person needs `team:write`.
     * Scope: `team:write`.
     */
    remove(userId: string, options?: WriteOptions): Promise<void>
    /**
     * List open invitations.
     * Scope: `team:read`.
     */
    listInvitations(query?: PageQuery, options?: RequestOptions): List<Invitation>
    /**
     * Get an open invitation.
     * Scope: `team:read`.
     */
    getInvitation(invitationId: string, options?: RequestOptions): Promise<Invitation>
    /**
     * Withdraw an invitation.
     * You need all scopes of its role. Only an owner can withdraw the invitation of an owner.
     * Scope: `team:write`.
     */
    withdrawInvitation(invitationId: string, options?: WriteOptions): Promise<void>
    /**
     * Accept an invitation as a new user.
     * Needs only the code. Returns a personal token and signs the person in. A person whose address is already known must use `team.join` instead, because the code does not prove their identity.
     * A token or a code.
     */
    acceptInvitation(body: {
      /** The code from the invitation link. It works once. */
      code: string
      /** The name. */
      name: string
    }, options?: WriteOptions): Promise<Joined>
    /**
     * Accept an invitation as an existing user.
     * Needs a personal token or a session of the person whose address was invited. After that, all tokens of this person can use the workspace.
     * Any valid token.
     */
    join(body: {
      /** The code from the invitation link. It works once. */
      code: string
    }, options?: WriteOptions): Promise<{
      /** The workspace. */
      workspaceId: string
      /** The member. */
      member: Member
    }>
  }
  audit: {
    /**
     * List the audit trail.
     * Lists every write in the workspace, and the sign-ins, sessions and personal tokens of its current members. Entries are kept as long as operations.
     * Scope: `audit:read`.
     */
    list(query?: PageQuery & {
      /** The id of a person or of a workspace key. */
      actorId?: string
      /** Only operations with this action. */
      action?: string
      /** Only those that were created at this time or later. */
      createdFrom?: string
      /** Only those that were created at this time or earlier. Not before `createdFrom`. */
      createdTo?: string
    }, options?: RequestOptions): List<AuditEntry>
    /**
     * Get an entry of the audit trail.
     * Scope: `audit:read`.
     */
    get(entryId: string, options?: RequestOptions): Promise<AuditEntry>
  }
  trackingHost: {
    /**
     * Get the tracking host of a workspace.
     * Returns the host of the links in messages. A workspace without a tracking host uses the address of the installation.
     * Scope: `workspaces:read`.
     */
    get(options?: RequestOptions): Promise<TrackingHost>
    /**
     * Set your own tracking host.
     * Stores the host and verifies it with an https request from outside: the host must lead to this installation. The operation succeeds in both cases. The `status` of its result is `verified`, or `pending` with a `reason`. The service checks a pending host again automatically and does not use it in links until it is verified. Until then, the previous host stays in use. To verify at once, send the same host again.
     * Scope: `workspaces:write`.
     */
    set(body: NewTrackingHost, options?: AcceptedOptions): Accepted<ResultOf<'tracking_host.set'>>
    /**
     * Remove the tracking host of a workspace.
     * New messages use the address of the installation in their links again. The links in sent messages keep working as long as the host leads to this installation.
     * Scope: `workspaces:write`.
     */
    delete(options?: WriteOptions): Promise<void>
  }
  sandbox: {
    /**
     * Get the test clock.
     * Returns the time that campaigns use, how far it is ahead of real time, and whether you can advance it.
     * Scope: `campaigns:read`.
     */
    getClock(options?: RequestOptions): Promise<SandboxClock>
    /**
     * Advance the test clock.
     * Advances the time for all campaigns of a local installation whose mailboxes are all sandboxes. Messages, opens, replies and follow-ups happen in order, each at its own time. The result of the operation counts what happened in the workspace of the token; for a personal token, in the first workspace of its user. The clock belongs to that workspace until it is reset, and no other workspace can advance it.
     * Scope: `campaigns:write`.
     */
    advanceClock(body?: {
      /** The amount of time to add, at most 366 days. */
      advance?: {
        /** Hours to add. */
        hours?: number
        /** Days to add. */
        days?: number
      }
      /** `idle`: until nothing more is planned, for at most 366 days. */
      until?: 'idle'
      /** The time to advance to, at most 366 days ahead of the clock. */
      to?: string
    }, options?: AcceptedOptions): Accepted<ResultOf<'sandbox.advance_clock'>>
    /**
     * Reset the test clock.
     * Sets the clock back to real time. Past events keep their times, and planned messages wait until their time comes. Connecting a real mailbox resets the clock, too.
     * Scope: `campaigns:write`.
     */
    resetClock(options?: WriteOptions): Promise<void>
  }
  plans: {
    /**
     * List plans.
     * Scope: `operations:read`.
     */
    list(query?: PageQuery & {
      /** Only those with this status. */
      status?: 'pending' | 'approved' | 'applied' | 'rejected' | 'failed' | 'expired'
    }, options?: RequestOptions): List<Plan>
    /**
     * Propose a request.
     * For agents. Nothing happens until a person approves the plan and `plans.apply` carries it out. `ifMatch` is compared now, and the approval binds what the plan depends on from then on. The plan describes the effect of the request for the person who decides. The token needs the scopes of the request that it proposes. The personal tokens of a user can have 100 open plans together, and so can a workspace key and the keys that it created.
     * Scope: `operations:read`.
     */
    create(body: NewPlan, options?: WriteOptions): Promise<ProposedPlan>
    /**
     * Get a plan.
     * Scope: `operations:read`.
     */
    get(planId: string, options?: RequestOptions): Promise<Plan>
    /**
     * Approve a plan.
     * Needs a session or a personal token of a person who could make the request themselves. The token that proposed the plan cannot approve it, nor can a token that it created.
     * Scope: `operations:read`.
     */
    approve(planId: string, options?: WriteOptions): Promise<Plan>
    /**
     * Reject a plan.
     * A rejected plan is never carried out, even if it was approved before.
     * Scope: `operations:read`.
     */
    reject(planId: string, options?: WriteOptions): Promise<Plan>
    /**
     * Carry out an approved plan.
     * Makes exactly the request that was approved, once. Only the token that proposed the plan can do so. A repeated call returns the same response. The state on which the plan was based is compared once more in the transaction of the change. When it has changed, or the request is refused, you need a new plan.
     * Any valid token.
     */
    apply(body: {
      /** The token that the proposal returned. */
      planToken: string
    }, options?: WriteOptions): Promise<Plan>
  }
}

export const TABLE: Record<string, Record<string, string>> = {
  campaigns: {
    list: 'list GET w/campaigns?',
    create: 'data POST w/campaigns!',
    get: 'data GET w/campaigns/:campaignId',
    update: 'accepted PATCH w/campaigns/:campaignId!',
    duplicate: 'accepted POST w/campaigns/:campaignId/duplicate!',
    getMetrics: 'data GET w/campaigns/:campaignId/metrics',
    getSchedule: 'data GET w/campaigns/:campaignId/schedule',
    updateSchedule: 'accepted PUT w/campaigns/:campaignId/schedule!',
    getMetricSeries: 'data GET w/campaigns/:campaignId/metrics/series?',
    updateMailboxes: 'accepted PUT w/campaigns/:campaignId/mailboxes!',
    updateSettings: 'accepted PUT w/campaigns/:campaignId/settings!',
    activate: 'accepted POST w/campaigns/:campaignId/activate',
    pause: 'accepted POST w/campaigns/:campaignId/pause',
    resume: 'accepted POST w/campaigns/:campaignId/resume',
    archive: 'accepted POST w/campaigns/:campaignId/archive',
    unarchive: 'accepted POST w/campaigns/:campaignId/unarchive',
    preview: 'data POST w/campaigns/:campaignId/preview!-',
    getPreview: 'data GET w/campaigns/:campaignId/preview?',
    simulate: 'data POST w/campaigns/:campaignId/simulate!-',
    getSimulation: 'data GET w/campaigns/:campaignId/simulate?',
    getSendingStatus: 'data GET w/campaigns/:campaignId/sending',
    compareVariants: 'data GET w/campaigns/:campaignId/variants',
    validate: 'data GET w/campaigns/:campaignId/validate',
  },
  metrics: {
    getSeries: 'data GET w/metrics/series?',
  },
  sequences: {
    get: 'data GET w/campaigns/:campaignId/sequence',
    replace: 'accepted PUT w/campaigns/:campaignId/sequence!',
    copy: 'accepted POST w/campaigns/:campaignId/sequence/copy!',
    sendTest: 'accepted POST w/campaigns/:campaignId/sequence/test!',
  },
  workspaces: {
    getSettings: 'data GET w/settings',
    updateSettings: 'accepted PUT w/settings!',
    list: 'list GET /v1/workspaces?',
    create: 'data POST /v1/workspaces!',
    get: 'data GET /v1/workspaces/:workspaceId',
    update: 'data PATCH /v1/workspaces/:workspaceId!',
  },
  leads: {
    listTimeline: 'list GET w/campaigns/:campaignId/leads/:leadId/timeline?',
    getTimelineEntry: 'data GET w/campaigns/:campaignId/leads/:leadId/timeline/:entryId',
    list: 'list GET w/campaigns/:campaignId/leads?',
    import: 'accepted POST w/campaigns/:campaignId/leads/import!',
    get: 'data GET w/campaigns/:campaignId/leads/:leadId',
    update: 'data PATCH w/campaigns/:campaignId/leads/:leadId!',
    delete: 'nothing DELETE w/campaigns/:campaignId/leads/:leadId',
    requeue: 'data POST w/campaigns/:campaignId/leads/:leadId/requeue',
    changeMany: 'accepted POST w/campaigns/:campaignId/leads/bulk!',
    importCsv: 'accepted POST w/campaigns/:campaignId/leads/import/csv?#',
    downloadRejectedRows: 'raw GET w/campaigns/:campaignId/leads/import/:operationId/rejected-rows',
    listThread: 'list GET w/campaigns/:campaignId/leads/:leadId/thread?',
    getThreadMessage: 'data GET w/campaigns/:campaignId/leads/:leadId/thread/:messageId',
  },
  leadSearches: {
    preview: 'accepted POST w/campaigns/:campaignId/leads/search/preview!',
    explore: 'accepted POST w/leads/search/preview!',
    generateFilters: 'accepted POST w/leads/search/ai!',
    export: 'accepted POST w/leads/search!',
    attach: 'accepted POST w/campaigns/:campaignId/leads/search!',
    getFilters: 'data GET w/lead-filters',
  },
  exports: {
    list: 'list GET w/exports?',
    get: 'data GET w/exports/:exportId',
    download: 'raw GET w/exports/:exportId/download?',
  },
  directory: {
    importPeople: 'accepted POST w/directory/people!',
  },
  operations: {
    get: 'bare GET /v1/operations/:operationId',
    list: 'list GET w/operations?',
  },
  events: {
    list: 'list GET w/events?',
    stream: 'stream GET w/events/stream',
    get: 'data GET w/events/:eventId',
  },
  webhooks: {
    list: 'list GET w/webhooks?',
    create: 'data POST w/webhooks!',
    get: 'data GET w/webhooks/:webhookId',
    update: 'data PATCH w/webhooks/:webhookId!',
    delete: 'nothing DELETE w/webhooks/:webhookId',
    rotateSecret: 'data POST w/webhooks/:webhookId/rotate-secret!',
    test: 'data POST w/webhooks/:webhookId/test',
    replay: 'data POST w/webhooks/:webhookId/replay!',
    listDeliveries: 'list GET w/webhooks/:webhookId/deliveries?',
    getDelivery: 'data GET w/webhooks/:webhookId/deliveries/:deliveryId',
    retryDelivery: 'data POST w/webhooks/:webhookId/deliveries/:deliveryId/retry',
  },
  providers: {
    list: 'list GET w/providers?',
    create: 'data POST w/providers!',
    discover: 'data GET w/providers/discover?',
    get: 'data GET w/providers/:providerId',
    update: 'data PATCH w/providers/:providerId!',
    delete: 'nothing DELETE w/providers/:providerId',
    verify: 'data POST w/providers/:providerId/verify',
    startVerification: 'accepted POST w/providers/:providerId/verifications',
    getHealth: 'data GET w/providers/:providerId/health',
    checkHealth: 'accepted POST w/providers/:providerId/health/check',
    listUnreadMessages: 'list GET w/providers/:providerId/unread-messages?',
    getUnreadMessage: 'data GET w/providers/:providerId/unread-messages/:unreadMessageId',
    listSandboxMessages: 'list GET w/providers/:providerId/sandbox-messages?',
    getSandboxMessage: 'data GET w/providers/:providerId/sandbox-messages/:messageId',
  },
  consents: {
    create: 'data POST w/oauth/authorizations!-',
    createForDevice: 'data POST w/oauth/authorizations/device!-',
    get: 'data GET w/oauth/authorizations/:consentId',
    poll: 'data POST w/oauth/authorizations/:consentId/poll-',
  },
  replies: {
    list: 'list GET w/replies?',
    get: 'data GET w/replies/:replyId',
    update: 'data PATCH w/replies/:replyId!',
    noteComposing: 'nothing POST w/replies/:replyId/composing-',
    listComposers: 'data GET w/replies/:replyId/composing',
    answer: 'accepted POST w/replies/:replyId/answer!',
    downloadAttachment: 'raw GET w/replies/:replyId/attachments/:attachmentId',
  },
  suppressions: {
    list: 'list GET w/suppressions?',
    create: 'data POST w/suppressions!',
    createMany: 'data POST w/suppressions/bulk!',
    importCsv: 'data POST w/suppressions/import/csv?#',
    get: 'data GET w/suppressions/:suppressionId',
    delete: 'nothing DELETE w/suppressions/:suppressionId',
  },
  erasures: {
    create: 'accepted POST w/erasures!',
  },
  credits: {
    get: 'data GET w/credits',
    grant: 'data POST w/credits/grants!',
    listLedger: 'list GET w/credits/ledger?',
    getLedgerEntry: 'data GET w/credits/ledger/:entryId',
  },
  apiKeys: {
    list: 'list GET w/api-keys?',
    create: 'data POST w/api-keys!',
    get: 'data GET w/api-keys/:apiKeyId',
    revoke: 'nothing DELETE w/api-keys/:apiKeyId',
    rotate: 'data POST w/api-keys/:apiKeyId/rotate!',
  },
  tokens: {
    list: 'list GET /v1/tokens?',
    create: 'data POST /v1/tokens!',
    getCurrent: 'data GET /v1/tokens/current',
    get: 'data GET /v1/tokens/:tokenId',
    revoke: 'nothing DELETE /v1/tokens/:tokenId',
  },
  sessions: {
    create: 'data POST /v1/sessions!-',
    list: 'list GET /v1/sessions?',
    getIdentity: 'data GET /v1/session',
    get: 'data GET /v1/sessions/:sessionId',
    revoke: 'nothing DELETE /v1/sessions/:sessionId',
    signOut: 'nothing DELETE /v1/sessions/current',
  },
  team: {
    list: 'list GET w/members?',
    invite: 'data POST w/members!',
    get: 'data GET w/members/:userId',
    update: 'data PATCH w/members/:userId!',
    remove: 'nothing DELETE w/members/:userId',
    listInvitations: 'list GET w/members/invitations?',
    getInvitation: 'data GET w/members/invitations/:invitationId',
    withdrawInvitation: 'nothing DELETE w/members/invitations/:invitationId',
    acceptInvitation: 'data POST /v1/invitations/accept!-',
    join: 'data POST /v1/invitations/join!-',
  },
  audit: {
    list: 'list GET w/audit?',
    get: 'data GET w/audit/:entryId',
  },
  trackingHost: {
    get: 'data GET w/tracking-host',
    set: 'accepted PUT w/tracking-host!',
    delete: 'nothing DELETE w/tracking-host',
  },
  sandbox: {
    getClock: 'data GET /v1/sandbox/clock',
    advanceClock: 'accepted POST /v1/sandbox/clock!',
    resetClock: 'nothing DELETE /v1/sandbox/clock',
  },
  plans: {
    list: 'list GET w/plans?',
    create: 'data POST w/plans!',
    get: 'data GET w/plans/:planId',
    approve: 'data POST w/plans/:planId/approve',
    reject: 'data POST w/plans/:planId/reject',
    apply: 'data POST w/plans/apply!-',
  },
}
