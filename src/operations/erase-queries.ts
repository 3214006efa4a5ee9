import { type Db, sql, type Tx } from '../db/client.ts'
import { mentions } from '../db/fragments.ts'
import type { Page } from '../lib/page.ts'

const READ_PAGE = sql(`
  select id, created_at as "createdAt",
    ${mentions("concat_ws(' ', input::text, result::text, error::text, idempotency_key)", '$5')} as found
  from (
    select *
    from operations
    where workspace_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
    order by created_at desc, id desc
    limit $4
  ) as page
  order by created_at desc, id desc`)

/** A page of operations, and which of them hold the address. */
export const readOperationPage = (
  db: Db,
  workspaceId: string,
  page: Page,
  address: string,
): Promise<{ id: string; createdAt: Date; found: boolean }[]> =>
  db.many(READ_PAGE, [workspaceId, page.after?.at, page.after?.id, page.limit, address])

export interface StoredOperation {
  id: string
  action: string
  input: unknown
  result: unknown
  error: unknown
  key: string | null
}

const LOCK = sql(`
  select id, action, input, result, error, idempotency_key as key
  from operations
  where id = $1
  for update`)

export const lockOperation = (tx: Tx, id: string): Promise<StoredOperation | undefined> => tx.first<StoredOperation>(LOCK, [id])

const UPDATE = sql(`
  update operations
  set input = $2, result = $3, error = $4, idempotency_key = $5
  where id = $1 and (input, result, error, idempotency_key) is distinct from ($2::jsonb, $3::jsonb, $4::jsonb, $5::text)`)

/** The operation must be locked. */
export const updateOperation = (tx: Tx, { id, input, result, error, key }: StoredOperation): Promise<number> =>
  tx.run(UPDATE, [id, ...[input, result, error].map(value => (value === null ? null : JSON.stringify(value))), key])

const CLEAR_INPUT = sql(`
  update operations
  set input = '{}'
  where id = $1`)

export async function clearInput(tx: Tx, operationId: string): Promise<void> {
  await tx.run(CLEAR_INPUT, [operationId])
}
