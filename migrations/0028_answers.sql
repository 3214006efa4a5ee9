-- A person answers a reply. The message goes the way of every other: a row of `sends`, but of no step and no variant.
alter table sends
  alter step drop not null,
  alter sequence_version drop not null,
  alter variant_id drop not null,
  add constraint sends_of_a_step check ((step is null) = (variant_id is null) and (step is null) = (sequence_version is null));

-- What the sender must know of an answer, and its queue: `due_at` says from when on it may go, and is null while it is on
-- its way or when nothing is left to do.
create table answers (
  send_id uuid primary key,
  workspace_id uuid not null,
  -- At most one message for each request, whatever dies when.
  operation_id uuid not null unique,
  reply_id uuid not null,
  provider_id uuid not null,
  to_address text not null,
  email_hash bytea not null,
  domain_hash bytea not null,
  -- When the reply came in: a suppression from before does not keep it from being answered.
  written_at timestamptz(3) not null,
  in_reply_to text,
  reference_ids text[] not null,
  due_at timestamptz(3),
  -- Why it has not left when it was last looked at.
  hold_reason text,
  hold_until timestamptz(3),
  created_at timestamptz(3) not null
);
create index answers_due on answers (due_at) where due_at is not null;
