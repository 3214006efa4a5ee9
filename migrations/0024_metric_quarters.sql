-- What was counted in each quarter of an hour, by step, variant and mailbox: results over time are sums of these rows.
-- Quarters and not hours, because days begin at half past or a quarter to an hour of UTC in some time zones.
-- Which step, variant and mailbox an event belongs to is null where nobody knows: an opt-out through a link of an old
-- message names none of them.
create table metric_quarters (
  workspace_id uuid not null,
  campaign_id uuid not null references campaigns on delete cascade,
  at timestamptz(3) not null,
  step integer,
  variant_id uuid,
  provider_id uuid,
  sent bigint not null default 0,
  opened bigint not null default 0,
  clicked bigint not null default 0,
  replied bigint not null default 0,
  positive bigint not null default 0,
  bounced bigint not null default 0,
  unsubscribed bigint not null default 0,
  unique nulls not distinct (campaign_id, at, step, variant_id, provider_id)
);
create index metric_quarters_of_workspace on metric_quarters (workspace_id, at);

-- What has happened before is counted as it would have been.
insert into metric_quarters (workspace_id, campaign_id, at, step, variant_id, provider_id,
  sent, opened, clicked, replied, positive, bounced, unsubscribed)
select c.workspace_id, e.campaign_id, date_bin('15 minutes', e.timestamp, 'epoch'), coalesce((e.data->>'step')::int, s.step),
  coalesce((e.data->>'variantId')::uuid, s.variant_id), coalesce((e.data->>'providerId')::uuid, s.provider_id),
  count(*) filter (where e.type = 'email.sent'),
  count(*) filter (where e.type = 'email.opened' and not coalesce((e.data->>'machine')::boolean, false)),
  count(*) filter (where e.type = 'email.clicked' and not coalesce((e.data->>'machine')::boolean, false)),
  count(*) filter (where e.type = 'email.replied'),
  count(*) filter (where e.type = 'ai_sdr.positive_reply'),
  count(*) filter (where e.type = 'email.bounced' and (e.data->>'first')::boolean),
  count(*) filter (where e.type = 'lead.unsubscribed' and (e.data->>'first')::boolean)
from events e
join campaigns c on c.id = e.campaign_id
left join sends s on s.id = (e.data->>'sendId')::uuid
where e.type in ('email.sent', 'email.opened', 'email.clicked', 'email.replied', 'ai_sdr.positive_reply', 'email.bounced', 'lead.unsubscribed')
group by 1, 2, 3, 4, 5, 6;
