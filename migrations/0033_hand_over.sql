-- Where a reply points to instead of saying yes or no: to another person, or to a later day.
alter table inbound_messages
  add referral_email text,
  add referral_name text,
  add deferred_until date;
