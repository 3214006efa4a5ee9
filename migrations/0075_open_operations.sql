-- An operation is open until completed_at is set. No index mentions what a claim changes, so a claim writes no index again, as long as there
-- is room on the page of the operation.
alter table operations set (fillfactor = 70);
create index operations_open on operations (campaign_id, seq) where completed_at is null;
create index operations_open_of_workspace on operations (workspace_id, created_at desc, id desc) where completed_at is null;
create index operations_failed on operations (workspace_id, created_at desc, id desc) where error is not null;
drop index operations_lane;
drop index operations_claimed;
drop index operations_unlike_most;
drop index operations_free;
create index operations_free on operations (seq) where campaign_id is null and completed_at is null;
