-- Whether a message in doubt has left can be told from its neighbours: messages of the same mailbox that are known to
-- have left in the same minutes.
alter table sends
  -- When it was declared as leaving.
  add intended_at timestamptz(3),
  -- The copy in the Sent folder is ours, so it says nothing about the copies that the server keeps.
  add has_own_copy boolean not null default false,
  -- A server refused it by a rule of its own, and not because of the address.
  add refused_by_policy boolean not null default false;

alter table providers
  -- Whether its inbox can be read: null before the first look, then unread (nobody has looked up to now), readable or
  -- unreadable.
  add inbox_state text check (inbox_state in ('unread', 'readable', 'unreadable')),
  add inbox_reason text,
  add inbox_since timestamptz(3),
  -- The first failure of the mailbox itself since it last worked, until when it rests, and why.
  add failing_since timestamptz(3),
  add resting_until timestamptz(3),
  add resting_reason text,
  -- The servers that the stored credentials must not be shown to, because they were changed since.
  add credentials_withheld text[] not null default '{}',
  add reply_to text,
  add signature jsonb;
