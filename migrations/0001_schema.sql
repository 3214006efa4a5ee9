-- The whole schema of Overture, in sections. Later changes are migrations of their own, and each is tested with data in the tables.

-- ---- People, workspaces and their tokens ----

create table users (
  id uuid primary key,
  name text not null,
  email text not null,
  -- Whether the address is known to be theirs: the operator vouched for it. A person who accepted an invitation has the address that the inviter
  -- wrote, and is nobody's account.
  is_proved boolean not null default false,
  creates_workspaces boolean not null default false,
  created_at timestamptz(3) not null default now()
);
-- One account for an address.
create unique index users_account on users (email) where is_proved;

create table workspaces (
  id uuid primary key,
  name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Number of the workspace as an owner in the lead directory: dense from 1, assigned at its first import under the directory's lock.
  owner_number integer unique,
  -- Rules that hold across the campaigns of the workspace. An empty object sets none.
  contact_rules jsonb not null default '{}',
  -- Whether a campaign may start from a mailbox whose domain fails its checks. `warn` only reports it.
  domain_health text not null default 'warn' check (domain_health in ('warn', 'require')),
  -- The opt-out sentence by language, for campaigns without a sentence of their own.
  opt_out_lines jsonb not null default '{}'
);

create table memberships (
  user_id uuid not null references users on delete cascade,
  workspace_id uuid not null references workspaces on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  joined_at timestamptz(3) not null default now(),
  primary key (user_id, workspace_id)
);
-- The list of members.
create index memberships_of_workspace on memberships (workspace_id, joined_at desc, user_id desc);

-- A personal token belongs to a user and reaches all of their workspaces. A workspace key belongs to one workspace.
create table tokens (
  id uuid primary key,
  kind text not null check (kind in ('personal', 'organization')),
  user_id uuid references users on delete cascade,
  workspace_id uuid references workspaces on delete cascade,
  name text not null,
  hash bytea not null unique,
  last_four text not null,
  scopes text[] not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  -- The token that created this one: the author of a plan must not approve it with a token that it created itself.
  made_by uuid references tokens on delete set null,
  -- Requests count together for the tokens of one person or workspace that go back to the same token.
  rate_id uuid not null,
  -- The most that a token may ask for in a day: {leadsPerDay, creditsPerDay, mailsPerDay, sandboxOnly}. Null: as much as its scopes allow.
  limits jsonb,
  -- It has the scopes of the widest role of its person, and they change with it.
  follows_role boolean not null default false,
  check ((kind = 'personal') = (user_id is not null)),
  check ((kind = 'organization') = (workspace_id is not null))
);
-- The list of keys of a workspace.
create index tokens_of_workspace on tokens (workspace_id, created_at desc, id desc);
-- The list of tokens of a person.
create index tokens_of_user on tokens (user_id, created_at desc, id desc);
-- Deleting a token clears `made_by`, and limits count for all tokens that a token created.
create index tokens_made_by on tokens (made_by) where made_by is not null;
-- Retention finds ended tokens by age.
create index tokens_ended on tokens (least(expires_at, revoked_at));

-- What tokens with limits have asked for, by day in UTC. A request adds to the row in the transaction that accepts it, so two concurrent
-- requests cannot both take the rest. Requests also count for the tokens that created the token.
create table token_spending (
  token_id uuid not null references tokens on delete cascade,
  day date not null,
  leads integer not null default 0,
  credits integer not null default 0,
  mails integer not null default 0,
  primary key (token_id, day)
);
-- Retention finds rows by age.
create index token_spending_by_day on token_spending (day);

-- A browser holds a session instead of a token: a random secret in a cookie that scripts cannot read. The session acts as its token and
-- ends with it. Only the hash of the secret is stored.
create table sessions (
  id uuid primary key,
  token_id uuid not null references tokens on delete cascade,
  hash bytea not null unique,
  user_agent text,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3)
);
-- The sessions of a token, also when the token is deleted.
create index sessions_of_token on sessions (token_id, created_at desc, id desc);
-- Retention finds ended sessions by age.
create index sessions_ended on sessions (least(expires_at, revoked_at));

-- A link that signs in once, as a token. A used code stays until it would have expired.
create table sign_in_codes (
  hash bytea primary key,
  token_id uuid not null references tokens on delete cascade,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
-- Deleting a token deletes its codes.
create index sign_in_codes_of_token on sign_in_codes (token_id);
-- Retention finds expired codes.
create index sign_in_codes_ended on sign_in_codes (expires_at);

-- Only the hash of the code is stored. An invitation ends when it is accepted or withdrawn, or with the token that created it.
create table invitations (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  hash bytea not null unique,
  token_id uuid not null references tokens on delete cascade,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
-- The list of open invitations.
create index invitations_open on invitations (workspace_id, created_at desc, id desc) where ended_at is null;
-- Ending a token ends its invitations.
create index invitations_of_token on invitations (token_id) where ended_at is null;
-- Retention finds ended invitations by age.
create index invitations_ended on invitations (least(expires_at, ended_at));

-- ---- The installation ----

-- The master key of the installation, from which all other keys are derived, sealed with OVERTURE_SECRET_KEY. The fingerprint identifies
-- that secret key, so that a process with another one can refuse to start and say why.
create table installation_keys (
  only_row boolean primary key default true check (only_row),
  fingerprint text not null,
  sealed_master bytea not null,
  created_at timestamptz(3) not null default now(),
  rotated_at timestamptz(3)
);

-- How far the clock of a local installation is ahead of real time while all its mailboxes are sandboxes. It only grows until it is reset:
-- then the number of resets grows, so that a process tells a new offset from an old one.
create table test_clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null default 0 check (offset_ms >= 0),
  resets integer not null default 0,
  -- The workspace that moved it, until it is reset.
  workspace_id uuid,
  -- The operation that moves the clock, and from when to when. A null target means: until no message is planned.
  operation_id uuid,
  started_at timestamptz(3),
  target_at timestamptz(3)
);
insert into test_clock default values;

-- ---- Operations ----

-- An operation is at once the job, the idempotency store and the audit trail.

create sequence worker_ids as integer cycle;

-- An operation is open until `completed_at` is set. No index mentions what a claim changes, and pages keep room (fillfactor), so a claim
-- updates the row in place and writes no index.
create table operations (
  id uuid primary key,
  seq bigint generated always as identity,
  workspace_id uuid not null,
  action text not null,
  status text not null check (status in ('queued', 'running', 'succeeded', 'failed')),
  -- Operations of one campaign are applied one at a time, in the order of `seq`.
  campaign_id uuid,
  input jsonb not null default '{}',
  result jsonb,
  error jsonb,
  idempotency_key text,
  fingerprint text,
  token_id uuid,
  attempts integer not null default 0,
  run_at timestamptz(3) not null default now(),
  worker_id integer,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  completed_at timestamptz(3),
  -- How far a running operation is, as its worker last reported. Null before the first report and after the end.
  progress jsonb,
  -- How far an operation of many transactions has come, written in the transaction of each step. Another attempt continues after the last
  -- saved step. Null before the first step and after the end.
  checkpoint jsonb,
  -- An operation that takes seconds. A worker applies one of these at a time, in a transaction of its own.
  is_large boolean not null default false,
  -- Whether its worker may have died of it: 1 and 2 count deaths beside other operations, 3 is tried with nothing beside it, and 4 was the only
  -- one at work when its worker died.
  suspicion smallint not null default 0,
  -- A part of it is in force, and it waits for the rest: it goes on until its outcome is known.
  is_underway boolean not null default false,
  check ((status = 'succeeded') = (completed_at is not null and error is null)),
  check ((status = 'failed') = (error is not null)),
  constraint operations_ended check ((status in ('succeeded', 'failed')) = (completed_at is not null))
) with (fillfactor = 70);
-- One operation for each idempotency key.
create unique index operations_idempotency on operations (workspace_id, idempotency_key) where idempotency_key is not null;
-- The claim: the open operations of each workspace in their order, and which one is the first of its campaign.
create index operations_waiting on operations (workspace_id, seq) where completed_at is null;
create index operations_open on operations (campaign_id, seq) where completed_at is null;
-- The claim of operations that are tried alone, which are hardly ever any.
create index operations_isolated on operations (seq) where suspicion = 3 and completed_at is null;
-- Lists of operations. Each filter has its index, so that a list reads only the rows that it shows.
create index operations_of_workspace on operations (workspace_id, created_at desc, id desc);
create index operations_of_action on operations (workspace_id, action, created_at desc, id desc);
create index operations_of_campaign on operations (campaign_id, created_at desc, id desc) where campaign_id is not null;
create index operations_open_of_workspace on operations (workspace_id, created_at desc, id desc) where completed_at is null;
create index operations_failed on operations (workspace_id, created_at desc, id desc) where error is not null;
-- Retention finds ended operations by age.
create index operations_completed on operations (completed_at) where completed_at is not null;

-- ---- Events and webhooks ----

-- The event log has one sequence without gaps for each workspace. Every writer of the workspace locks this row.
create table event_streams (
  workspace_id uuid primary key references workspaces on delete cascade,
  seq bigint not null default 0
) with (fillfactor = 50);

-- An event keeps the mailbox and the variant of its message, so that filtered lists need no join.
create table events (
  workspace_id uuid not null,
  seq bigint not null,
  id uuid not null,
  type text not null,
  timestamp timestamptz(3) not null,
  campaign_id uuid,
  lead_id uuid,
  provider_id uuid,
  variant_id uuid,
  data jsonb not null,
  primary key (workspace_id, seq)
);
-- Lists of events. Each filter has its index, so that a list reads only the rows that it shows.
create index events_of_campaign on events (campaign_id, seq) where campaign_id is not null;
create index events_of_lead on events (lead_id, seq) where lead_id is not null;
create index events_of_type on events (workspace_id, type, seq);
create index events_of_mailbox on events (provider_id, seq) where provider_id is not null;
-- A few mailboxes send a variant: its events are found together with one mailbox, or merged from those of its mailboxes.
create index events_of_variant on events (variant_id, provider_id, seq) where variant_id is not null;
-- Retention and metrics find events by time.
create index events_by_time on events (workspace_id, timestamp);
-- `GET /events/{id}`.
create index events_by_id on events (id);
-- Meetings of a campaign are few and are counted from the log when its metrics are read.
create index events_meetings on events (campaign_id, lead_id)
  where type = 'lead.status_changed' and data->>'to' = 'meeting_booked' and (data->>'first')::boolean;

-- How much of the log of a workspace was deleted by retention. Not a column of `event_streams`, whose row every writer waits for.
create table event_horizons (
  workspace_id uuid primary key references workspaces on delete cascade,
  -- Events up to this number are deleted.
  gone_seq bigint not null,
  -- All deleted events happened before this, the beginning of a quarter of an hour.
  gone_before timestamptz(3) not null
);

create table webhook_endpoints (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  url text not null,
  events text[] not null,
  description text,
  status text not null default 'active' check (status in ('active', 'paused', 'disabled')),
  disabled_reason text,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz(3),
  -- Deliveries exist for all events up to this one. The log has no gaps and grows in commit order, so one number is enough to miss no event
  -- and take none twice.
  cursor_seq bigint not null,
  failing_since timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- A signed link to an export's file opens it without a token. An endpoint gets the link only if the token that set its URL may read or
  -- buy leads.
  sees_downloads boolean not null default true
);
-- The list of endpoints.
create index webhook_endpoints_of_workspace on webhook_endpoints (workspace_id, created_at desc, id desc);

-- One row is one attempt: the log that people read, and the job that the worker claims. `endpoint_id` has no foreign key, because checking
-- it for each row is a fifth of the work of storing it. The statement that inserts deliveries locks their endpoint, and deleting an
-- endpoint deletes its deliveries.
create table deliveries (
  id uuid primary key,
  workspace_id uuid not null,
  endpoint_id uuid not null,
  event_seq bigint not null,
  event_id uuid not null,
  event_type text not null,
  attempt integer not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  response_status integer,
  error text,
  duration_ms integer,
  due_at timestamptz(3) not null,
  next_attempt_at timestamptz(3),
  worker_id integer,
  created_at timestamptz(3) not null default now(),
  completed_at timestamptz(3)
) with (fillfactor = 80);
-- The claim of due deliveries.
create index deliveries_due on deliveries (endpoint_id, due_at) where status = 'pending' and worker_id is null;
-- Deliveries of a worker that died are released.
create index deliveries_claimed on deliveries (worker_id) where worker_id is not null;
-- The list of deliveries.
create index deliveries_of_endpoint on deliveries (endpoint_id, created_at desc, id desc);
-- The list of failed deliveries, which are rare.
create index deliveries_failed on deliveries (endpoint_id, created_at desc, id desc) where status = 'failed';

-- ---- Mailboxes ----

-- What a mailbox may send and has sent. The count of the day and the next slot are reserved in the transaction that claims a message, so a
-- crash can only cost capacity, never exceed it.
create table providers (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  kind text not null check (kind in ('smtp', 'sandbox')),
  name text not null,
  from_name text,
  from_email text not null,
  postal_address text,
  status text not null check (status in ('connected', 'disconnected', 'unverified')),
  status_reason text,
  daily_cap integer not null,
  min_gap_seconds integer not null,
  ramp jsonb,
  settings jsonb not null default '{}',
  credentials bytea,
  -- How often it got another sender, server, account or pace. A token that the server renews does not count.
  sender_version integer not null default 0,
  connected_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The zone whose days the daily cap counts.
  timezone text not null default 'UTC',
  max_per_domain_per_hour integer,
  load_day text,
  load_reserved integer not null default 0,
  next_slot_at timestamptz(3),
  -- Failures of the mailbox itself in a row. An accepted message resets the count.
  failures integer not null default 0,
  -- When Overture tries a disconnected mailbox again.
  verify_at timestamptz(3),
  verify_attempts integer not null default 0,
  -- Whether messages were found in its Sent folder: only then does the absence of one mean anything.
  saves_sent boolean not null default false,
  -- How far its inbox has been read, and which worker reads it.
  inbox_cursor jsonb,
  inbox_worker_id integer,
  -- Whether its inbox can be read. Null until the first attempt, then `unread` (not yet known), `readable` or `unreadable`.
  inbox_state text check (inbox_state in ('unread', 'readable', 'unreadable')),
  inbox_reason text,
  inbox_since timestamptz(3),
  -- The first failure of the mailbox itself since it last worked, until when it rests, and why.
  failing_since timestamptz(3),
  resting_until timestamptz(3),
  resting_reason text,
  -- Servers that the stored credentials must not be sent to, because they were changed later.
  credentials_withheld text[] not null default '{}',
  reply_to text,
  signature jsonb,
  -- Who gave the consent that the mailbox signs in with: {issuer, account}. Null if it signs in by other means.
  consent jsonb,
  -- How many messages in a row the server has read and then refused by a rule.
  content_refusals integer not null default 0,
  -- Why the server takes no copies of sent messages into the Sent folder, and since when.
  copies_reason text,
  copies_since timestamptz(3)
);
-- The list of mailboxes.
create index providers_of_workspace on providers (workspace_id, created_at desc, id desc);
-- Disconnected mailboxes that are due to be tried again.
create index providers_to_verify on providers (verify_at) where verify_at is not null;

-- A mailbox at Google or Microsoft signs in by the consent of its owner. Each row is one attempt to get the consent, in a browser or with a
-- code that is typed on another device. An attempt ends after minutes, works once, and belongs to the token that began it.
create table consents (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  -- The mailbox that gets the consent. Null: a new one is created for the address that consents.
  provider_id uuid references providers on delete cascade,
  token_id uuid not null references tokens on delete cascade,
  session_id uuid references sessions on delete cascade,
  issuer text not null check (issuer in ('google', 'microsoft')),
  flow text not null check (flow in ('browser', 'device')),
  -- Hash of the state that travels through the browser.
  state_hash bytea unique,
  -- Hash of the cookie of the browser that began, if one did.
  browser_hash bytea,
  -- Sealed: the PKCE verifier, or the device code.
  secret bytea not null,
  status text not null default 'open' check (status in ('open', 'granted', 'refused')),
  reason text,
  account text,
  interval_seconds integer not null default 5,
  next_poll_at timestamptz(3),
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
-- Open attempts of a workspace.
create index consents_of_workspace on consents (workspace_id, expires_at);
-- For the deletes that cascade from mailboxes, tokens and sessions.
create index consents_of_provider on consents (provider_id);
create index consents_of_token on consents (token_id);
create index consents_of_session on consents (session_id);
-- Retention finds expired attempts.
create index consents_ended on consents (expires_at);

-- What DNS, and a mailbox that got a test message, say about the domain that a mailbox sends from.
create table domain_health (
  provider_id uuid primary key references providers on delete cascade,
  workspace_id uuid not null references workspaces on delete cascade,
  -- The check that found this. An operation that is run again finds its own findings.
  operation_id uuid not null,
  domain text not null,
  status text not null check (status in ('pass', 'warn', 'fail', 'unknown')),
  checks jsonb not null,
  -- The status of the last event. It stays while a check is under way.
  announced text,
  checked_at timestamptz(3) not null
);
-- All findings of a workspace.
create index domain_health_of_workspace on domain_health (workspace_id);

-- A message from one mailbox to another of the workspace, to see what the receiving server says about its signature. The row is stored
-- before the message is sent, so that one check sends at most one message.
create table health_messages (
  operation_id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  provider_id uuid not null references providers on delete cascade,
  receiver_id uuid not null references providers on delete cascade,
  -- Hash of the token in the header of the message.
  token_hash bytea not null unique,
  created_at timestamptz(3) not null default now(),
  arrived_at timestamptz(3)
);
-- For the deletes that cascade from mailboxes and workspaces.
create index health_messages_of_provider on health_messages (provider_id);
create index health_messages_of_receiver on health_messages (receiver_id);
create index health_messages_of_workspace on health_messages (workspace_id);

-- Hosts of a workspace's own for the links in its messages. A host belongs to one workspace.
create table tracking_hosts (
  host text primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  -- `pending` was never verified, so it is not used. `failing` was verified and has stopped working.
  status text not null check (status in ('pending', 'verified', 'failing')),
  -- What links begin with. Null before the host was verified.
  origin text,
  -- What the last check found wrong.
  reason text,
  -- How many checks in a row have failed.
  failures integer not null default 0,
  verified_at timestamptz(3),
  checked_at timestamptz(3),
  -- When the host is checked again.
  check_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);
-- At most one host in use in a workspace.
create unique index tracking_hosts_in_use on tracking_hosts (workspace_id) where status <> 'pending';
-- At most one host that is still to be verified in a workspace.
create unique index tracking_hosts_pending on tracking_hosts (workspace_id) where status = 'pending';
-- Hosts that are due to be checked.
create index tracking_hosts_due on tracking_hosts (check_at);

-- ---- Campaigns, sequences and leads ----

create table campaigns (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  status text not null default 'draft' check (status in ('draft', 'active', 'paused', 'completed', 'archived', 'attention_needed')),
  status_before_archive text,
  attention_reason text,
  provider_id uuid references providers on delete set null,
  pipeline_id uuid,
  sales_person_id uuid,
  start_date timestamptz(3),
  end_date timestamptz(3),
  days_of_week text[],
  window_start text,
  window_end text,
  timezone text,
  lead_list_name text,
  source_url text,
  niche text,
  location text,
  job_title text,
  company_size text,
  industry text,
  total_leads integer not null default 0 check (total_leads >= 0),
  sequence_version integer not null default 0,
  -- How often its configuration was changed, except its name and labels.
  content_version integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  track_opens boolean not null default false,
  track_clicks boolean not null default false,
  -- Mailboxes besides `provider_id` that first contacts are distributed to.
  rotation_provider_ids uuid[] not null default '{}',
  -- Set while the campaign is stopped because of this mailbox. The campaign continues automatically when the mailbox works again.
  attention_provider_id uuid,
  -- The counts from which the bounce breaker counts on. They move when the breaker has tripped.
  breaker_sent bigint not null default 0,
  breaker_bounced bigint not null default 0,
  unsubscribe text not null default 'header' check (unsubscribe in ('header', 'link', 'reply-line')),
  opt_out_text text,
  -- Mailboxes that were removed from the campaign and still have threads: they send follow-ups, but no first contacts.
  kept_provider_ids uuid[] not null default '{}',
  -- The operation whose change is in force already, while it waits for the last message of the former settings.
  updating_operation_id uuid,
  contact_rules jsonb not null default '{}',
  -- The sending window is that of each lead's own time zone.
  use_lead_timezone boolean not null default false,
  check ((days_of_week is null) = (timezone is null)),
  check ((window_start is null) = (timezone is null)),
  check ((status = 'archived') = (status_before_archive is not null))
) with (fillfactor = 80);
-- The list of campaigns.
create index campaigns_of_workspace on campaigns (workspace_id, created_at desc, id desc);
-- Campaigns of a mailbox.
create index campaigns_of_provider on campaigns (provider_id);
-- The sender goes through all active campaigns.
create index campaigns_running on campaigns (id) where status = 'active';
-- Campaigns that continue when a mailbox works again.
create index campaigns_stopped_by on campaigns (attention_provider_id) where attention_provider_id is not null;
-- Whether any campaign of a workspace has contact rules.
create index campaigns_with_contact_rules on campaigns (workspace_id) where contact_rules <> '{}';

-- A version never changes: a lead stays on the version that it began with.
create table sequence_versions (
  campaign_id uuid not null references campaigns on delete cascade,
  version integer not null,
  steps jsonb not null,
  created_at timestamptz(3) not null default now(),
  -- When another version of its campaign replaced it.
  superseded_at timestamptz(3),
  primary key (campaign_id, version)
);
-- Retention finds replaced versions by age.
create index sequence_versions_superseded on sequence_versions (superseded_at) where superseded_at is not null;

-- Which fields of a lead are filled. Leads of the same shape lack the same variables in a template, so one of them stands for all.
create function lead_shape(first_name text, last_name text, full_name text, company text, job_title text, variables jsonb)
returns bigint
language sql immutable parallel safe
return (
  select hashtextextended(
    (coalesce(btrim(first_name), '') = '')::text
      || (coalesce(btrim(last_name), '') = '')::text
      || (coalesce(btrim(full_name), '') = '')::text
      || (coalesce(btrim(company), '') = '')::text
      || (coalesce(btrim(job_title), '') = '')::text
      || coalesce(string_agg(v.key, e'\x1f' order by v.key), ''),
    0)
  from jsonb_each_text(variables) as v
  where btrim(v.value) <> ''
);

-- The lead is the queue: `due_at` says from when on `next_step` may be sent. It is null while a message is in flight and when no step is
-- left. Windows, pauses and caps are judged at the moment of sending, so that a change of them rewrites no rows.
create table leads (
  id uuid primary key,
  workspace_id uuid not null,
  campaign_id uuid not null references campaigns on delete cascade,
  email text not null,
  -- Keyed hashes of the address and of its domain, by which suppressions are matched.
  email_hash bytea not null,
  domain_hash bytea not null,
  first_name text,
  last_name text,
  full_name text,
  company text,
  job_title text,
  timezone text,
  variables jsonb not null default '{}',
  lead_list_name text,
  status text not null default 'not_yet_contacted'
    check (status in (
      'not_yet_contacted', 'contacted', 'sequence_completed', 'replied', 'interested', 'not_interested',
      'meeting_booked', 'meeting_completed', 'closed', 'bounced', 'unsubscribed', 'skipped')),
  -- Every status that the lead has ever had: metrics count a lead once for each.
  reached text[] not null default '{}',
  source text not null check (source in ('scraped_lead', 'csv_import', 'api_import', 'manual')),
  email_open_count integer not null default 0,
  email_bounce_count integer not null default 0,
  email_sent boolean not null default false,
  opportunity_value numeric(15, 2),
  meeting_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  next_step integer not null default 0,
  due_at timestamptz(3),
  -- A lead stays on the version and the mailbox that it began with.
  sequence_version integer,
  provider_id uuid,
  thread jsonb,
  -- After the last step: when the lead counts as done if no reply comes.
  completes_at timestamptz(3),
  -- Why no message was sent at the last attempt.
  hold_reason text,
  hold_until timestamptz(3),
  hold_detail jsonb,
  email_click_count integer not null default 0,
  -- Which fields are filled. Statements that write these fields set the shape themselves: a generated column is computed again at every
  -- update, which is a thirtieth of PostgreSQL's work for each message. The default is the shape of a lead with only an address.
  shape bigint not null default lead_shape(null, null, null, null, null, '{}')
) with (fillfactor = 80);
-- One lead for each address in a campaign, and the leads of a workspace with an address. A campaign belongs to one workspace.
create unique index leads_of_address on leads (workspace_id, lower(email), campaign_id);
-- A person who was written to as ann+news@ may reply as ann@.
create index leads_by_plain_email on leads (workspace_id, regexp_replace(lower(email), '\+[^@]*@', '@'))
  where position('+' in email) > 0;
-- Lists of leads. Each filter has its index, so that a list reads only the rows that it shows.
create index leads_of_campaign on leads (campaign_id, created_at desc, id desc);
create index leads_of_status on leads (campaign_id, status, created_at desc, id desc);
-- Only leads with a zone, because an update of any other lead would write to this index too.
create index leads_of_zone on leads (campaign_id, timezone, created_at desc, id desc) where timezone is not null;
-- The queue of leads without a mailbox, those never written to. The included columns let the queue be counted without reading leads.
create index leads_due on leads (campaign_id, due_at, id) include (next_step, hold_reason, timezone)
  where due_at is not null and provider_id is null;
-- Leads in that queue that are held back or were written to before.
create index leads_due_unlike on leads (campaign_id, due_at, id)
  where due_at is not null and provider_id is null and not (next_step = 0 and hold_reason is null);
-- The queue of follow-ups, which stay on their mailbox.
create index leads_due_of_mailbox on leads (campaign_id, provider_id, due_at, id) where due_at is not null and provider_id is not null;
-- Leads that are done when no reply comes.
create index leads_completing on leads (completes_at) where completes_at is not null;
-- The kinds of leads still being contacted: one hop of the index leads from one kind to the next.
create index leads_open on leads (campaign_id, next_step, coalesce(sequence_version, 0), shape, id)
  where status in ('not_yet_contacted', 'contacted');
-- People whom a preview leaves out because they bounced or opted out.
create index leads_lost on leads (workspace_id, lower(email)) where status in ('bounced', 'unsubscribed');
-- Leads at a company that are open or have replied: for contact rules, and for suppressing a domain.
create index leads_of_company on leads (workspace_id, domain_hash, status)
  where status in (
    'not_yet_contacted', 'contacted', 'replied', 'interested', 'not_interested', 'meeting_booked', 'meeting_completed', 'closed');

-- What a lead is searched by, in lower case.
create function words_of_lead(email text, full_name text, first_name text, last_name text, company text)
returns text
language sql stable parallel safe
return translate(lower(concat_ws(e'\n', email, full_name, nullif(concat_ws(' ', first_name, last_name), full_name), company)), e'\x01', ' ');

-- The search of leads. A row holds the words of up to sixty leads of a campaign, so that a search for a part of a word reads a few large
-- texts instead of every lead, and sending a message does not touch them. `words` has a part for each of `lead_ids`, in their order, with
-- the character 1 between the parts.
create table lead_words (
  campaign_id uuid not null references campaigns on delete cascade,
  first_id uuid not null,
  last_id uuid not null,
  size integer not null,
  lead_ids uuid[] not null,
  words text not null,
  primary key (campaign_id, first_id)
) with (toast_tuple_target = 8160);
-- Stored in the row and uncompressed: compressed, or in pieces outside the row, they take twice as long to search.
alter table lead_words alter column words set storage external, alter column lead_ids set storage external;

-- A large import is stored in pieces, so that no statement and no process holds all of it. The worker takes them one by one in the
-- transaction that imports them. They are written once and read once, so they are neither parsed nor compressed.
create table lead_import_chunks (
  operation_id uuid not null references operations on delete cascade,
  n integer not null,
  leads text not null,
  primary key (operation_id, n)
);
alter table lead_import_chunks alter leads set storage external;

-- A CSV file on its way into a campaign, stored as it came until the import has ended. It belongs to an operation once it is complete.
create table csv_uploads (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  operation_id uuid references operations on delete cascade,
  -- How far the import has come: the rows that are done, and their results.
  row_count integer not null default 0,
  result jsonb,
  created_at timestamptz(3) not null default now()
);
-- Deleting an operation deletes its file.
create index csv_uploads_of_operation on csv_uploads (operation_id);

create table csv_upload_pieces (
  upload_id uuid not null references csv_uploads on delete cascade,
  n integer not null,
  bytes bytea not null,
  primary key (upload_id, n)
);
alter table csv_upload_pieces alter bytes set storage external;

-- Rows that an import could not take, with the reason: for downloading, correcting and importing again. They are deleted with their
-- operation.
create table rejected_rows (
  operation_id uuid not null references operations on delete cascade,
  n integer not null,
  workspace_id uuid not null references workspaces on delete cascade,
  rows jsonb not null,
  primary key (operation_id, n)
);
-- The rejected rows of a workspace, for erasures.
create index rejected_rows_of_workspace on rejected_rows (workspace_id);

-- ---- Sending ----

-- One row is one email to one lead for one step, from the moment a worker takes it. An answer to a reply is a row without a step. Pages
-- keep room (fillfactor) for the versions of a row between its claim and its end.
create table sends (
  id uuid primary key,
  workspace_id uuid not null,
  campaign_id uuid not null,
  lead_id uuid not null,
  provider_id uuid not null,
  step integer,
  sequence_version integer,
  variant_id uuid,
  domain text not null,
  -- queued: to be tried again. claimed: a worker has it, and it was not sent. sending: it may be sent at any moment. unknown: it may have
  -- been sent. The others are final.
  status text not null check (status in ('queued', 'claimed', 'sending', 'sent', 'failed', 'unknown')),
  -- Fixed by the id of the row, so that a message in doubt can be looked up.
  message_id text not null unique,
  subject text,
  -- Where the tracked links lead, in order: a click names the send and the number of the link, never an address.
  links text[] not null default '{}',
  open_count integer not null default 0,
  click_count integer not null default 0,
  attempts integer not null default 1,
  -- When the lead was due: its `due_at` again if the message is not sent.
  due_at timestamptz(3) not null,
  worker_id integer,
  response text,
  reconcile_at timestamptz(3),
  reconcile_attempts integer not null default 0,
  -- How a send in doubt was settled: found in the Sent folder, decided by a user, or assumed.
  reconciled text check (reconciled in ('found', 'named', 'assumed')),
  claimed_at timestamptz(3) not null,
  sent_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  -- Keyed hash of the address that the message was sent to: its unsubscribe link suppresses this hash if the lead is deleted.
  email_hash bytea,
  -- When the row became `sending`. Neighbors of the same minutes help to decide whether a message in doubt was sent.
  intended_at timestamptz(3),
  -- Overture stored the copy in the Sent folder, so the copy says nothing about the copies that the server stores.
  has_own_copy boolean not null default false,
  -- The server refused it by a rule of its own, and not because of the address.
  refused_by_policy boolean not null default false,
  -- How often a server answered to this message that it refuses the mailbox.
  mailbox_refusals integer not null default 0,
  -- A server accepted other messages of the mailbox after that.
  others_accepted boolean not null default false,
  unique (lead_id, step),
  constraint sends_of_a_step check ((step is null) = (variant_id is null) and (step is null) = (sequence_version is null))
) with (fillfactor = 50);
-- Recent sends of a mailbox.
create index sends_of_mailbox on sends (provider_id, claimed_at);
-- Sends of a variant.
create index sends_of_variant on sends (campaign_id, variant_id);
-- Where a person was written to first, even if the lead is deleted. Later steps are found by the lead.
create index sends_first_contacts on sends (email_hash) where step = 0;
-- Sends of a campaign whose delivery was assumed.
create index sends_assumed on sends (campaign_id) where reconciled = 'assumed';
-- Refusals that count against a mailbox, kept here so that the decision survives a restart and holds for all workers.
create index sends_refused_to_mailbox on sends (provider_id) where mailbox_refusals > 0 and not others_accepted;

-- Sends that are not settled: claimed, sending or unknown. An index maintained by statements: as partial indexes of `sends`, each change of
-- a status would write to every index of the table, twice for every message.
create table open_sends (
  send_id uuid primary key,
  campaign_id uuid not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- The text of each message as it was sent. Templates, leads and signatures change later. The workspace is first in the key, so that one
-- workspace can be read without an index of its own.
create table sent_bodies (
  workspace_id uuid not null,
  send_id uuid not null,
  subject text not null,
  text text not null,
  html text,
  created_at timestamptz(3) not null,
  primary key (workspace_id, send_id)
);
-- Retention finds texts by age.
create index sent_bodies_by_age on sent_bodies (created_at);

-- Decisions not to send: one row each time the reason for a lead changes.
create table decisions (
  id uuid primary key,
  workspace_id uuid not null,
  campaign_id uuid not null references campaigns on delete cascade,
  lead_id uuid not null,
  step integer not null,
  reason text not null,
  next_attempt_at timestamptz(3),
  detail jsonb,
  created_at timestamptz(3) not null
);
-- The decisions about a lead.
create index decisions_of_lead on decisions (lead_id, created_at, id);
-- Retention finds decisions by age.
create index decisions_by_age on decisions (created_at);

-- What the sender needs for an answer to a reply, and the queue of answers.
create table answers (
  send_id uuid primary key,
  workspace_id uuid not null,
  -- At most one message for each request, even when processes die.
  operation_id uuid not null unique,
  reply_id uuid not null,
  provider_id uuid not null,
  to_address text not null,
  email_hash bytea not null,
  domain_hash bytea not null,
  -- When the reply was received: an earlier suppression does not prevent an answer.
  written_at timestamptz(3) not null,
  in_reply_to text,
  reference_ids text[] not null,
  -- From when on it may be sent. Null while it is in flight and when it is settled.
  due_at timestamptz(3),
  -- Why it was not sent at the last attempt.
  hold_reason text,
  hold_until timestamptz(3),
  created_at timestamptz(3) not null
);
-- The queue of answers.
create index answers_due on answers (due_at) where due_at is not null;

-- ---- Inbox ----

-- One row for each message that concerns a person we wrote to. `kind` is what counts, and `judged_kind` what Overture had read.
create table inbound_messages (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  provider_id uuid not null,
  -- The Message-ID, or a digest of a message that has none: a message is recorded once in a workspace, even if several of its inboxes have
  -- it.
  dedupe_key text not null,
  campaign_id uuid,
  lead_id uuid,
  send_id uuid,
  kind text not null,
  confidence real,
  from_address text,
  subject text,
  text text,
  received_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  -- The meaning of the reply is uncertain: a person should read it.
  needs_look boolean not null default false,
  judged_kind text,
  corrected_by uuid,
  corrected_at timestamptz(3),
  handled_at timestamptz(3),
  message_id text,
  -- The ids that the message refers to, as written: an answer repeats them.
  reference_ids text[] not null default '{}',
  full_text text,
  html text,
  -- The message was larger than what is read of one: texts or attachments may be missing.
  is_cut boolean not null default false,
  -- Where a reply points to instead of saying yes or no: to another person, or to a later day.
  referral_email text,
  referral_name text,
  deferred_until date,
  -- Retention has deleted the texts. The row stays, because counts and the detection of repetitions need it.
  is_emptied boolean not null default false,
  -- Where the writer wants answers to be sent, if not to the address of the message.
  reply_to text,
  -- Who else got the message.
  cc text[] not null default '{}',
  constraint inbound_messages_once unique (workspace_id, dedupe_key)
);
-- The replies of a lead.
create index inbound_messages_of_lead on inbound_messages (lead_id, received_at);
-- The replies to a message.
create index inbound_messages_of_send on inbound_messages (send_id);
-- An erasure reads all messages of a workspace, a page at a time.
create index inbound_messages_of_workspace on inbound_messages (workspace_id, id);
-- Lists of replies. Each filter has its index, so that a list reads only the rows that it shows.
create index inbound_messages_to_look_at on inbound_messages (workspace_id, received_at desc, id desc) where needs_look;
create index replies_of_workspace on inbound_messages (workspace_id, received_at desc, id desc) where kind <> 'bounce';
create index replies_of_campaign on inbound_messages (campaign_id, received_at desc, id desc) where kind <> 'bounce';
create index replies_of_kind on inbound_messages (workspace_id, kind, received_at desc, id desc) where kind <> 'bounce';
create index replies_unhandled on inbound_messages (workspace_id, received_at desc, id desc) where kind <> 'bounce' and handled_at is null;
-- Retention finds messages with texts by age.
create index inbound_messages_whole on inbound_messages (received_at) where not is_emptied;

-- What a reply is searched by, in lower case.
create function reply_words(from_address text, subject text, text text)
returns text
language sql immutable parallel safe
return lower(coalesce(from_address || ' ', '') || coalesce(subject || ' ', '') || coalesce(text, ''));

create table inbound_attachments (
  id uuid primary key,
  workspace_id uuid not null,
  message_id uuid not null references inbound_messages on delete cascade,
  position integer not null,
  filename text not null,
  content_type text not null,
  size_bytes integer not null,
  -- Null if it exceeds what is stored of one message.
  content bytea,
  unique (message_id, position)
);

-- Messages of an inbox that could not be read or recorded. Each is set aside alone, so that reading the inbox continues after it.
create table unread_messages (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  provider_id uuid not null references providers on delete cascade,
  folder text not null,
  -- The number of the message in its folder, which has a meaning only together with the folder's UIDVALIDITY.
  uid_validity text not null,
  uid bigint not null,
  message_id text,
  -- SHA-256 of the raw message: it is not read again when the folder is renumbered.
  digest bytea not null,
  reason text not null check (reason in ('too_expensive', 'unreadable', 'not_recorded', 'unproven_bounce')),
  detail text not null,
  received_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  unique (provider_id, digest)
);
-- The list of unread messages.
create index unread_messages_of_mailbox on unread_messages (provider_id, created_at desc, id desc);
-- Retention finds messages by age.
create index unread_messages_by_age on unread_messages (created_at);

-- The sandbox: messages that would have been sent, and what its simulated people will do about them.
create table sandbox_messages (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  provider_id uuid not null references providers on delete cascade,
  campaign_id uuid,
  lead_id uuid,
  direction text not null check (direction in ('out', 'in')),
  from_address text not null,
  to_address text not null,
  subject text not null,
  text text not null,
  html text,
  raw text not null,
  created_at timestamptz(3) not null
);
-- The messages of a sandbox mailbox.
create index sandbox_messages_of_mailbox on sandbox_messages (provider_id, created_at desc, id desc);
-- Retention finds messages by age.
create index sandbox_messages_by_age on sandbox_messages (created_at);

create table sandbox_reactions (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  provider_id uuid not null references providers on delete cascade,
  send_id uuid not null,
  due_at timestamptz(3) not null,
  action jsonb not null
);
-- Reactions that are due.
create index sandbox_reactions_due on sandbox_reactions (due_at);

-- ---- Suppressions and erasures ----

-- The hash is keyed: it still recognizes an address after the person and the address were erased.
create table suppressions (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  kind text not null check (kind in ('email', 'domain')),
  value text,
  hash bytea not null,
  reason text not null,
  created_at timestamptz(3) not null default now(),
  unique (workspace_id, kind, hash)
);
-- The list of suppressions.
create index suppressions_of_workspace on suppressions (workspace_id, created_at desc, id desc);

-- Finds replies by a part of their text, and suppressions by a part of their value, by its groups of three letters. Creates the indexes if
-- PostgreSQL has pg_trgm, and returns whether they exist; an operator who adds pg_trgm later calls it again. New entries wait in a short list,
-- which every search reads, until they are merged.
create function create_search_indexes()
returns boolean
language plpgsql
as $$
declare
  home text;
begin
  select n.nspname into home
  from pg_extension e
  join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pg_trgm';
  if home is null then
    return false;
  end if;
  execute format(
    'create index if not exists replies_by_words on inbound_messages using gin (reply_words(from_address, subject, text) %I.gin_trgm_ops)
     with (gin_pending_list_limit = 256)
     where kind <> ''bounce''',
    home);
  execute format(
    'create index if not exists suppressions_by_part on suppressions using gin (value %I.gin_trgm_ops) with (gin_pending_list_limit = 256)',
    home);
  return true;
end
$$;

-- Some installations of PostgreSQL lack pg_trgm, and some roles may not add it. Without it, a search reads the rows of the workspace one by
-- one and finds the same.
do $$
begin
  begin
    create extension if not exists pg_trgm;
  exception
    when feature_not_supported or undefined_file or insufficient_privilege then
      raise notice 'pg_trgm cannot be used: %', sqlerrm;
  end;
  perform create_search_indexes();
end
$$;

-- People whom the operator erased from the whole installation. Imports into the lead directory skip them.
create table erased_people (
  email_hash bytea primary key,
  erased_at timestamptz(3) not null
);

-- Removes an address from some columns of some pages of a table, whatever type they have. An erasure calls it at its end for what no rule of
-- its own looks through. `within` is a condition on the rows; columns of bytes must hold text.
create function scrub_texts(place regclass, columns text[], within text, workspace uuid, pattern text, from_page bigint, to_page bigint)
returns bigint
language plpgsql
as $$
declare
  assignments text;
  conditions text;
  changed bigint;
begin
  select
    string_agg(
      format('%1$I = case when %2$s ~* $2 then %3$s else %1$I end', name, shown,
        case type
          when 'text[]' then format('array(select regexp_replace(each, $2, ''[erased]'', ''gi'') from unnest(%I) as each)', name)
          when 'jsonb' then format('regexp_replace(%s, $2, ''[erased]'', ''gi'')::jsonb', shown)
          when 'bytea' then format('decode(regexp_replace(%s, $2, ''[erased]'', ''gi''), ''escape'')', shown)
          else format('regexp_replace(%s, $2, ''[erased]'', ''gi'')', shown)
        end), ', '),
    string_agg(shown || ' ~* $2', ' or ')
  into assignments, conditions
  from (
    select a.attname as name, format_type(a.atttypid, null) as type,
      format(
        case format_type(a.atttypid, null)
          when 'text[]' then 'array_to_string(%I, '' '')'
          when 'jsonb' then '%I::text'
          when 'bytea' then 'encode(%I, ''escape'')'
          else '%I'
        end, a.attname) as shown
    from pg_attribute a
    where a.attrelid = place and a.attname = any(columns) and not a.attisdropped
  ) as c;
  execute format('update %s set %s where (%s) and (%s) and ctid >= $3 and ctid < $4', place, assignments, within, conditions)
    using workspace, pattern, format('(%s,0)', from_page)::tid, format('(%s,0)', to_page)::tid;
  get diagnostics changed = row_count;
  return changed;
end
$$;

-- ---- Metrics ----

-- Totals of a campaign, added up event by event. `metrics recompute` adds them up again from the start.
create table campaign_metrics (
  campaign_id uuid primary key references campaigns on delete cascade,
  open_count bigint not null default 0,
  unique_open_count bigint not null default 0,
  link_click_count bigint not null default 0,
  reply_count bigint not null default 0,
  unique_reply_count bigint not null default 0,
  bounced_count bigint not null default 0,
  unsubscribed_count bigint not null default 0,
  emails_sent_count bigint not null default 0,
  contacted_leads_count bigint not null default 0,
  total_opportunities bigint not null default 0,
  total_interested bigint not null default 0,
  total_meeting_booked bigint not null default 0,
  total_meeting_completed bigint not null default 0,
  total_closed bigint not null default 0,
  total_opportunity_value numeric(18, 2) not null default 0
) with (fillfactor = 70);

-- What deleted events had added to the metrics of their campaign. Counting again begins with these numbers.
create table settled_metrics (
  campaign_id uuid primary key references campaigns on delete cascade,
  open_count bigint not null default 0,
  unique_open_count bigint not null default 0,
  link_click_count bigint not null default 0,
  reply_count bigint not null default 0,
  unique_reply_count bigint not null default 0,
  bounced_count bigint not null default 0,
  unsubscribed_count bigint not null default 0,
  emails_sent_count bigint not null default 0,
  contacted_leads_count bigint not null default 0,
  total_opportunities bigint not null default 0,
  total_interested bigint not null default 0,
  total_meeting_booked bigint not null default 0,
  total_meeting_completed bigint not null default 0,
  total_closed bigint not null default 0,
  total_opportunity_value numeric(18, 2) not null default 0,
  contacted_meeting_count bigint not null default 0
);

-- Results over time are sums of rollups: the counts of a quarter of an hour, because in some time zones days begin at half or a quarter past. Once
-- they are sixty days old, the quarters of an hour are merged into one row that begins with the hour. Each count is stored once for all and once for each dimension, so that a
-- question reads only the rows of its own dimension. The key is null if the step, variant or mailbox is unknown: an opt-out through a link
-- names none of them.
create table campaign_rollups (
  workspace_id uuid not null,
  campaign_id uuid not null references campaigns on delete cascade,
  dimension text not null check (dimension in ('all', 'step', 'variant', 'mailbox')),
  at timestamptz(3) not null,
  key text,
  sent int not null default 0,
  -- Of the sent messages, those assumed to be delivered.
  assumed int not null default 0,
  opened int not null default 0,
  clicked int not null default 0,
  replied int not null default 0,
  positive int not null default 0,
  bounced int not null default 0,
  unsubscribed int not null default 0,
  contacted int not null default 0,
  unique nulls not distinct (campaign_id, dimension, at, key)
);
-- Counting a workspace again sums up the rollups of its campaigns.
create index campaign_rollups_of_workspace on campaign_rollups (workspace_id, dimension, at);
-- The quarters, oldest first: those that are old enough are merged.
create index campaign_rollups_to_merge on campaign_rollups (at) where at <> date_bin('1 hour', at, 'epoch');

-- The same counts for the whole workspace, so that a month is three thousand rows however many campaigns there are. Each variant belongs to
-- one campaign, so variants are not here.
create table workspace_rollups (
  workspace_id uuid not null references workspaces on delete cascade,
  dimension text not null check (dimension in ('all', 'step', 'mailbox')),
  at timestamptz(3) not null,
  key text,
  sent int not null default 0,
  assumed int not null default 0,
  opened int not null default 0,
  clicked int not null default 0,
  replied int not null default 0,
  positive int not null default 0,
  bounced int not null default 0,
  unsubscribed int not null default 0,
  unique nulls not distinct (workspace_id, dimension, at, key)
);
-- The quarters, oldest first: those that are old enough are merged.
create index workspace_rollups_to_merge on workspace_rollups (at) where at <> date_bin('1 hour', at, 'epoch');

-- ---- Credits ----

-- Credits, in double entry: an entry moves an amount from one account of the workspace to another.
create table credit_accounts (
  workspace_id uuid primary key references workspaces on delete cascade,
  available bigint not null default 0 check (available >= 0),
  held bigint not null default 0 check (held >= 0),
  spent bigint not null default 0 check (spent >= 0)
);

create table ledger_entries (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  kind text not null check (kind in ('grant', 'hold', 'release', 'capture', 'refund')),
  amount bigint not null check (amount > 0),
  debit text not null check (debit in ('issued', 'available', 'held', 'spent')),
  credit text not null check (credit in ('issued', 'available', 'held', 'spent')),
  operation_id uuid,
  -- What the entry is for, if an operation has several of a kind: the lead of a refund.
  subject text not null default '',
  created_at timestamptz(3) not null default now(),
  -- Why credits were granted, as the operator wrote it.
  note text,
  check (debit <> credit)
);
-- An operation makes each entry once.
create unique index ledger_entries_once on ledger_entries (operation_id, kind, subject) where operation_id is not null;
-- The list of entries.
create index ledger_entries_of_workspace on ledger_entries (workspace_id, created_at desc, id desc);

-- The people that a workspace has paid for. The keyed hash still recognizes an address after the person was erased or got another number,
-- so that a workspace never pays twice. `workspace_id` has no foreign key, because checking each row takes as long as writing it: deleting
-- a workspace by hand must delete these rows too.
create table workspace_people (
  workspace_id uuid not null,
  email_hash bytea not null,
  person_id integer not null,
  -- The operation that was charged.
  operation_id uuid not null,
  bought_at timestamptz(3) not null,
  -- The address bounced although it was sold as verified: the credit was returned.
  refunded_at timestamptz(3),
  primary key (workspace_id, email_hash)
);

-- ---- Lead directory ----

-- People and companies, for the whole installation. This section stores what is known about a person, where it came from and since when.
-- Ids are dense numbers from 1, assigned under the directory's lock: they are positions in the columns of the search index. The owner 0 is
-- the operator, any other number is the workspace that imported the row. No other workspace sees what a workspace imported, so an address
-- may exist once for each owner.

-- Imports are serialized by an advisory lock, and one batch is one version. Every row has the version that changed it last, so the search
-- index follows by reading newer rows. The id tells apart two histories with the same numbers, such as a database and its restored backup.
create table directory_versions (
  version bigint primary key,
  id uuid not null default gen_random_uuid(),
  source text not null,
  inserted_count integer not null default 0,
  updated_count integer not null default 0,
  deleted_count integer not null default 0,
  created_at timestamptz(3) not null default now()
);
insert into directory_versions (version, source) values (0, 'empty');

-- Titles and places never change and are never deleted.
create table titles (
  id integer primary key,
  title text not null unique
);

create table places (
  id integer primary key,
  country text not null,
  region text,
  city text,
  lat real,
  lon real
);
-- One row for each place.
create unique index places_once on places (country, coalesce(region, ''), coalesce(city, ''));

-- Ids of places have no foreign keys here: an import assigns them itself under the directory's lock, and looking each up again is a good
-- part of a large import.
create table companies (
  id integer primary key,
  -- What makes two companies one: `d:` and the registrable domain, or `n:` and the name without its legal form.
  match_key text not null,
  name text not null,
  domain text,
  industry text,
  employees integer,
  size text check (size in ('1-10', '11-50', '51-200', '201-500', '501-1000', '1001-5000', '5001-10000', '10001+')),
  place_id integer,
  founded smallint,
  revenue bigint,
  revenue_currency text,
  funding_stage text,
  funding_total bigint,
  funding_currency text,
  funded_at date,
  technologies text[] not null default '{}',
  tags text[] not null default '{}',
  description text,
  version bigint not null,
  owner integer not null default 0
);
-- One company for each key and owner.
create unique index companies_once on companies (match_key, owner);
-- The search index reads what is new.
create index companies_by_version on companies (version);

-- Every domain that a company is known by: of its website, and of the work addresses of its people.
create table company_domains (
  domain text not null,
  company_id integer not null,
  owner integer not null default 0,
  primary key (domain, owner)
);
-- The domains of a company.
create index company_domains_of_company on company_domains (company_id);

create table people (
  id integer primary key,
  -- The address in lower case. `#`, the folded name and the company for a person without an address. Compared byte by byte, which is
  -- several times faster than by the rules of a language.
  match_key text collate "C" not null,
  email text,
  email_status text not null check (email_status in ('verified', 'accept_all', 'unverified', 'invalid', 'missing')),
  email_type text check (email_type in ('work', 'personal', 'role')),
  last_verified_at timestamptz(3),
  first_name text,
  last_name text,
  full_name text,
  -- The import looks up these three itself. A foreign key would look up each row again.
  title_id integer,
  seniority text,
  department text,
  company_id integer,
  -- Where the person is. If null, the headquarters of the company counts.
  place_id integer,
  linkedin_url text,
  phone text,
  -- Where the record came from: a file, the API, a data provider.
  source text not null,
  imported_at timestamptz(3) not null,
  -- A deleted row keeps its number and nothing about the person.
  deleted boolean not null default false,
  version bigint not null,
  -- Null for a person who was erased.
  owner integer default 0,
  check ((email is null) = (email_status = 'missing')),
  check (not deleted or (email is null and full_name is null)),
  check (deleted = (owner is null))
);
-- One person for each key and owner. Includes the id, so that a preview that looks up 100,000 addresses reads only the index.
create unique index people_once on people (match_key, owner) include (id);
-- The people that a workspace imported.
create index people_of_owner on people (owner) where owner > 0;
-- Before a campaign starts, its leads are compared with the addresses that an import called bad.
create index people_with_bad_address on people (match_key, owner) where email_status = 'invalid';
-- The search index reads what is new.
create index people_by_version on people (version);
-- People whom a preview leaves out because their domain is blocked.
create index people_by_domain on people (split_part(match_key, '@', 2)) where email is not null;

-- Progress of a long import, committed with each batch, so that an interrupted import continues after it.
create table directory_imports (
  -- Of the beginning, the end and the size of the file, and of the column mapping.
  fingerprint text primary key,
  file_name text not null,
  row_count bigint not null,
  inserted_count bigint not null default 0,
  updated_count bigint not null default 0,
  rejected_count bigint not null default 0,
  rejected_bytes bigint not null default 0,
  finished boolean not null default false,
  updated_at timestamptz(3) not null
);

-- ---- Exports ----

create table exports (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  operation_id uuid not null unique,
  status text not null check (status in ('building', 'completed', 'failed', 'expired')),
  requested_count integer not null,
  -- Increases whenever people are chosen again. A file belongs to one revision.
  revision integer not null default 0,
  -- The people of this revision have been chosen.
  is_fixed boolean not null default false,
  -- The revision of the file in the object store.
  file_revision integer,
  -- Where it is in the object store. Null without an object store: then each download is written from the rows.
  object_key text,
  lead_count integer not null default 0,
  credits_charged integer not null default 0,
  -- The version of the lead directory that people were chosen from.
  directory_version bigint,
  created_at timestamptz(3) not null,
  completed_at timestamptz(3),
  expires_at timestamptz(3),
  -- When rows and file were deleted.
  cleared_at timestamptz(3),
  check ((status in ('completed', 'expired')) = (completed_at is not null)),
  check ((completed_at is null) = (expires_at is null))
) with (fillfactor = 80);
-- The list of exports.
create index exports_of_workspace on exports (workspace_id, created_at desc, id desc);
-- Exports whose rows and file can be deleted.
create index exports_to_clear on exports (expires_at nulls first) where cleared_at is null and status <> 'building';

-- The people of an export as they were when it was made, in its order: fixed before credits are charged.
create table export_rows (
  export_id uuid not null,
  n integer not null,
  person_id integer not null,
  email_hash bytea not null,
  domain_hash bytea not null,
  email text not null,
  first_name text,
  last_name text,
  full_name text,
  job_title text,
  seniority text,
  department text,
  company text,
  company_domain text,
  industry text,
  employees integer,
  company_size text,
  city text,
  region text,
  country text,
  linkedin_url text,
  phone text,
  last_verified_at timestamptz(3),
  -- The workspace imported the person itself: delivered and not charged.
  is_own boolean not null default false,
  primary key (export_id, n)
);

-- ---- Plans ----

-- What an agent proposes and a person approves. A plan is one request to the API, stored as it will be sent. `basis` is what it was
-- proposed on (the campaign, its sequence, its leads): if that has changed, the plan is not what was approved.
create table plans (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  token_id uuid not null references tokens on delete cascade,
  operation text not null,
  -- Method, path, headers and body. Null when the plan was carried out, or has ended.
  request jsonb,
  request_hash text not null,
  basis text not null,
  summary jsonb not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'applied', 'rejected', 'failed', 'expired')),
  decided_by uuid references users on delete set null,
  decided_at timestamptz(3),
  applied_at timestamptz(3),
  operation_id uuid,
  -- When the state was compared with the approved one, in the transaction of the change.
  executed_at timestamptz(3),
  error jsonb,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
-- The list of plans.
create index plans_of_workspace on plans (workspace_id, created_at desc, id desc);
-- Deleting a token deletes its plans.
create index plans_of_token on plans (token_id);
-- Plans that expire.
create index plans_open on plans (expires_at) where status in ('pending', 'approved');
-- Retention finds plans by age.
create index plans_by_age on plans (created_at);
