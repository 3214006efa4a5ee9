-- Why credits were granted, in the words of whoever granted them. Older entries have no note.
alter table ledger_entries add note text;

-- Replies are an inbox: people say that they have dealt with one, or that it was misjudged. `kind` is what counts now, and
-- `judged_kind` what the reader had made of it; of older messages that is the same.
alter table inbound_messages
  add judged_kind text,
  add corrected_by uuid,
  add corrected_at timestamptz(3),
  add handled_at timestamptz(3);
create index replies_of_workspace on inbound_messages (workspace_id, received_at desc, id desc) where kind <> 'bounce';
create index replies_of_campaign on inbound_messages (campaign_id, received_at desc, id desc) where kind <> 'bounce';
create index replies_unhandled on inbound_messages (workspace_id, received_at desc, id desc)
  where kind <> 'bounce' and handled_at is null;
