-- What a person may do in a workspace. Whoever was there before could do everything.
alter table memberships
  add role text not null default 'owner' check (role in ('owner', 'admin', 'member', 'viewer')),
  add joined_at timestamptz(3) not null default now();
alter table memberships alter role drop default;
create index memberships_of_workspace on memberships (workspace_id, joined_at desc, user_id desc);

-- Only the hash of the code is kept. An invitation ends when it is accepted or withdrawn, and with whoever made it.
create table invitations (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  hash bytea not null unique,
  token_id uuid not null references tokens on delete cascade,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
create index invitations_open on invitations (workspace_id, created_at desc, id desc) where ended_at is null;
create index invitations_of_token on invitations (token_id) where ended_at is null;
