-- What has been bought, and the files that deliver it.

-- Who a workspace has paid for. The keyed hash still recognises an address after the person has been erased or has come
-- back under another number, so nobody is charged for twice.
create table workspace_people (
  workspace_id uuid not null references workspaces on delete cascade,
  email_hash bytea not null,
  person_id integer not null,
  -- The operation that was charged.
  operation_id uuid not null,
  bought_at timestamptz(3) not null,
  -- The address bounced although it had been sold as verified: the credit went back.
  refunded_at timestamptz(3),
  primary key (workspace_id, email_hash)
);
create index workspace_people_by_person on workspace_people (workspace_id, person_id);

create table exports (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  operation_id uuid not null unique,
  status text not null check (status in ('building', 'completed', 'failed', 'expired')),
  requested_count integer not null,
  -- Goes up whenever the choice of people is made anew; a file belongs to one revision.
  revision integer not null default 0,
  -- The people of this revision have been chosen.
  is_fixed boolean not null default false,
  -- The revision that the file below was made of.
  file_revision integer,
  -- Where the file is in the object store; null when it is kept in export_chunks.
  object_key text,
  byte_length bigint,
  lead_count integer not null default 0,
  credits_charged integer not null default 0,
  -- What the choice was made from.
  directory_version bigint,
  created_at timestamptz(3) not null,
  completed_at timestamptz(3),
  expires_at timestamptz(3),
  -- Rows and file are gone.
  cleared_at timestamptz(3),
  check ((status in ('completed', 'expired')) = (completed_at is not null)),
  check ((completed_at is null) = (expires_at is null))
) with (fillfactor = 80);
create index exports_of_workspace on exports (workspace_id, created_at desc, id desc);
create index exports_to_clear on exports (expires_at nulls first) where cleared_at is null and status <> 'building';

-- The people of an export as they were when it was made, in its order: fixed before anything is charged.
create table export_rows (
  export_id uuid not null,
  n integer not null,
  person_id integer not null,
  email_hash bytea not null,
  domain_hash bytea not null,
  email text not null,
  first_name text,
  last_name text,
  full_name text,
  job_title text,
  seniority text,
  department text,
  company text,
  company_domain text,
  industry text,
  employees integer,
  company_size text,
  city text,
  region text,
  country text,
  linkedin_url text,
  phone text,
  last_verified_at timestamptz(3),
  primary key (export_id, n)
);

-- The file, ready to be sent. It is read once or twice and then deleted, so it is not worth compressing.
create table export_chunks (
  export_id uuid not null,
  n integer not null,
  body text not null,
  primary key (export_id, n)
);
alter table export_chunks alter column body set storage external;

-- What a preview leaves out: the people at a blocked domain, and those who bounced or opted out.
create index people_by_domain on people (split_part(match_key, '@', 2)) where email is not null;
create index leads_lost on leads (workspace_id, lower(email)) where status in ('bounced', 'unsubscribed');
