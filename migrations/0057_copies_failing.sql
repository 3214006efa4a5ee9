-- Why the server takes no copies of sent messages into the Sent folder, and since when.
alter table providers
  add copies_reason text,
  add copies_since timestamptz(3);
