-- How many leads of a campaign wait for their first message with nothing against it, by zone and by the minute from which on they are due.
-- `GET /campaigns/{id}/sending` counted them one by one. A trigger keeps the counts, so no statement that changes leads can forget them.
-- There may be several rows for the same minute, whose sum counts: a transaction never waits for a row that another one is changing, it
-- adds one of its own. The next change makes one row of those that nobody is changing; what is left and adds up to zero is cleared every
-- hour. Existing leads are counted here.
create table lead_queue_counts (
  id uuid primary key default gen_random_uuid(),
  campaign_id uuid not null,
  timezone text,
  due_minute timestamptz not null,
  count int not null
) with (fillfactor = 70);

create index lead_queue_counts_of_campaign on lead_queue_counts (campaign_id, due_minute);

-- A plan is kept by the connection. One that was made while the table was small would read all of it later.
create function count_lead_queue() returns trigger
language plpgsql
set enable_seqscan = off
as $$
declare
  changes lead_queue_counts[];
begin
  if tg_op = 'INSERT' then
    changes := array(
      select row(null, campaign_id, timezone, date_bin('1 minute', due_at, 'epoch'), count(*))::lead_queue_counts
      from present
      where due_at is not null and provider_id is null and next_step = 0 and hold_reason is null
      group by campaign_id, timezone, date_bin('1 minute', due_at, 'epoch'));
  elsif tg_op = 'DELETE' then
    changes := array(
      select row(null, campaign_id, timezone, date_bin('1 minute', due_at, 'epoch'), -count(*))::lead_queue_counts
      from former
      where due_at is not null and provider_id is null and next_step = 0 and hold_reason is null
      group by campaign_id, timezone, date_bin('1 minute', due_at, 'epoch'));
  else
    changes := array(
      select row(null, campaign_id, timezone, date_bin('1 minute', due_at, 'epoch'), sum(n))::lead_queue_counts
      from (
        select campaign_id, timezone, due_at, -1 as n
        from former
        where due_at is not null and provider_id is null and next_step = 0 and hold_reason is null
        union all
        select campaign_id, timezone, due_at, 1
        from present
        where due_at is not null and provider_id is null and next_step = 0 and hold_reason is null
      ) as each
      group by campaign_id, timezone, date_bin('1 minute', due_at, 'epoch')
      having sum(n) <> 0);
  end if;
  if cardinality(changes) = 0 then
    return null;
  end if;

  -- The counts are taken from the rows as they were locked, which may be newer than what the statement sees otherwise.
  with free as materialized (
    select c.n, q.id, q.count
    from unnest(changes) with ordinality as c (id, campaign_id, timezone, due_minute, count, n)
    join lead_queue_counts q
      on q.campaign_id = c.campaign_id and q.due_minute = c.due_minute and q.timezone is not distinct from c.timezone
    for update of q skip locked
  ), sums as (
    select n, (array_agg(id))[1] as id, sum(count) as count
    from free
    group by n
  ), totals as materialized (
    select c.n, c.campaign_id, c.timezone, c.due_minute, s.id, c.count + coalesce(s.count, 0) as total
    from unnest(changes) with ordinality as c (id, campaign_id, timezone, due_minute, count, n)
    left join sums s on s.n = c.n
  ), emptied as (
    delete from lead_queue_counts q
    using free f
    join totals t on t.n = f.n
    where q.id = f.id and (t.total = 0 or f.id <> t.id)
  ), changed as (
    update lead_queue_counts q
    set count = t.total
    from totals t
    where q.id = t.id and t.total <> 0
  )
  insert into lead_queue_counts (campaign_id, timezone, due_minute, count)
  select campaign_id, timezone, due_minute, total
  from totals
  where id is null and total <> 0;
  return null;
end
$$;

create trigger leads_added
after insert on leads
referencing new table as present
for each statement execute function count_lead_queue();

create trigger leads_changed
after update on leads
referencing old table as former new table as present
for each statement execute function count_lead_queue();

create trigger leads_removed
after delete on leads
referencing old table as former
for each statement execute function count_lead_queue();

insert into lead_queue_counts (campaign_id, timezone, due_minute, count)
select campaign_id, timezone, date_bin('1 minute', due_at, 'epoch'), count(*)
from leads
where due_at is not null and provider_id is null and next_step = 0 and hold_reason is null
group by 1, 2, 3;

-- Those in the same queue that something holds back, or that were written to before.
create index leads_due_unlike on leads (campaign_id, due_at, id)
where due_at is not null and provider_id is null and not (next_step = 0 and hold_reason is null);
