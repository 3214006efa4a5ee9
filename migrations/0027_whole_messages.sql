-- What was sent is kept as it left. A template, a lead and a signature change; the message that somebody has does not.
-- The workspace comes first in the key, so that one workspace can be gone through without an index of its own.
create table sent_bodies (
  workspace_id uuid not null,
  send_id uuid not null,
  subject text not null,
  text text not null,
  html text,
  created_at timestamptz(3) not null,
  primary key (workspace_id, send_id)
);

-- What came in is kept whole. `text` stays what the person wrote, without quotes and signature.
alter table inbound_messages
  add message_id text,
  -- The ids that the message refers to, as they are written: an answer carries them on.
  add reference_ids text[] not null default '{}',
  add full_text text,
  add html text,
  -- It was larger than what is read of one: texts or attachments may be missing.
  add is_cut boolean not null default false;
update inbound_messages
set message_id = dedupe_key
where dedupe_key like '<%>';

create table inbound_attachments (
  id uuid primary key,
  workspace_id uuid not null,
  message_id uuid not null references inbound_messages on delete cascade,
  position integer not null,
  filename text not null,
  content_type text not null,
  size_bytes integer not null,
  -- Null where it exceeds what is kept of one message.
  content bytea,
  unique (message_id, position)
);
