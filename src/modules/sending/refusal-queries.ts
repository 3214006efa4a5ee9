import { type Db, sql, type Tx } from '../../db/client.ts'

const MARK = sql(`
  update sends
  set refused_by_policy = true
  where id = $1`)

export const markRefusedByPolicy = (tx: Tx, id: string): Promise<number> => tx.run(MARK, [id])

// Of its last messages only: when the others are taken, a few refusals a day are what every mailbox meets.
const COUNT_DOMAINS = sql(`
  select count(distinct domain)::int as count
  from (
    select domain, refused_by_policy
    from sends
    where provider_id = $1 and claimed_at > $2
    order by claimed_at desc
    limit 50
  ) as latest
  where refused_by_policy and domain <> ''`)

/** How many different recipient domains have refused messages of the mailbox by a rule of theirs. */
export async function countRefusingDomains(db: Db, mailboxId: string, since: Date): Promise<number> {
  return (await db.first<{ count: number }>(COUNT_DOMAINS, [mailboxId, since]))!.count
}
