import { newestFirstReply } from '../../http/paging.ts'
import { ok, route, tagged } from '../../http/route.ts'
import { dataOf, listOf, PageQuery, strict } from '../../http/schema.ts'
import { AppError, notFound } from '../../lib/errors.ts'
import { Type } from '../../lib/type.ts'
import { CSV_TYPE, getExport, hasExpired, isSignedLink, presentExport, readFile } from './exports.ts'
import { listExports } from './queries.ts'
import { Export } from './schema.ts'

const base = '/v1/workspaces/:workspaceId/exports'

export const exportRoutes = tagged('Exports', [
  route('GET', base, {
    id: 'exports.list',
    summary: 'List exports',
    scope: 'leads:read',
    orScopes: ['leads:export'],
    query: strict(PageQuery),
    replies: { 200: { about: 'A page of exports, newest first.', schema: listOf(Export) } },
    handle: request => newestFirstReply(request, page => listExports(request.ctx.db, request.params.workspaceId, page), presentExport),
  }),

  route('GET', `${base}/:exportId`, {
    id: 'exports.get',
    summary: 'Get an export',
    scope: 'leads:read',
    orScopes: ['leads:export'],
    replies: { 200: { about: 'The export.', schema: dataOf(Export) } },
    handle: async ({ ctx, params }) => ok({ data: presentExport(await getExport(ctx.db, params.workspaceId, params.exportId), ctx) }),
  }),

  route('GET', `${base}/:exportId/download`, {
    id: 'exports.download',
    summary: 'Download an export',
    about:
      'Returns a CSV file (RFC 4180, UTF-8, header row). A cell that a spreadsheet would run as a formula starts with an apostrophe. ' +
      'The `downloadUrl` of the export contains a signature and needs no token. The file is kept for 30 days.',
    scope: 'leads:read',
    orScopes: ['leads:export'],
    signedLink: (ctx, params, { signature }) =>
      typeof signature === 'string' &&
      isSignedLink(ctx.secrets, { workspaceId: params.workspaceId!.toLowerCase(), id: params.exportId!.toLowerCase() }, signature),
    query: strict({ signature: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Replaces the token.' })) }),
    replies: { 200: { about: 'The file.', contentType: 'text/csv', headers: ['content-disposition'] } },
    errors: ['export_expired'],
    async handle({ ctx, params }) {
      const exported = await getExport(ctx.db, params.workspaceId, params.exportId)
      if (hasExpired(exported, ctx.clock.now())) throw new AppError('export_expired', 'The file was deleted after 30 days. Export again.')
      if (exported.status !== 'completed') throw notFound('finished export')
      return {
        status: 200,
        body: await readFile(ctx, exported),
        headers: {
          'content-type': CSV_TYPE,
          'content-disposition': `attachment; filename="leads-${exported.id}.csv"`,
          'cache-control': 'private, no-store',
        },
      }
    },
  }),
])
