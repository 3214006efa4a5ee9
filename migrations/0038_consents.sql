-- A mailbox at Google or Microsoft that signs in by the consent of its owner. Each row is one attempt to get it, in a browser or with
-- a code that is typed in on another device. It ends after minutes, works once, and belongs to whoever began it.
create table consents (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  -- The mailbox that gets it. Null: a new one is made for the address that consents.
  provider_id uuid references providers on delete cascade,
  token_id uuid not null references tokens on delete cascade,
  session_id uuid references sessions on delete cascade,
  issuer text not null check (issuer in ('google', 'microsoft')),
  flow text not null check (flow in ('browser', 'device')),
  -- Of the state that travels through the browser.
  state_hash bytea unique,
  -- Of the cookie of the browser that began, where one did.
  browser_hash bytea,
  -- Sealed: the verifier of PKCE, or the code of the device.
  secret bytea not null,
  status text not null default 'open' check (status in ('open', 'granted', 'refused')),
  reason text,
  account text,
  interval_seconds integer not null default 5,
  next_poll_at timestamptz(3),
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index consents_of_workspace on consents (workspace_id, expires_at);
create index consents_of_provider on consents (provider_id);
create index consents_of_token on consents (token_id);
create index consents_of_session on consents (session_id);

-- Who gave the consent that a mailbox signs in with: {issuer, account}. Null where it signs in by other means.
alter table providers add column consent jsonb;
