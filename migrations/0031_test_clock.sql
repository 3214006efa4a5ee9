-- How far the time of a local installation is ahead of real time, while all its mailboxes are sandboxes. It only grows.
create table test_clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null default 0 check (offset_ms >= 0),
  -- The operation that moves it, from when to when; a target of null means until nothing is planned any more.
  operation_id uuid,
  started_at timestamptz(3),
  target_at timestamptz(3)
);
insert into test_clock default values;
