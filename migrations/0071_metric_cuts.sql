-- A question for results by day in a zone of half hours read every quarter of every day, to divide each day in two. A fortnight now has, for each
-- quarter of the day, what its days had counted until then (src/modules/metrics/packed-fortnight.ts): one such block divides fourteen days.
-- What is packed is written again, which takes up to 20 seconds for each million events. Meanwhile it can be read, but nobody packs. Rows in
-- which nothing was counted are left out. Nothing is compressed, so that a block can be read alone.
create function repack_fortnight(quarters bytea, out totals bytea, out cuts bytea) language plpgsql as $$
declare
  bytes bytea := quarters || ''::bytea; -- in memory, once
  at int := 0;
  day_ends int;
  day int;
  quarter int;
  mask int;
  byte int;
  count bigint;
  scale bigint;
  -- Each a quarter, a day, the bit of a kind and a count, so that they can be sorted by quarter.
  entries bigint[] := '{}';
  entry bigint;
  number int := 0;
  days int := 0;
  kinds int := 0;
  first_hour int;
  hours int;
  width int;
  slots int[] := array_fill(0, array[14 * 256], array[0]);
  slot int := 0;
  sums bigint[];
  block bytea;
  blocks bytea[] := '{}';
  next int;
begin
  -- Each day has its number, its length, and for each quarter with counts how far it is from the one before, a bit for each kind, and the counts.
  while at < length(bytes) loop
    day := ((get_byte(bytes, at + 1) * 256 + get_byte(bytes, at + 2)) * 256 + get_byte(bytes, at + 3)) % 14;
    day_ends := at + 6 + get_byte(bytes, at + 4) * 256 + get_byte(bytes, at + 5);
    at := at + 6;
    days := days | (1 << day);
    quarter := 0;
    while at < day_ends loop
      quarter := quarter + get_byte(bytes, at);
      mask := get_byte(bytes, at + 1);
      at := at + 2;
      if mask >= 128 then
        mask := (mask & 127) + get_byte(bytes, at) * 128;
        at := at + 1;
      end if;
      kinds := kinds | mask;
      while mask > 0 loop
        byte := get_byte(bytes, at);
        at := at + 1;
        count := byte & 127;
        scale := 128;
        while byte >= 128 loop
          byte := get_byte(bytes, at);
          at := at + 1;
          count := count + (byte & 127) * scale;
          scale := scale * 128;
        end loop;
        number := number + 1;
        entries[number] := (((quarter * 14 + day) * 256 + (mask & -mask))::bigint << 32) + count;
        mask := mask & (mask - 1);
      end loop;
    end loop;
  end loop;

  -- Days on which nothing was counted were packed by earlier versions, too.
  if number = 0 then
    return;
  end if;
  entries := array(select unnest(entries) order by 1);
  first_hour := (entries[1] >> 32) / (14 * 256) / 4;
  hours := (entries[number] >> 32) / (14 * 256) / 4 - first_hour + 1;
  for day in 0..13 loop
    for kind in 0..7 loop
      if (days & (1 << day)) > 0 and (kinds & (1 << kind)) > 0 then
        slots[day * 256 + (1 << kind)] := slot;
        slot := slot + 1;
      end if;
    end loop;
  end loop;
  select case when max(sum) < 256 then 1 when max(sum) < 65536 then 2 else 4 end
  into width
  from (
    select sum(e & 4294967295) as sum
    from unnest(entries) as e
    group by (e >> 32) % (14 * 256)
  ) as of_days;
  sums := array_fill(0::bigint, array[slot], array[0]);
  block := decode(repeat('00', slot * width), 'hex');
  next := first_hour * 4;
  foreach entry in array entries loop
    while next <= (entry >> 32) / (14 * 256) loop
      blocks[next % 4 * hours + next / 4 - first_hour] := block;
      next := next + 1;
    end loop;
    slot := slots[(entry >> 32) % (14 * 256)];
    sums[slot] := sums[slot] + (entry & 4294967295);
    if width = 1 then
      block := set_byte(block, slot, sums[slot]::int);
    else
      block := overlay(block placing substring(int8send(sums[slot]) from 9 - width) from slot * width + 1 for width);
    end if;
  end loop;
  while next < (first_hour + hours) * 4 loop
    blocks[next % 4 * hours + next / 4 - first_hour] := block;
    next := next + 1;
  end loop;
  totals := int2send(kinds::int2) || int2send(days::int2) || substring(int2send(width::int2) from 2)
    || substring(int2send(first_hour::int2) from 2) || substring(int2send(hours::int2) from 2) || block;
  select string_agg(b.block, '' order by b.number)
  into cuts
  from unnest(blocks) with ordinality as b(block, number);
end
$$;

-- What a worker packed meanwhile would be lost: it waits, fails, and its quarters stay.
lock table metric_fortnights in share row exclusive mode;

create table metric_cuts (
  workspace_id uuid not null,
  campaign_id uuid,
  dimension text not null check (dimension in ('all', 'step', 'variant', 'mailbox')),
  fortnight int not null,
  key text,
  days int not null,
  totals bytea not null,
  cuts bytea not null
);

alter table metric_cuts
  alter totals set storage external,
  alter cuts set storage external;

insert into metric_cuts (workspace_id, campaign_id, dimension, fortnight, key, days, totals, cuts)
select workspace_id, campaign_id, dimension, fortnight, key, days, totals, cuts
from metric_fortnights, repack_fortnight(quarters)
where totals is not null
order by campaign_id, workspace_id, dimension, fortnight, key;

create unique index metric_cuts_key on metric_cuts (campaign_id, workspace_id, dimension, fortnight, key) nulls not distinct;
create index metric_cuts_of_workspace on metric_cuts (workspace_id, fortnight);

-- At the end: from here on nobody can write to campaigns and workspaces.
alter table metric_cuts
  add foreign key (workspace_id) references workspaces on delete cascade,
  add foreign key (campaign_id) references campaigns on delete cascade;

drop function repack_fortnight;
drop table metric_fortnights;
alter table metric_cuts rename to metric_fortnights;
alter index metric_cuts_key rename to metric_fortnights_key;
alter index metric_cuts_of_workspace rename to metric_fortnights_of_workspace;
