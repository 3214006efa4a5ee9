-- Operations of no campaign are few. To find them, a claim read everything that waits in the lanes of campaigns.
create index operations_free on operations (seq) where campaign_id is null and worker_id is null and status in ('queued', 'running');
drop index operations_due;
