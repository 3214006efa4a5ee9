-- The events of a mailbox and of a variant that it never sends were looked for among all events of the mailbox. A variant is sent by a few
-- mailboxes, so its events are kept apart by mailbox: those of both are found at once, and those of a variant are merged from its mailboxes.
drop index events_of_variant;
create index events_of_variant on events (variant_id, provider_id, seq) where variant_id is not null;
