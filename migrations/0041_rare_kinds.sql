-- Lists of what is rare read what they show. Most deliveries succeed, and most replies are of one kind.
create index deliveries_failed on deliveries (endpoint_id, created_at desc, id desc) where status = 'failed';
create index replies_of_kind on inbound_messages (workspace_id, kind, received_at desc, id desc) where kind <> 'bounce';
