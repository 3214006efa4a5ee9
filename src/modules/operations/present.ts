import type { Context } from '../../context/context.ts'
import { type Caller, withDownload } from '../../http/access.ts'
import { operationLink } from '../../operations/writes.ts'
import type { ShownOperation } from './queries.ts'

type Linker = Pick<Context, 'link'>

export function presentOperation(row: ShownOperation, ctx: Linker, caller: Caller) {
  return {
    id: row.id,
    action: row.action,
    status: row.status,
    result: withDownload(row.result ?? null, caller),
    error: row.error,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
    links: { self: operationLink(ctx, row.id) },
  }
}
