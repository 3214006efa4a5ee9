-- One index of addresses instead of two: the leads of a workspace with an address are found by the first two columns, the one of a campaign
-- by all three. A campaign belongs to one workspace, so no campaign can have an address twice. Every change of a lead wrote to both.
-- Leads cannot be written while the index is made: about ten seconds for a million.
create unique index leads_of_address on leads (workspace_id, lower(email), campaign_id);
drop index leads_email;
drop index leads_by_email;
