-- For who adds pg_trgm after the migrations: makes the index that 0054 could not make, and says whether it is there.
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
