-- The counts of a packed day by the hour are a third of the bytes, and enough where days begin at a full hour of UTC. Null: packed before this.
alter table metric_days rename column counts to quarters;
alter table metric_days add column hours bytea;
