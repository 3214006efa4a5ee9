-- The leads of one time zone, newest first. Most leads have none, and are not in it: every change of a lead would write to it.
create index leads_of_zone on leads (campaign_id, timezone, created_at desc, id desc) where timezone is not null;
