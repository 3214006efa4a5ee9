import type { Context } from '../../context/context.ts'
import type { Db } from '../../db/sql.ts'
import { AppError, statusWords } from '../../lib/errors.ts'
import { isBlank } from '../../lib/storable-text.ts'
import type { Static } from '../../lib/type.ts'
import { asksAnything } from '../../scheduling/contact-rules.ts'
import { CONTACT_REASONS, reasonCatalogue } from '../../scheduling/reasons.ts'
import type { CampaignRow } from '../campaigns/queries.ts'
import { findHealthProblems } from '../health/health.ts'
import { findHostInUse } from '../health/queries.ts'
import { hasMailable } from '../leads/queries.ts'
import { findProvider, type ProviderRow } from '../mailboxes/queries.ts'
import { findSendingCampaign } from '../sending/claim-queries.ts'
import { carriesLinks, judgeContacts, rulesOf } from '../sending/planner-input.ts'
import { findStepProblems, readSteps } from '../sequences/sequences.ts'
import { atLeast, dryRun, EXAMPLES, MOST_COUNTED, NO_SENDER, wordLack } from './dry-run.ts'
import { type CountedLead, listBadAddresses, listFirstDue, listSuppressedLeads } from './queries.ts'
import type { Readiness } from './schema.ts'
import { mailboxIdsOf } from './waiting.ts'

type Report = Pick<Static<typeof Readiness>, 'failures' | 'warnings'>
type Failure = Report['failures'][number]
/** A warning does not stop the campaign, but a person should see it before the start. Its count is 0 if it is not about leads. */
type Warning = Report['warnings'][number]

const STARTABLE: readonly string[] = ['draft', 'paused', 'attention_needed', 'active']

/** Every problem that prevents activation, in a fixed order. */
export async function checkReadiness(ctx: Pick<Context, 'clock' | 'part'>, db: Db, campaign: CampaignRow): Promise<Report> {
  const now = ctx.clock.now()
  const isMailable = await hasMailable(db, campaign.id)
  const provider = campaign.providerId ? await findProvider(db, campaign.workspaceId, campaign.providerId) : undefined
  const written = [...findLeadProblems(campaign, isMailable), ...(await findSequenceProblems(ctx, db, campaign))]
  // Not when the templates themselves are broken.
  const tried = isMailable && written.length === 0 ? await tryAllLeads(ctx, db, campaign, provider) : NOTHING
  const health = await checkHealth(db, campaign)
  return {
    failures: [
      ...written,
      ...tried.failures,
      ...findScheduleProblems(campaign, now),
      ...findMailboxProblems(provider),
      ...health.failures,
      ...findStatusProblems(campaign),
    ],
    warnings: [
      ...tried.warnings,
      ...(await warnOfSuppressed(db, campaign)),
      ...(await warnOfBadAddresses(db, campaign)),
      ...(await warnOfContacts(db, campaign, now)),
      ...(await warnOfHaste(db, campaign)),
      ...health.warnings,
      ...(await warnOfHost(db, campaign)),
    ],
  }
}

const NOTHING: Report = { failures: [], warnings: [] }

function findLeadProblems(campaign: CampaignRow, isMailable: boolean): Failure[] {
  if (campaign.totalLeads === 0) {
    return [{ rule: 'leads_missing', message: 'The campaign has no leads. Import or buy leads.' }]
  }
  return isMailable ? [] : [{ rule: 'leads_all_suppressed', message: 'Every lead is suppressed or finished. Add leads.' }]
}

async function findSequenceProblems(ctx: Pick<Context, 'part'>, db: Db, campaign: CampaignRow): Promise<Failure[]> {
  if (campaign.sequenceVersion === 0) {
    return [{ rule: 'sequence_missing', message: 'The campaign has no sequence. Write one, or copy one from another campaign.' }]
  }
  return (await findStepProblems(ctx, db, campaign)).map(message => ({ rule: 'sequence_step_invalid', message }))
}

/** A dry run. A lead that lacks a variable is skipped with a reason, so it prevents activation only when no lead is left. */
async function tryAllLeads(ctx: Pick<Context, 'clock' | 'part'>, db: Db, campaign: CampaignRow, provider: ProviderRow | undefined) {
  const { lacks, total, isSomebodyComplete, heavy } = await dryRun(ctx, db, campaign, provider ?? NO_SENDER)
  const warnings = lacks.map<Warning>(lack => ({
    rule: lack.variable === null ? 'template' : 'missing_variable',
    message: wordLack(lack, total),
    count: lack.count,
    examples: lack.examples,
  }))
  const reasons = [...(heavy ? [heavy] : []), ...(isSomebodyComplete ? [] : warnings.map(({ message }) => message))]
  return { failures: reasons.map<Failure>(message => ({ rule: 'sequence_step_invalid', message })), warnings }
}

function findScheduleProblems({ timezone, endDate }: CampaignRow, now: Date): Failure[] {
  if (!timezone) return [{ rule: 'schedule_missing', message: 'The campaign has no sending window. Set its days, hours and time zone.' }]
  return endDate && endDate <= now ? [{ rule: 'schedule_expired', message: 'The end date has passed. Change or remove it.' }] : []
}

function findMailboxProblems(provider: ProviderRow | undefined): Failure[] {
  if (!provider) return [{ rule: 'provider_missing', message: 'The campaign has no mailbox to send from. Choose one.' }]
  const failures: Failure[] = []
  if (provider.status !== 'connected') {
    failures.push({ rule: 'provider_disconnected', message: `The mailbox ${provider.name} is ${provider.status}. Verify it.` })
  }
  if (isBlank(provider.fromName ?? '') || isBlank(provider.postalAddress ?? '')) {
    const message = 'The mailbox needs a sender name and a postal address. Many countries require both in commercial email.'
    failures.push({ rule: 'sender_identity_missing', message })
  }
  return failures
}

async function checkHealth(db: Db, { workspaceId, providerId, rotationProviderIds }: CampaignRow): Promise<Report> {
  const mailboxIds = [...new Set([...(providerId ? [providerId] : []), ...rotationProviderIds])]
  const { failures = [], warnings = [] } = Object.groupBy(await findHealthProblems(db, workspaceId, mailboxIds), ({ isGate }) =>
    isGate ? 'failures' : 'warnings',
  )
  return {
    failures: failures.map(({ message }) => ({ rule: 'domain_health', message })),
    warnings: warnings.map(({ message }) => ({ rule: 'domain_health', message, count: 0, examples: [] })),
  }
}

async function warnOfHost(db: Db, campaign: CampaignRow): Promise<Warning[]> {
  const host = await findHostInUse(db, campaign.workspaceId)
  if (host?.status !== 'failing' || !carriesLinks(campaign)) return []
  const message = `The tracking domain ${host.host} is not working: ${host.reason} Emails with links wait until it works.`
  return [{ rule: 'tracking_host_failing', message, count: 0, examples: [] }]
}

function findStatusProblems({ status }: CampaignRow): Failure[] {
  if (STARTABLE.includes(status)) return []
  return [{ rule: 'status_not_activatable', message: `A campaign that is ${statusWords(status)} cannot be activated.` }]
}

async function warnOfSuppressed(db: Db, campaign: CampaignRow): Promise<Warning[]> {
  const leads = await listSuppressedLeads(db, campaign, EXAMPLES, MOST_COUNTED)
  return warnOfLeads('suppressed', leads, isOne => `${isOne ? 'lead is' : 'leads are'} suppressed and will not be emailed.`)
}

async function warnOfBadAddresses(db: Db, campaign: CampaignRow): Promise<Warning[]> {
  const leads = await listBadAddresses(db, campaign, EXAMPLES, MOST_COUNTED)
  const one = 'lead has an address that was marked invalid at import. Remove this lead, because emails to it would bounce.'
  const several = 'leads have addresses that were marked invalid at import. Remove these leads, because emails to them would bounce.'
  return warnOfLeads('bad_address', leads, isOne => (isOne ? one : several))
}

/** The first of the leads has the count of all. */
function warnOfLeads(rule: Warning['rule'], leads: CountedLead[], say: (isOne: boolean) => string): Warning[] {
  const [first] = leads
  if (!first) return []
  const { count, isAtLeast } = first
  const message = `${sentence(atLeast(count, isAtLeast))} ${say(count === 1)}`
  return [{ rule, message, count, examples: leads.map(({ id, email }) => ({ leadId: id, email })) }]
}

/** The leads that the contact rules would hold back if the campaign started now, by rule. Only the leads that are due first are checked. */
async function warnOfContacts(db: Db, campaign: CampaignRow, now: Date): Promise<Warning[]> {
  if (!asksAnything(rulesOf(campaign))) return []
  const sending = (await findSendingCampaign(db, campaign.id))!
  const first = await listFirstDue(db, campaign.id, mailboxIdsOf(sending), MOST_COUNTED)
  const leads = first.filter(lead => !lead.suppressed)
  const holds = await judgeContacts(db, leads, () => campaign, now)
  return CONTACT_REASONS.flatMap(rule => {
    const held = leads.filter(({ id }) => holds.get(id)?.reason === rule)
    if (held.length === 0) return []
    const { meaning } = reasonCatalogue[rule]
    const message = `Contact rules hold back ${atLeast(held.length, first.length === MOST_COUNTED)} ${held.length === 1 ? 'lead' : 'leads'}: ${meaning}.`
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
    const message = `Step ${index + 1} is sent right after the previous step, because its delay is 0 days.`
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
