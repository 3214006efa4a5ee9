import { saysWhom } from '#lead-terms'
import { languageModelOf } from '../../context/config.ts'
import { personOf } from '../../http/access.ts'
import { approvedKey } from '../../http/dispatch.ts'
import { RateLimiter } from '../../http/rate-limit.ts'
import { type ApiReply, type ApiRequest, ok, route, tagged } from '../../http/route.ts'
import { dataOf } from '../../http/schema.ts'
import { systemClock } from '../../lib/clock.ts'
import { invalid } from '../../lib/errors.ts'
import type { Static, TSchema } from '../../lib/type.ts'
import { accept, acceptedRoute } from '../../operations/writes.ts'
import { holdCredits } from '../credits/credits.ts'
import { importCost } from '../leads/cost.ts'
import { IMPORTABLE } from '../leads/leads.ts'
import { readFilters } from '../people/people.ts'
import { BRIEFS } from './briefs.ts'
import { FILTER_FIELDS } from './catalogue.ts'
import { readAddableState } from './queries.ts'
import { LeadFilters, LeadSearchBrief, LeadSearchOrder, LeadSearchPreview } from './schema.ts'

const workspace = '/v1/workspaces/:workspaceId'

/** A language model costs the operator money for each brief, and viewers may write briefs. */
const BRIEFS_PER_MINUTE = 20
const briefLimit = (): RateLimiter => new RateLimiter(BRIEFS_PER_MINUTE, systemClock, 'briefs')

const previewing = {
  scope: 'leads:read',
  action: 'lead_search.preview',
  cost: 'free',
  effects: ['changesNothing', 'onlyReads'],
  body: LeadSearchPreview,
} as const
function checkOrder({ filters }: Static<typeof LeadSearchOrder>): void {
  if (!saysWhom(readFilters(filters).filters))
    throw invalid('body', '/filters', 'empty', 'must have at least one filter: an empty document matches all people')
}

const ordering = { scope: 'leads:export', body: LeadSearchOrder, checkBody: checkOrder } as const

export const leadSearchRoutes = tagged('Lead searches', [
  acceptedRoute('POST', `${workspace}/campaigns/:campaignId/leads/search/preview`, {
    id: 'leadSearches.preview',
    summary: 'Preview a lead search',
    about:
      'Counts the people who match, those with a verified address, and those that an order could deliver, and shows their distribution. The preview is free: it attaches nothing and spends no credits. ' +
      '`{}` matches all people; an order refuses it.',
    ...previewing,
    handle: request => preview(request, { campaignId: request.params.campaignId }),
  }),

  acceptedRoute('POST', `${workspace}/leads/search/preview`, {
    id: 'leadSearches.explore',
    summary: 'Preview a lead search without a campaign',
    about: 'Works like the preview of a campaign, but needs no campaign: `campaignId` is null in the response. The preview is free.',
    ...previewing,
    handle: request => preview(request, {}),
  }),

  acceptedRoute('POST', `${workspace}/leads/search/ai`, {
    id: 'leadSearches.generateFilters',
    summary: 'Turn a brief into filters',
    about:
      'Proposes a filter document for review and applies nothing. Every value has the words of the brief from which it was read and the engine that read ' +
      'them. `unmatched` lists words that could not be turned into a filter, and `context` lists words that do not describe a filter. When no filter ' +
      'can be derived from the brief, the operation fails with `filters_not_derivable`.',
    scope: 'leads:read',
    action: 'lead_search.generate_filters',
    cost: 'free',
    effects: ['changesNothing', 'onlyReads'],
    body: LeadSearchBrief,
    async handle(request) {
      const { ctx, body, caller } = request
      if (languageModelOf(ctx.config)) ctx.part(briefLimit).take(personOf(caller))
      return accept(request, { input: { brief: body.brief } })
    },
  }),

  acceptedRoute('POST', `${workspace}/leads/search`, {
    id: 'leadSearches.export',
    summary: 'Buy leads and export them',
    about:
      'Reserves `leadCount` credits at once, charges one credit for each delivered lead that the workspace did not own before, and returns the rest. ' +
      'Delivers only addresses that Overture verified. People that the workspace imported cost nothing. ' +
      'People who unsubscribed, bounced or are suppressed are excluded. People that the workspace already owns are delivered again without a charge, ' +
      'unless `suppress` is `owned`. `filters` must name at least one criterion: `{}` is refused with 422. The event `lead_search.completed` and the result of the operation contain the link to the file.',
    ...ordering,
    action: 'lead_search.export',
    cost: async (_, { leadCount }) => ({ leads: leadCount, credits: leadCount }),
    effects: ['spendsCredits'],
    errors: ['insufficient_credits', 'token_budget_exceeded'],
    handle: request => order(request, {}),
  }),

  acceptedRoute('POST', `${workspace}/campaigns/:campaignId/leads/search`, {
    id: 'leadSearches.attach',
    summary: 'Buy leads into a campaign',
    about:
      'Buys leads by the same rules as an export and adds them to the campaign. People that the workspace imported are added with any address, but ' +
      'those with an address that is known to be bad only if `emailStatus` contains `invalid`. People who are already in the campaign or are suppressed ' +
      'are not added and not charged.',
    ...ordering,
    action: 'lead_search.attach',
    cost: async (tx, request) => ({ ...(await importCost(tx, request)), credits: request.leadCount }),
    effects: ['changesStatus', 'addsMessages', 'spendsCredits'],
    errors: ['insufficient_credits', 'invalid_state', 'token_budget_exceeded'],
    handle: request => order(request, { campaignId: request.params.campaignId, from: IMPORTABLE }),
  }),

  route('GET', `${workspace}/lead-filters`, {
    id: 'leadSearches.getFilters',
    summary: 'Get the filter fields',
    scope: 'leads:read',
    replies: { 200: { about: 'Lists every field with its form, bounds and values.', schema: dataOf(LeadFilters) } },
    async handle({ ctx, params }) {
      // A client that reads the filters usually searches next.
      ctx.wake.wake([BRIEFS])
      return ok({
        data: { version: 1, fields: FILTER_FIELDS, links: { self: ctx.link(`/v1/workspaces/${params.workspaceId}/lead-filters`) } },
      })
    },
  }),
])

type SearchRequest<Body extends TSchema> = ApiRequest<{ workspaceId: string }, unknown, Static<Body>>

async function preview(request: SearchRequest<typeof LeadSearchPreview>, place: { campaignId?: string }): Promise<ApiReply> {
  const { filters, warnings } = readFilters(request.body.filters)
  return accept(request, { ...place, input: { filters, warnings } })
}

async function order(request: SearchRequest<typeof LeadSearchOrder>, place: { campaignId?: string; from?: typeof IMPORTABLE }) {
  const { ctx, params, body } = request
  const { leadCount } = body
  const { filters } = readFilters(body.filters)
  // An approval covers the people who could be added by then.
  const isBound = place.campaignId !== undefined && approvedKey() !== null
  return accept(request, {
    ...place,
    input: { filters, leadCount, ...(isBound ? { addable: await readAddableState(ctx.db, params.workspaceId) } : {}) },
    leadCount: () => leadCount,
    reserve: (tx, operationId) => holdCredits(tx, params.workspaceId, operationId, leadCount, ctx.clock.now()),
  })
}
