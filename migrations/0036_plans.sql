-- What an agent proposes and a person approves. A plan is one request to the API, kept as it will be carried out. `basis` is what it was
-- proposed on (the campaign, its sequence, its leads): when that has changed, the plan is not what was approved any more.
create table plans (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  token_id uuid not null references tokens on delete cascade,
  operation text not null,
  -- Method, path, headers and body; null once nothing can come of the plan any more.
  request jsonb,
  request_hash text not null,
  basis text not null,
  summary jsonb not null,
  status text not null default 'pending'
    check (status in ('pending', 'approved', 'applied', 'rejected', 'failed', 'expired')),
  decided_by uuid references users on delete set null,
  decided_at timestamptz(3),
  applied_at timestamptz(3),
  operation_id uuid,
  error jsonb,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index plans_of_workspace on plans (workspace_id, created_at desc, id desc);
create index plans_of_token on plans (token_id);
create index plans_open on plans (expires_at) where status in ('pending', 'approved');

-- Which token made this one: who proposes a plan must not approve it with a token of its own making.
alter table tokens add made_by uuid references tokens on delete set null;
create index tokens_made_by on tokens (made_by) where made_by is not null;
