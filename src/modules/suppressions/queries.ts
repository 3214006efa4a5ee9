import { type Db, sql, type Tx } from '../../db/client.ts'
import type { Page } from '../../lib/page.ts'

export interface SuppressionRow {
  id: string
  workspaceId: string
  kind: 'email' | 'domain'
  value: string | null
  reason: string
  createdAt: Date
}

const COLUMNS = 'id, workspace_id as "workspaceId", kind, value, reason, created_at as "createdAt"'

const INSERT = sql(`
  insert into suppressions (id, workspace_id, kind, value, hash, reason, created_at)
  select r.id, $1, r.kind, r.value, decode(r.hash, 'hex'), r.reason, $3
  from jsonb_to_recordset($2::jsonb) as r(id uuid, kind text, value text, hash text, reason text)
  on conflict (workspace_id, kind, hash) do update set value = coalesce(suppressions.value, excluded.value)
  returning ${COLUMNS}`)

export interface NewSuppressionRow {
  id: string
  kind: 'email' | 'domain'
  value: string
  hash: Buffer
  reason: string
}

/** Adding what is there already gives the row that is there. */
export const insertSuppressions = (tx: Tx, workspaceId: string, rows: NewSuppressionRow[], now: Date): Promise<SuppressionRow[]> =>
  tx.many<SuppressionRow>(INSERT, [workspaceId, JSON.stringify(rows.map(row => ({ ...row, hash: row.hash.toString('hex') }))), now])

const LIST = sql(`
  select ${COLUMNS} from suppressions
  where workspace_id = $1 and ($2::text is null or kind = $2) and ($3::bytea is null or hash = $3)
    and ($4::timestamptz is null or (created_at, id) < ($4, $5::uuid))
  order by created_at desc, id desc limit $6`)

export const listSuppressions = (
  db: Db,
  workspaceId: string,
  filter: { kind?: string | undefined; hash?: Buffer | undefined },
  page: Page,
): Promise<SuppressionRow[]> =>
  db.many<SuppressionRow>(LIST, [workspaceId, filter.kind, filter.hash, page.after?.at, page.after?.id, page.limit + 1])

const DELETE = sql('delete from suppressions where workspace_id = $1 and id = $2')

export const deleteSuppression = (tx: Tx, workspaceId: string, id: string): Promise<number> => tx.run(DELETE, [workspaceId, id])

const FIND_SUPPRESSED = sql(`
  select distinct asked.n::int as n
  from unnest($2::bytea[], $3::bytea[]) with ordinality as asked(email_hash, domain_hash, n)
  join suppressions s on s.workspace_id = $1
    and ((s.kind = 'email' and s.hash = asked.email_hash) or (s.kind = 'domain' and s.hash = asked.domain_hash))`)

/** The positions, in what was asked, of addresses that must not be written to. */
export async function findSuppressed(db: Db, workspaceId: string, hashes: { email: Buffer; domain: Buffer }[]): Promise<Set<number>> {
  const rows = await db.many<{ n: number }>(FIND_SUPPRESSED, [workspaceId, hashes.map(hash => hash.email), hashes.map(hash => hash.domain)])
  return new Set(rows.map(row => row.n - 1))
}
