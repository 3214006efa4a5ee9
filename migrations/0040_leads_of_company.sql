-- The open leads of a company as well: when its domain is suppressed, they are found without reading all leads.
drop index leads_of_company;
create index leads_of_company on leads (workspace_id, domain_hash, status)
  where status in (
    'not_yet_contacted', 'contacted', 'replied', 'interested', 'not_interested', 'meeting_booked', 'meeting_completed', 'closed');
