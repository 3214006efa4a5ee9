-- What a reply is searched by, in lower case.
create function reply_words(from_address text, subject text, text text)
returns text
language sql immutable parallel safe
return lower(coalesce(from_address || ' ', '') || coalesce(subject || ' ', '') || coalesce(text, ''));

-- Replies by a part of their text, found by the groups of three letters in it: makes the index where PostgreSQL has pg_trgm, and says whether
-- it is there. Also for who adds pg_trgm after the migrations. New entries wait in a short list, which every search reads, until they are merged.
create function index_replies_by_words()
returns boolean
language plpgsql
as $$
declare
  home text;
begin
  select n.nspname into home
  from pg_extension e
  join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pg_trgm';
  if home is null then
    return false;
  end if;
  execute format(
    'create index if not exists replies_by_words on inbound_messages using gin (reply_words(from_address, subject, text) %I.gin_trgm_ops)
     with (gin_pending_list_limit = 256)
     where kind <> ''bounce''',
    home);
  return true;
end
$$;

-- pg_trgm comes with PostgreSQL, but not with every installation of it, and not everybody may add it. Without it, a search reads the replies of
-- the workspace one by one, and finds the same.
do $$
begin
  begin
    create extension if not exists pg_trgm;
  exception
    when feature_not_supported or undefined_file or insufficient_privilege then
      raise notice 'pg_trgm cannot be used: %', sqlerrm;
  end;
  perform index_replies_by_words();
end
$$;
