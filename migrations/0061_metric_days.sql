-- Results over time were sums over rows of a quarter of an hour: a year of twenty mailboxes is 700 000 of them. A day that is over is packed
-- into one row for each key, with the counts of all its quarters (src/modules/metrics/packed-day.ts). The quarters stay the place that events
-- add to, also late ones: what is counted is the sum of both, and the packing, which goes on in the background, moves rows from one to
-- the other. So there is nothing to do here about what has happened before. Without a campaign: the whole workspace.
-- The counts by the hour are a third of the bytes, and enough where days begin at a full hour of UTC.
create table metric_days (
  workspace_id uuid not null references workspaces on delete cascade,
  campaign_id uuid references campaigns on delete cascade,
  dimension text not null check (dimension in ('all', 'step', 'variant', 'mailbox')),
  day date not null,
  key text,
  quarters bytea not null,
  hours bytea not null,
  unique nulls not distinct (campaign_id, workspace_id, dimension, day, key)
);
create index metric_days_of_workspace on metric_days (workspace_id, day);
