-- Which sends are not settled yet: claimed, on their way, or unknown. An index kept by hand. As partial indexes of `sends`
-- the same knowledge made each change of a status write to every index of the table, twice for every message.
create table open_sends (
  send_id uuid primary key,
  campaign_id uuid not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
insert into open_sends (send_id, campaign_id) select id, campaign_id from sends where status in ('claimed', 'sending', 'unknown');

drop index sends_in_flight;
drop index sends_taken;
drop index sends_to_reconcile;
-- Room for the versions of a row between its claim and its end, so that they stay on one page.
alter table sends set (fillfactor = 50);
