-- What a token may ask for at most, in a day: {leadsPerDay, creditsPerDay, mailsPerDay, sandboxOnly}. Null: whatever its scopes allow.
alter table tokens add limits jsonb;

-- What tokens with limits have asked for, by the day in UTC. A request adds to the row in the transaction that accepts it, so two
-- at once cannot both take the rest. What a token asks for counts for the tokens that it was made by, too.
create table token_spending (
  token_id uuid not null references tokens on delete cascade,
  day date not null,
  leads integer not null default 0,
  credits integer not null default 0,
  mails integer not null default 0,
  primary key (token_id, day)
);
create index token_spending_by_day on token_spending (day);
