import { listReply, readPage } from '../../http/paging.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { dataOf, listOf, PageQuery, strict } from '../../http/schema.ts'
import { MailboxMeter } from '../../scheduling/capacity.ts'
import { campaignLink, getCampaign } from '../campaigns/campaigns.ts'
import { InCampaign } from '../campaigns/schema.ts'
import { getLead } from '../leads/leads.ts'
import { OfLead } from '../leads/schema.ts'
import { loadOf, toPlannedMailbox } from '../sending/planning.ts'
import { previewMessage } from './preview.ts'
import { checkReadiness } from './readiness.ts'
import { reportSending } from './reasons.ts'
import {
  Preview,
  PreviewRequest,
  Readiness,
  SendingStatus,
  SimulationRequest,
  SimulationResult,
  TimelineEntry,
  VariantComparison,
} from './schema.ts'
import { presentSimulation, simulateCampaign } from './simulation.ts'
import { presentTimelineEntry, readTimeline } from './timeline.ts'
import { compareVariants } from './variants.ts'

const one = '/v1/workspaces/:workspaceId/campaigns/:campaignId'

export const explainingRoutes: Route[] = [
  route({
    method: 'GET',
    path: `${one}/sending`,
    id: 'getSendingStatus',
    summary: 'See what is being sent, and why the rest is not',
    about: 'The sum of what keeps leads waiting, in words: "142 wait for Monday 09:00 Europe/Berlin, 12 lack firstName".',
    tag: 'Sending',
    scope: 'campaigns:read',
    params: InCampaign,
    replies: { 200: { about: 'What holds at this moment.', schema: dataOf(SendingStatus) } },
    async handle({ ctx, params }) {
      const campaign = await getCampaign(ctx.db, params.workspaceId, params.campaignId)
      const now = ctx.clock.now()
      const report = await reportSending(ctx.db, campaign.id, now)
      const link = campaignLink(ctx, campaign)
      return ok({
        data: {
          campaignId: campaign.id,
          workspaceId: campaign.workspaceId,
          status: campaign.status,
          attentionReason: campaign.attentionReason,
          trackOpens: campaign.trackOpens,
          trackClicks: campaign.trackClicks,
          readyCount: report.readyCount,
          inFlightCount: report.inFlightCount,
          unknownCount: report.unknownCount,
          nextAttemptAt: report.nextAttemptAt?.toISOString() ?? null,
          summary: report.reasons.map(reason => reason.text).join(', ') || 'Nothing is waiting.',
          reasons: report.reasons.map(({ reason, count, nextAttemptAt, text }) => ({
            reason,
            count,
            nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
            text,
          })),
          mailboxes: report.mailboxes.map(mailbox => {
            const meter = new MailboxMeter(toPlannedMailbox(mailbox), loadOf(mailbox))
            const { id, name, status, nextSlotAt } = mailbox
            const today = { sentToday: meter.reservedAt(now.getTime()), limitToday: meter.limitAt(now.getTime()) }
            return { id, name, status, ...today, nextSlotAt: nextSlotAt?.toISOString() ?? null }
          }),
          links: { self: `${link}/sending`, campaign: link },
        },
      })
    },
  }),

  route({
    method: 'POST',
    path: `${one}/preview`,
    id: 'previewMessage',
    summary: 'Preview a message',
    about: 'A step as a lead would get it: subject, text, HTML and headers. Nothing is sent or saved.',
    tag: 'Sending',
    scope: 'campaigns:read',
    params: InCampaign,
    body: PreviewRequest,
    replies: { 200: { about: 'The message.', schema: dataOf(Preview) } },
    async handle({ ctx, params, body }) {
      const campaign = await getCampaign(ctx.db, params.workspaceId, params.campaignId)
      const link = campaignLink(ctx, campaign)
      return ok({ data: { ...(await previewMessage(ctx, campaign, body)), links: { self: `${link}/preview`, campaign: link } } })
    },
  }),

  route({
    method: 'GET',
    path: `${one}/variants`,
    id: 'compareVariants',
    summary: 'Compare the variants of each step',
    about: 'By positive replies, with the range in which the true rate lies. Without enough data it says so instead of naming a winner.',
    tag: 'Sending',
    scope: 'campaigns:read',
    params: InCampaign,
    replies: { 200: { about: 'The comparison.', schema: dataOf(VariantComparison) } },
    async handle({ ctx, params }) {
      const campaign = await getCampaign(ctx.db, params.workspaceId, params.campaignId)
      const link = campaignLink(ctx, campaign)
      const steps = await compareVariants(ctx.db, campaign)
      return ok({
        data: { campaignId: campaign.id, workspaceId: campaign.workspaceId, steps, links: { self: `${link}/variants`, campaign: link } },
      })
    },
  }),

  route({
    method: 'POST',
    path: `${one}/simulate`,
    id: 'simulateCampaign',
    summary: 'Simulate the rest of a campaign',
    about:
      'Every planned message by day and mailbox, the end, and the limit that decides it; worked out by the code that sends. It assumes that nobody answers and that no other campaign uses the mailboxes. Nothing is sent or saved.',
    tag: 'Sending',
    scope: 'campaigns:read',
    params: InCampaign,
    body: SimulationRequest,
    replies: { 200: { about: 'What would happen.', schema: dataOf(SimulationResult) } },
    errors: ['campaign_not_ready'],
    async handle({ ctx, params, body }) {
      const campaign = await getCampaign(ctx.db, params.workspaceId, params.campaignId)
      const link = campaignLink(ctx, campaign)
      const simulation = presentSimulation(await simulateCampaign(ctx, campaign, body.horizonDays ?? 365))
      const links = { self: `${link}/simulate`, campaign: link }
      return ok({ data: { campaignId: campaign.id, workspaceId: campaign.workspaceId, ...simulation, links } })
    },
  }),

  route({
    method: 'GET',
    path: `${one}/validate`,
    id: 'validateCampaign',
    summary: 'Validate campaign readiness',
    about: 'Lists everything that keeps the campaign from being activated.',
    tag: 'Campaigns',
    scope: 'campaigns:read',
    params: InCampaign,
    replies: { 200: { about: 'Ready, or what is missing.', schema: dataOf(Readiness) } },
    async handle({ ctx, params }) {
      const campaign = await getCampaign(ctx.db, params.workspaceId, params.campaignId)
      const failures = await checkReadiness(ctx, ctx.db, campaign)
      const link = campaignLink(ctx, campaign)
      return ok({
        data: {
          campaignId: campaign.id,
          workspaceId: campaign.workspaceId,
          ready: failures.length === 0,
          failures: failures.map(({ rule, message }) => ({ rule, message })),
          links: { self: `${link}/validate`, campaign: link },
        },
      })
    },
  }),

  route({
    method: 'GET',
    path: `${one}/leads/:leadId/timeline`,
    id: 'getLeadTimeline',
    summary: 'Get everything that happened to a lead',
    about: 'Oldest first.',
    tag: 'Leads',
    scope: 'leads:read',
    params: OfLead,
    query: strict(PageQuery),
    replies: { 200: { about: 'A page of the timeline.', schema: listOf(TimelineEntry) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      const { ctx, params } = request
      const lead = await getLead(ctx.db, params.workspaceId, params.campaignId, params.leadId)
      const page = readPage(request)
      const campaign = await getCampaign(ctx.db, params.workspaceId, params.campaignId)
      const entries = await readTimeline(ctx.db, lead, page, { now: ctx.clock.now(), timezone: campaign.timezone ?? 'UTC' })
      return listReply(request, page, entries, entry => ({ at: new Date(entry.timestamp), id: String(entry.seq) }), presentTimelineEntry)
    },
  }),
]
