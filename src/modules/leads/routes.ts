import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { approvedKey } from '../../http/dispatch.ts'
import { newestFirstReply } from '../../http/paging.ts'
import { type ApiReply, type ApiRequest, type Bulk, ok, route, tagged } from '../../http/route.ts'
import { about, dataOf, IdResult, line, listOf, oneOf, PageQuery, strict } from '../../http/schema.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { openCsv } from '../../lib/csv-stream.ts'
import { invalid, invalidState, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Page } from '../../lib/page.ts'
import { Type } from '../../lib/type.ts'
import { ACCEPTED_REPLIES, accept, acceptedRoute, performRemoval, performShowing, syncRoute } from '../../operations/writes.ts'
import { getCampaign } from '../campaigns/campaigns.ts'
import { getImportableExport } from '../exports/exports.ts'
import { checkBulk, checkTarget, type Place } from './bulk.ts'
import { bulkCost, countToPay, importCost, requeueCost, updateCost } from './cost.ts'
import { checkHead, renderRejected, tryCsv } from './csv-import.ts'
import { readWishes, type Wishes } from './csv-mapping.ts'
import { attachUpload, deleteLooseUpload, insertChunks, insertPiece, insertUpload, isImport, readUpload } from './import-queries.ts'
import { checkPatch, getLead, IMPORTABLE, type LeadIds, patchLead, presentLead, removeLead, requeueLead } from './leads.ts'
import { findLastChange, type LeadRow, listLeads, readLastLift } from './queries.ts'
import { CsvTrial, LEAD_STATUSES, Lead, LeadBulk, type LeadBulkInput, LeadImport, LeadPatch, LeadResult } from './schema.ts'

const base = '/v1/workspaces/:workspaceId/campaigns/:campaignId/leads'
const IMPORT_LIMIT_BYTES = 20 * 1024 * 1024

export const leadRoutes = tagged('Leads', [
  route('GET', base, {
    id: 'leads.list',
    summary: 'List the leads of a campaign',
    scope: 'leads:read',
    query: strict({
      ...PageQuery,
      status: Type.Optional(oneOf(LEAD_STATUSES)),
      email: Type.Optional(Type.String({ minLength: 3, maxLength: 254 })),
      timezone: Type.Optional(about(Type.String({ minLength: 1, maxLength: 255 }), 'The time zone of the lead, such as `Europe/Berlin`.')),
      q: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'Part of the address, the name or the company. Case is ignored.' }),
      ),
    }),
    replies: { 200: { about: 'A page of leads, newest first.', schema: listOf(Lead) } },
    async handle(request) {
      const { ctx, params, query } = request
      const campaign = await getCampaign(ctx.db, params.workspaceId, params.campaignId)
      const list = (page: Page) => listLeads(ctx.db, params.workspaceId, params.campaignId, query, page)
      return newestFirstReply(request, list, row => presentLead(row, campaign, ctx))
    },
  }),

  acceptedRoute('POST', `${base}/import`, {
    id: 'leads.import',
    summary: 'Import leads',
    about:
      'Imports up to 5,000 leads per request, or all people of an earlier export. Duplicates and suppressed addresses are skipped and counted. Invalid rows are reported by their index.',
    scope: 'leads:write',
    action: 'campaign.import_leads',
    cost: importCost,
    effects: ['changesStatus', 'addsMessages'],
    bodyLimitBytes: IMPORT_LIMIT_BYTES,
    bulk: 'leads',
    body: LeadImport,
    checkBody({ leads, exportId }, bulk) {
      if ((leads === undefined && bulk === null) === (exportId === undefined))
        throw invalid('body', '/leads', 'one_of', 'send either leads or exportId')
    },
    errors: ['invalid_state', 'invalid_reference', 'token_budget_exceeded'],
    async handle(request) {
      const { ctx, body, bulk, params } = request
      const { exportId } = body
      return accept(request, {
        campaignId: params.campaignId,
        from: IMPORTABLE,
        input: body,
        leadCount: async tx =>
          exportId === undefined
            ? (body.leads?.length ?? bulk?.count ?? 0)
            : (await getImportableExport(tx, params.workspaceId, exportId, ctx.clock.now())).leadCount,
        ...(exportId === undefined ? {} : { isLarge: true, check: () => checkExport(ctx, params, exportId) }),
        ...(bulk === null ? {} : { isLarge: true, reserve: (tx, operationId) => storeChunks(tx, operationId, bulk) }),
      })
    },
  }),

  route('GET', `${base}/:leadId`, {
    id: 'leads.get',
    summary: 'Get a campaign lead',
    scope: 'leads:read',
    replies: { 200: { about: 'The lead.', schema: dataOf(Lead) } },
    async handle({ ctx, params: { workspaceId, campaignId, leadId } }) {
      const lead = await getLead(ctx.db, workspaceId, campaignId, leadId)
      return ok({ data: presentLead(lead, await getCampaign(ctx.db, workspaceId, campaignId), ctx) })
    },
  }),

  syncRoute('PATCH', `${base}/:leadId`, {
    id: 'leads.update',
    summary: 'Update a lead, or report an outcome',
    about:
      'Changes only the fields that you send. A lead that was skipped because of a missing variable is queued again when its fields change. With the status `replied` or a later one, the lead gets no further message. `opportunityValue` also needs the scope `deals:write`.',
    scope: 'people:write',
    action: 'lead.update',
    cost: updateCost,
    operationScope: 'leads:write',
    result: LeadResult,
    body: LeadPatch,
    alsoNeeds: ({ opportunityValue }) => (opportunityValue === undefined ? [] : ['deals:write']),
    replies: { 200: { about: 'The lead.', schema: dataOf(Lead) } },
    errors: ['invalid_state', 'token_budget_exceeded'],
    handle(request) {
      const { ctx, params, body, caller } = request
      checkPatch(body)
      return change(request, tx => patchLead(tx, ctx.secrets, params, body, ctx.clock.now(), caller.tokenId))
    },
  }),

  syncRoute('POST', `${base}/:leadId/requeue`, {
    id: 'leads.requeue',
    summary: 'Queue a skipped lead again',
    about:
      'The next step of the lead is due at once, or when the delay after the previous step has passed. Returns 409 if the lead was not skipped.',
    scope: 'leads:write',
    action: 'lead.requeue',
    cost: requeueCost,
    result: LeadResult,
    body: strict({}),
    replies: { 200: { about: 'The lead.', schema: dataOf(Lead) } },
    errors: ['invalid_state', 'token_budget_exceeded'],
    handle: request => change(request, tx => requeueLead(tx, request.params, request.ctx.clock.now(), request.caller.tokenId)),
  }),

  acceptedRoute('POST', `${base}/bulk`, {
    id: 'leads.changeMany',
    summary: 'Change many leads',
    about:
      'Deletes, requeues, moves, or sets the status of up to 1,000 leads by id, or of all leads that match a filter. The result contains the counts. A moved lead starts from the first step in the other campaign and gets a new id. Leads that have replied, are suppressed or are already in the other campaign are not moved. `set_status` also needs the scope `people:write`.',
    scope: 'leads:write',
    action: 'lead.bulk',
    cost: bulkCost,
    effects: ['addsMessages'],
    body: LeadBulk,
    alsoNeeds: ({ action }) => (action === 'set_status' ? ['people:write'] : []),
    checkBody: checkBulk,
    errors: ['invalid_state', 'invalid_reference', 'token_budget_exceeded'],
    async handle(request) {
      const { ctx, params, body, caller } = request
      const { targetCampaignId } = body
      // A limit or an approval covers the move into the campaign in its current state.
      const isBound = caller.limits !== null || approvedKey() !== null
      const input: LeadBulkInput = { ...body }
      if (body.action === 'delete' || body.action === 'set_status') return accept(request, { campaignId: params.campaignId, input })
      // Messages can follow. Between two pages, leads can change, and other leads can be moved here.
      if (approvedKey() !== null) {
        input.until = (await findLastChange(ctx.db, params.workspaceId, params.campaignId)).toISOString()
        input.lift = (await readLastLift(ctx.db, params.workspaceId)) ?? ''
      }
      return accept(request, {
        campaignId: params.campaignId,
        from: IMPORTABLE,
        input,
        check: async () => {
          await getCampaign(ctx.db, params.workspaceId, params.campaignId)
          if (caller.limits !== null && approvedKey() === null) input.maxCount = await countToPay(ctx.db, params, body)
          if (targetCampaignId === undefined) return
          const { status } = await checkTarget(ctx.db, params, targetCampaignId)
          if (isBound) input.targetStatus = status
        },
        leadCount: () => input.maxCount ?? 0,
        ...(isBound && targetCampaignId !== undefined ? { reserve: tx => checkUnchanged(tx, params, input) } : {}),
      })
    },
  }),

  syncRoute('DELETE', `${base}/:leadId`, {
    id: 'leads.delete',
    summary: 'Remove a lead from a campaign',
    scope: 'leads:write',
    action: 'lead.delete',
    cost: 'free',
    result: IdResult,
    replies: { 204: { about: 'Removed.' } },
    handle(request) {
      const { ctx, params } = request
      return performRemoval(request, params.leadId, tx => removeLead(tx, params, ctx.clock.now()))
    },
  }),
])

function change(request: ApiRequest<LeadIds>, work: (tx: Tx) => Promise<LeadRow>): Promise<ApiReply> {
  return performShowing(request, 'lead', async tx => {
    const row = await work(tx)
    return presentLead(row, await getCampaign(tx, row.workspaceId, row.campaignId), request.ctx)
  })
}

/** The cost was computed for the status of the other campaign, which may have changed since it was read. */
async function checkUnchanged(tx: Tx, params: Place, { targetCampaignId, targetStatus }: LeadBulkInput): Promise<void> {
  const { status } = await checkTarget(tx, params, targetCampaignId!)
  if (status !== targetStatus) throw invalidState(status, [targetStatus!])
}

async function storeChunks(tx: Tx, operationId: string, bulk: Bulk): Promise<void> {
  await insertChunks(tx, operationId, bulk.chunks)
  bulk.release()
}

async function checkExport(ctx: Context, params: { workspaceId: string; campaignId: string }, exportId: string): Promise<void> {
  await getCampaign(ctx.db, params.workspaceId, params.campaignId)
  await getImportableExport(ctx.db, params.workspaceId, exportId, ctx.clock.now())
}

const CSV_LIMIT_BYTES = 200 * 1024 * 1024
const PIECE_BYTES = 512 * 1024

const CsvQuery = strict({
  dryRun: Type.Optional(Type.Boolean({ description: 'Describe the import, but save nothing.' })),
  mapping: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 20_000,
      description:
        'A JSON object that maps headers of the file to fields. It overrides the recognized columns. A header that the file does not have is refused. Values: `email`, `firstName`, `lastName`, `fullName`, `company`, `jobTitle`, `timezone`, any other name for a variable (at most 50), or null to ignore the column.',
    }),
  ),
  onDuplicate: Type.Optional(about(oneOf(['skip', 'update']), '`update` changes leads that the campaign already has. Defaults to `skip`.')),
  leadListName: Type.Optional(line({ minLength: 1, maxLength: 255 })),
})

export const csvRoutes = tagged('Leads', [
  route('POST', `${base}/import/csv`, {
    id: 'leads.importCsv',
    summary: 'Import leads from a CSV file',
    about:
      'Send the file as the request body, up to 200 MiB and 500 columns. It is in UTF-8, UTF-16 or Windows-1252, with comma, semicolon, tab or vertical bar as the separator. The import recognizes columns by their headers (English, German, French, Spanish). Unknown columns become variables. A warning names those beyond 50, which are left out. With `dryRun=true` the response describes the import and nothing is saved. Rejected rows are counted, and `…/leads/import/{operationId}/rejected-rows` lists all of them.',
    scope: 'leads:write',
    write: 'accepted',
    action: 'campaign.import_csv',
    cost: importCost,
    effects: ['changesStatus', 'addsMessages'],
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

  route('GET', `${base}/import/:operationId/rejected-rows`, {
    id: 'leads.downloadRejectedRows',
    summary: 'Download the rows that an import rejected',
    about:
      'Returns a CSV file with the line number, the reason and the original row. The file exists as long as the operation is kept. A cell that a spreadsheet would run as a formula starts with an apostrophe, which is removed when the corrected file is imported. After a JSON import, `line` is the position in the list, counted from 1. The columns are then the fields and variables of the rejected leads.',
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
