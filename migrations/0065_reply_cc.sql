-- Who else got a reply: the person who answers sees who reads along. Of what came in before, it is not known.
alter table inbound_messages add column cc text[] not null default '{}';
