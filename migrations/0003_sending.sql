-- One row is one e-mail to one lead for one step, from the moment a worker takes it on.
create table sends (
  id uuid primary key,
  workspace_id uuid not null,
  campaign_id uuid not null,
  lead_id uuid not null,
  provider_id uuid not null,
  step integer not null,
  sequence_version integer not null,
  variant_id uuid,
  status text not null check (status in ('claimed', 'sending', 'sent', 'failed', 'unknown')),
  message_id text not null unique,
  worker_id integer,
  created_at timestamptz(3) not null default now(),
  -- At most one message per lead and step, whatever dies when.
  unique (lead_id, step)
) with (fillfactor = 70);
create index sends_in_flight on sends (campaign_id) where status = 'sending';
