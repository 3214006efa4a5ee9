-- Whether the endpoint of a delivery exists was checked for each delivery: a fifth of what it takes to write one down. Whoever inserts deliveries holds the lock of
-- the endpoint, and whoever deletes an endpoint deletes its deliveries.
alter table deliveries drop constraint deliveries_endpoint_id_fkey;
