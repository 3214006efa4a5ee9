-- Erasing people, and unsubscribing after a lead was removed.

-- The keyed hash of the address that the message went to: what its unsubscribe link suppresses when the lead is gone.
alter table sends add email_hash bytea;
update sends s set email_hash = l.email_hash from leads l where l.id = s.lead_id;

-- Whom the operator has erased from the whole installation. Imports into the lead directory leave them out.
create table erased_people (
  email_hash bytea primary key,
  erased_at timestamptz(3) not null
);

-- An erasure goes through what has come in, a page at a time.
create index inbound_messages_of_workspace on inbound_messages (workspace_id, id);
