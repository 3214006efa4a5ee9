-- What a mailbox may send, and what it has sent. The day's count and the next slot are reserved in the transaction that
-- claims a message, so a crash can only ever cost capacity, never exceed it.
alter table providers
  -- The day that the daily cap counts is a day of this zone.
  add timezone text not null default 'UTC',
  add max_per_domain_per_hour integer,
  add load_day text,
  add load_reserved integer not null default 0,
  add next_slot_at timestamptz(3),
  -- Failures of the mailbox itself in a row; a message that is accepted sets it back.
  add failures integer not null default 0,
  -- When a disconnected mailbox is tried again by itself.
  add verify_at timestamptz(3),
  add verify_attempts integer not null default 0,
  -- Whether messages have been seen in its Sent folder: only then does absence there mean anything.
  add saves_sent boolean not null default false,
  -- How far its inbox has been read, and which worker reads it.
  add inbox_cursor jsonb,
  add inbox_worker_id integer;
create index providers_to_verify on providers (verify_at) where verify_at is not null;

alter table campaigns
  add track_opens boolean not null default true,
  add track_clicks boolean not null default true,
  -- Mailboxes besides provider_id that first contacts are shared out to.
  add rotation_provider_ids uuid[] not null default '{}',
  -- Set while the campaign stands still because of this mailbox: it goes on by itself when the mailbox works again.
  add attention_provider_id uuid,
  -- Where the bounce breaker begins to count: it moves when the breaker has tripped.
  add breaker_sent bigint not null default 0,
  add breaker_bounced bigint not null default 0;
create index campaigns_stopped_by on campaigns (attention_provider_id) where attention_provider_id is not null;

-- The lead is the queue: `due_at` says from when on `next_step` may go, and is null while a message is on its way or
-- nothing is left to send. Windows, pauses and caps are judged at the moment of sending, so that a change of them
-- rewrites no rows.
alter table leads
  add next_step integer not null default 0,
  add due_at timestamptz(3),
  -- A lead stays on the version and the mailbox that it began with.
  add sequence_version integer,
  add provider_id uuid,
  add thread jsonb,
  -- After the last step: when the lead counts as done if nothing is heard.
  add completes_at timestamptz(3),
  -- Why nothing was sent when it was last looked at.
  add hold_reason text,
  add hold_until timestamptz(3),
  add hold_detail jsonb,
  add email_click_count integer not null default 0;
create index leads_due on leads (campaign_id, due_at, id) where due_at is not null and provider_id is null;
create index leads_due_of_mailbox on leads (campaign_id, provider_id, due_at, id) where due_at is not null and provider_id is not null;
create index leads_completing on leads (completes_at) where completes_at is not null;
create index leads_open on leads (campaign_id) where status in ('not_yet_contacted', 'contacted');

-- One row is one e-mail to one lead for one step, from the moment a worker takes it on.
create table sends (
  id uuid primary key,
  workspace_id uuid not null,
  campaign_id uuid not null,
  lead_id uuid not null,
  provider_id uuid not null,
  step integer not null,
  sequence_version integer not null,
  variant_id uuid not null,
  domain text not null,
  -- queued: to be tried again. claimed: a worker has it, nothing has left. sending: it may leave at any moment.
  -- unknown: it may have left. The others are final.
  status text not null check (status in ('queued', 'claimed', 'sending', 'sent', 'failed', 'unknown')),
  -- Fixed by the id of the row, so that a message whose fate is unknown can be looked for.
  message_id text not null unique,
  subject text,
  -- Where the tracked links lead, in order: a click names the send and the number of the link, never an address.
  links text[] not null default '{}',
  open_count integer not null default 0,
  click_count integer not null default 0,
  attempts integer not null default 1,
  -- When the lead was due: what it goes back to when nothing came of this.
  due_at timestamptz(3) not null,
  worker_id integer,
  response text,
  reconcile_at timestamptz(3),
  reconcile_attempts integer not null default 0,
  -- How the fate of an unknown send was settled: found in the Sent folder, named by somebody, or assumed.
  reconciled text check (reconciled in ('found', 'named', 'assumed')),
  claimed_at timestamptz(3) not null,
  sent_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  -- At most one message per lead and step, whatever dies when.
  unique (lead_id, step)
) with (fillfactor = 70);
create index sends_in_flight on sends (campaign_id) where status = 'sending';
create index sends_taken on sends (worker_id) where worker_id is not null;
create index sends_to_reconcile on sends (reconcile_at) where status = 'unknown';
create index sends_of_mailbox on sends (provider_id, claimed_at);
create index sends_of_variant on sends (campaign_id, variant_id);

-- Decisions not to send, one row each time the reason for a lead changes.
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
create index decisions_of_lead on decisions (lead_id, created_at, id);

-- What came in: one row for each message that concerns somebody we wrote to.
create table inbound_messages (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  provider_id uuid not null,
  -- The Message-ID, or a digest of the message where it has none: the same message is never taken twice.
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
  unique (provider_id, dedupe_key)
);
create index inbound_messages_of_lead on inbound_messages (lead_id, received_at);
create index inbound_messages_of_send on inbound_messages (send_id);

-- The sandbox: what would have been sent, and what its made-up people will do about it.
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
create index sandbox_messages_of_mailbox on sandbox_messages (provider_id, created_at desc, id desc);

create table sandbox_reactions (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  provider_id uuid not null references providers on delete cascade,
  send_id uuid not null,
  due_at timestamptz(3) not null,
  action jsonb not null
);
create index sandbox_reactions_due on sandbox_reactions (due_at);
