import type { Context } from '../../context/context.ts'
import { newestFirst } from '../../http/paging.ts'
import { ok, route, tagged } from '../../http/route.ts'
import { DateTime, dataOf, listOf, PageQuery, strict, Uuid } from '../../http/schema.ts'
import { existing } from '../../lib/errors.ts'
import { Type } from '../../lib/type.ts'
import { type AuditRow, findAuditEntry, listAudit } from './audit-queries.ts'
import { presentActor } from './presenting.ts'
import { AuditEntry } from './schema.ts'

const audit = '/v1/workspaces/:workspaceId/audit'

export const auditRoutes = tagged('Team', [
  route('GET', audit, {
    id: 'audit.list',
    summary: 'List the audit trail',
    about:
      'Lists every write in the workspace, and the sign-ins, sessions and personal tokens of its current members. Entries are kept as long as operations.',
    scope: 'audit:read',
    query: strict({
      ...PageQuery,
      actorId: Type.Optional({ ...Uuid, description: 'The id of a person or of an organization key.' }),
      action: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      createdFrom: Type.Optional(DateTime),
      createdTo: Type.Optional(DateTime),
    }),
    replies: { 200: { about: 'A page of entries, newest first.', schema: listOf(AuditEntry) } },
    async handle(request) {
      const { ctx, params, query } = request
      const { workspaceId } = params
      const at = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text))
      const { actorId, action } = query
      const filter = { actorId: actorId?.toLowerCase(), action, createdFrom: at(query.createdFrom), createdTo: at(query.createdTo) }
      const present = (row: AuditRow) => presentAuditEntry(row, workspaceId, ctx)
      return newestFirst(request, page => listAudit(ctx.db, workspaceId, filter, page), present)
    },
  }),

  route('GET', `${audit}/:entryId`, {
    id: 'audit.get',
    summary: 'Get an entry of the audit trail',
    scope: 'audit:read',
    replies: { 200: { about: 'The entry.', schema: dataOf(AuditEntry) } },
    async handle({ ctx, params }) {
      const row = existing(await findAuditEntry(ctx.db, params.workspaceId, params.entryId), 'entry')
      return ok({ data: presentAuditEntry(row, params.workspaceId, ctx) })
    },
  }),
])

function presentAuditEntry(row: AuditRow, workspaceId: string, ctx: Pick<Context, 'link'>) {
  const { id, action, status, campaignId } = row
  const links = { self: ctx.link(`/v1/workspaces/${workspaceId}/audit/${id}`) }
  return { id, action, status, actor: presentActor(row.actor), campaignId, createdAt: row.createdAt.toISOString(), links }
}
