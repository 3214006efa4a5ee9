import Type from 'typebox'
import { listReply, readPage } from '../../http/paging.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { DateTime, dataOf, Links, listOf, named, nullable, oneOf, PageQuery, strict, Uuid } from '../../http/schema.ts'
import { notFound } from '../../lib/errors.ts'
import { presentAccount, presentEntry } from './credits.ts'
import { findAccount, findEntry, listEntries } from './queries.ts'

const base = '/v1/workspaces/:workspaceId/credits'
const InWorkspace = strict({ workspaceId: Uuid })

const Credits = named('Credits', strict({ balance: Type.Integer(), held: Type.Integer(), available: Type.Integer(), links: Links }))

const LedgerEntry = named(
  'LedgerEntry',
  strict({
    id: Uuid,
    kind: oneOf(['grant', 'hold', 'release', 'capture', 'refund']),
    amount: Type.Integer({ description: 'What it did to the available credits.' }),
    operationId: nullable(Uuid),
    createdAt: DateTime,
    links: Links,
  }),
)

export const creditRoutes: Route[] = [
  route({
    method: 'GET',
    path: base,
    id: 'getCredits',
    summary: 'Get the credit balance',
    tag: 'Credits',
    scope: 'credits:read',
    params: InWorkspace,
    replies: { 200: { about: 'The balance.', schema: dataOf(Credits) } },
    async handle({ ctx, params }) {
      const account = await findAccount(ctx.db, params.workspaceId)
      return ok({ data: { ...presentAccount(account), links: { self: ctx.link(`/v1/workspaces/${params.workspaceId}/credits`) } } })
    },
  }),

  route({
    method: 'GET',
    path: `${base}/ledger`,
    id: 'listLedger',
    summary: 'List credit movements',
    tag: 'Credits',
    scope: 'credits:read',
    params: InWorkspace,
    query: strict(PageQuery),
    replies: { 200: { about: 'A page of the ledger, newest first.', schema: listOf(LedgerEntry) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      const page = readPage(request)
      const rows = await listEntries(request.ctx.db, request.params.workspaceId, page)
      return listReply(request, page, rows, row => ({ at: row.createdAt, id: row.id }), presentEntry)
    },
  }),

  route({
    method: 'GET',
    path: `${base}/ledger/:entryId`,
    id: 'getLedgerEntry',
    summary: 'Get a credit movement',
    tag: 'Credits',
    scope: 'credits:read',
    params: strict({ workspaceId: Uuid, entryId: Uuid }),
    replies: { 200: { about: 'The entry.', schema: dataOf(LedgerEntry) } },
    async handle({ ctx, params }) {
      const entry = await findEntry(ctx.db, params.workspaceId, params.entryId)
      if (!entry) throw notFound('ledger entry')
      return ok({ data: presentEntry(entry, ctx) })
    },
  }),
]
