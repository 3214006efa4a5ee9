-- The key of the request that carries out a plan begins with a letter that no idempotency-key of a request can have: nobody else can use it up.
-- A plan that was being carried out when the service was stopped finds its operation under the new key.
update operations o
set idempotency_key = '§' || o.idempotency_key
from plans p
where p.operation_id is null
  and p.status = 'applied'
  and o.workspace_id = p.workspace_id
  and o.idempotency_key = 'plan-' || p.id;
