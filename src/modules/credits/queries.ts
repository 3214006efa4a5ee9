import { isTaken } from '../../db/errors.ts'
import { newestFirst } from '../../db/filtered.ts'
import { columnsOf } from '../../db/fragments.ts'
import { type Db, sql, type Tx } from '../../db/sql.ts'
import { listsOf, valuesOf } from '../../lib/pick.ts'

export type Account = 'issued' | 'available' | 'held' | 'spent'
export type EntryKind = 'grant' | 'hold' | 'release' | 'capture' | 'refund'

export interface AccountRow {
  available: number
  held: number
  spent: number
}

export interface EntryRow {
  id: string
  workspaceId: string
  kind: EntryKind
  amount: number
  debit: Account
  credit: Account
  operationId: string | null
  note: string | null
  createdAt: Date
}

const accountOf = (lock: string) => {
  const statement = sql(`
  select available, held, spent
  from credit_accounts
  where workspace_id = $1${lock}`)
  return async (db: Db, workspaceId: string): Promise<AccountRow> =>
    (await db.first<AccountRow>(statement, [workspaceId])) ?? { available: 0, held: 0, spent: 0 }
}
export const findAccount = accountOf('')
export const lockAccount: (tx: Tx, workspaceId: string) => Promise<AccountRow> = accountOf('\n  for update')

// The entry and the balances are one statement: the unique index on (operation, kind, subject) makes it happen once.
/** False when this entry already exists. */
export const postEntry = sql(`
  with entry as (
    insert into ledger_entries (id, workspace_id, kind, amount, debit, credit, operation_id, subject, note, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    on conflict (operation_id, kind, subject) where operation_id is not null do nothing
    returning workspace_id
  )
  insert into credit_accounts as a (workspace_id, available, held, spent)
  select workspace_id,
    (case when $6 = 'available' then $4 else 0 end), (case when $6 = 'held' then $4 else 0 end), (case when $6 = 'spent' then $4 else 0 end)
  from entry
  on conflict (workspace_id) do update set
    available = a.available + (case when $6 = 'available' then $4::bigint when $5 = 'available' then -$4::bigint else 0 end),
    held = a.held + (case when $6 = 'held' then $4::bigint when $5 = 'held' then -$4::bigint else 0 end),
    spent = a.spent + (case when $6 = 'spent' then $4::bigint when $5 = 'spent' then -$4::bigint else 0 end)`).any(
  (entry: EntryRow & { subject: string }) =>
    valuesOf(entry, 'id', 'workspaceId', 'kind', 'amount', 'debit', 'credit', 'operationId', 'subject', 'note', 'createdAt'),
)

interface Turnover {
  captured: number
  refunded: number
}

const SUM = `
  coalesce(sum(amount) filter (where kind = 'capture'), 0) as captured, coalesce(sum(amount) filter (where kind = 'refund'), 0) as refunded`
/** The charged and refunded credits of an operation. */
export const sumOfOperation = sql(`
  select ${SUM}
  from ledger_entries
  where workspace_id = $1 and operation_id = $2 and kind in ('capture', 'refund')`).one<
  Turnover,
  [workspaceId: string, operationId: string]
>()

/** The same of a workspace, since then. */
export const sumSince = sql(`
  select ${SUM}
  from ledger_entries
  where workspace_id = $1 and created_at > $2 and kind in ('capture', 'refund')`).one<Turnover, [workspaceId: string, since: Date]>()

const ENTRY = columnsOf('id, workspace_id, kind, amount, debit, credit, operation_id, note, created_at')

export const findEntry = sql(`
  select ${ENTRY}
  from ledger_entries
  where workspace_id = $1 and id = $2`).first<EntryRow, [workspaceId: string, id: string]>()

export const listEntries = newestFirst<EntryRow, [workspaceId: string]>(`
  select ${ENTRY}
  from ledger_entries
  where workspace_id = $1`)

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
 * and then `on conflict` would be a third of the work. The first row of a person who is owned, or is being bought by another operation,
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

export const ownPeople = sql(`
  insert into workspace_people (workspace_id, email_hash, person_id, operation_id, bought_at)
  select $1, bought.email_hash, bought.person_id, $2, $5
  from unnest($3::int[], $4::bytea[]) as bought(person_id, email_hash)
  order by bought.email_hash
  on conflict (workspace_id, email_hash) do nothing`).run(
  (workspaceId: string, operationId: string, people: { id: number; emailHash: Buffer }[], now: Date) => [
    ...[workspaceId, operationId],
    ...listsOf(people, 'id', 'emailHash'),
    now,
  ],
)

interface Purchase {
  emailHash: Buffer
  personId: number
  operationId: string
}

// Ownership is stored by the keyed hash of the address, which the lead has, too. The owner of a
// sandbox decides which addresses bounce, so a bounce in a sandbox proves nothing.
export const findRefundable = sql(`
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
  limit 1`).first<Purchase, [workspaceId: string, email: string, boughtAfter: Date]>()

/** False when it was refunded already. */
export const markRefunded = sql(`
  update workspace_people
  set refunded_at = $3
  where workspace_id = $1 and email_hash = $2 and refunded_at is null`).any<[workspaceId: string, emailHash: Buffer, now: Date]>()

// The hash is kept, so that a workspace does not pay for the same person twice; the id of the person in the directory is removed.
export const severPurchases = sql(`
  update workspace_people
  set person_id = 0
  where workspace_id = $1 and email_hash = $2`).run<[workspaceId: string, emailHash: Buffer]>()
