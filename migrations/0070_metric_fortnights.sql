-- A year of a key was 365 packed days, and PostgreSQL took most of the time of a question for them, row by row. Fourteen days share a row now,
-- counted from 1970, each with its number and its length before it (src/modules/metrics/packed-day.ts). What is packed later is added to the
-- end, and what stands there twice is summed up. `days` has a bit for each day on which anything was counted. Nothing is compressed: it would
-- take longer to read.
create table metric_fortnights (
  workspace_id uuid not null references workspaces on delete cascade,
  campaign_id uuid references campaigns on delete cascade,
  dimension text not null check (dimension in ('all', 'step', 'variant', 'mailbox')),
  fortnight int not null,
  key text,
  days int not null,
  quarters bytea not null,
  hours bytea not null,
  unique nulls not distinct (campaign_id, workspace_id, dimension, fortnight, key)
);

alter table metric_fortnights
  alter quarters set storage external,
  alter hours set storage external;

-- A worker that packs meanwhile would lose what it takes from the quarters: it waits here, fails, and its quarters stay.
lock table metric_days in access exclusive mode;

insert into metric_fortnights (workspace_id, campaign_id, dimension, fortnight, key, days, quarters, hours)
select workspace_id, campaign_id, dimension, (day - date '1970-01-01') / 14, key, bit_or(1 << ((day - date '1970-01-01') % 14)),
  string_agg(int4send(day - date '1970-01-01') || int2send(length(quarters)::int2) || quarters, '' order by day),
  string_agg(int4send(day - date '1970-01-01') || int2send(length(hours)::int2) || hours, '' order by day)
from metric_days
group by 1, 2, 3, 4, 5;

create index metric_fortnights_of_workspace on metric_fortnights (workspace_id, fortnight);
drop table metric_days;
