-- Rules that hold across the campaigns of a workspace: who was written to elsewhere, who is being written to elsewhere, and
-- what goes on with others at the same company. An empty object means: nothing is said, so nothing changes for what is there.
alter table workspaces add contact_rules jsonb not null default '{}';
alter table campaigns add contact_rules jsonb not null default '{}';
create index campaigns_with_contact_rules on campaigns (workspace_id) where contact_rules <> '{}';

-- Where a person was written to first, also when the lead is gone. Later steps are found by the lead.
create index sends_first_contacts on sends (email_hash) where step = 0;

-- The people of a company who are in a sequence, or have answered.
create index leads_of_company on leads (workspace_id, domain_hash, status)
  where status in ('contacted', 'replied', 'interested', 'not_interested', 'meeting_booked', 'meeting_completed', 'closed');
