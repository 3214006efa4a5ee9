-- The queue of those who were never written to can be counted without looking at the leads themselves: the index says which of them
-- are at their first step, which are held back, and in which zone they are.
drop index leads_due;
create index leads_due on leads (campaign_id, due_at, id) include (next_step, hold_reason, timezone)
  where due_at is not null and provider_id is null;
