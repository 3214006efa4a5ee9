-- An operation that takes seconds. A worker applies one of these at a time, and nobody else's operation shares its transaction.
alter table operations
  add is_large boolean not null default false;
