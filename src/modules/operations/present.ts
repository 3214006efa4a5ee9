import type { Context } from '../../context/context.ts'
import { operationLink } from '../../operations/writes.ts'
import type { ShownOperation } from './queries.ts'

type Linker = Pick<Context, 'link'>

export function presentOperation(row: ShownOperation, ctx: Linker) {
  return {
    id: row.id,
    action: row.action,
    status: row.status,
    result: row.result ?? null,
    error: row.error,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
    links: { self: operationLink(ctx, row.id) },
  }
}
