-- An event is a resource with an address of its own.
create index events_by_id on events (id);
