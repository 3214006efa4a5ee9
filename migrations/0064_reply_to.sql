-- Where the writer of a message wants answers to go, when that is another address than the one it came from.
alter table inbound_messages add column reply_to text;
