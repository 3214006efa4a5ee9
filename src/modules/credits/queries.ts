import { type Db, sql, type Tx } from '../../db/client.ts'
import { newestFirst } from '../../db/filtered.ts'
import type { Page } from '../../lib/page.ts'

export type Account = 'issued' | 'available' | 'held' | 'spent'
export type EntryKind = 'grant' | 'hold' | 'release' | 'capture' | 'refund'

export type AccountRow = { available: number; held: number; spent: number }

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

const FIND = sql(`
  select available, held, spent
  from credit_accounts
  where workspace_id = $1`)

export const findAccount = async (db: Db, workspaceId: string): Promise<AccountRow> =>
  (await db.first<AccountRow>(FIND, [workspaceId])) ?? { available: 0, held: 0, spent: 0 }

// The entry and the balances are one statement: the unique index on (operation, kind, subject) makes it happen once.
const POST = sql(`
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
    spent = a.spent + (case when $6 = 'spent' then $4::bigint when $5 = 'spent' then -$4::bigint else 0 end)`)

/** False when this entry already exists. */
export async function postEntry(tx: Tx, entry: EntryRow & { subject: string }): Promise<boolean> {
  const { id, workspaceId, kind, amount, debit, credit, operationId, subject, note, createdAt } = entry
  return (await tx.run(POST, [id, workspaceId, kind, amount, debit, credit, operationId, subject, note, createdAt])) === 1
}

const LOCK = sql(`
  select available, held, spent
  from credit_accounts
  where workspace_id = $1
  for update`)

export const lockAccount = async (tx: Tx, workspaceId: string): Promise<AccountRow> =>
  (await tx.first<AccountRow>(LOCK, [workspaceId])) ?? { available: 0, held: 0, spent: 0 }

export type Turnover = { captured: number; refunded: number }

const SUM = `
  coalesce(sum(amount) filter (where kind = 'capture'), 0) as captured, coalesce(sum(amount) filter (where kind = 'refund'), 0) as refunded`
const SUM_OF_OPERATION = sql(`
  select ${SUM}
  from ledger_entries
  where workspace_id = $1 and operation_id = $2 and kind in ('capture', 'refund')`)
const SUM_SINCE = sql(`
  select ${SUM}
  from ledger_entries
  where workspace_id = $1 and created_at > $2 and kind in ('capture', 'refund')`)

/** What an operation was charged and paid back. */
export const sumOfOperation = async (db: Db, workspaceId: string, operationId: string): Promise<Turnover> =>
  (await db.first<Turnover>(SUM_OF_OPERATION, [workspaceId, operationId]))!

/** The same of a workspace, since then. */
export const sumSince = async (db: Db, workspaceId: string, since: Date): Promise<Turnover> =>
  (await db.first<Turnover>(SUM_SINCE, [workspaceId, since]))!

const ENTRY =
  'id, workspace_id as "workspaceId", kind, amount, debit, credit, operation_id as "operationId", note, created_at as "createdAt"'

const FIND_ENTRY = sql(`
  select ${ENTRY}
  from ledger_entries
  where workspace_id = $1 and id = $2`)

export const findEntry = (db: Db, workspaceId: string, id: string): Promise<EntryRow | undefined> =>
  db.first<EntryRow>(FIND_ENTRY, [workspaceId, id])

const LIST = newestFirst(`
  select ${ENTRY}
  from ledger_entries
  where workspace_id = $1`)

export const listEntries = (db: Db, workspaceId: string, page: Page): Promise<EntryRow[]> => db.many<EntryRow>(...LIST([workspaceId], page))
