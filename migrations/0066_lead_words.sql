-- What leads are searched by, in lower case: the words of up to sixty leads of a campaign in one row, so that a search for a part of a word
-- reads a few large texts instead of every lead. A message that is sent does not touch them. `words` has a part for each of `lead_ids`, in
-- their order, with the character 1 between the parts. Existing leads are added here, sixty to a row.
create function words_of_lead(email text, full_name text, first_name text, last_name text, company text)
returns text
language sql stable parallel safe
return translate(lower(concat_ws(e'\n', email, full_name, nullif(concat_ws(' ', first_name, last_name), full_name), company)), e'\x01', ' ');

create table lead_words (
  campaign_id uuid not null references campaigns on delete cascade,
  first_id uuid not null,
  last_id uuid not null,
  size int not null,
  lead_ids uuid[] not null,
  words text not null,
  primary key (campaign_id, first_id)
) with (toast_tuple_target = 8160);

-- They lie in the row itself, as they are: compressed or in pieces beside it they take twice as long to look through.
alter table lead_words alter column words set storage external, alter column lead_ids set storage external;

insert into lead_words (campaign_id, first_id, last_id, size, lead_ids, words)
select campaign_id, (array_agg(id order by id))[1], (array_agg(id order by id desc))[1], count(*), array_agg(id order by id),
  string_agg(words, e'\x01' order by id)
from (
  select campaign_id, id, words_of_lead(email, full_name, first_name, last_name, company) as words,
    (row_number() over (partition by campaign_id order by id) - 1) / 60 as part
  from leads
) as l
group by campaign_id, part;
