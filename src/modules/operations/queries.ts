import { type Db, lookup, sql } from '../../db/client.ts'
import type { Page } from '../../lib/page.ts'
import type { OperationRow } from '../../operations/queries.ts'

/** What is shown of an operation. What it was given is never read here: that can be as large as a body. */
export type ShownOperation = Pick<
  OperationRow,
  'id' | 'workspaceId' | 'action' | 'status' | 'result' | 'error' | 'createdAt' | 'startedAt' | 'completedAt'
>

const SHOWN = `id, workspace_id as "workspaceId", action, status, result, error, created_at as "createdAt", started_at as "startedAt",
  completed_at as "completedAt"`

const FIND = lookup(
  ['uuid'],
  `
  select ${SHOWN}
  from operations
  where id = $1`,
)

/** By id alone: the caller decides whether the workspace of what comes back is within reach. */
export const findOperation = (db: Db, id: string): Promise<ShownOperation | undefined> => db.find<ShownOperation>(FIND, [id])

const REACHES = lookup(
  ['uuid', 'uuid'],
  `
    select exists (
      select from tokens t
      where t.id = $1
        and (
          t.workspace_id = $2
          or exists (select from memberships m where m.user_id = t.user_id and m.workspace_id = $2)
        )
    ) as reaches`,
)

export async function tokenReachesWorkspace(db: Db, tokenId: string, workspaceId: string): Promise<boolean> {
  return (await db.find<{ reaches: boolean }>(REACHES, [tokenId, workspaceId]))!.reaches
}

const LIST = sql(`
  select ${SHOWN}
  from operations
  where workspace_id = $1
    and ($2::text is null or status = $2)
    and ($3::text is null or action = $3)
    and ($4::uuid is null or campaign_id = $4)
    and ($5::timestamptz is null or (created_at, id) < ($5, $6::uuid))
  order by created_at desc, id desc
  limit $7`)

export function listOperations(
  db: Db,
  workspaceId: string,
  filter: { status?: string | undefined; action?: string | undefined; campaignId?: string | undefined },
  page: Page,
): Promise<ShownOperation[]> {
  return db.many<ShownOperation>(LIST, [
    workspaceId,
    filter.status ?? null,
    filter.action ?? null,
    filter.campaignId ?? null,
    page.after?.at ?? null,
    page.after?.id ?? null,
    page.limit + 1,
  ])
}
