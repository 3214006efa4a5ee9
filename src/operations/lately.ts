import { sql, type Tx } from '../db/client.ts'
import { lockWorkspace } from '../db/locks.ts'
import { AppError } from '../lib/errors.ts'

const COUNT_LATELY = sql(`
  select count(*)::int as day,
    (count(*) filter (where created_at > now() - interval '1 hour'))::int as hour
  from operations
  where workspace_id = $1
    and action = $2
    and created_at > now() - interval '1 day'`)

/**
 * How often the workspace has requested an action within an hour and within a day, including this operation. The workspace is locked, so
 * that simultaneous requests count each other.
 */
export async function countLately(tx: Tx, workspaceId: string, action: string): Promise<{ hour: number; day: number }> {
  await lockWorkspace(tx, workspaceId)
  return (await tx.first<{ hour: number; day: number }>(COUNT_LATELY, [workspaceId, action]))!
}

export const tooOften = (message: string): AppError => new AppError('rate_limited', message, null, { 'retry-after': '600' })
