-- What the name system, and a mailbox that was written to, say about the domain that a mailbox sends from.
create table domain_health (
  provider_id uuid primary key references providers on delete cascade,
  workspace_id uuid not null references workspaces on delete cascade,
  -- The check that found this. An operation that is carried out again finds its own findings.
  operation_id uuid not null,
  domain text not null,
  status text not null check (status in ('pass', 'warn', 'fail', 'unknown')),
  checks jsonb not null,
  -- The status that was last told to whoever watches. While a check is under way it stays as it was.
  announced text,
  checked_at timestamptz(3) not null
);
create index domain_health_of_workspace on domain_health (workspace_id);

-- A message from one mailbox to another of the workspace, to see what the receiving server says about its signature. It is stored
-- before it leaves, so that one check sends one message at most.
create table health_messages (
  operation_id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  provider_id uuid not null references providers on delete cascade,
  receiver_id uuid not null references providers on delete cascade,
  -- Of what stands in its header.
  token_hash bytea not null unique,
  created_at timestamptz(3) not null default now(),
  arrived_at timestamptz(3)
);
create index health_messages_of_provider on health_messages (provider_id);
create index health_messages_of_receiver on health_messages (receiver_id);
create index health_messages_of_workspace on health_messages (workspace_id);

-- Whether a campaign may start from a mailbox whose domain fails: 'warn' only says so.
alter table workspaces add domain_health text not null default 'warn' check (domain_health in ('warn', 'require'));
