-- An event is a resource with an address of its own.
create index events_by_id on events (id);

-- The meetings of a campaign are few, and are counted from the log whenever somebody reads its metrics.
create index events_meetings on events (campaign_id, lead_id)
  where type = 'lead.status_changed' and data->>'to' = 'meeting_booked' and (data->>'first')::boolean;

-- What an operation was given is needed until it is done. What is left of those that are goes here; from now on it goes
-- with the result.
update operations
set input = '{}'
where status in ('succeeded', 'failed')
  and input <> '{}';
