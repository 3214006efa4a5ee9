import { ok, type Route, route } from '../../http/route.ts'
import { dataOf, strict, Uuid } from '../../http/schema.ts'
import { invalid } from '../../lib/errors.ts'
import { ACCEPTED_REPLIES } from '../../operations/replies.ts'
import { accept } from '../../operations/writes.ts'
import type { FilterDocument } from '../../search/filters/filters.ts'
import { readFilters } from '../../search/filters/read-filters.ts'
import { InCampaign } from '../campaigns/schema.ts'
import { holdCredits } from '../credits/credits.ts'
import { IMPORTABLE } from '../leads/leads.ts'
import { FILTER_FIELDS } from './catalogue.ts'
import { LeadFilters, LeadSearchBrief, LeadSearchOrder, LeadSearchPreview } from './schema.ts'

const workspace = '/v1/workspaces/:workspaceId'
const InWorkspace = strict({ workspaceId: Uuid })

export const leadSearchRoutes: Route[] = [
  route({
    method: 'POST',
    path: `${workspace}/campaigns/:campaignId/leads/search/preview`,
    id: 'leadSearches.preview',
    summary: 'Preview a lead search',
    about:
      'How many people match, how many of them have a verified address, how many an order could deliver, and how they spread. Free: nothing is attached and no credits are spent. ' +
      '`{}` matches everybody.',
    tag: 'Lead searches',
    scope: 'leads:read',
    write: 'accepted',
    action: 'lead_search.preview',
    params: InCampaign,
    body: LeadSearchPreview,
    replies: ACCEPTED_REPLIES,
    async handle(request) {
      const { filters, warnings } = readFilters(request.body.filters)
      return accept(request, { action: 'lead_search.preview', campaignId: request.params.campaignId, input: { filters, warnings } })
    },
  }),

  route({
    method: 'POST',
    path: `${workspace}/leads/search/preview`,
    id: 'leadSearches.explore',
    summary: 'Preview a lead search without a campaign',
    about: 'The same answer as the preview of a campaign, for who has none yet: `campaignId` is null. Free.',
    tag: 'Lead searches',
    scope: 'leads:read',
    write: 'accepted',
    action: 'lead_search.preview',
    params: InWorkspace,
    body: LeadSearchPreview,
    replies: ACCEPTED_REPLIES,
    async handle(request) {
      const { filters, warnings } = readFilters(request.body.filters)
      return accept(request, { action: 'lead_search.preview', input: { filters, warnings } })
    },
  }),

  route({
    method: 'POST',
    path: `${workspace}/leads/search/ai`,
    id: 'leadSearches.generateFilters',
    summary: 'Turn a brief into filters',
    about:
      'For review: proposes a filter document and applies nothing. Every value carries the words that it came from and the engine that read ' +
      'them, `unmatched` lists what could not be read, and `context` what was understood to ask for nothing. A brief from which nothing can be ' +
      'derived fails with `filters_not_derivable`.',
    tag: 'Lead searches',
    scope: 'leads:read',
    write: 'accepted',
    action: 'lead_search.generate_filters',
    params: InWorkspace,
    body: LeadSearchBrief,
    replies: ACCEPTED_REPLIES,
    handle: request => accept(request, { action: 'lead_search.generate_filters', input: { brief: request.body.brief } }),
  }),

  route({
    method: 'POST',
    path: `${workspace}/leads/search`,
    id: 'leadSearches.export',
    summary: 'Search leads and export them',
    about:
      'Paid, once: `leadCount` credits are held at once, one is charged for each delivered lead that the workspace did not own before, and the rest ' +
      'goes back. Of the lead directory only verified addresses are delivered, of the people whom the workspace brought itself any, and those cost ' +
      'nothing; who unsubscribed, bounced or is suppressed is left out. Who is owned already is delivered again without a charge, unless ' +
      '`suppress` says `owned`. The file is delivered by the event ' +
      '`lead_search.completed` and shown by the operation.',
    tag: 'Lead searches',
    scope: 'leads:export',
    write: 'accepted',
    action: 'lead_search.export',
    params: InWorkspace,
    body: LeadSearchOrder,
    replies: ACCEPTED_REPLIES,
    errors: ['insufficient_credits', 'token_budget_exceeded'],
    async handle(request) {
      const { ctx, params } = request
      const { leadCount } = request.body
      const filters = readOrder(request.body.filters)
      return accept(request, {
        action: 'lead_search.export',
        input: { filters, leadCount },
        leadCount: () => leadCount,
        reserve: (tx, operationId) => holdCredits(tx, params.workspaceId, operationId, leadCount, ctx.clock.now()),
      })
    },
  }),

  route({
    method: 'POST',
    path: `${workspace}/campaigns/:campaignId/leads/search`,
    id: 'leadSearches.attach',
    summary: 'Buy leads into a campaign',
    about:
      'The same purchase as an export, by the same rules, straight into the campaign. Who is in the campaign already or is suppressed is neither attached nor paid for.',
    tag: 'Lead searches',
    scope: 'leads:export',
    write: 'accepted',
    action: 'lead_search.attach',
    params: InCampaign,
    body: LeadSearchOrder,
    replies: ACCEPTED_REPLIES,
    errors: ['insufficient_credits', 'invalid_state', 'token_budget_exceeded'],
    async handle(request) {
      const { ctx, params } = request
      const { leadCount } = request.body
      const filters = readOrder(request.body.filters)
      return accept(request, {
        action: 'lead_search.attach',
        campaignId: params.campaignId,
        from: IMPORTABLE,
        input: { filters, leadCount },
        leadCount: () => leadCount,
        reserve: (tx, operationId) => holdCredits(tx, params.workspaceId, operationId, leadCount, ctx.clock.now()),
      })
    },
  }),

  route({
    method: 'GET',
    path: `${workspace}/lead-filters`,
    id: 'leadSearches.getFilters',
    summary: 'Get the catalogue of filter fields',
    tag: 'Lead searches',
    scope: 'leads:read',
    params: InWorkspace,
    replies: { 200: { about: 'Every field, with its form, bounds and values.', schema: dataOf(LeadFilters) } },
    async handle({ ctx, params }) {
      return ok({
        data: { version: 1, fields: FILTER_FIELDS, links: { self: ctx.link(`/v1/workspaces/${params.workspaceId}/lead-filters`) } },
      })
    },
  }),
]

function readOrder(input: unknown): FilterDocument {
  const { filters } = readFilters(input)
  if (Object.keys(filters).length === 0)
    throw invalid('body', '/filters', 'empty', 'must say who is wanted: an empty document matches everybody')
  return filters
}
