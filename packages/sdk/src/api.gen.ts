// Made from openapi.json by scripts/sdk-types.ts. Do not edit: run `node scripts/sdk-types.ts`.

import type { Accepted, AcceptedOptions, List, RequestOptions, ResultOf, StreamOptions, WriteOptions } from './calls.ts'
import type { AuditEntry, BulkSuppressionResult, Campaign, CampaignPatch, Consent, Credits, CsvTrial, Delivery, DirectoryImport, DomainHealth, Event, Export, Identity, Invitation, IssuedInvitation, IssuedToken, Joined, Lead, LeadBulk, LeadFilters, LeadImport, LeadPatch, LeadSearchBrief, LeadSearchOrder, LeadSearchPreview, LedgerEntry, MailboxesUpdate, Member, MemberPatch, MetricSeries, MetricsResult, NewAnswer, NewApiKey, NewCampaign, NewConsent, NewCreditGrant, NewErasure, NewInvitation, NewPlan, NewProvider, NewSequence, NewSuppression, NewSuppressions, NewToken, NewTrackingHost, NewWebhookEndpoint, Operation, Plan, Preview, PreviewRequest, ProposedPlan, Provider, ProviderDiscovery, ProviderPatch, Readiness, Replay, ReplayResult, Reply, ReplyPatch, SandboxClock, SandboxMessage, Schedule, ScheduleUpdate, SecretRotation, SendingStatus, Sequence, Session, SettingsUpdate, SignIn, Simulation, SimulationRequest, Suppression, ThreadMessage, TimelineEntry, Token, TrackingHost, UnreadMessage, VariantComparison, Verification, WebhookEndpoint, WebhookEndpointPatch, WebhookEndpointWithSecret, Workspace, WorkspaceSettings, WorkspaceSettingsUpdate } from './types.gen.ts'

export interface Api {
  campaigns: {
    /**
     * List campaigns.
     * Scope: `campaigns:read`.
     */
    list(query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
      /** Part of the name, in any case. */
      q?: string
      status?: 'draft' | 'active' | 'paused' | 'completed' | 'archived' | 'attention_needed'
      /** Defaults to `active`, or to `archived` when only archived ones are asked for. */
      displayStatus?: 'active' | 'archived'
      providerId?: string
      createdFrom?: string
      createdTo?: string
      updatedFrom?: string
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
     * Only the fields sent are changed. When the campaign has changed since the `if-match` timestamp, the operation fails with `precondition_failed` and nothing is saved.
     * Scope: `campaigns:write`.
     */
    update(campaignId: string, body: CampaignPatch, options: AcceptedOptions & { ifMatch: string }): Accepted<ResultOf<'campaign.update'>>
    /**
     * Duplicate a campaign.
     * A new draft with the configuration, the sequence and the sending window; without leads, metrics and dates.
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
     * In every status but archived. Once the operation has succeeded, nothing leaves outside the new window. A campaign that was completed by its end date goes on when it gets a later one. Only the fields sent are changed. The operation fails with `precondition_failed` when the campaign has changed since `if-match`.
     * Scope: `campaigns:write`.
     */
    updateSchedule(campaignId: string, body: ScheduleUpdate, options: AcceptedOptions & { ifMatch: string }): Accepted<ResultOf<'campaign.update_schedule'>>
    /**
     * Get the results of a campaign over time.
     * Counted when it happened: e-mails sent, opens and clicks by people, replies, leads found interested, and leads that bounced or unsubscribed. The sums are those of the metrics of a campaign.
     * Scope: `campaigns:read`.
     */
    getMetricSeries(campaignId: string, query?: {
      /** Weeks begin on Monday. */
      interval?: 'hour' | 'day' | 'week'
      /** An IANA name: when days and weeks begin. */
      timezone?: string
      /** From this quarter of an hour on. Defaults to 2 days, 30 days or 26 weeks before `to`. */
      from?: string
      /** Up to this time, without it. Defaults to now. */
      to?: string
      groupBy?: 'step' | 'variant' | 'mailbox' | 'campaign'
    }, options?: RequestOptions): Promise<MetricSeries>
    /**
     * Change the mailboxes a campaign sends from.
     * In every status but archived. Leads with a thread stay with their mailbox, unless `moveThreads` says otherwise or it is gone. Only the fields sent are changed. The operation fails with `precondition_failed` when the campaign has changed since `if-match`.
     * Scope: `campaigns:write`.
     */
    updateMailboxes(campaignId: string, body: MailboxesUpdate, options: AcceptedOptions & { ifMatch: string }): Accepted<ResultOf<'campaign.update_mailboxes'>>
    /**
     * Change the name, the tracking and the labels of a campaign.
     * In every status but archived. Once the operation has succeeded, nothing leaves with the old tracking. Only the fields sent are changed. The operation fails with `precondition_failed` when the campaign has changed since `if-match`.
     * Scope: `campaigns:write`.
     */
    updateSettings(campaignId: string, body: SettingsUpdate, options: AcceptedOptions & { ifMatch: string }): Accepted<ResultOf<'campaign.update_settings'>>
    /**
     * Activate a draft campaign.
     * It must be ready: see `validate`.
     * Scope: `campaigns:write`.
     */
    activate(campaignId: string, options?: AcceptedOptions): Accepted<ResultOf<'campaign.activate'>>
    /**
     * Pause a campaign.
     * Once the operation has succeeded, no message leaves.
     * Scope: `campaigns:write`.
     */
    pause(campaignId: string, options?: AcceptedOptions): Accepted<ResultOf<'campaign.pause'>>
    /**
     * Resume a paused campaign.
     * It must be ready: see `validate`.
     * Scope: `campaigns:write`.
     */
    resume(campaignId: string, options?: AcceptedOptions): Accepted<ResultOf<'campaign.resume'>>
    /**
     * Archive a campaign.
     * Pause an active campaign first: an active one answers 409.
     * Scope: `campaigns:write`.
     */
    archive(campaignId: string, options?: AcceptedOptions): Accepted<ResultOf<'campaign.archive'>>
    /**
     * Bring an archived campaign back.
     * It gets the status it had before.
     * Scope: `campaigns:write`.
     */
    unarchive(campaignId: string, options?: AcceptedOptions): Accepted<ResultOf<'campaign.unarchive'>>
    /**
     * Preview a message.
     * A step as a lead would get it: subject, text, HTML and headers. Nothing is sent or saved. Without the scope `leads:read` a made-up person is shown, and no lead can be named.
     * Scope: `campaigns:read`.
     */
    preview(campaignId: string, body: PreviewRequest, options?: WriteOptions): Promise<Preview>
    /**
     * Get the preview of a message.
     * A step as a lead would get it: subject, text, HTML and headers. Nothing is sent or saved. Without the scope `leads:read` a made-up person is shown, and no lead can be named.
     * Scope: `campaigns:read`.
     */
    getPreview(campaignId: string, query?: {
      /** When omitted: the first lead of the campaign, or an invented one. */
      leadId?: string
      /** When omitted: the variant that the lead would get. */
      variantId?: string
      /** The number of the step, from 0. */
      step?: number
    }, options?: RequestOptions): Promise<Preview>
    /**
     * Simulate the rest of a campaign.
     * Every planned message by day and mailbox, the end, and the limit that decides it; worked out by the code that sends. It assumes that nobody answers and that no other campaign uses the mailboxes. At most 250 000 messages are planned; what comes after them counts as beyond the horizon. In campaigns with more than 20 000 leads, those that fall due within the same minute count as due together (within a quarter of an hour above 100 000). Nothing is sent or saved.
     * Scope: `campaigns:read`.
     */
    simulate(campaignId: string, body?: SimulationRequest, options?: WriteOptions): Promise<Simulation>
    /**
     * Get the simulation of the rest of a campaign.
     * Every planned message by day and mailbox, the end, and the limit that decides it; worked out by the code that sends. It assumes that nobody answers and that no other campaign uses the mailboxes. At most 250 000 messages are planned; what comes after them counts as beyond the horizon. In campaigns with more than 20 000 leads, those that fall due within the same minute count as due together (within a quarter of an hour above 100 000). Nothing is sent or saved.
     * Scope: `campaigns:read`.
     */
    getSimulation(campaignId: string, query?: {
      /** How many days to look ahead. Default: 365. */
      horizonDays?: number
    }, options?: RequestOptions): Promise<Simulation>
    /**
     * Get what is being sent, and why other messages wait.
     * The sum of what keeps leads waiting, in words: "142 wait for Monday 09:00 Europe/Berlin, 12 lack firstName". The contact rules are asked about the 10 000 leads that are due first; the others count as if no rule held them back.
     * Scope: `campaigns:read`.
     */
    getSendingStatus(campaignId: string, options?: RequestOptions): Promise<SendingStatus>
    /**
     * Compare the variants of each step.
     * By positive replies, with the range in which the true rate lies. Without enough data it says so instead of naming a winner.
     * Scope: `campaigns:read`.
     */
    compareVariants(campaignId: string, options?: RequestOptions): Promise<VariantComparison>
    /**
     * Validate campaign readiness.
     * Lists everything that keeps the campaign from being activated, and warns of what does not: leads that could not be written to, counted by reason, and follow-ups without a delay.
     * Scope: `campaigns:read`.
     */
    validate(campaignId: string, options?: RequestOptions): Promise<Readiness>
  }
  metrics: {
    /**
     * Get the results of the workspace over time.
     * Counted when it happened: e-mails sent, opens and clicks by people, replies, leads found interested, and leads that bounced or unsubscribed. The sums are those of the metrics of a campaign.
     * Scope: `campaigns:read`.
     */
    getSeries(query?: {
      /** Weeks begin on Monday. */
      interval?: 'hour' | 'day' | 'week'
      /** An IANA name: when days and weeks begin. */
      timezone?: string
      /** From this quarter of an hour on. Defaults to 2 days, 30 days or 26 weeks before `to`. */
      from?: string
      /** Up to this time, without it. Defaults to now. */
      to?: string
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
     * Makes a new version. Leads that have begun stay on the version they began with.
     * Scope: `campaigns:write`.
     */
    replace(campaignId: string, body: NewSequence, options: AcceptedOptions & { ifMatch: string }): Accepted<ResultOf<'campaign.update_sequence'>>
    /**
     * Copy the sequence of another campaign.
     * Scope: `campaigns:write`.
     */
    copy(campaignId: string, body: {
      sourceCampaignId: string
    }, options?: AcceptedOptions): Accepted<ResultOf<'campaign.copy_sequence'>>
    /**
     * Send a step to yourself.
     * Sends one step, as a lead would get it, to an address of yours: now, from the mailbox of the campaign, with `[Test]` in front of the subject. Nothing is tracked or counted, and no lead knows of it. A workspace may do so 20 times in an hour and 60 times in a day. Naming a lead, or seeing one, needs the scope `leads:read`; otherwise a made-up person is written to.
     * Scope: `campaigns:write`.
     */
    sendTest(campaignId: string, body: {
      /** Where it goes. A suppressed address is refused. */
      to: string
      /** Counted from 0. The first when left out. */
      step?: number
      /** Whose variables are used. The first lead, or a made-up one, when left out. */
      leadId?: string
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
     * Every message that is judged after the operation has succeeded is judged by the new rules. A campaign can say otherwise in its own settings. The operation fails with `precondition_failed` when the workspace has changed since `if-match`; its `updatedAt` is that of the settings.
     * Scope: `workspaces:write`.
     */
    updateSettings(body: WorkspaceSettingsUpdate, options: AcceptedOptions & { ifMatch: string }): Accepted<ResultOf<'workspace.update_settings'>>
    /**
     * List the workspaces that the token can use.
     * Scope: `workspaces:read`.
     */
    list(query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
    }, options?: RequestOptions): List<Workspace>
    /**
     * Create a workspace.
     * Needs a personal token: an organization key belongs to one workspace.
     * Scope: `workspaces:write`.
     */
    create(body: {
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
      name?: string
    }, options?: WriteOptions): Promise<Workspace>
  }
  leads: {
    /**
     * Get everything that happened to a lead.
     * Oldest first.
     * Scope: `leads:read`.
     */
    listTimeline(campaignId: string, leadId: string, query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
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
    list(campaignId: string, query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
      status?: 'not_yet_contacted' | 'contacted' | 'sequence_completed' | 'replied' | 'interested' | 'not_interested' | 'meeting_booked' | 'meeting_completed' | 'closed' | 'bounced' | 'unsubscribed' | 'skipped'
      email?: string
      /** Part of the address, the name or the company, in any case. */
      q?: string
    }, options?: RequestOptions): List<Lead>
    /**
     * Import leads.
     * Up to 5 000 at a time, or all people of an export that was bought before. Duplicates and suppressed addresses are left out and counted; bad rows are reported by their index.
     * Scope: `leads:write`.
     */
    import(campaignId: string, body: LeadImport, options?: AcceptedOptions): Accepted<ResultOf<'campaign.import_leads'>>
    /**
     * Get a campaign lead.
     * Scope: `leads:read`.
     */
    get(campaignId: string, leadId: string, options?: RequestOptions): Promise<Lead>
    /**
     * Change a lead, or report an outcome.
     * Only the fields sent are changed. A lead that was skipped because it lacked a variable waits again when its fields change. From `replied` on nothing more is sent to the lead. `opportunityValue` also needs the scope `deals:write`.
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
     * Its next step is due at once, or when the delay after the previous one has passed. A lead that was not skipped answers 409.
     * Scope: `leads:write`.
     */
    requeue(campaignId: string, leadId: string, options?: WriteOptions): Promise<Lead>
    /**
     * Change many leads.
     * Deletes, requeues, sets the status of, or moves up to 1 000 leads by id, or all that fit a filter. The result counts them. A moved lead begins anew in the other campaign, with a new id; who has answered, is suppressed or is there already stays. `set_status` also needs the scope `people:write`.
     * Scope: `leads:write`.
     */
    changeMany(campaignId: string, body: LeadBulk, options?: AcceptedOptions): Accepted<ResultOf<'lead.bulk'>>
    /**
     * Import leads from a CSV file.
     * The file is the body, up to 200 MB: in UTF-8, UTF-16 or Windows-1252, separated by comma, semicolon, tab or bar. Which column is what is guessed from the headers (English, German, French, Spanish); columns that nothing is known of become variables. With `dryRun=true` it answers what it would do. Rows that cannot be taken are counted, and listed in full at `…/leads/import/{operationId}/rejected-rows`.
     * Scope: `leads:write`.
     */
    importCsv(campaignId: string, query: {
      /** Only say what an import would do. */
      dryRun?: boolean
      /** JSON: headers of the file and what becomes of them, where the guess is wrong: `email`, `firstName`, `lastName`, `fullName`, `company`, `jobTitle`, `timezone`, any other name for a variable, null to leave the column out. */
      mapping?: string
      onDuplicate?: 'skip' | 'update'
      leadListName?: string
    }, file: string | Uint8Array<ArrayBuffer> | Blob, options?: AcceptedOptions): Accepted<ResultOf<'campaign.import_csv'>, { data?: CsvTrial }>
    /**
     * Download the rows that an import rejected.
     * A CSV file with the line, the reason and the row itself, for as long as the operation is kept. A cell that a spreadsheet would run as a formula has an apostrophe in front. For an import of JSON, `line` is the place in the list, from 1.
     * Scope: `leads:read` or `leads:write`.
     */
    downloadRejectedRows(campaignId: string, operationId: string, options?: RequestOptions): Promise<Response>
    /**
     * Get the messages sent to a lead and its replies.
     * Oldest first, each message whole and as it left. HTML is untrusted data: show it in a sandboxed frame that loads nothing. Our own pixel and tracked links are taken out, so reading counts as nothing.
     * Scope: `leads:read`.
     */
    listThread(campaignId: string, leadId: string, query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
    }, options?: RequestOptions): List<ThreadMessage>
    /**
     * Get a message of a thread.
     * Scope: `leads:read`.
     */
    getThreadMessage(campaignId: string, leadId: string, messageId: string, options?: RequestOptions): Promise<ThreadMessage>
  }
  leadSearches: {
    /**
     * Preview a lead search.
     * How many people match, how many of them have a verified address, how many an order could deliver, and how they spread. Free: nothing is attached and no credits are spent. `{}` matches everybody.
     * Scope: `leads:read`.
     */
    preview(campaignId: string, body: LeadSearchPreview, options?: AcceptedOptions): Accepted<ResultOf<'lead_search.preview'>>
    /**
     * Preview a lead search without a campaign.
     * The same answer as the preview of a campaign, for who has none yet: `campaignId` is null. Free.
     * Scope: `leads:read`.
     */
    explore(body: LeadSearchPreview, options?: AcceptedOptions): Accepted<ResultOf<'lead_search.preview'>>
    /**
     * Turn a brief into filters.
     * For review: proposes a filter document and applies nothing. Every value carries the words that it came from and the engine that read them, `unmatched` lists what could not be read, and `context` what was understood to ask for nothing. A brief from which nothing can be derived fails with `filters_not_derivable`.
     * Scope: `leads:read`.
     */
    generateFilters(body: LeadSearchBrief, options?: AcceptedOptions): Accepted<ResultOf<'lead_search.generate_filters'>>
    /**
     * Search leads and export them.
     * Paid, once: `leadCount` credits are held at once, one is charged for each delivered lead that the workspace did not own before, and the rest goes back. Of the lead directory only verified addresses are delivered, of the people whom the workspace brought itself any, and those cost nothing; who unsubscribed, bounced or is suppressed is left out. Who is owned already is delivered again without a charge, unless `suppress` says `owned`. The file is delivered by the event `lead_search.completed` and shown by the operation.
     * Scope: `leads:export`.
     */
    export(body: LeadSearchOrder, options?: AcceptedOptions): Accepted<ResultOf<'lead_search.export'>>
    /**
     * Buy leads into a campaign.
     * The same purchase as an export, by the same rules, straight into the campaign. Who is in the campaign already or is suppressed is neither attached nor paid for.
     * Scope: `leads:export`.
     */
    attach(campaignId: string, body: LeadSearchOrder, options?: AcceptedOptions): Accepted<ResultOf<'lead_search.attach'>>
    /**
     * Get the catalogue of filter fields.
     * Scope: `leads:read`.
     */
    getFilters(options?: RequestOptions): Promise<LeadFilters>
  }
  exports: {
    /**
     * List exports.
     * Scope: `leads:read` or `leads:export`.
     */
    list(query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
    }, options?: RequestOptions): List<Export>
    /**
     * Get an export.
     * Scope: `leads:read` or `leads:export`.
     */
    get(exportId: string, options?: RequestOptions): Promise<Export>
    /**
     * Download an export.
     * A CSV file (RFC 4180, UTF-8, header row). A cell that a spreadsheet would run as a formula has an apostrophe in front. The `downloadUrl` of the export carries a signature and needs no token. The file is kept for 30 days.
     * Scope: `leads:read` or `leads:export`.
     */
    download(exportId: string, query?: {
      /** Instead of a token. */
      signature?: string
    }, options?: RequestOptions): Promise<Response>
  }
  directory: {
    /**
     * Import your own people.
     * Up to 1 000 at a time. They belong to the workspace: it alone finds, exports and changes them, and they cost no credits. An address is one person: what is sent replaces what the workspace knew, what is left out stays. Of somebody whom the lead directory has too, the workspace gets a record of its own, and from then on finds that one. Bad records are reported by their index.
     * Scope: `people:write`.
     */
    importPeople(body: DirectoryImport, options?: AcceptedOptions): Accepted<ResultOf<'directory.import'>>
  }
  operations: {
    /**
     * Get an operation.
     * Readable with `operations:read`, or with the scope that its action needs. A failed operation is a 200 too. The `downloadUrl` of an export is null for a token that has neither `leads:read` nor `leads:export`.
     * Scope: `operations:read`.
     */
    get(operationId: string, options?: RequestOptions): Promise<Operation>
    /**
     * List operations.
     * Scope: `operations:read`.
     */
    list(query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
      status?: 'queued' | 'running' | 'succeeded' | 'failed'
      action?: 'campaign.create' | 'campaign.update' | 'campaign.update_schedule' | 'campaign.update_mailboxes' | 'campaign.update_settings' | 'campaign.activate' | 'campaign.pause' | 'campaign.resume' | 'campaign.archive' | 'campaign.unarchive' | 'campaign.duplicate' | 'campaign.copy_sequence' | 'campaign.update_sequence' | 'campaign.import_leads' | 'campaign.import_csv' | 'lead.update' | 'lead.requeue' | 'lead.bulk' | 'reply.update' | 'reply.answer' | 'lead.delete' | 'lead_search.preview' | 'lead_search.generate_filters' | 'lead_search.export' | 'lead_search.attach' | 'directory.import' | 'person.erase' | 'webhook.create' | 'webhook.update' | 'webhook.delete' | 'webhook.rotate_secret' | 'webhook.test' | 'webhook.replay' | 'webhook.retry_delivery' | 'provider.create' | 'provider.update' | 'provider.delete' | 'provider.verify' | 'provider.check_health' | 'provider.begin_consent' | 'provider.consent' | 'campaign.send_test' | 'sandbox.advance_clock' | 'suppression.create' | 'suppression.create_many' | 'suppression.delete' | 'credits.grant' | 'api_key.create' | 'api_key.revoke' | 'api_key.rotate' | 'workspace.create' | 'workspace.update' | 'workspace.update_settings' | 'tracking_host.set' | 'tracking_host.delete' | 'token.create' | 'token.revoke' | 'session.create' | 'session.revoke' | 'plan.create' | 'plan.approve' | 'plan.reject' | 'team.invite' | 'team.withdraw_invitation' | 'team.join' | 'team.update' | 'team.remove'
      campaignId?: string
    }, options?: RequestOptions): List<Operation>
  }
  events: {
    /**
     * Read the event log.
     * Oldest first, or newest first with `order=desc`; the same events that webhooks get. To follow the log, keep the last `seq` that you have seen and ask for what comes `after` it; when events after it are no longer kept, the answer is 410 and says where to go on. A `downloadUrl` is null for a token that has neither `leads:read` nor `leads:export`.
     * Scope: `events:read`.
     */
    list(query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
      /** Only events with a higher `seq`. */
      after?: number
      type?: 'lead_search.completed' | 'lead_search.failed' | 'ai_sdr.positive_reply' | 'campaign.updated' | 'campaign.activated' | 'campaign.paused' | 'campaign.resumed' | 'campaign.completed' | 'campaign.archived' | 'campaign.unarchived' | 'campaign.attention_needed' | 'email.sent' | 'email.opened' | 'email.clicked' | 'email.bounced' | 'email.replied' | 'email.auto_replied' | 'email.answered' | 'reply.updated' | 'lead.status_changed' | 'lead.updated' | 'lead.unsubscribed' | 'provider.disconnected' | 'provider.inbox_unreadable' | 'provider.inbox_readable' | 'tracking_host.verified' | 'tracking_host.failing' | 'provider.health_changed' | 'operation.succeeded' | 'operation.failed' | 'plan.proposed' | 'plan.approved' | 'plan.rejected' | 'plan.applied' | 'plan.failed' | 'webhook.test'
      campaignId?: string
      leadId?: string
      /** `desc`: the newest first. */
      order?: 'asc' | 'desc'
    }, options?: RequestOptions): List<Event>
    /**
     * Follow the event log.
     * Server-sent events: `id` is the `seq`, `event` the type, `data` the event as in the list. Begins with what happens from now on, or after the `seq` in `after` or `Last-Event-ID`, and goes on until the client leaves, the token ends or the server stops; a client that comes back with the last id misses nothing, or is told (410) that events after it are no longer kept. A comment every 15 seconds shows that the stream lives. A token may hold only so many open at once.
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
    list(query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
    }, options?: RequestOptions): List<WebhookEndpoint>
    /**
     * Create a webhook endpoint.
     * Gets what happens from now on. The answer carries the secret by which deliveries are signed; it is not shown again. The `downloadUrl` in `lead_search.completed` is null at an endpoint whose `url` was set by a token with neither `leads:read` nor `leads:export`.
     * Scope: `webhooks:write`.
     */
    create(body: NewWebhookEndpoint, options?: WriteOptions): Promise<WebhookEndpointWithSecret>
    /**
     * Get a webhook endpoint.
     * Scope: `webhooks:read`.
     */
    get(webhookId: string, options?: RequestOptions): Promise<WebhookEndpoint>
    /**
     * Change, pause or reactivate a webhook endpoint.
     * Deliveries that wait when an endpoint is paused or disabled go on when it is active again.
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
     * Until the overlap ends, deliveries carry two signatures: one by the new secret and one by the old.
     * Scope: `webhooks:write`.
     */
    rotateSecret(webhookId: string, body?: SecretRotation, options?: WriteOptions): Promise<WebhookEndpointWithSecret>
    /**
     * Send a test event.
     * Records a `webhook.test` event that is delivered to this endpoint alone, whatever it subscribes to.
     * Scope: `webhooks:write`.
     */
    test(webhookId: string, options?: WriteOptions): Promise<Delivery>
    /**
     * Deliver the events of a span of time again.
     * Every event from `since` to `until` (or to now) that the endpoint subscribes to, delivered before or not. Receivers recognise repetitions by `webhook-id`.
     * Scope: `webhooks:write`.
     */
    replay(webhookId: string, body: Replay, options?: WriteOptions): Promise<ReplayResult>
    /**
     * List the deliveries of a webhook endpoint.
     * Every attempt is an entry of its own.
     * Scope: `webhooks:read`.
     */
    listDeliveries(webhookId: string, query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
      status?: 'pending' | 'succeeded' | 'failed'
    }, options?: RequestOptions): List<Delivery>
    /**
     * Get a delivery.
     * Scope: `webhooks:read`.
     */
    getDelivery(webhookId: string, deliveryId: string, options?: RequestOptions): Promise<Delivery>
    /**
     * Send a delivery again.
     * At once: an attempt that waits for its time is brought forward, otherwise there is a new one.
     * Scope: `webhooks:write`.
     */
    retryDelivery(webhookId: string, deliveryId: string, options?: WriteOptions): Promise<Delivery>
  }
  providers: {
    /**
     * List mailboxes.
     * Scope: `providers:read`.
     */
    list(query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
    }, options?: RequestOptions): List<Provider>
    /**
     * Connect a mailbox.
     * Scope: `providers:write`.
     */
    create(body: NewProvider, options?: WriteOptions): Promise<Provider>
    /**
     * Find the mail servers of an address.
     * Looks for the settings of an address: by the presets of large hosters, the file and the records that its domain publishes, and the usual names. Each is tried, and what works comes first. Nothing is stored.
     * Scope: `providers:write`.
     */
    discover(query: {
      email: string
    }, options?: RequestOptions): Promise<ProviderDiscovery>
    /**
     * Get a mailbox.
     * Scope: `providers:read`.
     */
    get(providerId: string, options?: RequestOptions): Promise<Provider>
    /**
     * Change a mailbox.
     * New servers or credentials make it unverified until it is verified again.
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
     * Connects for real and reports each stage: name, connection, encryption, sign-in, a test message to the mailbox itself, and its inbox. A mailbox that passes is connected, and the campaigns that it had stopped go on.
     * Scope: `providers:write`.
     */
    verify(providerId: string, options?: WriteOptions): Promise<Verification>
    /**
     * Get the health of the domain of a mailbox.
     * What the last check has found. Before the first one there are no checks, and `checkedAt` is null.
     * Scope: `providers:read`.
     */
    getHealth(providerId: string, options?: RequestOptions): Promise<DomainHealth>
    /**
     * Check the health of the domain of a mailbox.
     * Asks the name servers about SPF, DMARC, MX, the name of the mail server and the host of the links. For DKIM it sends one message to another connected mailbox of the workspace that has an inbox, and reads what the server of that mailbox says about it. The operation ends when the message has arrived, or after a minute. A workspace may do so 60 times in an hour.
     * Scope: `providers:write`.
     */
    checkHealth(providerId: string, options?: AcceptedOptions): Accepted<ResultOf<'provider.check_health'>>
    /**
     * List messages of an inbox that could not be read.
     * Each was set aside alone, and the inbox was read on behind it. The mailbox still has the message.
     * Scope: `providers:read`.
     */
    listUnreadMessages(providerId: string, query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
    }, options?: RequestOptions): List<UnreadMessage>
    /**
     * Get a message of an inbox that could not be read.
     * Scope: `providers:read`.
     */
    getUnreadMessage(providerId: string, unreadMessageId: string, options?: RequestOptions): Promise<UnreadMessage>
    /**
     * Read the mail of a sandbox mailbox.
     * What would have been sent, and what the made-up recipients answered.
     * Scope: `providers:read`.
     */
    listSandboxMessages(providerId: string, query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
    }, options?: RequestOptions): List<SandboxMessage>
    /**
     * Get a message of a sandbox mailbox.
     * Scope: `providers:read`.
     */
    getSandboxMessage(providerId: string, messageId: string, options?: RequestOptions): Promise<SandboxMessage>
  }
  consents: {
    /**
     * Ask for consent in a browser.
     * Answers with the address at Google or Microsoft where the owner of a mailbox allows Overture to send and read mail. The browser comes back to `/oauth/callback`. It works once, for ten minutes; begun with a session, only in the same browser. The installation needs an application of its own at the issuer.
     * Scope: `providers:write`.
     */
    create(body: NewConsent, options?: WriteOptions): Promise<Consent>
    /**
     * Ask for consent on another device.
     * For a command line without a browser: answers with a code to type in at the issuer (RFC 8628). Then poll. Microsoft only: Google gives out no such codes for mail.
     * Scope: `providers:write`.
     */
    createForDevice(body: NewConsent, options?: WriteOptions): Promise<Consent>
    /**
     * Get a consent.
     * What became of it. Kept for a day.
     * Scope: `providers:read`.
     */
    get(consentId: string, options?: RequestOptions): Promise<Consent>
    /**
     * Ask whether the consent was given on the other device.
     * Asks the issuer, at most once in an interval; otherwise answers with what is known.
     * Scope: `providers:write`.
     */
    poll(consentId: string, options?: WriteOptions): Promise<Consent>
  }
  replies: {
    /**
     * List replies.
     * What came back from the leads of all campaigns. Bounces are not among them.
     * Scope: `leads:read`.
     */
    list(query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
      campaignId?: string
      kind?: 'positive' | 'negative' | 'neutral' | 'opt_out' | 'auto_reply'
      handled?: boolean
      needsLook?: boolean
      /** Part of the sender, the subject or the text, in any case. */
      q?: string
    }, options?: RequestOptions): List<Reply>
    /**
     * Get a reply.
     * Scope: `leads:read`.
     */
    get(replyId: string, options?: RequestOptions): Promise<Reply>
    /**
     * Correct the kind of a reply, or mark it as handled.
     * The lead follows: `opt_out` unsubscribes it and suppresses the address, `positive` makes it interested and tells `ai_sdr.positive_reply` once for each lead. A meeting or a deal that was reported stays, and a suppression is never lifted by this.
     * Scope: `leads:write`.
     */
    update(replyId: string, body?: ReplyPatch, options?: WriteOptions): Promise<Reply>
    /**
     * Answer a reply.
     * Sent at once, from the mailbox of the thread to whoever wrote the reply, as it is: no footer, no tracking. It counts for the daily cap of the mailbox and waits where that is used up (`hold` of the message in the thread says so); window, gap and the state of the campaign do not hold it up. The operation has succeeded when the answer has left; then the reply is handled. Somebody who opted out or was suppressed after the reply is not answered: 409.
     * Scope: `leads:write`.
     */
    answer(replyId: string, body: NewAnswer, options?: AcceptedOptions): Accepted<ResultOf<'reply.answer'>>
    /**
     * Download what was attached to a reply.
     * As it came, for saving and never for showing: whatever the sender calls it, it is told as `application/octet-stream` with a harmless file name. Nobody has looked for viruses in it.
     * Scope: `leads:read`.
     */
    downloadAttachment(replyId: string, attachmentId: string, options?: RequestOptions): Promise<Response>
  }
  suppressions: {
    /**
     * List suppressed addresses and domains.
     * Scope: `suppressions:read`.
     */
    list(query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
      kind?: 'email' | 'domain'
      value?: string
      /** The same as `value`: a whole address or domain, in any case. */
      q?: string
    }, options?: RequestOptions): List<Suppression>
    /**
     * Suppress an address or a domain.
     * Nobody there is written to again by this workspace, in any campaign.
     * Scope: `suppressions:write`.
     */
    create(body: NewSuppression, options?: WriteOptions): Promise<Suppression>
    /**
     * Suppress many addresses and domains.
     * Up to 5000 at once, in one transaction. A row that is neither is reported, and the others are suppressed.
     * Scope: `suppressions:write`.
     */
    createMany(body: NewSuppressions, options?: WriteOptions): Promise<BulkSuppressionResult>
    /**
     * Get a suppression.
     * Scope: `suppressions:read`.
     */
    get(suppressionId: string, options?: RequestOptions): Promise<Suppression>
    /**
     * Lift a suppression.
     * Scope: `suppressions:write`.
     */
    delete(suppressionId: string, options?: WriteOptions): Promise<void>
  }
  erasures: {
    /**
     * Erase a person.
     * Removes everything that the workspace knows of the person with this address: leads, messages, replies, what events, exports and operations say about them. What stays is a suppression that recognises the address by a keyed hash, and numbers that say nothing about anybody. The result counts what was erased; an address that is known nowhere is suppressed all the same. It cannot be undone.
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
     * They are available at once. Whoever runs Overture for others gives this scope to nobody else.
     * Scope: `credits:write`.
     */
    grant(body: NewCreditGrant, options?: WriteOptions): Promise<LedgerEntry>
    /**
     * List credit movements.
     * Scope: `credits:read`.
     */
    listLedger(query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
    }, options?: RequestOptions): List<LedgerEntry>
    /**
     * Get a credit movement.
     * Scope: `credits:read`.
     */
    getLedgerEntry(entryId: string, options?: RequestOptions): Promise<LedgerEntry>
  }
  apiKeys: {
    /**
     * List organization API keys.
     * Scope: `tokens:read`.
     */
    list(query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
    }, options?: RequestOptions): List<Token>
    /**
     * Create an organization API key.
     * It cannot do more than the token that creates it, and expires no later.
     * Scope: `tokens:write`.
     */
    create(body: NewApiKey, options?: WriteOptions): Promise<IssuedToken>
    /**
     * Get an organization API key.
     * Scope: `tokens:read`.
     */
    get(apiKeyId: string, options?: RequestOptions): Promise<Token>
    /**
     * Revoke an organization API key.
     * It is refused from the next request on, by every process. Keys that it made are not revoked with it.
     * Scope: `tokens:write`.
     */
    revoke(apiKeyId: string, options?: WriteOptions): Promise<void>
    /**
     * Replace an organization API key.
     * Both work until the overlap ends. The new one gets the lifetime of the old, but does not outlive both the old one and the token that asks. Keys that the old one made go on working until they expire or are revoked.
     * Scope: `tokens:write`.
     */
    rotate(apiKeyId: string, body?: {
      /** How long the old one goes on working; a day by default. */
      overlapSeconds?: number
    }, options?: WriteOptions): Promise<IssuedToken>
  }
  tokens: {
    /**
     * List your personal tokens.
     * Scope: `tokens:read`.
     */
    list(query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
    }, options?: RequestOptions): List<Token>
    /**
     * Create a personal token.
     * Without scopes it gets those of the token that creates it. It expires no later than that one.
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
     * Tokens and keys that it made are not revoked with it.
     * Scope: `tokens:write`.
     */
    revoke(tokenId: string, options?: WriteOptions): Promise<void>
  }
  sessions: {
    /**
     * Sign in.
     * Exchanges a token, in the `authorization` header, or the code of a sign-in link for a session in a cookie that scripts cannot read. The session acts as the token: with its scopes, and no longer than it lives.
     * A token or a code.
     */
    create(body?: SignIn, options?: WriteOptions): Promise<Identity>
    /**
     * List your sessions.
     * With a personal token those of all your tokens, with an organization key its own.
     * Scope: `tokens:read`.
     */
    list(query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
    }, options?: RequestOptions): List<Session>
    /**
     * Get the user, the token and the workspaces of this request.
     * The token, its person, what it may do and which workspaces it reaches; with a session, also when that ends.
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
     * It is refused from the next request on, by every process.
     * Scope: `tokens:write`.
     */
    revoke(sessionId: string, options?: WriteOptions): Promise<void>
    /**
     * Sign out.
     * Ends the session that asks, and takes its cookie back.
     * Any valid token.
     */
    signOut(options?: WriteOptions): Promise<void>
  }
  team: {
    /**
     * List the people of a workspace.
     * Scope: `team:read`.
     */
    list(query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
    }, options?: RequestOptions): List<Member>
    /**
     * Get a person of a workspace.
     * Scope: `team:read`.
     */
    get(userId: string, options?: RequestOptions): Promise<Member>
    /**
     * Change the role of a person.
     * Counts from the next request on. It takes what both roles allow: nobody raises somebody above themselves, or lowers who is above them. A workspace keeps an owner. Open invitations by the person end.
     * Scope: `team:write`.
     */
    update(userId: string, body: MemberPatch, options?: WriteOptions): Promise<Member>
    /**
     * Remove a person from a workspace, or leave it.
     * Their tokens, sessions and streams do not reach the workspace from the next request on. In no other workspace, all their tokens and sessions end. Organization keys that they made go on: revoke those too. Everybody may leave; others are removed with `team:write`.
     * Scope: `team:write`.
     */
    remove(userId: string, options?: WriteOptions): Promise<void>
    /**
     * Invite a person.
     * Answers with a link that works once, for seven days: send it to the person yourself. A role can be given by whoever has all of its scopes. An earlier invitation to the same address ends, and all that a person or a token made end when that person is removed or changes role, or that token is revoked.
     * Scope: `team:write`.
     */
    invite(body: NewInvitation, options?: WriteOptions): Promise<IssuedInvitation>
    /**
     * List open invitations.
     * Scope: `team:read`.
     */
    listInvitations(query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
    }, options?: RequestOptions): List<Invitation>
    /**
     * Get an open invitation.
     * Scope: `team:read`.
     */
    getInvitation(invitationId: string, options?: RequestOptions): Promise<Invitation>
    /**
     * Withdraw an invitation.
     * Scope: `team:write`.
     */
    withdrawInvitation(invitationId: string, options?: WriteOptions): Promise<void>
    /**
     * Accept an invitation, as somebody who is new.
     * Needs nothing but the code. Answers with a personal token, and signs in. Somebody whose address is known already joins as themselves instead, see `team.join`: the code does not prove who they are.
     * A token or a code.
     */
    acceptInvitation(body: {
      /** From the link of the invitation. It works once. */
      code: string
      name: string
    }, options?: WriteOptions): Promise<Joined>
    /**
     * Accept an invitation, as yourself.
     * With a personal token or a session of the person whose address was invited. All their tokens reach the workspace then.
     * Any valid token.
     */
    join(body: {
      /** From the link of the invitation. It works once. */
      code: string
    }, options?: WriteOptions): Promise<{
      workspaceId: string
      member: Member
    }>
  }
  audit: {
    /**
     * List who did what.
     * Every write of the workspace, and the sign-ins, sessions and personal tokens of the people who are in it now. It goes back as far as operations are kept.
     * Scope: `audit:read`.
     */
    list(query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
      /** A person, or an organization key. */
      actorId?: string
      action?: string
      createdFrom?: string
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
     * The host that the links in messages lead to. A workspace without one uses the address of the installation.
     * Scope: `workspaces:read`.
     */
    get(options?: RequestOptions): Promise<TrackingHost>
    /**
     * Set a tracking host of your own.
     * Stores the host and asks it from outside, over https: it must lead to this installation. The operation succeeds either way; `status` of its result is `verified`, or `pending` with the `reason`. A pending host is asked again by itself and is not used in links until it is verified; the host before it stays in use until then. Send the same host again to have it verified at once.
     * Scope: `workspaces:write`.
     */
    set(body: NewTrackingHost, options?: AcceptedOptions): Accepted<ResultOf<'tracking_host.set'>>
    /**
     * Remove the tracking host of a workspace.
     * The links of new messages lead to the address of the installation again. The links that were sent keep working for as long as the host leads here.
     * Scope: `workspaces:write`.
     */
    delete(options?: WriteOptions): Promise<void>
  }
  sandbox: {
    /**
     * Get the test clock.
     * The time that campaigns live by, how far it is ahead of real time, and whether it can be advanced.
     * Scope: `campaigns:read`.
     */
    getClock(options?: RequestOptions): Promise<SandboxClock>
    /**
     * Advance the test clock.
     * Lets time pass for all campaigns of a local installation whose mailboxes are all sandboxes: messages, opens, replies and follow-ups happen in their order, each at its own time. The result of the operation counts what happened in the workspace of the token; for a personal token, in the first of its user. There is no way back.
     * Scope: `campaigns:write`.
     */
    advanceClock(body?: {
      /** The amount of time to add. */
      advance?: {
        hours?: number
        days?: number
      }
      /** `idle`: until nothing is planned any more, for 366 days at most. */
      until?: 'idle'
      /** The time to advance to. */
      to?: string
    }, options?: AcceptedOptions): Accepted<ResultOf<'sandbox.advance_clock'>>
  }
  plans: {
    /**
     * List what agents propose.
     * Scope: `operations:read`.
     */
    list(query?: {
      /** How many to return. */
      limit?: number
      /** `meta.pagination.nextCursor` of the page before, unchanged. */
      cursor?: string
      status?: 'pending' | 'approved' | 'applied' | 'rejected' | 'failed' | 'expired'
    }, options?: RequestOptions): List<Plan>
    /**
     * Propose a request.
     * For agents: nothing happens until a person has approved it and `plans.apply` carries it out. What it would do is worked out here, for the person who decides. The token needs the scope of the request that it proposes.
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
     * By a person who may ask for the request themselves: with a session or a personal token, but never with the token that proposed it, nor with one made by that.
     * Scope: `operations:read`.
     */
    approve(planId: string, options?: WriteOptions): Promise<Plan>
    /**
     * Reject a plan.
     * Nothing comes of it, even when it had been approved.
     * Scope: `operations:read`.
     */
    reject(planId: string, options?: WriteOptions): Promise<Plan>
    /**
     * Carry out an approved plan.
     * Exactly the request that was approved, once, by the token that proposed it. Asking again answers the same. When what the plan was proposed on has changed, or the request is refused, the plan has failed and a new one is needed.
     * Any valid token.
     */
    apply(body: {
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
    preview: 'data POST w/campaigns/:campaignId/preview!',
    getPreview: 'data GET w/campaigns/:campaignId/preview?',
    simulate: 'data POST w/campaigns/:campaignId/simulate!',
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
    getHealth: 'data GET w/providers/:providerId/health',
    checkHealth: 'accepted POST w/providers/:providerId/health/check',
    listUnreadMessages: 'list GET w/providers/:providerId/unread-messages?',
    getUnreadMessage: 'data GET w/providers/:providerId/unread-messages/:unreadMessageId',
    listSandboxMessages: 'list GET w/providers/:providerId/sandbox-messages?',
    getSandboxMessage: 'data GET w/providers/:providerId/sandbox-messages/:messageId',
  },
  consents: {
    create: 'data POST w/oauth/authorizations!',
    createForDevice: 'data POST w/oauth/authorizations/device!',
    get: 'data GET w/oauth/authorizations/:consentId',
    poll: 'data POST w/oauth/authorizations/:consentId/poll',
  },
  replies: {
    list: 'list GET w/replies?',
    get: 'data GET w/replies/:replyId',
    update: 'data PATCH w/replies/:replyId!',
    answer: 'accepted POST w/replies/:replyId/answer!',
    downloadAttachment: 'raw GET w/replies/:replyId/attachments/:attachmentId',
  },
  suppressions: {
    list: 'list GET w/suppressions?',
    create: 'data POST w/suppressions!',
    createMany: 'data POST w/suppressions/bulk!',
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
    create: 'data POST /v1/sessions!',
    list: 'list GET /v1/sessions?',
    getIdentity: 'data GET /v1/session',
    get: 'data GET /v1/sessions/:sessionId',
    revoke: 'nothing DELETE /v1/sessions/:sessionId',
    signOut: 'nothing DELETE /v1/sessions/current',
  },
  team: {
    list: 'list GET w/team?',
    get: 'data GET w/team/:userId',
    update: 'data PATCH w/team/:userId!',
    remove: 'nothing DELETE w/team/:userId',
    invite: 'data POST w/team/invitations!',
    listInvitations: 'list GET w/team/invitations?',
    getInvitation: 'data GET w/team/invitations/:invitationId',
    withdrawInvitation: 'nothing DELETE w/team/invitations/:invitationId',
    acceptInvitation: 'data POST /v1/team/invitations/accept!',
    join: 'data POST /v1/team/invitations/join!',
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
  },
  plans: {
    list: 'list GET w/plans?',
    create: 'data POST w/plans!',
    get: 'data GET w/plans/:planId',
    approve: 'data POST w/plans/:planId/approve',
    reject: 'data POST w/plans/:planId/reject',
    apply: 'data POST w/plans/apply!',
  },
}
