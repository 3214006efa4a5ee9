-- The window of a campaign can be that of each lead's own time zone. Campaigns that are there keep their one zone.
alter table campaigns add use_lead_timezone boolean not null default false;
