-- How far an operation of many transactions has come, written in the transaction of each step. Another attempt goes on behind the last
-- step that was saved, so that its result counts all of them. Null before the first step, and after the end.
alter table operations add checkpoint jsonb;
