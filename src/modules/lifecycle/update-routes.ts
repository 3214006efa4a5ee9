import type { Tx } from '../../db/client.ts'
import type { Cost, CostRequest } from '../../http/access.ts'
import { tagged } from '../../http/route.ts'
import type { Static } from '../../lib/type.ts'
import { accept, acceptedRoute } from '../../operations/writes.ts'
import { checkReferences, getCampaign, UPDATABLE } from '../campaigns/campaigns.ts'
import { checkPatch, checkSchedule } from '../campaigns/configuration.ts'
import { MailboxesUpdate, ScheduleUpdate, SettingsUpdate } from '../campaigns/schema.ts'
import { findLoad, rescheduleCost } from '../leads/cost.ts'
import { hasRealMailbox } from '../mailboxes/queries.ts'

const one = '/v1/workspaces/:workspaceId/campaigns/:campaignId'

const FAILS =
  'Changes only the fields that you send. The operation fails with `precondition_failed` when the campaign has changed since `if-match`.'

const shared = { scope: 'campaigns:write', ifMatch: true } as const

/** What can be changed while a campaign runs, and in every status but archived. */
export const updateRoutes = tagged('Campaigns', [
  acceptedRoute('PUT', `${one}/schedule`, {
    ...shared,
    id: 'campaigns.updateSchedule',
    action: 'campaign.update_schedule',
    cost: rescheduleCost,
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
    cost: 'free',
    summary: 'Change the name, the tracking and the labels of a campaign',
    about: `Allowed in every status except \`archived\`. After the operation has succeeded, no message is sent with the old tracking. ${FAILS}`,
    body: SettingsUpdate,
    errors: ['invalid_state'],
    handle(request) {
      const { params, body: settings } = request
      checkPatch(settings)
      const input = { settings, ifMatch: request.ifMatch!.toISOString() }
      return accept(request, { campaignId: params.campaignId, from: UPDATABLE, input })
    },
  }),
])

/** The limits of a draft are checked when it is activated. */
async function mailboxesCost(
  tx: Tx,
  request: CostRequest<{ workspaceId: string; campaignId: string }, Static<typeof MailboxesUpdate>>,
): Promise<Partial<Cost>> {
  if ((await findLoad(tx, request)).status === 'draft') return {}
  const { providerId, rotationProviderIds = [] } = request.body
  const ids = [providerId, ...rotationProviderIds].filter(id => typeof id === 'string')
  return { isReal: await hasRealMailbox(tx, request.params.workspaceId, ids) }
}
