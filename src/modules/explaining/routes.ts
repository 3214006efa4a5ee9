import type { Context } from '../../context/context.ts'
import { type Caller, hasScope, insufficientScope, personOf } from '../../http/access.ts'
import { listReply, readPage } from '../../http/paging.ts'
import { type ApiReply, ok, type PathParams, route, tagged } from '../../http/route.ts'
import { dataOf, listOf, Order, PageQuery, strict } from '../../http/schema.ts'
import { pick } from '../../lib/pick.ts'
import { Type } from '../../lib/type.ts'
import type { Wording } from '../../scheduling/reasons.ts'
import { getCampaign, presentWithin } from '../campaigns/campaigns.ts'
import { getLead } from '../leads/leads.ts'
import type { LeadRow } from '../leads/queries.ts'
import { measureToday } from '../mailboxes/mailboxes.ts'
import { previewMessage } from './preview.ts'
import { checkReadiness } from './readiness.ts'
import { presentLift, reportSending } from './reasons.ts'
import {
  Preview,
  PreviewRequest,
  Readiness,
  SendingStatus,
  SimulationQuery,
  SimulationRequest,
  SimulationResult,
  TimelineEntry,
  VariantComparison,
} from './schema.ts'
import { checkTrial, presentSimulation, simulateCampaign, type Trial } from './simulation.ts'
import { getTimelineEntry, presentTimelineEntry, readTimeline } from './timeline.ts'
import { compareVariants } from './variants.ts'

const one = '/v1/workspaces/:workspaceId/campaigns/:campaignId'

const { leadId, variantId, step } = PreviewRequest.properties

type CampaignParams = PathParams<typeof one>

const previewing = {
  scope: 'campaigns:read',
  about:
    'Renders one step as a lead would receive it: subject, text, HTML and headers. Nothing is sent or saved. Without the scope `leads:read` you cannot name a lead, and the preview shows an invented person.',
  replies: { 200: { about: 'The message.', schema: dataOf(Preview) } },
} as const

const simulating = {
  scope: 'campaigns:read',
  isHeavy: true,
  about:
    'Plans every remaining message by day and mailbox, with the date on which the campaign ends and the limit that determines it. The simulation uses the planner of the sender. It assumes that there are no replies and that no other campaign uses the mailboxes. It plans at most 250,000 messages; later messages count as beyond the horizon. In campaigns with more than 20,000 leads, leads that are due within the same minute count as due together. Above 100,000 leads, this applies to leads that are due within the same 15 minutes. Nothing is sent or saved.',
  replies: { 200: { about: 'The simulation.', schema: dataOf(SimulationResult) } },
} as const

/** Previews and simulations. Nothing is stored, so each is also available with GET, which is its `self` link. */
const previewRoutes = tagged('Sending', [
  route('POST', `${one}/preview`, {
    ...previewing,
    id: 'campaigns.preview',
    summary: 'Preview a message',
    body: PreviewRequest,
    handle: ({ ctx, params, caller, body }) => preview(ctx, params, caller, body, 'body'),
  }),

  route('GET', `${one}/preview`, {
    ...previewing,
    id: 'campaigns.getPreview',
    summary: 'Get the preview of a message',
    errors: ['validation_failed'],
    query: strict({ leadId, variantId, step: Type.Optional(step) }),
    handle: ({ ctx, params, caller, query }) => preview(ctx, params, caller, { ...query, step: query.step ?? 0 }, 'query'),
  }),

  route('POST', `${one}/simulate`, {
    ...simulating,
    id: 'campaigns.simulate',
    summary: 'Simulate the rest of a campaign',
    body: SimulationRequest,
    errors: ['campaign_not_ready', 'invalid_reference'],
    handle: ({ ctx, params, caller, body: { horizonDays, ...trial } }) => simulate(ctx, params, caller, horizonDays, trial),
  }),

  route('GET', `${one}/simulate`, {
    ...simulating,
    id: 'campaigns.getSimulation',
    summary: 'Get the simulation of the rest of a campaign',
    query: SimulationQuery,
    errors: ['campaign_not_ready'],
    handle: ({ ctx, params, caller, query }) => simulate(ctx, params, caller, query.horizonDays),
  }),
])

async function preview(ctx: Context, params: CampaignParams, caller: Caller, asked: PreviewRequest, where: 'body' | 'query') {
  const mayReadLeads = hasScope(caller, 'leads:read')
  if (asked.leadId !== undefined && !mayReadLeads) throw insufficientScope('leads:read')
  const campaign = await getCampaign(ctx.db, params.workspaceId, params.campaignId)
  const shown = await previewMessage(ctx, campaign, asked, { where, mayReadLeads, owner: personOf(caller) })
  const { step, leadId, variantId } = shown
  // A variant of a trial has no permanent id.
  const query = new URLSearchParams({ step: String(step), ...(leadId ? { leadId } : {}), ...(asked.steps ? {} : { variantId }) })
  const { workspaceId: _, ...data } = presentWithin(ctx, campaign, `preview?${query}`, shown)
  return ok({ data })
}

async function simulate(ctx: Context, params: CampaignParams, caller: Caller, horizonDays = 365, trial: Trial = {}): Promise<ApiReply> {
  const campaign = await getCampaign(ctx.db, params.workspaceId, params.campaignId)
  await checkTrial(ctx, params.workspaceId, personOf(caller), trial)
  const simulation = presentSimulation(await simulateCampaign(ctx, campaign, horizonDays, trial))
  return ok({ data: presentWithin(ctx, campaign, `simulate?horizonDays=${horizonDays}`, simulation) })
}

export const explainingRoutes = tagged('Sending', [
  ...previewRoutes,

  route('GET', `${one}/sending`, {
    id: 'campaigns.getSendingStatus',
    summary: 'Get what a campaign sends now, and why other leads wait',
    about:
      'Summarizes in words why leads wait: "142 outside the sending window until Monday 2026-03-09 09:00 Europe/Berlin, 12 without a value for firstName". The contact rules are checked for the first 10,000 leads that are due; the other leads count as if no contact rule applied.',
    scope: 'campaigns:read',
    replies: { 200: { about: 'The state at this moment.', schema: dataOf(SendingStatus) } },
    async handle({ ctx, params }) {
      const campaign = await getCampaign(ctx.db, params.workspaceId, params.campaignId)
      const now = ctx.clock.now()
      const report = await reportSending(ctx, campaign.id, now)
      return ok({
        data: presentWithin(ctx, campaign, 'sending', {
          ...pick(campaign, 'status', 'attentionReason', 'trackOpens', 'trackClicks'),
          ...pick(report, 'readyCount', 'inFlightCount', 'unknownCount', 'assumedCount', 'nextAttemptAt'),
          summary: report.reasons.map(reason => reason.text).join(', ') || 'Nothing is waiting.',
          reasons: report.reasons.map(each => ({
            ...pick(each, 'reason', 'count', 'nextAttemptAt', 'text', 'fix'),
            ifLifted: presentLift(each.ifLifted),
          })),
          mailboxes: report.mailboxes.map(mailbox => ({
            ...pick(mailbox, 'id', 'name', 'status', 'nextSlotAt'),
            ...measureToday(mailbox, now),
          })),
        }),
      })
    },
  }),

  route('GET', `${one}/variants`, {
    id: 'campaigns.compareVariants',
    summary: 'Compare the variants of each step',
    about:
      'Compares the rates of positive replies, with a confidence interval for each. When there is not enough data, the response says so and names no winner.',
    scope: 'campaigns:read',
    isHeavy: true,
    replies: { 200: { about: 'The comparison.', schema: dataOf(VariantComparison) } },
    async handle({ ctx, params }) {
      const campaign = await getCampaign(ctx.db, params.workspaceId, params.campaignId)
      const steps = await compareVariants(ctx.db, campaign)
      return ok({ data: presentWithin(ctx, campaign, 'variants', { steps }) })
    },
  }),

  route('GET', `${one}/validate`, {
    id: 'campaigns.validate',
    summary: 'Validate campaign readiness',
    about:
      'Lists every problem that prevents activation. It also returns warnings that do not prevent it: leads that cannot be contacted, counted by reason, and follow-ups without a delay.',
    tag: 'Campaigns',
    scope: 'campaigns:read',
    replies: { 200: { about: 'Whether the campaign is ready, and what is missing.', schema: dataOf(Readiness) } },
    async handle({ ctx, params, caller }) {
      const campaign = await getCampaign(ctx.db, params.workspaceId, params.campaignId)
      const { failures, warnings } = await checkReadiness(ctx, ctx.db, campaign)
      const mayReadLeads = hasScope(caller, 'leads:read')
      return ok({
        data: presentWithin(ctx, campaign, 'validate', {
          ready: failures.length === 0,
          failures: failures.map(each => pick(each, 'rule', 'message')),
          warnings: warnings.map(each => ({ ...pick(each, 'rule', 'message', 'count'), examples: mayReadLeads ? each.examples : [] })),
        }),
      })
    },
  }),

  route('GET', `${one}/leads/:leadId/timeline`, {
    id: 'leads.listTimeline',
    summary: 'Get the timeline of a lead',
    about: 'Lists everything that happened to the lead, oldest first, or newest first with `order=desc`.',
    tag: 'Leads',
    scope: 'leads:read',
    query: strict({ ...PageQuery, order: Order }),
    replies: { 200: { about: 'A page of the timeline, oldest first by default.', schema: listOf(TimelineEntry) } },
    async handle(request) {
      const { ctx, params } = request
      const lead = await getLead(ctx.db, params.workspaceId, params.campaignId, params.leadId)
      const { order = 'asc' } = request.query
      const page = readPage(request, { order })
      const entries = await readTimeline(ctx, lead, page, order, await wordingOf(ctx, lead))
      const position = (entry: (typeof entries)[number]) => ({ at: entry.timestamp, id: String(entry.seq) })
      return listReply(request, page, entries, position, entry => presentTimelineEntry(entry, lead, ctx))
    },
  }),

  route('GET', `${one}/leads/:leadId/timeline/:entryId`, {
    id: 'leads.getTimelineEntry',
    summary: 'Get an entry of a timeline',
    tag: 'Leads',
    scope: 'leads:read',
    replies: { 200: { about: 'The entry.', schema: dataOf(TimelineEntry) } },
    async handle({ ctx, params }) {
      const lead = await getLead(ctx.db, params.workspaceId, params.campaignId, params.leadId)
      const entry = await getTimelineEntry(ctx, lead, params.entryId, await wordingOf(ctx, lead))
      return ok({ data: presentTimelineEntry(entry, lead, ctx) })
    },
  }),
])

async function wordingOf(ctx: Context, { workspaceId, campaignId }: LeadRow): Promise<Wording> {
  const { timezone } = await getCampaign(ctx.db, workspaceId, campaignId)
  return { now: ctx.clock.now(), timezone: timezone ?? 'UTC' }
}
