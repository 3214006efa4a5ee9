import type { Tx } from '../../db/sql.ts'
import type { CostRequest } from '../../http/access.ts'
import { ok, route, tagged } from '../../http/route.ts'
import { dataOf, strict } from '../../http/schema.ts'
import { existing } from '../../lib/errors.ts'
import type { Static } from '../../lib/type.ts'
import { hasOpenOperations } from '../../operations/queries.ts'
import { registryOf } from '../../operations/registry.ts'
import { accept, acceptedRoute } from '../../operations/writes.ts'
import { checkReferences, getCampaign, presentCampaign, TRANSITIONS, type Transition, UPDATABLE } from '../campaigns/campaigns.ts'
import { checkPatch, checkSchedule } from '../campaigns/configuration.ts'
import { MailboxesUpdate, ScheduleUpdate, SettingsUpdate } from '../campaigns/schema.ts'
import { requireReadiness } from '../explaining/readiness.ts'
import { changesOf, costOfChange, findLoadToChange, scheduleCost, settingsCost, startCost } from '../leads/cost.ts'
import { findWorkspace, hasRealMailbox } from '../workspaces/queries.ts'
import { WorkspaceSettings, WorkspaceSettingsUpdate } from '../workspaces/schema.ts'
import { presentSettings } from '../workspaces/workspaces.ts'

const one = '/v1/workspaces/:workspaceId/campaigns/:campaignId'

const settingsPath = '/v1/workspaces/:workspaceId/settings'

/** Settings that apply to every campaign of a workspace unless the campaign overrides them. */
const settingsRoutes = tagged('Workspaces', [
  route('GET', settingsPath, {
    id: 'workspaces.getSettings',
    summary: 'Get the settings that apply to all campaigns of a workspace',
    scope: 'workspaces:read',
    replies: { 200: { about: 'The settings.', schema: dataOf(WorkspaceSettings) } },
    async handle({ ctx, params }) {
      const row = existing(await findWorkspace(ctx.db, params.workspaceId), 'workspace')
      return ok({ data: presentSettings(row, ctx) })
    },
  }),

  acceptedRoute('PUT', settingsPath, {
    id: 'workspaces.updateSettings',
    summary: 'Change the settings that apply to all campaigns of a workspace',
    about:
      'After the operation has succeeded, the new rules apply to every message. A campaign can override them in its own settings. The operation fails with `precondition_failed` when the workspace has changed since `if-match`. The settings have the `updatedAt` of the workspace.',
    scope: 'workspaces:write',
    action: 'workspace.update_settings',
    // It reaches every campaign, also those that a person starts later.
    cost: 'never',
    ifMatch: true,
    body: WorkspaceSettingsUpdate,
    handle(request) {
      const input = { settings: request.body, ifMatch: request.ifMatch!.toISOString() }
      return accept(request, { input })
    },
  }),
])

const FAILS =
  'Changes only the fields that you send. The operation fails with `precondition_failed` when the campaign has changed since `if-match`.'

const shared = { scope: 'campaigns:write', ifMatch: true } as const

/** The fields that can be changed while a campaign runs, in every status except archived. */
const updateRoutes = tagged('Campaigns', [
  acceptedRoute('PUT', `${one}/schedule`, {
    ...shared,
    id: 'campaigns.updateSchedule',
    action: 'campaign.update_schedule',
    cost: scheduleCost,
    effects: ['changesStatus', 'startsSending'],
    summary: 'Change when a campaign sends',
    about: `Allowed in every status except \`archived\`. After the operation has succeeded, no message is sent outside the new window. A campaign that completed because of its end date continues when you set a later one. ${FAILS}`,
    body: ScheduleUpdate,
    errors: ['invalid_state', 'token_budget_exceeded'],
    handle(request) {
      const { params, body: schedule } = request
      checkSchedule(schedule, '')
      const input = { schedule, ifMatch: request.ifMatch!.toISOString() }
      return accept(request, { campaignId: params.campaignId, from: UPDATABLE, input })
    },
  }),

  acceptedRoute('PUT', `${one}/mailboxes`, {
    ...shared,
    id: 'campaigns.updateMailboxes',
    action: 'campaign.update_mailboxes',
    cost: mailboxesCost,
    effects: ['addsMessages'],
    summary: 'Change the mailboxes a campaign sends from',
    about: `Allowed in every status except \`archived\`. Leads that already have a thread stay with their mailbox, unless you set \`moveThreads\` or the mailbox no longer exists. ${FAILS}`,
    body: MailboxesUpdate,
    errors: ['invalid_state', 'invalid_reference', 'token_budget_exceeded'],
    handle(request) {
      const { ctx, params, body: mailboxes } = request
      return accept(request, {
        campaignId: params.campaignId,
        from: UPDATABLE,
        input: { mailboxes, ifMatch: request.ifMatch!.toISOString() },
        check: async () => {
          await getCampaign(ctx.db, params.workspaceId, params.campaignId)
          await checkReferences(ctx.db, params.workspaceId, mailboxes)
        },
      })
    },
  }),

  acceptedRoute('PUT', `${one}/settings`, {
    ...shared,
    id: 'campaigns.updateSettings',
    action: 'campaign.update_settings',
    cost: settingsCost,
    summary: 'Change the name, the tracking and the labels of a campaign',
    about: `Allowed in every status except \`archived\`. After the operation has succeeded, no message is sent with the old tracking. ${FAILS}`,
    body: SettingsUpdate,
    errors: ['invalid_state', 'token_budget_exceeded'],
    handle(request) {
      const { params, body: settings } = request
      checkPatch(settings)
      const input = { settings, ifMatch: request.ifMatch!.toISOString() }
      return accept(request, { campaignId: params.campaignId, from: UPDATABLE, input })
    },
  }),
])

/** The limits of a draft are checked when it is activated. */
async function mailboxesCost(tx: Tx, request: CostRequest<{ workspaceId: string; campaignId: string }, Static<typeof MailboxesUpdate>>) {
  const { moveThreads, ...patch } = request.body
  if (!moveThreads && (await changesOf(tx, request, patch)).length === 0) return {}
  const load = await findLoadToChange(tx, request)
  if (load.status === 'draft') return {}
  const { providerId, rotationProviderIds = [] } = patch
  const ids = [providerId, ...rotationProviderIds].filter(id => typeof id === 'string')
  const { mails = 0, isReal = false } = costOfChange(load)
  return { mails, isReal: isReal || (await hasRealMailbox(tx, request.params.workspaceId, ids)) }
}

export const lifecycleRoutes = tagged('Campaigns', [
  ...settingsRoutes,
  ...updateRoutes,
  transitionRoute('activate', 'Activate a draft campaign', 'The campaign must be ready. `validate` lists what is missing.'),
  transitionRoute('pause', 'Pause a campaign', 'After the operation has succeeded, the campaign sends no message.'),
  transitionRoute('resume', 'Resume a paused campaign', 'The campaign must be ready. `validate` lists what is missing.'),
  transitionRoute('archive', 'Archive a campaign', 'Returns 409 for an active campaign. Pause it first.'),
  transitionRoute('unarchive', 'Unarchive a campaign', 'Restores the previous status. A campaign that needed attention is paused.'),
])

function transitionRoute(name: Transition, summary: string, about: string) {
  const needsReadiness = name === 'activate' || name === 'resume'
  const { from, to } = TRANSITIONS[name]
  return acceptedRoute('POST', `${one}/${name}`, {
    id: `campaigns.${name}`,
    summary,
    about,
    scope: 'campaigns:write',
    action: `campaign.${name}`,
    cost: needsReadiness ? startCost : 'free',
    // A campaign that is unarchived may be completed, and a completed campaign sends as soon as it has new leads.
    effects: needsReadiness || name === 'unarchive' ? ['changesStatus', 'startsSending'] : ['changesStatus'],
    body: strict({}),
    errors: ['invalid_state', ...(needsReadiness ? (['campaign_not_ready', 'token_budget_exceeded'] as const) : [])],
    handle(request) {
      const { ctx, params } = request
      const load = () => getCampaign(ctx.db, params.workspaceId, params.campaignId)
      return accept(request, {
        campaignId: params.campaignId,
        from,
        to,
        input: {},
        already: async () => ({ campaign: await presentCampaign(ctx, ctx.db, await load()) }),
        ...(needsReadiness
          ? {
              // While other operations are open (for example an import), only the worker knows whether the campaign will be ready.
              check: async () => {
                const campaign = await load()
                const uncounted = registryOf(ctx).actions.having('changesNothing')
                if (!(from as readonly string[]).includes(campaign.status) || (await hasOpenOperations(ctx.db, campaign, uncounted))) return
                await requireReadiness(ctx, ctx.db, campaign)
              },
            }
          : {}),
      })
    },
  })
}
