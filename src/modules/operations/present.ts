import type { Context } from '../../context/context.ts'
import type { OperationRow } from '../../operations/queries.ts'

type Linker = Pick<Context, 'link'>

export const operationLink = (ctx: Linker, id: string): string => ctx.link(`/v1/operations/${id}`)

export function presentOperation(row: OperationRow, ctx: Linker) {
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
