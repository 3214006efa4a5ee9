-- Hosts of one's own for the links in messages. A workspace has at most one in use and one that is still to be verified, and a host
-- belongs to one workspace.
create table tracking_hosts (
  host text primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  -- pending: never verified, so never used. failing: was verified, and does not work any more.
  status text not null check (status in ('pending', 'verified', 'failing')),
  -- What links begin with; null before it was verified.
  origin text,
  -- What the last look found wrong.
  reason text,
  -- How often in a row a look has found something wrong.
  failures integer not null default 0,
  verified_at timestamptz(3),
  checked_at timestamptz(3),
  -- When it is looked at again.
  check_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);
create unique index tracking_hosts_in_use on tracking_hosts (workspace_id) where status <> 'pending';
create unique index tracking_hosts_pending on tracking_hosts (workspace_id) where status = 'pending';
create index tracking_hosts_due on tracking_hosts (check_at);

-- The sentence with which recipients are told how to leave, by language, for campaigns that have none of their own.
alter table workspaces add opt_out_lines jsonb not null default '{}';
