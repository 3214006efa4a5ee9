/** `$2` events of a workspace at once, numbered as the service numbers them: what webhooks are to be told of. */
export const INSERT_EVENTS = `
  with counter as (
    insert into event_streams (workspace_id, seq) values ($1, $2::int)
    on conflict (workspace_id) do update set seq = event_streams.seq + $2::int returning seq)
  insert into events (workspace_id, seq, id, type, timestamp, data)
  select $1, counter.seq - $2::int + n, gen_random_uuid(), 'campaign.paused', now(), jsonb_build_object('campaignId', gen_random_uuid(), 'name', 'Campaign ' || n)
  from counter, generate_series(1, $2::int) as n`
