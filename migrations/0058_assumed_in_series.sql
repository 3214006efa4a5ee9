-- Of the messages that count as sent, those of which nobody knows whether they have arrived at the server of the mailbox.
alter table metric_quarters add column assumed bigint not null default 0;
alter table workspace_quarters add column assumed bigint not null default 0;

-- What has happened before is counted as it would have been.
update metric_quarters q
set assumed = counted.assumed
from (
  select e.campaign_id, d.dimension, date_bin('15 minutes', e.timestamp, 'epoch') as at, d.key, count(*) as assumed
  from events e
  cross join lateral (values
    ('all', null),
    ('step', e.data->>'step'),
    ('variant', e.data->>'variantId'),
    ('mailbox', e.data->>'providerId')) as d(dimension, key)
  where e.type = 'email.sent'
    and e.data->>'reconciled' = 'assumed'
  group by 1, 2, 3, 4
) as counted
where q.campaign_id = counted.campaign_id
  and q.dimension = counted.dimension
  and q.at = counted.at
  and q.key is not distinct from counted.key;

update workspace_quarters w
set assumed = counted.assumed
from (
  select workspace_id, dimension, at, key, sum(assumed) as assumed
  from metric_quarters
  where dimension <> 'variant'
    and assumed > 0
  group by workspace_id, dimension, at, key
) as counted
where w.workspace_id = counted.workspace_id
  and w.dimension = counted.dimension
  and w.at = counted.at
  and w.key is not distinct from counted.key;
