import type { Db } from '../../db/client.ts'
import { BEHIND, behind, filtered } from '../../db/filtered.ts'
import type { Page } from '../../lib/page.ts'
import type { OperationRow } from '../../operations/queries.ts'
import { ACTOR, type ActorRow } from './queries.ts'

export interface AuditRow extends Pick<OperationRow, 'id' | 'action' | 'status' | 'campaignId' | 'createdAt'> {
  actor: ActorRow | null
}

const SHOWN = `id, action, status, campaign_id as "campaignId", created_at as "createdAt", ${ACTOR} as actor`

/** What people do with their own tokens and sessions is stored under their own id, and belongs to every team that they are in. */
const PERSONAL = `action in ('session.create', 'session.revoke', 'token.create', 'token.revoke')`

const LIST = filtered(
  2,
  {
    id: 'id = ?',
    action: 'action = ?',
    actorId: 'token_id in (select t.id from tokens t where t.id = ? or t.user_id = ?)',
    createdFrom: 'created_at >= ?',
    createdTo: 'created_at <= ?',
    behind: BEHIND,
  },
  conditions => `
  select *
  from (
    (
      select ${SHOWN}
      from operations
      where workspace_id = $1
        ${conditions}
      order by created_at desc, id desc
      limit $2
    )
    union all
    select personal.*
    from memberships m
    cross join lateral (
      select ${SHOWN}
      from operations
      where workspace_id = m.user_id
        and ${PERSONAL}
        ${conditions}
      order by created_at desc, id desc
      limit $2
    ) as personal
    where m.workspace_id = $1
  ) as entries
  order by "createdAt" desc, id desc
  limit $2`,
)

interface AuditFilter {
  action?: string | undefined
  actorId?: string | undefined
  createdFrom?: Date | undefined
  createdTo?: Date | undefined
}

export function listAudit(db: Db, workspaceId: string, { actorId, ...filter }: AuditFilter, page: Page): Promise<AuditRow[]> {
  const given = { ...filter, actorId: actorId && [actorId, actorId], behind: behind(page) }
  return db.many<AuditRow>(...LIST([workspaceId, page.limit + 1], given))
}

export const findAuditEntry = async (db: Db, workspaceId: string, id: string): Promise<AuditRow | undefined> =>
  (await db.many<AuditRow>(...LIST([workspaceId, 1], { id })))[0]
