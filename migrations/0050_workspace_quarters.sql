-- The results of a whole workspace over time were sums over the quarters of all its campaigns: with two thousand campaigns a month
-- is two million rows, and an answer took seconds. Each count is kept once more for the workspace, so that a month is three thousand
-- rows however many campaigns there are. Variants are not: each belongs to one campaign, so nothing would be summed up.
create table workspace_quarters (
  workspace_id uuid not null references workspaces on delete cascade,
  dimension text not null check (dimension in ('all', 'step', 'mailbox')),
  at timestamptz(3) not null,
  key text,
  sent bigint not null default 0,
  opened bigint not null default 0,
  clicked bigint not null default 0,
  replied bigint not null default 0,
  positive bigint not null default 0,
  bounced bigint not null default 0,
  unsubscribed bigint not null default 0,
  unique nulls not distinct (workspace_id, dimension, at, key)
);

insert into workspace_quarters (workspace_id, dimension, at, key, sent, opened, clicked, replied, positive, bounced, unsubscribed)
select workspace_id, dimension, at, key, sum(sent), sum(opened), sum(clicked), sum(replied), sum(positive), sum(bounced), sum(unsubscribed)
from metric_quarters
where dimension <> 'variant'
group by workspace_id, dimension, at, key;
