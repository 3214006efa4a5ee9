import type { Context } from '../../context/context.ts'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../lib/errors.ts'
import type { CampaignRow } from '../campaigns/campaigns.ts'
import { hasMailableLeads } from '../leads/leads.ts'
import { findProvider } from '../mailboxes/mailboxes.ts'
import { findStepProblems } from '../sequences/sequences.ts'
import { findRenderProblems } from './dry-run.ts'

const NO_SENDER = { fromName: 'Nobody', fromEmail: 'nobody@example.com', postalAddress: null }

interface Failure {
  rule: string
  message: string
}

/** Everything that stands between the campaign and its first e-mail, in one go and in a fixed order. */
export async function checkReadiness(ctx: Pick<Context, 'clock' | 'part'>, db: Db, campaign: CampaignRow): Promise<Failure[]> {
  const failures: Failure[] = []
  const fail = (rule: string, message: string): void => {
    failures.push({ rule, message })
  }

  const isMailable = await hasMailableLeads(db, campaign.id)
  if (campaign.totalLeads === 0) fail('leads_missing', 'The campaign has no leads. Import some, or buy some from a search.')
  else if (!isMailable) fail('leads_all_suppressed', 'Every lead of the campaign is suppressed or done with.')

  if (campaign.sequenceVersion === 0)
    fail('sequence_missing', 'The campaign has no sequence. Write one, or copy one from another campaign.')
  else for (const problem of await findStepProblems(ctx, db, campaign)) fail('sequence_step_invalid', problem)

  const provider = campaign.providerId ? await findProvider(db, campaign.workspaceId, campaign.providerId) : undefined
  // A dry run with every lead. It says nothing new about templates that are broken as such.
  if (isMailable && failures.length === 0) {
    for (const problem of await findRenderProblems(ctx, db, campaign, provider ?? NO_SENDER)) fail('sequence_step_invalid', problem)
  }

  if (!campaign.timezone) fail('schedule_missing', 'The campaign has no sending window: days, times and a time zone.')
  else if (campaign.endDate && campaign.endDate <= ctx.clock.now()) fail('schedule_expired', 'The end date of the campaign has passed.')

  if (!provider) fail('provider_missing', 'The campaign has no mailbox to send from.')
  else {
    if (provider.status !== 'connected') fail('provider_disconnected', `The mailbox ${provider.name} is ${provider.status}. Verify it.`)
    if (!provider.fromName || !provider.postalAddress) {
      fail('sender_identity_missing', 'The mailbox needs a sender name and a postal address: the law asks for both in the footer.')
    }
  }

  if (!['draft', 'paused', 'attention_needed', 'active'].includes(campaign.status)) {
    fail('status_not_activatable', `A campaign that is ${campaign.status} cannot be activated.`)
  }
  return failures
}

export async function requireReadiness(ctx: Pick<Context, 'clock' | 'part'>, db: Db, campaign: CampaignRow): Promise<void> {
  const failures = await checkReadiness(ctx, db, campaign)
  if (failures.length > 0) {
    throw new AppError('campaign_not_ready', `The campaign is not ready: ${failures.map(failure => failure.message).join(' ')}`, {
      failures,
    })
  }
}
