import type { Context } from '../../context/context.ts'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../lib/errors.ts'
import { CONTACT_REASONS } from '../../scheduling/contact-reasons.ts'
import { asksAboutCompany, asksAboutPerson } from '../../scheduling/contact-rules.ts'
import { reasonCatalogue } from '../../scheduling/reasons.ts'
import type { CampaignRow } from '../campaigns/campaigns.ts'
import { findHealthProblems } from '../health/health.ts'
import { hasMailableLeads } from '../leads/leads.ts'
import { findProvider } from '../mailboxes/mailboxes.ts'
import { judgeContacts, rulesOf } from '../sending/contact.ts'
import { carriesLinks, readSendingCampaign } from '../sending/planning.ts'
import { findStepProblems, readSteps } from '../sequences/sequences.ts'
import { findHostInUse } from '../tracking-hosts/tracking-hosts.ts'
import { atLeast, dryRun, EXAMPLES, MOST_COUNTED, NO_SENDER, wordLack } from './dry-run.ts'
import { listSuppressedLeads } from './queries.ts'
import { mailboxIdsOf } from './waiting.ts'
import { listFirstDue } from './waiting-queries.ts'

interface Failure {
  rule: string
  message: string
}

/** A warning does not stop the campaign, but a person should see it before the start. */
interface Warning extends Failure {
  /** The number of leads concerned; 0 when the warning is not about leads. */
  count: number
  examples: { leadId: string; email: string }[]
}

interface Readiness {
  failures: Failure[]
  warnings: Warning[]
}

/** Every problem that prevents activation, in a fixed order. */
export async function checkReadiness(ctx: Pick<Context, 'clock' | 'part'>, db: Db, campaign: CampaignRow): Promise<Readiness> {
  const failures: Failure[] = []
  const warnings: Warning[] = []
  const fail = (rule: string, message: string): void => {
    failures.push({ rule, message })
  }

  const isMailable = await hasMailableLeads(db, campaign.id)
  if (campaign.totalLeads === 0) fail('leads_missing', 'The campaign has no leads. Import leads, or buy leads from a search.')
  else if (!isMailable) fail('leads_all_suppressed', 'Every lead of the campaign is suppressed or finished.')

  if (campaign.sequenceVersion === 0)
    fail('sequence_missing', 'The campaign has no sequence. Write one, or copy one from another campaign.')
  else for (const problem of await findStepProblems(ctx, db, campaign)) fail('sequence_step_invalid', problem)

  const provider = campaign.providerId ? await findProvider(db, campaign.workspaceId, campaign.providerId) : undefined
  // A dry run with all leads. It is not made when the templates themselves are broken. A lead that lacks a variable is skipped with a
  // reason, so it prevents activation only when no lead is left.
  if (isMailable && failures.length === 0) {
    const { lacks, total, isSomebodyComplete, heavy } = await dryRun(ctx, db, campaign, provider ?? NO_SENDER)
    if (heavy) fail('sequence_step_invalid', heavy)
    for (const lack of lacks) {
      const message = wordLack(lack, total)
      if (!isSomebodyComplete) fail('sequence_step_invalid', message)
      warnings.push({ rule: lack.variable === null ? 'template' : 'missing_variable', message, count: lack.count, examples: lack.examples })
    }
  }
  const now = ctx.clock.now()
  warnings.push(
    ...(await warnOfSuppressed(db, campaign)),
    ...(await warnOfContacts(db, campaign, now)),
    ...(await warnOfHaste(db, campaign)),
  )

  if (!campaign.timezone) fail('schedule_missing', 'The campaign has no sending window: days, times and a time zone.')
  else if (campaign.endDate && campaign.endDate <= now) fail('schedule_expired', 'The end date of the campaign has passed.')

  if (!provider) fail('provider_missing', 'The campaign has no mailbox to send from.')
  else {
    if (provider.status !== 'connected') fail('provider_disconnected', `The mailbox ${provider.name} is ${provider.status}. Verify it.`)
    if (!provider.fromName || !provider.postalAddress) {
      fail('sender_identity_missing', 'The mailbox needs a sender name and a postal address: the law requires both in the footer.')
    }
  }

  const mailboxIds = [...new Set([...(campaign.providerId ? [campaign.providerId] : []), ...campaign.rotationProviderIds])]
  for (const { message, isGate } of await findHealthProblems(db, campaign.workspaceId, mailboxIds)) {
    if (isGate) fail('domain_health', message)
    else warnings.push({ rule: 'domain_health', message, count: 0, examples: [] })
  }

  const host = await findHostInUse(db, campaign.workspaceId)
  if (host?.status === 'failing' && carriesLinks(campaign)) {
    const message = `The tracking host ${host.host} does not work: ${host.reason} Messages with links wait until it works.`
    warnings.push({ rule: 'tracking_host_failing', message, count: 0, examples: [] })
  }

  if (!['draft', 'paused', 'attention_needed', 'active'].includes(campaign.status)) {
    fail('status_not_activatable', `A campaign that is ${campaign.status} cannot be activated.`)
  }
  return { failures, warnings }
}

async function warnOfSuppressed(db: Db, campaign: CampaignRow): Promise<Warning[]> {
  const leads = await listSuppressedLeads(db, campaign, EXAMPLES, MOST_COUNTED)
  if (leads.length === 0) return []
  const { count, isAtLeast } = leads[0]!
  const message = `${sentence(atLeast(count, isAtLeast))} ${count === 1 ? 'lead is' : 'leads are'} suppressed and will not be written to.`
  return [{ rule: 'suppressed', message, count, examples: leads.map(({ id, email }) => ({ leadId: id, email })) }]
}

/** The leads that the contact rules would hold back if the campaign started now, by rule. Only the leads that are due first are checked. */
async function warnOfContacts(db: Db, campaign: CampaignRow, now: Date): Promise<Warning[]> {
  const rules = rulesOf(campaign)
  if (!asksAboutPerson(rules) && !asksAboutCompany(rules)) return []
  const sending = (await readSendingCampaign(db, campaign.id))!
  const first = await listFirstDue(db, campaign.id, mailboxIdsOf(sending), MOST_COUNTED)
  const leads = first.filter(lead => !lead.suppressed)
  const holds = await judgeContacts(db, leads, () => campaign, now)
  return CONTACT_REASONS.flatMap(rule => {
    const held = leads.filter(({ id }) => holds.get(id)?.reason === rule)
    if (held.length === 0) return []
    const { meaning } = reasonCatalogue[rule]
    const count = sentence(atLeast(held.length, first.length === MOST_COUNTED))
    const message = `${count} ${held.length === 1 ? 'lead is' : 'leads are'} held back by a contact rule: ${meaning}.`
    const examples = held.slice(0, EXAMPLES).map(({ id, email }) => ({ leadId: id, email }))
    return [{ rule, message, count: held.length, examples }]
  })
}

const sentence = (text: string): string => text.replace(/^a/, 'A')

/** A follow-up without a delay is sent right after the message before it. */
async function warnOfHaste(db: Db, campaign: CampaignRow): Promise<Warning[]> {
  if (campaign.sequenceVersion === 0) return []
  const steps = await readSteps(db, campaign.id, campaign.sequenceVersion)
  return steps.flatMap(({ delayDays }, index) => {
    const message = `Step ${index + 1} follows the previous step at once: its delayDays is 0.`
    return index > 0 && delayDays === 0 ? [{ rule: 'follow_up_without_delay', message, count: 0, examples: [] }] : []
  })
}

export async function requireReadiness(ctx: Pick<Context, 'clock' | 'part'>, db: Db, campaign: CampaignRow): Promise<void> {
  const { failures } = await checkReadiness(ctx, db, campaign)
  if (failures.length > 0) {
    throw new AppError('campaign_not_ready', `The campaign is not ready: ${failures.map(failure => failure.message).join(' ')}`, {
      failures,
    })
  }
}
