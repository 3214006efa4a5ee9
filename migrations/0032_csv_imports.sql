-- A CSV file on its way into a campaign, kept as it came until the import is over. It belongs to an operation once all of it is here.
create table csv_uploads (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  operation_id uuid references operations on delete cascade,
  -- How far the import has come: rows that are done, and what became of them.
  row_count integer not null default 0,
  result jsonb,
  created_at timestamptz(3) not null default now()
);
create index csv_uploads_of_operation on csv_uploads (operation_id);

create table csv_upload_pieces (
  upload_id uuid not null references csv_uploads on delete cascade,
  n integer not null,
  bytes bytea not null,
  primary key (upload_id, n)
);
alter table csv_upload_pieces alter bytes set storage external;

-- Rows that an import could not take, with the reason: to be downloaded, mended and imported again. They go with their operation.
create table rejected_rows (
  operation_id uuid not null references operations on delete cascade,
  n integer not null,
  workspace_id uuid not null references workspaces on delete cascade,
  rows jsonb not null,
  primary key (operation_id, n)
);
create index rejected_rows_of_workspace on rejected_rows (workspace_id);
