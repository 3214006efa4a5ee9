-- A message is taken in once in a workspace, in however many of its inboxes it lies: two mailboxes may be aliases of one.
update inbound_messages m
set dedupe_key = 'again:' || m.id
where exists (
  select from inbound_messages e
  where e.workspace_id = m.workspace_id and e.dedupe_key = m.dedupe_key and (e.created_at, e.id) < (m.created_at, m.id));
alter table inbound_messages
  drop constraint inbound_messages_provider_id_dedupe_key_key,
  add constraint inbound_messages_once unique (workspace_id, dedupe_key),
  -- Nobody knows well enough what the reply means: a person should read it.
  add needs_look boolean not null default false;
create index inbound_messages_to_look_at on inbound_messages (workspace_id, received_at desc, id desc) where needs_look;
-- Somebody who was written to as ann+news@ answers as ann@.
create index leads_by_plain_email on leads (workspace_id, regexp_replace(lower(email), '\+[^@]*@', '@')) where position('+' in email) > 0;
