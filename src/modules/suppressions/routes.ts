import { createHash, type Hash } from 'node:crypto'
import type { HasLink } from '../../context/context.ts'
import type { CostOf } from '../../http/access.ts'
import { newestFirstReply } from '../../http/paging.ts'
import { created, ok, type Route, route, tagged } from '../../http/route.ts'
import { dataOf, IdResult, listOf, oneOf, PageQuery, strict } from '../../http/schema.ts'
import { existing, invalid } from '../../lib/errors.ts'
import { pick } from '../../lib/pick.ts'
import { Type } from '../../lib/type.ts'
import { perform, performRemoval, replayOf, syncRoute } from '../../operations/writes.ts'
import { readSuppressions } from './csv.ts'
import { findSuppression, listSuppressions, type SuppressionRow } from './queries.ts'
import {
  BulkSuppressionResult,
  BulkSuppressions,
  CsvSuppressionResult,
  NewSuppression,
  Suppression,
  SuppressionCsvResult,
  SuppressionResult,
  SuppressionsResult,
} from './schema.ts'
import { hashValue, problemOf, searchPart, suppress, suppressMany, unsuppress } from './suppressions.ts'

const base = '/v1/workspaces/:workspaceId/suppressions'
const SHOWN_REMARKS = 100

type SuppressionParams = { workspaceId: string; suppressionId: string }

export const suppressionRoutes = (liftCost: CostOf<SuppressionParams, unknown>): Route[] =>
  tagged('Suppressions', [
    route('GET', base, {
      id: 'suppressions.list',
      summary: 'List suppressed addresses and domains',
      scope: 'suppressions:read',
      query: strict({
        ...PageQuery,
        kind: Type.Optional(oneOf(['email', 'domain'])),
        value: Type.Optional(Type.String({ minLength: 3, maxLength: 254, description: 'A complete address or domain. Case is ignored.' })),
        q: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 254,
            description:
              'A part of an address or domain. Case is ignored. A complete address also finds its suppressed domain. If only the hash of an address is left, only the complete address finds it.',
          }),
        ),
      }),
      replies: { 200: { about: 'A page of suppressions, newest first.', schema: listOf(Suppression) } },
      async handle(request) {
        const { ctx, params, query } = request
        const filter = {
          kind: query.kind,
          hash: query.value === undefined ? undefined : hashValue(ctx.secrets, query.value),
          part: query.q === undefined ? undefined : searchPart(ctx.secrets, query.q),
        }
        return newestFirstReply(request, page => listSuppressions(ctx.db, params.workspaceId, page, filter), presentSuppression)
      },
    }),

    syncRoute('POST', base, {
      id: 'suppressions.create',
      summary: 'Suppress an address or a domain',
      about:
        'No campaign of this workspace emails the address or domain again. If the value is already suppressed, the endpoint returns 200 with the existing entry and does not store the `reason` of this request.',
      scope: 'suppressions:write',
      action: 'suppression.create',
      cost: 'free',
      result: SuppressionResult,
      body: NewSuppression,
      replies: {
        201: { about: 'Suppressed.', schema: dataOf(Suppression) },
        200: {
          about: 'The existing entry, with its own reason and time, if the value was already suppressed. Or a replay.',
          schema: dataOf(Suppression),
        },
      },
      checkBody({ kind, value }) {
        const problem = problemOf(kind, value)
        if (problem) throw invalid('body', '/value', 'format', problem)
      },
      handle(request) {
        const { ctx, params, body } = request
        return perform(request, replayOf('suppression'), async tx => {
          const { kind, value, reason = 'manual' } = body
          const row = await suppress(tx, ctx.secrets, params.workspaceId, { kind, value, reason }, ctx.clock.now())
          const suppression = presentSuppression(row, ctx)
          return { result: { suppression }, reply: row.isNew ? created(suppression) : ok({ data: suppression }) }
        })
      },
    }),

    syncRoute('POST', `${base}/bulk`, {
      id: 'suppressions.createMany',
      summary: 'Suppress many addresses and domains',
      about:
        'Suppresses up to 5,000 values in one transaction. A row that is neither an address nor a domain is reported, and the others are suppressed.',
      scope: 'suppressions:write',
      action: 'suppression.create_many',
      cost: 'free',
      result: SuppressionsResult,
      bodyLimitBytes: 8 * 1024 * 1024,
      body: BulkSuppressions,
      replies: { 200: { about: 'The result for the rows.', schema: dataOf(BulkSuppressionResult) } },
      handle(request) {
        const { ctx, params, body } = request
        const links = { self: ctx.link(`/v1/workspaces/${params.workspaceId}/suppressions`) }
        const replay = (result: unknown) => ok({ data: { ...(result as { outcome: object }).outcome, links } })
        return perform(request, replay, async tx => {
          const outcome = await suppressMany(tx, ctx.secrets, params.workspaceId, body.suppressions, ctx.clock.now())
          return { result: { outcome }, reply: ok({ data: { ...outcome, links } }) }
        })
      },
    }),

    syncRoute('POST', `${base}/import/csv`, {
      id: 'suppressions.importCsv',
      summary: 'Suppress the addresses and domains of a CSV file',
      about:
        'Send the file as the request body, up to 10 MiB and 20,000 rows. The values are in a column `email`, `domain` or `value`, or in the only column of a file without headers. The names of the columns can be German, French or Spanish, too. A column `reason` is used for its row, and `reason` of the query for the others. All rows are suppressed in one transaction. The result lists rows that cannot be read, or have no valid value, by line. Of a row with an address and a domain, only the address is suppressed, with a warning.',
      scope: 'suppressions:write',
      action: 'suppression.import_csv',
      cost: 'free',
      result: SuppressionCsvResult,
      streams: 'text/csv',
      bodyLimitBytes: 10 * 1024 * 1024,
      query: strict({ reason: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })) }),
      replies: { 200: { about: 'The result for the rows.', schema: dataOf(CsvSuppressionResult) } },
      async handle(request) {
        const { ctx, params, query, stream } = request
        if (stream === null) throw invalid('body', '', 'empty', 'is missing: send the file as the body, as text/csv')
        const hash = createHash('sha256')
        const { listed, rejected, warnings } = await readSuppressions(hashing(stream, hash))
        const links = { self: ctx.link(`/v1/workspaces/${params.workspaceId}/suppressions`) }
        const replay = (result: unknown) => ok({ data: { ...(result as { outcome: object }).outcome, links } })
        const asked = { ...request, bodyDigest: `${hash.digest('base64url')} ${query.reason ?? ''}` }
        return perform(asked, replay, async tx => {
          const inputs = listed.map(({ value, reason }) => ({ value, reason: reason ?? query.reason }))
          const { invalid: wrong, ...counts } = await suppressMany(tx, ctx.secrets, params.workspaceId, inputs, ctx.clock.now())
          const remarks = wrong.map(({ index, reason }) => ({ line: listed[index]!.line, reason }))
          const all = [...rejected, ...remarks].sort((a, b) => a.line - b.line)
          const outcome = {
            ...counts,
            ...{ invalidCount: all.length, invalid: all.slice(0, SHOWN_REMARKS) },
            ...{ warningCount: warnings.length, warnings: warnings.slice(0, SHOWN_REMARKS) },
          }
          return { result: { outcome }, reply: ok({ data: { ...outcome, links } }) }
        })
      },
    }),

    route('GET', `${base}/:suppressionId`, {
      id: 'suppressions.get',
      summary: 'Get a suppression',
      scope: 'suppressions:read',
      replies: { 200: { about: 'The suppression.', schema: dataOf(Suppression) } },
      async handle({ ctx, params }) {
        const row = existing(await findSuppression(ctx.db, params.workspaceId, params.suppressionId), 'suppression')
        return ok({ data: presentSuppression(row, ctx) })
      },
    }),

    syncRoute('DELETE', `${base}/:suppressionId`, {
      id: 'suppressions.delete',
      summary: 'Remove a suppression',
      scope: 'suppressions:write',
      action: 'suppression.delete',
      cost: liftCost,
      result: IdResult,
      replies: { 204: { about: 'Removed.' } },
      errors: ['token_budget_exceeded'],
      handle(request) {
        const { workspaceId, suppressionId } = request.params
        return performRemoval(request, suppressionId, tx => unsuppress(tx, workspaceId, suppressionId))
      },
    }),
  ])

async function* hashing(pieces: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
}

function presentSuppression(row: SuppressionRow, ctx: HasLink) {
  const links = { self: ctx.link(`/v1/workspaces/${row.workspaceId}/suppressions/${row.id}`) }
  return { ...pick(row, 'id', 'workspaceId', 'kind', 'value', 'reason', 'createdAt'), links }
}
