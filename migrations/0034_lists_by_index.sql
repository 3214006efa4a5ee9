-- Lists with a filter read what they show, however much is stored beside it.
create index operations_of_action on operations (workspace_id, action, created_at desc, id desc);
create index operations_of_campaign on operations (campaign_id, created_at desc, id desc) where campaign_id is not null;
create index operations_unlike_most on operations (workspace_id, status, created_at desc, id desc) where status <> 'succeeded';
create index operations_completed on operations (completed_at) where completed_at is not null;
create index leads_of_status on leads (campaign_id, status, created_at desc, id desc);
create index events_of_type on events (workspace_id, type, seq);

-- Which fields of a lead are filled. Leads of the same shape lack the same in a template, so one of them stands for all.
create function lead_shape(first_name text, last_name text, full_name text, company text, job_title text, variables jsonb)
returns bigint
language sql immutable parallel safe
return (
  select hashtextextended(
    (coalesce(btrim(first_name), '') = '')::text
      || (coalesce(btrim(last_name), '') = '')::text
      || (coalesce(btrim(full_name), '') = '')::text
      || (coalesce(btrim(company), '') = '')::text
      || (coalesce(btrim(job_title), '') = '')::text
      || coalesce(string_agg(v.key, e'\x1f' order by v.key), ''),
    0)
  from jsonb_each_text(variables) as v
  where btrim(v.value) <> ''
);

alter table leads add column shape bigint not null
  generated always as (lead_shape(first_name, last_name, full_name, company, job_title, variables)) stored;

-- The kinds of leads that are still written to: one hop of the index leads from one kind to the next.
drop index leads_open;
create index leads_open on leads (campaign_id, next_step, (coalesce(sequence_version, 0)), shape, id)
  where status in ('not_yet_contacted', 'contacted');
