import type { Context } from '../../context/context.ts'
import { type Caller, withDownload } from '../../http/access.ts'
import { operationLink } from '../../operations/writes.ts'
import type { ActorRow, ShownOperation } from './queries.ts'

type Linker = Pick<Context, 'link'>

export function presentOperation(row: ShownOperation, ctx: Linker, caller: Caller) {
  return {
    id: row.id,
    action: row.action,
    status: row.status,
    actor: presentActor(row.actor),
    result: withDownload(row.result ?? null, caller),
    error: row.error,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
    ...(row.doneCount == null ? {} : { doneCount: row.doneCount }),
    ...(row.progress == null ? {} : { progress: row.progress }),
    links: { self: operationLink(ctx, row.id) },
  }
}

/** Without a token, the service itself acted, or the token was deleted with its user. */
export const presentActor = (row: ActorRow | null) =>
  row ? { type: row.type, id: row.id, name: row.name } : { type: 'system', id: null, name: 'Overture' }
