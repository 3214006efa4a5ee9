-- The latest time that a worker has seen. One that sees an earlier time knows that the clock was set back, also after a restart.
create table clock_marks (
  only_row boolean primary key default true check (only_row),
  latest timestamptz(3) not null
);
