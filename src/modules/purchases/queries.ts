import { sql, type Tx } from '../../db/client.ts'

// In the order of the hash, so that two purchases of the same people cannot wait for each other. The one that comes
// second finds them owned.
const OWN_EXPORTED = sql(`
  insert into workspace_people (workspace_id, email_hash, person_id, operation_id, bought_at)
  select $1, email_hash, person_id, $2, $4 from export_rows where export_id = $3 and not is_own order by email_hash
  on conflict (workspace_id, email_hash) do nothing`)

/** How many of the people of an export are new to the workspace. Who it brought itself is nobody that it could buy. */
export const ownExported = (tx: Tx, workspaceId: string, operationId: string, exportId: string, now: Date): Promise<number> =>
  tx.run(OWN_EXPORTED, [workspaceId, operationId, exportId, now])

const OWN = sql(`
  insert into workspace_people (workspace_id, email_hash, person_id, operation_id, bought_at)
  select $1, bought.email_hash, bought.person_id, $2, $5 from unnest($3::int[], $4::bytea[]) as bought(person_id, email_hash)
  order by bought.email_hash
  on conflict (workspace_id, email_hash) do nothing`)

export const own = (
  tx: Tx,
  workspaceId: string,
  operationId: string,
  people: { id: number; emailHash: Buffer }[],
  now: Date,
): Promise<number> => tx.run(OWN, [workspaceId, operationId, people.map(person => person.id), people.map(person => person.emailHash), now])

// A lead keeps the keyed hash of its address, which is what ownership goes by.
const REFUND = sql(`
  update workspace_people w set refunded_at = $3
  from leads l
  where l.workspace_id = $1 and lower(l.email) = lower($2) and w.workspace_id = $1 and w.email_hash = l.email_hash
    and w.refunded_at is null and w.bought_at > $4
  returning w.operation_id as "operationId", w.person_id as "personId"`)

export const markRefunded = (
  tx: Tx,
  workspaceId: string,
  email: string,
  now: Date,
  boughtAfter: Date,
): Promise<{ operationId: string; personId: number } | undefined> => tx.first(REFUND, [workspaceId, email, now, boughtAfter])
