import { newestFirst } from '../../db/filtered.ts'
import { type Db, sql, type Tx } from '../../db/sql.ts'
import type { Static } from '../../lib/type.ts'
import type { Suppression } from './schema.ts'

export interface SuppressionRow extends Omit<Static<typeof Suppression>, 'createdAt' | 'links'> {
  createdAt: Date
}
export type SuppressionKind = SuppressionRow['kind']

const SUPPRESSION = (kind: SuppressionKind, row: string, workspaceId: string, end = ''): string => `exists (
    select from suppressions x
    where x.workspace_id = ${workspaceId} and x.kind = '${kind}' and x.hash = ${row}.${kind}_hash${end})`

/**
 * Whether an address must not be written to: `row` names the table or alias with its `email_hash` and `domain_hash`.
 *
 * These are two probes, and each of them fits the unique index of the table. One probe with `or` inside fits no index: as
 * an anti-join it compares every lead with every suppression (measured: 3 253 ms instead of 16).
 */
export const isSuppressed = (row: string, workspaceId = `${row}.workspace_id`, end = ''): string =>
  `(${SUPPRESSION('email', row, workspaceId, end)}
    or ${SUPPRESSION('domain', row, workspaceId, end)})`

/** The opposite, as two anti-joins. `not isSuppressed(...)` would be one filter, which PostgreSQL cannot join by. */
export const isNotSuppressed = (row: string, end = ''): string =>
  `not ${SUPPRESSION('email', row, `${row}.workspace_id`, end)}
    and not ${SUPPRESSION('domain', row, `${row}.workspace_id`, end)}`

// For statements that look at a few rows. Each is looked up separately: the offset keeps PostgreSQL from a join, or a table in
// memory, for which it would read all suppressions of the workspace beforehand.
const EACH = '\n    offset 0'

export const isSuppressedEach = (row: string): string => isSuppressed(row, `${row}.workspace_id`, EACH)
export const isNotSuppressedEach = (row: string): string => isNotSuppressed(row, EACH)

/** The reason of an erased person, whose address is never stored with it. */
const ERASED = 'erased'

const COLUMNS = 'id, workspace_id as "workspaceId", kind, value, reason, created_at as "createdAt"'

interface NewSuppressionRow extends Pick<SuppressionRow, 'id' | 'kind' | 'value' | 'reason'> {
  hash: Buffer
}

/** A value that is suppressed already returns its existing row. */
export const insertSuppressions = sql(`
  insert into suppressions (id, workspace_id, kind, value, hash, reason, created_at)
  select r.id, $1, r.kind, r.value, decode(r.hash, 'hex'), r.reason, $3
  from jsonb_to_recordset($2::jsonb) as r(id uuid, kind text, value text, hash text, reason text)
  on conflict (workspace_id, kind, hash) do update
  set value = case when suppressions.reason <> '${ERASED}' then coalesce(suppressions.value, excluded.value) end
  returning ${COLUMNS}, xmax = 0 as "isNew"`).many<
  SuppressionRow & { isNew: boolean },
  [workspaceId: string, rows: NewSuppressionRow[], now: Date]
>((workspaceId, rows, now) => [workspaceId, JSON.stringify(rows.map(row => ({ ...row, hash: row.hash.toString('hex') }))), now])

// A message is marked as leaving while its lead and its campaign are locked (see `holdActiveCampaigns`). With one of these
// locks, we wait for messages that were marked before, and a message that is marked after this commit sees the suppression.
const WAIT_FOR_ADDRESSES = sql(`
  select from leads
  where workspace_id = $1 and lower(email) = any($2::text[])
  order by id
  for no key update`)
// A domain may have very many leads, so its campaigns are locked instead.
const WAIT_FOR_DOMAIN = sql(`
  select from campaigns
  where workspace_id = $1 and status = 'active'
  order by id
  for no key update`)

/**
 * Waits for messages to these addresses and domains that are being marked as leaving, and blocks others until the commit. Campaigns come
 * first: they are locked before their leads everywhere.
 */
export async function holdUpMessages(tx: Tx, workspaceId: string, values: { kind: SuppressionKind; value: string }[]): Promise<void> {
  const addresses = values.filter(({ kind }) => kind === 'email').map(({ value }) => value)
  if (addresses.length < values.length) await tx.run(WAIT_FOR_DOMAIN, [workspaceId])
  if (addresses.length > 0) await tx.run(WAIT_FOR_ADDRESSES, [workspaceId, addresses])
}

export const upsertErased = sql(`
  insert into suppressions (id, workspace_id, kind, hash, reason, created_at)
  values ($2, $1, 'email', $3, '${ERASED}', $4)
  on conflict (workspace_id, kind, hash) do update
  set value = null, reason = excluded.reason`).run<[workspaceId: string, id: string, hash: Buffer, now: Date]>()

export const hasErased = sql(`
  select from suppressions
  where workspace_id = $1 and kind = 'email' and hash = $2 and reason = '${ERASED}'`).any<[workspaceId: string, hash: Buffer]>()

export const listSuppressions = newestFirst<SuppressionRow, [workspaceId: string], 'kind' | 'hash' | 'part'>(
  `
  select ${COLUMNS}
  from suppressions
  where workspace_id = $1`,
  {
    kind: 'kind = ?',
    hash: "kind in ('email', 'domain') and hash = ?",
    // A part of the value, and the hashes of the part as a whole value and of its domain.
    part: "(value like ? or (kind in ('email', 'domain') and hash = ?) or (kind = 'domain' and hash = ?))",
  },
)

export const findSuppression = sql(`
  select ${COLUMNS}
  from suppressions
  where workspace_id = $1 and id = $2`).first<SuppressionRow, [workspaceId: string, id: string]>()

export const deleteSuppression = sql(`
  delete from suppressions
  where workspace_id = $1 and id = $2`).run<[workspaceId: string, id: string]>()

const FIND_SUPPRESSED = sql(`
  select asked.n::int as n
  from unnest($2::bytea[], $3::bytea[]) with ordinality as asked(email_hash, domain_hash, n)
  where ${isSuppressed('asked', '$1')}`)

/** The indexes of the given addresses that must not be written to. */
export async function whichAreSuppressed(db: Db, workspaceId: string, hashes: { email: Buffer; domain: Buffer }[]): Promise<Set<number>> {
  const rows = await db.many<{ n: number }>(FIND_SUPPRESSED, [workspaceId, hashes.map(hash => hash.email), hashes.map(hash => hash.domain)])
  return new Set(rows.map(row => row.n - 1))
}

export const hasSuppressedSince = sql(`
  select from suppressions
  where workspace_id = $1
    and created_at >= $4
    and ((kind = 'email' and hash = $2) or (kind = 'domain' and hash = $3))`).any<
  [workspaceId: string, email: Buffer, domain: Buffer, since: Date]
>()
