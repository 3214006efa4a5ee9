-- What was counted in each quarter of an hour: results over time are sums of these rows. Quarters and not hours, because days
-- begin at half past or a quarter to an hour of UTC in some time zones. Each count is there once for all, and once more for
-- each way to tell it apart: a question reads only the rows of its own dimension, which stay few however many mailboxes send.
-- The key is null where nobody knows the step, variant or mailbox: an opt-out through a link names none of them.
create table metric_quarters (
  workspace_id uuid not null,
  campaign_id uuid not null references campaigns on delete cascade,
  dimension text not null check (dimension in ('all', 'step', 'variant', 'mailbox')),
  at timestamptz(3) not null,
  key text,
  sent bigint not null default 0,
  opened bigint not null default 0,
  clicked bigint not null default 0,
  replied bigint not null default 0,
  positive bigint not null default 0,
  bounced bigint not null default 0,
  unsubscribed bigint not null default 0,
  unique nulls not distinct (campaign_id, dimension, at, key)
);
create index metric_quarters_of_workspace on metric_quarters (workspace_id, dimension, at);

-- What has happened before is counted as it would have been.
insert into metric_quarters (workspace_id, campaign_id, dimension, at, key,
  sent, opened, clicked, replied, positive, bounced, unsubscribed)
select c.workspace_id, e.campaign_id, d.dimension, date_bin('15 minutes', e.timestamp, 'epoch'), d.key,
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
cross join lateral (values
  ('all', null),
  ('step', coalesce(e.data->>'step', s.step::text)),
  ('variant', coalesce(e.data->>'variantId', s.variant_id::text)),
  ('mailbox', coalesce(e.data->>'providerId', s.provider_id::text))) as d(dimension, key)
where e.type in ('email.sent', 'email.opened', 'email.clicked', 'email.replied', 'ai_sdr.positive_reply', 'email.bounced', 'lead.unsubscribed')
group by 1, 2, 3, 4, 5;
