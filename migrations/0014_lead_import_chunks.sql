-- A large import is kept in pieces: no statement and no process ever holds all of it. The worker takes them one by one
-- in the transaction that imports them, and they are gone when the operation is over.
create table lead_import_chunks (
  operation_id uuid not null references operations on delete cascade,
  n integer not null,
  leads jsonb not null,
  primary key (operation_id, n)
);
