-- People and access.

create table users (
  id uuid primary key,
  name text not null,
  email text not null unique,
  created_at timestamptz(3) not null default now()
);

create table workspaces (
  id uuid primary key,
  name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table memberships (
  user_id uuid not null references users on delete cascade,
  workspace_id uuid not null references workspaces on delete cascade,
  primary key (user_id, workspace_id)
);

-- A personal token belongs to a user and reaches all of their workspaces; an organization key belongs to one workspace.
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
  check ((kind = 'personal') = (user_id is not null)),
  check ((kind = 'organization') = (workspace_id is not null))
);
create index tokens_of_workspace on tokens (workspace_id, created_at desc, id desc);
create index tokens_of_user on tokens (user_id, created_at desc, id desc);

-- Work. An operation is at once the job, the idempotency store and the audit trail.

create sequence worker_ids as integer cycle;

create table operations (
  id uuid primary key,
  seq bigint generated always as identity,
  workspace_id uuid not null,
  action text not null,
  status text not null check (status in ('queued', 'running', 'succeeded', 'failed')),
  -- Operations of one campaign are applied one at a time, in the order of seq.
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
  check ((status = 'succeeded') = (completed_at is not null and error is null)),
  check ((status = 'failed') = (error is not null))
) with (fillfactor = 80);
create unique index operations_idempotency on operations (workspace_id, idempotency_key) where idempotency_key is not null;
create index operations_due on operations (seq) where worker_id is null and status in ('queued', 'running');
create index operations_lane on operations (campaign_id, seq) where status in ('queued', 'running');
create index operations_claimed on operations (worker_id) where worker_id is not null;
create index operations_of_workspace on operations (workspace_id, created_at desc, id desc);

-- The event log: one gap-free sequence per workspace.

create table event_streams (
  workspace_id uuid primary key references workspaces on delete cascade,
  seq bigint not null default 0
) with (fillfactor = 50);

create table events (
  workspace_id uuid not null,
  seq bigint not null,
  id uuid not null,
  type text not null,
  timestamp timestamptz(3) not null,
  campaign_id uuid,
  lead_id uuid,
  data jsonb not null,
  primary key (workspace_id, seq)
);
create index events_of_campaign on events (campaign_id, seq) where campaign_id is not null;
create index events_of_lead on events (lead_id, seq) where lead_id is not null;
create index events_by_time on events (workspace_id, timestamp);

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
  -- Everything up to this event has been turned into deliveries. The log has no gaps and grows in commit order,
  -- so one number is enough to never miss an event and never take one twice.
  cursor_seq bigint not null,
  failing_since timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index webhook_endpoints_of_workspace on webhook_endpoints (workspace_id, created_at desc, id desc);

-- One row is one attempt: the log that people read, and the job that the worker claims.
create table deliveries (
  id uuid primary key,
  workspace_id uuid not null,
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
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
create index deliveries_due on deliveries (endpoint_id, due_at) where status = 'pending' and worker_id is null;
create index deliveries_claimed on deliveries (worker_id) where worker_id is not null;
create index deliveries_of_endpoint on deliveries (endpoint_id, created_at desc, id desc);

-- Mailboxes.

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
  connected_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index providers_of_workspace on providers (workspace_id, created_at desc, id desc);

-- Campaigns.

create table campaigns (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  status text not null default 'draft'
    check (status in ('draft', 'active', 'paused', 'completed', 'archived', 'attention_needed')),
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
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((days_of_week is null) = (timezone is null)),
  check ((window_start is null) = (timezone is null)),
  check ((status = 'archived') = (status_before_archive is not null))
) with (fillfactor = 80);
create index campaigns_of_workspace on campaigns (workspace_id, created_at desc, id desc);
create index campaigns_of_provider on campaigns (provider_id);
create index campaigns_running on campaigns (id) where status = 'active';

-- A version never changes: a lead in flight stays on the one it started with.
create table sequence_versions (
  campaign_id uuid not null references campaigns on delete cascade,
  version integer not null,
  steps jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (campaign_id, version)
);

create table leads (
  id uuid primary key,
  workspace_id uuid not null,
  campaign_id uuid not null references campaigns on delete cascade,
  email text not null,
  -- Keyed hashes of the address and of its domain: what suppressions are matched by.
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
  status text not null default 'not_yet_contacted' check (status in (
    'not_yet_contacted', 'contacted', 'sequence_completed', 'replied', 'interested', 'not_interested',
    'meeting_booked', 'meeting_completed', 'closed', 'bounced', 'unsubscribed', 'skipped')),
  -- Every status the lead has ever had: the totals of the metrics count a lead once for each.
  reached text[] not null default '{}',
  source text not null check (source in ('scraped_lead', 'csv_import', 'api_import', 'manual')),
  email_open_count integer not null default 0,
  email_bounce_count integer not null default 0,
  email_sent boolean not null default false,
  opportunity_value numeric(15, 2),
  meeting_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
) with (fillfactor = 80);
create unique index leads_email on leads (campaign_id, lower(email));
create index leads_of_campaign on leads (campaign_id, created_at desc, id desc);
create index leads_by_email on leads (workspace_id, lower(email));

-- Folded from the event log, event by event; `metrics recompute` folds it again from the start.
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

-- The hash is keyed: it still recognises an address after the person and the address have been erased.
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
create index suppressions_of_workspace on suppressions (workspace_id, created_at desc, id desc);

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
  -- What the entry is for, when an operation has several of a kind: the lead of a refund.
  subject text not null default '',
  created_at timestamptz(3) not null default now(),
  check (debit <> credit)
);
create unique index ledger_entries_once on ledger_entries (operation_id, kind, subject) where operation_id is not null;
create index ledger_entries_of_workspace on ledger_entries (workspace_id, created_at desc, id desc);

create index events_first_sends on events (campaign_id, timestamp) where type = 'email.sent' and (data->>'first')::boolean;
