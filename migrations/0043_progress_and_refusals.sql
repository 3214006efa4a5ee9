-- How far a running operation is, as its worker last reported. Null before the first report, and after the end.
alter table operations add progress jsonb;

-- What mail servers refused is kept here and not by a worker: the decision is the same after a restart, and for any of several workers.
alter table sends
  -- How often a server answered to this message that the mailbox is refused.
  add mailbox_refusals integer not null default 0,
  -- The mailbox was accepted for others after that.
  add others_accepted boolean not null default false;
create index sends_refused_to_mailbox on sends (provider_id) where mailbox_refusals > 0 and not others_accepted;

alter table providers
  -- How many messages in a row the server has read and then refused by a rule.
  add content_refusals integer not null default 0;
