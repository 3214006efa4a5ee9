-- Whether the endpoint of a delivery exists was checked for each delivery, which is a fifth of the work of storing it. A statement that inserts
-- deliveries holds the lock of their endpoint, and the statement that deletes an endpoint is followed by one that deletes its deliveries.
alter table deliveries drop constraint deliveries_endpoint_id_fkey;
