-- Everybody in the lead directory has an owner: 0 is the operator, any other number is the workspace that imported them. Nobody
-- else sees what a workspace has imported, and the same address may be there once for each owner.

-- Given out at the first import of a workspace, under the directory's lock, dense from 1: the index keeps it in a column.
alter table workspaces add owner_number integer unique;

-- Of somebody who was erased not even this is kept.
alter table people add owner integer default 0;
alter table companies add owner integer not null default 0;
alter table company_domains add owner integer not null default 0;

update people set owner = null where deleted;
alter table people add check (deleted = (owner is null));
alter table people drop constraint people_match_key_key;
-- Keys are compared byte by byte, which is several times as fast as by the rules of a language; and a preview that looks up a
-- hundred thousand addresses finds all it wants in the index.
alter table people alter column match_key type text collate "C";
create unique index people_once on people (match_key, owner) include (id);
create index people_of_owner on people (owner) where owner > 0;
alter table companies drop constraint companies_match_key_key;
create unique index companies_once on companies (match_key, owner);
alter table company_domains drop constraint company_domains_pkey;
alter table company_domains add primary key (domain, owner);

-- The workspace brought the person itself: delivered, and not charged.
alter table export_rows add is_own boolean not null default false;

-- ---- what is there already ----

-- Imports through the API, by the version that they made. One that changed nobody names the version of somebody else.
create temporary table api_imports on commit drop as
select (result->>'version')::bigint as version, workspace_id, input
from operations
where action = 'directory.import' and status = 'succeeded'
  and coalesce((result->>'insertedCount')::bigint, 0) + coalesce((result->>'updatedCount')::bigint, 0) > 0;

-- Numbers of people are dense and given out in the order of versions, so the counts say in which version each was new. They
-- belong to the workspace that brought them if nobody but workspaces has changed them since. Who cannot be told apart so, or
-- whose operation is gone, stays the operator's.
create temporary table moved_people on commit drop as
select p.id, born.workspace_id, 0 as owner
from (
    select v.version, sum(v.inserted_count) over (order by v.version) - v.inserted_count as after_id,
      sum(v.inserted_count) over (order by v.version) as last_id
    from directory_versions v
  ) as span
  join api_imports born on born.version = span.version
  join people p on p.id > span.after_id and p.id <= span.last_id and not p.deleted
where p.version in (select version from api_imports)
  and (select sum(inserted_count) from directory_versions) = (select max(id) from people);

update workspaces w set owner_number = n.number
from (
    select workspace_id, row_number() over (order by workspace_id) as number
    from (select distinct workspace_id from moved_people) as importing
  ) as n
where w.id = n.workspace_id;

delete from moved_people m where not exists (select from workspaces w where w.id = m.workspace_id);
update moved_people m set owner = w.owner_number from workspaces w where w.id = m.workspace_id;

-- What a workspace said about verified addresses of the operator's people counts no more.
create temporary table doubted_people on commit drop as
select distinct p.id
from api_imports i
  cross join lateral jsonb_array_elements(i.input->'people') as told
  join people p on p.match_key = lower(trim(told->>'email')) and p.version = i.version
where told->>'emailStatus' is not null and p.email_status = 'verified' and p.id not in (select id from moved_people);

insert into directory_versions (version, source, updated_count)
select (select max(version) + 1 from directory_versions), 'owners', changed.count
from (select (select count(*) from moved_people) + (select count(*) from doubted_people) as count) as changed
where changed.count > 0;

update people p
set owner = m.owner,
  email_status = case when p.email_status = 'verified' then 'unverified' else p.email_status end,
  last_verified_at = null,
  version = (select max(version) from directory_versions)
from moved_people m
where p.id = m.id;

update people p
set email_status = 'unverified', last_verified_at = null, version = (select max(version) from directory_versions)
from doubted_people d
where p.id = d.id;

-- Their companies: one that only people of one workspace work for becomes that workspace's, of all others it gets a copy.
create temporary table moved_companies on commit drop as
select c.id, owners.owner, owners.count = 1 and not c.is_shared as is_moved, null::integer as copy_id
from (
    select p.company_id as id, bool_or(p.owner = 0) as is_shared
    from people p
    where p.company_id in (select company_id from people where owner > 0)
    group by p.company_id
  ) as c
  join (
    select p.company_id as id, p.owner, count(*) over (partition by p.company_id) as count
    from people p
    where p.owner > 0 and p.company_id is not null
    group by p.company_id, p.owner
  ) as owners on owners.id = c.id;

update companies c
set owner = m.owner, version = (select max(version) from directory_versions)
from moved_companies m
where m.is_moved and c.id = m.id;

update company_domains d
set owner = m.owner
from moved_companies m
where m.is_moved and d.company_id = m.id;

-- Numbers of companies are dense as well, so only the copies count.
update moved_companies m
set copy_id = n.copy_id
from (
    select id, owner, (select max(id) from companies) + row_number() over (order by id, owner) as copy_id
    from moved_companies
    where not is_moved
  ) as n
where m.id = n.id and m.owner = n.owner;

insert into companies (id, match_key, name, domain, industry, employees, size, place_id, founded, revenue, revenue_currency, funding_stage,
  funding_total, funding_currency, funded_at, technologies, tags, description, version, owner)
select m.copy_id, c.match_key, c.name, c.domain, c.industry, c.employees, c.size, c.place_id, c.founded, c.revenue, c.revenue_currency,
  c.funding_stage, c.funding_total, c.funding_currency, c.funded_at, c.technologies, c.tags, c.description,
  (select max(version) from directory_versions), m.owner
from moved_companies m
  join companies c on c.id = m.id
where not m.is_moved;

insert into company_domains (domain, company_id, owner)
select d.domain, m.copy_id, m.owner
from moved_companies m
  join company_domains d on d.company_id = m.id and d.owner = 0
where not m.is_moved;

update people p
set company_id = m.copy_id
from moved_companies m
where not m.is_moved and p.owner = m.owner and p.company_id = m.id;
