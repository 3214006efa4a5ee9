import { type Db, isTaken, sql, type Tx } from '../../db/client.ts'

// In the order of the hash, so that two purchases of the same people cannot wait for each other. The second
// one finds them owned.
const OWN_NEW = `
  insert into workspace_people (workspace_id, email_hash, person_id, operation_id, bought_at)
  select $1, email_hash, person_id, $2, $4
  from export_rows
  where export_id = $3 and not is_own
  order by email_hash`
const OWN_ALL_NEW = sql(OWN_NEW)
const OWN_EXPORTED = sql(`${OWN_NEW}
  on conflict (workspace_id, email_hash) do nothing`)

/**
 * How many of the people of an export are new to the workspace. People whom it imported itself do not count. Mostly all of them are new,
 * and then `on conflict` would be a third of the work. The first row of somebody who is owned, or is being bought by another operation,
 * ends the quick attempt.
 */
export async function ownExported(tx: Tx, workspaceId: string, operationId: string, exportId: string, now: Date): Promise<number> {
  const values = [workspaceId, operationId, exportId, now]
  try {
    return await tx.savepoint(() => tx.run(OWN_ALL_NEW, values))
  } catch (error) {
    if (!isTaken(error)) throw error
    return tx.run(OWN_EXPORTED, values)
  }
}

const OWN = sql(`
  insert into workspace_people (workspace_id, email_hash, person_id, operation_id, bought_at)
  select $1, bought.email_hash, bought.person_id, $2, $5
  from unnest($3::int[], $4::bytea[]) as bought(person_id, email_hash)
  order by bought.email_hash
  on conflict (workspace_id, email_hash) do nothing`)

export const own = (
  tx: Tx,
  workspaceId: string,
  operationId: string,
  people: { id: number; emailHash: Buffer }[],
  now: Date,
): Promise<number> => tx.run(OWN, [workspaceId, operationId, people.map(person => person.id), people.map(person => person.emailHash), now])

interface Purchase {
  emailHash: Buffer
  personId: number
  operationId: string
}

// Ownership is stored by the keyed hash of the address, which the lead has, too. The owner of a
// sandbox decides which addresses bounce, so a bounce in a sandbox proves nothing.
const FIND_REFUNDABLE = sql(`
  select w.email_hash as "emailHash", w.person_id as "personId", w.operation_id as "operationId"
  from leads l
    join workspace_people w on w.workspace_id = $1 and w.email_hash = l.email_hash
  where l.workspace_id = $1 and lower(l.email) = lower($2) and w.refunded_at is null and w.bought_at > $3
    and coalesce((
      select coalesce(p.kind, 'sandbox')
      from leads written
        join sends s on s.lead_id = written.id
        left join providers p on p.id = s.provider_id
      where written.workspace_id = $1 and lower(written.email) = lower($2)
      order by s.claimed_at desc
      limit 1), '') <> 'sandbox'
  limit 1`)

export const findRefundable = (db: Db, workspaceId: string, email: string, boughtAfter: Date): Promise<Purchase | undefined> =>
  db.first<Purchase>(FIND_REFUNDABLE, [workspaceId, email, boughtAfter])

const REFUND = sql(`
  update workspace_people
  set refunded_at = $3
  where workspace_id = $1 and email_hash = $2 and refunded_at is null`)

/** False when it was refunded already. */
export const markRefunded = async (tx: Tx, workspaceId: string, emailHash: Buffer, now: Date): Promise<boolean> =>
  (await tx.run(REFUND, [workspaceId, emailHash, now])) === 1

// The hash is kept, so that nobody pays for the same person twice; the id of the person in the directory is removed.
const SEVER = sql(`
  update workspace_people
  set person_id = 0
  where workspace_id = $1 and email_hash = $2`)

export const severPurchases = (tx: Tx, workspaceId: string, emailHash: Buffer): Promise<number> => tx.run(SEVER, [workspaceId, emailHash])
