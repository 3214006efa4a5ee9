import type { Tx } from '../../db/sql.ts'
import { newestFirstReply } from '../../http/paging.ts'
import { created, createdReplies, ok, route, tagged } from '../../http/route.ts'
import { about, DateTime, dataOf, Links, listOf, namedObject, nullable, oneOf, PageQuery, strict, Uuid } from '../../http/schema.ts'
import { existing } from '../../lib/errors.ts'
import { Type } from '../../lib/type.ts'
import { performShowing, syncRoute } from '../../operations/writes.ts'
import { grantCredits, presentAccount, presentEntry } from './credits.ts'
import { findAccount, findEntry, listEntries } from './queries.ts'

const base = '/v1/workspaces/:workspaceId/credits'

const Credits = namedObject('Credits', {
  balance: about(Type.Integer(), 'All credits, including those that are held.'),
  held: about(Type.Integer(), 'Credits reserved for running orders.'),
  available: about(Type.Integer(), 'Credits that can be spent: the balance without those that are held.'),
  links: Links,
})

const LedgerEntry = namedObject('LedgerEntry', {
  id: Uuid,
  kind: about(
    oneOf(['grant', 'hold', 'release', 'capture', 'refund']),
    '`hold` reserves credits for an order, `capture` charges them, `release` returns the rest.',
  ),
  amount: Type.Integer({ description: 'The change in available credits.' }),
  operationId: nullable(Uuid),
  note: nullable(Type.String({ description: 'The reason for a grant, if one was given.' })),
  createdAt: DateTime,
  links: Links,
})

const CreditGrantResult = namedObject('CreditGrantResult', { entry: about(LedgerEntry, 'The entry in the ledger.') })

/** The maximum of one grant: more than any installation needs, and small enough that a balance stays a safe JSON number. */
const MAX_GRANT = 1_000_000_000

const NewGrant = namedObject('NewCreditGrant', {
  amount: about(Type.Integer({ minimum: 1, maximum: MAX_GRANT, examples: [1000] }), 'The credits to add.'),
  note: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'The reason, shown in the ledger. Do not put personal data here.' }),
  ),
})

export const creditRoutes = tagged('Credits', [
  route('GET', base, {
    id: 'credits.get',
    summary: 'Get the credit balance',
    scope: 'credits:read',
    replies: { 200: { about: 'The balance.', schema: dataOf(Credits) } },
    async handle({ ctx, params }) {
      const account = await findAccount(ctx.db, params.workspaceId)
      return ok({ data: { ...presentAccount(account), links: { self: ctx.link(`/v1/workspaces/${params.workspaceId}/credits`) } } })
    },
  }),

  syncRoute('POST', `${base}/grants`, {
    id: 'credits.grant',
    summary: 'Grant credits to the workspace',
    about: 'The credits are available at once. If you run Overture for others, keep this scope to yourself.',
    scope: 'credits:write',
    action: 'credits.grant',
    cost: 'never',
    result: CreditGrantResult,
    body: NewGrant,
    replies: createdReplies('The entry in the ledger.', dataOf(LedgerEntry)),
    handle(request) {
      const { ctx, params, body } = request
      const work = async (tx: Tx) =>
        presentEntry((await grantCredits(tx, params.workspaceId, body.amount, ctx.clock.now(), body.note ?? null))!, ctx)
      return performShowing(request, 'entry', work, created)
    },
  }),

  route('GET', `${base}/ledger`, {
    id: 'credits.listLedger',
    summary: 'List credit movements',
    scope: 'credits:read',
    query: strict(PageQuery),
    replies: { 200: { about: 'A page of the ledger, newest first.', schema: listOf(LedgerEntry) } },
    handle: request => newestFirstReply(request, page => listEntries(request.ctx.db, request.params.workspaceId, page), presentEntry),
  }),

  route('GET', `${base}/ledger/:entryId`, {
    id: 'credits.getLedgerEntry',
    summary: 'Get a credit movement',
    scope: 'credits:read',
    replies: { 200: { about: 'The entry.', schema: dataOf(LedgerEntry) } },
    async handle({ ctx, params }) {
      const entry = existing(await findEntry(ctx.db, params.workspaceId, params.entryId), 'ledger entry')
      return ok({ data: presentEntry(entry, ctx) })
    },
  }),
])
