import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/client.ts'
import { hasScope, insufficientScope } from '../../http/access.ts'
import { newestFirst } from '../../http/paging.ts'
import { type ApiReply, type ApiRequest, type Bulk, noContent, ok, route, tagged } from '../../http/route.ts'
import { dataOf, IdResult, listOf, oneOf, PageQuery, strict } from '../../http/schema.ts'
import { invalid } from '../../lib/errors.ts'
import { Type } from '../../lib/type.ts'
import { accept, acceptedRoute, perform, replayNothing, replayOf } from '../../operations/writes.ts'
import { getCampaign } from '../campaigns/campaigns.ts'
import { getImportableExport } from '../exports/exports.ts'
import { checkBulk, checkTarget } from './bulk.ts'
import { insertChunks } from './import-queries.ts'
import { getLead, IMPORTABLE, type LeadIds, type LeadRow, presentLead, removeLead } from './leads.ts'
import { checkPatch, patchLead, requeueLead } from './patch.ts'
import { listLeads } from './queries.ts'
import { LEAD_STATUSES, Lead, LeadBulk, LeadImport, LeadPatch, LeadResult } from './schema.ts'

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
      timezone: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          description: 'The time zone of the lead, such as `Europe/Berlin`.',
        }),
      ),
      q: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'Part of the address, the name or the company. Case is ignored.' }),
      ),
    }),
    replies: { 200: { about: 'A page of leads, newest first.', schema: listOf(Lead) } },
    async handle(request) {
      const { ctx, params, query } = request
      await getCampaign(ctx.db, params.workspaceId, params.campaignId)
      return newestFirst(request, page => listLeads(ctx.db, params.workspaceId, params.campaignId, query, page), presentLead)
    },
  }),

  acceptedRoute('POST', `${base}/import`, {
    id: 'leads.import',
    summary: 'Import leads',
    about:
      'Imports up to 5 000 leads per request, or all people of an earlier export. Duplicates and suppressed addresses are skipped and counted. Invalid rows are reported by their index.',
    scope: 'leads:write',
    action: 'campaign.import_leads',
    bodyLimitBytes: IMPORT_LIMIT_BYTES,
    bulk: 'leads',
    body: LeadImport,
    errors: ['invalid_state', 'invalid_reference', 'token_budget_exceeded'],
    async handle(request) {
      const { body, bulk, params } = request
      if ((body.leads === undefined && bulk === null) === (body.exportId === undefined))
        throw invalid('body', '/leads', 'one_of', 'send either leads or exportId')
      const { ctx } = request
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
    handle: async ({ ctx, params }) =>
      ok({ data: presentLead(await getLead(ctx.db, params.workspaceId, params.campaignId, params.leadId), ctx) }),
  }),

  route('PATCH', `${base}/:leadId`, {
    id: 'leads.update',
    summary: 'Update a lead, or report an outcome',
    about:
      'Changes only the fields that you send. A lead that was skipped because of a missing variable is queued again when its fields change. With the status `replied` or a later one, the lead gets no further message. `opportunityValue` also needs the scope `deals:write`.',
    scope: 'people:write',
    write: 'sync',
    action: 'lead.update',
    result: LeadResult,
    body: LeadPatch,
    replies: { 200: { about: 'The lead.', schema: dataOf(Lead) } },
    errors: ['invalid_state', 'token_budget_exceeded'],
    handle(request) {
      const { ctx, params, body, caller } = request
      if (body.opportunityValue !== undefined && !hasScope(caller, 'deals:write')) throw insufficientScope('deals:write')
      checkPatch(body)
      return change(request, tx => patchLead(tx, ctx.secrets, params, body, ctx.clock.now()))
    },
  }),

  route('POST', `${base}/:leadId/requeue`, {
    id: 'leads.requeue',
    summary: 'Queue a skipped lead again',
    about:
      'The next step of the lead is due at once, or when the delay after the previous step has passed. The request answers 409 when the lead was not skipped.',
    scope: 'leads:write',
    write: 'sync',
    action: 'lead.requeue',
    result: LeadResult,
    body: strict({}),
    replies: { 200: { about: 'The lead.', schema: dataOf(Lead) } },
    errors: ['invalid_state', 'token_budget_exceeded'],
    handle: request => change(request, tx => requeueLead(tx, request.params, request.ctx.clock.now())),
  }),

  acceptedRoute('POST', `${base}/bulk`, {
    id: 'leads.changeMany',
    summary: 'Change many leads',
    about:
      'Deletes, requeues, moves, or sets the status of up to 1 000 leads by id, or of all leads that match a filter. The result contains the counts. A moved lead starts from the first step in the other campaign and gets a new id. Leads that have replied, are suppressed or are already in the other campaign are not moved. `set_status` also needs the scope `people:write`.',
    scope: 'leads:write',
    action: 'lead.bulk',
    body: LeadBulk,
    errors: ['invalid_state', 'invalid_reference', 'token_budget_exceeded'],
    handle(request) {
      const { ctx, params, body, caller } = request
      checkBulk(body)
      if (body.action === 'set_status' && !hasScope(caller, 'people:write')) throw insufficientScope('people:write')
      const { targetCampaignId } = body
      return accept(request, {
        campaignId: params.campaignId,
        ...(body.action === 'requeue' || body.action === 'move' ? { from: IMPORTABLE } : {}),
        input: body,
        ...(targetCampaignId === undefined
          ? {}
          : {
              check: async () => {
                await getCampaign(ctx.db, params.workspaceId, params.campaignId)
                await checkTarget(ctx.db, params, targetCampaignId)
              },
            }),
      })
    },
  }),

  route('DELETE', `${base}/:leadId`, {
    id: 'leads.delete',
    summary: 'Remove a lead from a campaign',
    scope: 'leads:write',
    write: 'sync',
    action: 'lead.delete',
    result: IdResult,
    replies: { 204: { about: 'Removed.' } },
    handle(request) {
      const { ctx, params } = request
      return perform(request, replayNothing, async tx => {
        await removeLead(tx, params, ctx.clock.now())
        return { result: { id: params.leadId }, reply: noContent }
      })
    },
  }),
])

function change(request: ApiRequest<LeadIds>, work: (tx: Tx) => Promise<LeadRow>): Promise<ApiReply> {
  return perform(request, replayOf('lead'), async tx => {
    const lead = presentLead(await work(tx), request.ctx)
    return { result: { lead }, reply: ok({ data: lead }) }
  })
}

async function storeChunks(tx: Tx, operationId: string, bulk: Bulk): Promise<void> {
  await insertChunks(tx, operationId, bulk.chunks)
  bulk.release()
}

async function checkExport(ctx: Context, params: { workspaceId: string; campaignId: string }, exportId: string): Promise<void> {
  await getCampaign(ctx.db, params.workspaceId, params.campaignId)
  await getImportableExport(ctx.db, params.workspaceId, exportId, ctx.clock.now())
}
