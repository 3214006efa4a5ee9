import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Context } from '../../context/context.ts'
import { type ApiReply, type ApiRequest, ok, route, tagged } from '../../http/route.ts'
import { oneOf, strict } from '../../http/schema.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { openCsv } from '../../lib/csv-stream.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { Type } from '../../lib/type.ts'
import { ACCEPTED_REPLIES, accept } from '../../operations/writes.ts'
import { getCampaign } from '../campaigns/campaigns.ts'
import { checkHead, renderRejected, tryCsv } from './csv-import.ts'
import { readWishes, type Wishes } from './csv-mapping.ts'
import { attachUpload, deleteLooseUpload, insertPiece, insertUpload, isImport, readUpload } from './csv-queries.ts'
import { IMPORTABLE } from './leads.ts'
import { CsvTrial } from './schema.ts'

const base = '/v1/workspaces/:workspaceId/campaigns/:campaignId/leads/import'
const CSV_LIMIT_BYTES = 200 * 1024 * 1024
const PIECE_BYTES = 512 * 1024

const CsvQuery = strict({
  dryRun: Type.Optional(Type.Boolean({ description: 'Describe the import, but save nothing.' })),
  mapping: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 20_000,
      description:
        'A JSON object that maps headers of the file to fields. It overrides the recognized columns. Values: `email`, `firstName`, `lastName`, `fullName`, `company`, `jobTitle`, `timezone`, any other name for a variable (at most 50), or null to ignore the column.',
    }),
  ),
  onDuplicate: Type.Optional(oneOf(['skip', 'update'])),
  leadListName: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
})

export const csvRoutes = tagged('Leads', [
  route('POST', `${base}/csv`, {
    id: 'leads.importCsv',
    summary: 'Import leads from a CSV file',
    about:
      'Send the file as the request body, up to 200 MB, in UTF-8, UTF-16 or Windows-1252, with comma, semicolon, tab or vertical bar as the separator. The import recognizes columns by their headers (English, German, French, Spanish); unknown columns become variables, and a warning names those beyond 50, which are left out. With `dryRun=true` the answer describes the import and nothing is saved. Rejected rows are counted, and `…/leads/import/{operationId}/rejected-rows` lists all of them.',
    scope: 'leads:write',
    write: 'accepted',
    action: 'campaign.import_csv',
    streams: 'text/csv',
    bodyLimitBytes: CSV_LIMIT_BYTES,
    query: CsvQuery,
    replies: {
      ...ACCEPTED_REPLIES,
      200: {
        about: `${ACCEPTED_REPLIES[200].about} With \`dryRun\`: a description of the import.`,
        schema: Type.Union([ACCEPTED_REPLIES[200].schema, strict({ data: CsvTrial })]),
      },
    },
    errors: ['invalid_state', 'token_budget_exceeded'],
    async handle(request) {
      const { ctx, params, query, stream } = request
      const wishes = readWishes(query.mapping)
      await getCampaign(ctx.db, params.workspaceId, params.campaignId)
      if (stream === null) throw invalid('body', '', 'empty', 'is missing: send the file as the body, as text/csv')
      const { mapping: _, dryRun, ...rest } = query
      return dryRun ? ok({ data: await tryCsv(stream, wishes) }) : takeFile(request, stream, { ...rest, wishes })
    },
  }),

  route('GET', `${base}/:operationId/rejected-rows`, {
    id: 'leads.downloadRejectedRows',
    summary: 'Download the rows that an import rejected',
    about:
      'Returns a CSV file with the line number, the reason and the original row. The file exists as long as the operation is kept. A cell that a spreadsheet would run as a formula starts with an apostrophe, which is removed when the corrected file is imported. For a JSON import, `line` is the position in the list, counted from 1, and the columns are the fields and variables of the rejected leads.',
    scope: 'leads:read',
    orScopes: ['leads:write'],
    replies: { 200: { about: 'The file.', contentType: 'text/csv', headers: ['content-disposition'] } },
    async handle({ ctx, params }) {
      if (!(await isImport(ctx.db, params))) throw notFound('import')
      return {
        status: 200,
        body: Readable.from(renderRejected(ctx, params.operationId), { objectMode: false }),
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="rejected-${params.operationId}.csv"`,
          'cache-control': 'private, no-store',
        },
      }
    },
  }),
])

async function takeFile(
  request: ApiRequest<{ workspaceId: string; campaignId: string }>,
  stream: AsyncIterable<Buffer>,
  input: { wishes: Wishes; onDuplicate?: 'skip' | 'update'; leadListName?: string },
): Promise<ApiReply> {
  const { ctx, params } = request
  const uploadId = newId()
  try {
    const digest = await storeFile(ctx, uploadId, params.workspaceId, stream, input.wishes)
    const leadCount = request.caller.limits === null ? 0 : await countRows(readUpload(ctx.db, uploadId))
    return await accept(
      { ...request, bodyDigest: `${digest} ${canonicalJson(input)}` },
      {
        campaignId: params.campaignId,
        from: IMPORTABLE,
        input,
        leadCount: () => leadCount,
        reserve: async (tx, operationId) => void (await attachUpload(tx, uploadId, operationId)),
      },
    )
  } finally {
    await ctx.db.inTransaction(tx => deleteLooseUpload(tx, uploadId)).catch(() => {})
  }
}

/** Stores the file while it is received. No transaction waits for the client, and only one piece is in memory. */
async function storeFile(ctx: Context, id: string, workspaceId: string, stream: AsyncIterable<Buffer>, wishes: Wishes): Promise<string> {
  const hash = createHash('sha256')
  let waiting: Buffer[] = []
  let length = 0
  let n = 0
  const store = async (): Promise<void> => {
    const bytes = Buffer.concat(waiting)
    if (n === 0) await checkHead(bytes, wishes)
    await ctx.db.inRequest(async tx => {
      if (n === 0) await insertUpload(tx, id, workspaceId)
      await insertPiece(tx, id, n, bytes)
    })
    n++
    waiting = []
    length = 0
  }
  for await (const piece of stream) {
    hash.update(piece)
    waiting.push(piece)
    length += piece.length
    if (length >= PIECE_BYTES) await store()
  }
  if (length > 0 || n === 0) await store()
  return hash.digest('base64url')
}

/** By the reader that imports the file, so that a token with limits cannot get more leads in by unusual line ends or encodings. */
async function countRows(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const csv = await openCsv(pieces)
  let count = 0
  if (csv) for await (const _row of csv.rows) count++
  return count
}
