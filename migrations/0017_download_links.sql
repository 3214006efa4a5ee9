-- A signed link to the file of an export opens it without a token, so an endpoint gets it only if the token that named its address
-- might read or buy leads. Endpoints that are there keep getting it.
alter table webhook_endpoints add sees_downloads boolean not null default true;
