-- An operation is open until completed_at is set, and claims rely on it: an operation that has ended without it would be claimed again.
-- Not validated, because that would read the whole table under the lock of this migration; every statement so far has set both.
alter table operations
  add constraint operations_ended check ((status in ('succeeded', 'failed')) = (completed_at is not null)) not valid;
