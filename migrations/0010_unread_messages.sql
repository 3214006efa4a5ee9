-- Messages of an inbox that could not be read or recorded. Each is set aside alone, so that the inbox goes on behind it.
create table unread_messages (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  provider_id uuid not null references providers on delete cascade,
  folder text not null,
  -- The number of the message in its folder, which means something only together with the folder's UIDVALIDITY.
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
create index unread_messages_of_mailbox on unread_messages (provider_id, created_at desc, id desc);
