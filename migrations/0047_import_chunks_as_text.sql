-- The pieces of a large import are written once, read once and deleted. Kept as the text that came, PostgreSQL neither parses nor
-- compresses them, which took five times as long as storing them.
alter table lead_import_chunks alter leads type text using leads::text;
alter table lead_import_chunks alter leads set storage external;
