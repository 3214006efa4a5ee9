-- Why credits were granted, in the words of whoever granted them. Older entries have no note.
alter table ledger_entries add note text;
