-- How many people were written to for the first time is a sum of a few rows, and no longer a count of events.
alter table metric_quarters add column contacted bigint not null default 0;

update metric_quarters q
set contacted = counted.contacted
from (
  select e.campaign_id, d.dimension, date_bin('15 minutes', e.timestamp, 'epoch') as at, d.key, count(*) as contacted
  from events e
  cross join lateral (values
    ('all', null),
    ('step', e.data->>'step'),
    ('variant', e.data->>'variantId'),
    ('mailbox', e.data->>'providerId')) as d(dimension, key)
  where e.type = 'email.sent'
    and (e.data->>'first')::boolean
  group by 1, 2, 3, 4
) as counted
where q.campaign_id = counted.campaign_id
  and q.dimension = counted.dimension
  and q.at = counted.at
  and q.key is not distinct from counted.key;

-- Nobody asks the log for them any more.
drop index events_first_sends;

create index sends_assumed on sends (campaign_id) where reconciled = 'assumed';
