-- The lead directory: people and companies, one for the whole installation. What a workspace owns, has written to or
-- must not write to is decided elsewhere; here is only what is known about whom, where it came from and since when.

-- Imports are serialised by an advisory lock, and one batch is one version. Every row carries the version that changed
-- it last, so an index follows by asking for what is newer than what it has seen. The id tells apart two histories
-- that have the same numbers, such as a database and its restored backup.
create table directory_versions (
  version bigint primary key,
  id uuid not null default gen_random_uuid(),
  source text not null,
  inserted_count integer not null default 0,
  updated_count integer not null default 0,
  deleted_count integer not null default 0,
  created_at timestamptz(3) not null default now()
);
insert into directory_versions (version, source) values (0, 'empty');

-- Ids are dense numbers from 1, given out under the lock: they are the positions in the index's columns.

-- Rows of these two never change and are never deleted.
create table titles (
  id integer primary key,
  title text not null unique
);

create table places (
  id integer primary key,
  country text not null,
  region text,
  city text,
  lat real,
  lon real
);
create unique index places_once on places (country, coalesce(region, ''), coalesce(city, ''));

create table companies (
  id integer primary key,
  -- What makes two companies one: `d:` and the registrable domain, or `n:` and the name without its legal form.
  match_key text not null unique,
  name text not null,
  domain text,
  industry text,
  employees integer,
  size text check (size in ('1-10', '11-50', '51-200', '201-500', '501-1000', '1001-5000', '5001-10000', '10001+')),
  place_id integer references places,
  founded smallint,
  revenue bigint,
  revenue_currency text,
  funding_stage text,
  funding_total bigint,
  funding_currency text,
  funded_at date,
  technologies text[] not null default '{}',
  tags text[] not null default '{}',
  description text,
  version bigint not null
);
create index companies_by_version on companies (version);

-- Every domain that a company is known by: of its website, and of the work addresses of its people.
create table company_domains (
  domain text primary key,
  company_id integer not null references companies
);
create index company_domains_of_company on company_domains (company_id);

create table people (
  id integer primary key,
  -- The address in lower case; `#`, the folded name and the company for a person whose address is missing.
  match_key text not null unique,
  email text,
  email_status text not null check (email_status in ('verified', 'accept_all', 'unverified', 'missing')),
  email_type text check (email_type in ('work', 'personal', 'role')),
  last_verified_at timestamptz(3),
  first_name text,
  last_name text,
  full_name text,
  -- These three are checked by the import, which looks each of them up; a foreign key would look once more per row.
  title_id integer,
  seniority text,
  department text,
  company_id integer,
  -- Where the person is. Unknown: the headquarters of the company count.
  place_id integer,
  linkedin_url text,
  phone text,
  -- Where the record came from: a file, the API, a data provider.
  source text not null,
  imported_at timestamptz(3) not null,
  -- A tombstone keeps the number taken and nothing about the person.
  deleted boolean not null default false,
  version bigint not null,
  check ((email is null) = (email_status = 'missing')),
  check (not deleted or (email is null and full_name is null))
);
create index people_by_version on people (version);

-- Where a long import stands: committed with each batch, so that one that was interrupted goes on behind it.
create table directory_imports (
  -- Of the beginning, the end and the size of the file, and of the column mapping.
  fingerprint text primary key,
  file_name text not null,
  byte_position bigint not null,
  row_count bigint not null,
  inserted_count bigint not null default 0,
  updated_count bigint not null default 0,
  rejected_count bigint not null default 0,
  rejected_bytes bigint not null default 0,
  finished boolean not null default false,
  updated_at timestamptz(3) not null
);
