-- What is kept for a while only. Each kind is found by its age, so that cleaning up reads what it deletes and nothing else.

-- How much of the log of a workspace is gone. Apart from `event_streams`, whose row every writer of the workspace waits for.
create table event_horizons (
  workspace_id uuid primary key references workspaces on delete cascade,
  -- Events up to this number are gone.
  gone_seq bigint not null,
  -- All that are gone happened before this, the beginning of a quarter of an hour.
  gone_before timestamptz(3) not null
);

-- What events that are gone had added to the metrics of their campaign. Counting again begins with it.
create table settled_metrics (
  like campaign_metrics including defaults,
  contacted_meeting_count bigint not null default 0,
  primary key (campaign_id),
  foreign key (campaign_id) references campaigns on delete cascade
);

create index sent_bodies_by_age on sent_bodies (created_at);
create index decisions_by_age on decisions (created_at);
create index unread_messages_by_age on unread_messages (created_at);
create index sandbox_messages_by_age on sandbox_messages (created_at);

-- The row of a message that came in stays, because counts and the recognition of repetitions are made of it. Its texts may go.
alter table inbound_messages add is_emptied boolean not null default false;
create index inbound_messages_whole on inbound_messages (received_at) where not is_emptied;

-- Since when a version is not that of its campaign any more.
alter table sequence_versions add superseded_at timestamptz(3);
update sequence_versions v
set superseded_at = (
  select min(later.created_at)
  from sequence_versions later
  where later.campaign_id = v.campaign_id
    and later.version > v.version
);
create index sequence_versions_superseded on sequence_versions (superseded_at) where superseded_at is not null;

create index tokens_ended on tokens (least(expires_at, revoked_at));
create index sessions_ended on sessions (least(expires_at, revoked_at));
create index sign_in_codes_ended on sign_in_codes (expires_at);
create index invitations_ended on invitations (least(expires_at, ended_at));
create index consents_ended on consents (expires_at);
create index plans_by_age on plans (created_at);
