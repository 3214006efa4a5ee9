import { createHash } from 'node:crypto'
import type { Db } from '../../db/sql.ts'
import { isEmail } from '../../lib/email.ts'
import { existing, notFound, statusWords } from '../../lib/errors.ts'
import { digits, many } from '../../lib/many.ts'
import { withoutUnseen } from '../../lib/storable-text.ts'
import { findRecipient } from '../explaining/queries.ts'
import { getImportableExport } from '../exports/exports.ts'
import { readAddableState } from '../lead-searches/queries.ts'
import { findMailsHeldBack, listLeadIds, readLastLift, readReleases } from '../leads/queries.ts'
import type { LeadBulk } from '../leads/schema.ts'
import { recipientOf } from '../replies/answers.ts'
import { type AnswerableReply, findAnswerable } from '../replies/queries.ts'
import {
  type CampaignFacts,
  findCampaignFacts,
  findLeadFacts,
  findLeadsContent,
  findMailboxFacts,
  findSuppressionFacts,
} from './facts-queries.ts'
import type { PlannedRequest } from './queries.ts'
import type { PlannedOperation, PlanSummary } from './schema.ts'

type Body = Record<string, unknown>

interface Planned {
  workspaceId: string
  operation: PlannedOperation
  request: Omit<PlannedRequest, 'method'>
  now: Date
}

/** The ids are those in the path of the request: it touches nothing else. */
interface Asked extends Omit<Planned, 'request'> {
  params: Record<string, string>
  body: Body
}

const idsIn = (path: string): Record<string, string> =>
  Object.fromEntries(
    [...path.matchAll(/\/(campaign|lead|repl|suppression)[a-z]*\/([0-9a-f-]{36})/g)].map(([, what, id]) => [
      `${what === 'repl' ? 'reply' : what}Id`,
      id!,
    ]),
  )

const MOST_RECIPIENTS = 20
const NOTHING: PlanSummary = { text: '', campaignName: null, from: [], recipients: [], leadCount: 0, mailCount: 0, creditCost: 0 }

const sizeOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0)
/** Other values would be words of the agent in the place where the person looks for recipients. */
const isShowable = (value: string): boolean => isEmail(value) || isEmail(`x@${value}`)
const addressesIn = (rows: unknown, field: string): string[] => {
  const values = (Array.isArray(rows) ? rows : []).map(row => String((row as Body)[field] ?? '').trim())
  return values.filter(isShowable).slice(0, MOST_RECIPIENTS)
}

const LONGEST_NAME = 80

/** A name for use in our sentences: it cannot end the quotation marks or change the direction of the text. */
function quoted(name: string): string {
  const plain = withoutUnseen(name).replace(/["\u201c-\u201f\u00ab\u00bb\n\t]/g, "'")
  return `"${plain.length > LONGEST_NAME ? `${plain.slice(0, LONGEST_NAME)}…` : plain}"`
}

/**
 * The summary for the person who approves. It is derived from the request itself and never taken from the agent, and `text` contains
 * nothing that strangers wrote. `basis` is the state from which it was derived. `isCurrent` says whether the agent had read that state.
 */
export async function summarize(db: Db, { request, ...planned }: Planned) {
  const asked: Asked = { ...planned, params: idsIn(request.path), body: request.body }
  const { campaignId } = asked.params
  const campaign = campaignId === undefined ? null : await findCampaignFacts(db, asked.workspaceId, campaignId)
  if (campaign === undefined) throw notFound('campaign')
  const told = { ...asked, db, name: quoted(campaign?.name ?? ''), campaign }
  const summary: PlanSummary = {
    ...NOTHING,
    campaignName: campaign && withoutUnseen(campaign.name),
    ...(await DESCRIPTIONS[asked.operation](told)),
  }
  const isCurrent = request.ifMatch === null || campaign?.updatedAt.getTime() === Date.parse(request.ifMatch)
  return { summary, basis: await basisOf(db, asked, campaign), isCurrent }
}

/**
 * The approved state in addition to the request itself: the status of the campaign and everything of it that reaches a recipient; the leads, if it starts or
 * if a filter selects them; a lead or a mailbox that the request names; the people whom the workspace imported, if it buys leads;
 * who could not be added before, if it adds leads. A move is also approved for the state of the target campaign.
 */
async function basisOf(db: Db, asked: Asked, campaign: CampaignFacts | null): Promise<string> {
  const parts = campaign ? [stateOf(campaign), ...(await concernedBy(db, asked, campaign))] : await answeredBy(db, asked)
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

async function concernedBy(db: Db, { operation, workspaceId, body, params }: Asked, campaign: CampaignFacts): Promise<unknown[]> {
  const campaignId = params.campaignId!
  const leads = (ids: string[] | null) => findLeadsContent(db, workspaceId, campaignId, ids)
  if (params.leadId !== undefined) return [await leads([params.leadId])]
  switch (operation) {
    case 'campaigns.activate':
    case 'campaigns.resume':
      return [await leads(null), await readLastLift(db, workspaceId)]
    case 'campaigns.updateSchedule':
      return campaign.status === 'completed' ? [await leads(null), await readLastLift(db, workspaceId)] : []
    case 'campaigns.updateMailboxes':
      return [await findMailboxFacts(db, workspaceId, mailboxIdsIn(body))]
    case 'sequences.sendTest':
      return [await findRecipient(db, campaignId, (body.leadId as string | undefined) ?? null)]
    case 'leads.import':
      return [await readReleases(db, workspaceId, campaignId)]
    case 'leadSearches.attach':
      return [await readAddableState(db, workspaceId)]
    case 'leads.changeMany': {
      const concerned = await contentOfMany(db, { workspaceId, campaignId }, body as LeadBulk)
      return body.action === 'move' ? [concerned, stateOf(await findTarget(db, workspaceId, body))] : [concerned]
    }
    default:
      return []
  }
}

const PAGE = 10_000

async function contentOfMany(db: Db, place: { workspaceId: string; campaignId: string }, { ids, filter = {} }: LeadBulk): Promise<string> {
  const { workspaceId, campaignId } = place
  if (ids) return findLeadsContent(db, workspaceId, campaignId, ids)
  const hash = createHash('sha256')
  for (let after: string | null = null; ; ) {
    const found: string[] = await listLeadIds(db, place, filter, after, PAGE)
    if (found.length === 0) return hash.digest('hex')
    hash.update(await findLeadsContent(db, workspaceId, campaignId, found))
    after = found.at(-1)!
  }
}

async function answeredBy(db: Db, { workspaceId, params }: Asked): Promise<unknown[]> {
  if (params.replyId === undefined) return []
  const reply = await findReply(db, workspaceId, params.replyId)
  return [recipientOf(reply), reply.providerId, await findMailboxFacts(db, workspaceId, reply.providerId ? [reply.providerId] : [])]
}

const findReply = async (db: Db, workspaceId: string, replyId: string): Promise<AnswerableReply> =>
  existing(await findAnswerable(db, workspaceId, replyId), 'reply')

const mailboxIdsIn = ({ providerId, rotationProviderIds = [] }: Body): string[] =>
  [providerId, ...(rotationProviderIds as unknown[])].filter(id => typeof id === 'string')

const stateOf = ({ status, content }: CampaignFacts): string => `${status}/${content}`

async function findTarget(db: Db, workspaceId: string, body: Body): Promise<CampaignFacts> {
  return existing(await findCampaignFacts(db, workspaceId, String(body.targetCampaignId)), 'campaign')
}

interface Told extends Asked {
  db: Db
  /** Quoted. */
  name: string
  campaign: CampaignFacts | null
}

const DESCRIPTIONS: Record<PlannedOperation, (told: Told) => Partial<PlanSummary> | Promise<Partial<PlanSummary>>> = {
  'campaigns.activate': ({ name, campaign }) => starts('Activate', name, campaign!),
  'campaigns.resume': ({ name, campaign }) => starts('Resume', name, campaign!),
  'campaigns.pause': ({ name }) => ({ text: `Pause the campaign ${name}. It will stop sending.` }),
  'campaigns.archive': ({ name }) => ({ text: `Archive the campaign ${name}.` }),
  'campaigns.updateSchedule': ({ name, campaign }) => reschedules(name, campaign!),
  'campaigns.updateMailboxes': changesMailboxes,
  'campaigns.updateSettings': ({ name, body, campaign }) => ({
    text: `Edit the settings of the campaign ${name}, which is ${statusWords(campaign!.status)}: ${settingsIn(body)}.`,
    from: campaign!.from,
  }),
  'sequences.replace': ({ name, body, campaign }) => ({
    text: `Replace the sequence of the campaign ${name}, which is ${statusWords(campaign!.status)}, with ${many(sizeOf(body.steps), 'step')}.`,
    from: campaign!.from,
  }),
  'sequences.sendTest': ({ name, body }) => ({
    text: `Send a test email from the campaign ${name} to one address.`,
    recipients: addressesIn([body], 'to'),
    mailCount: 1,
  }),
  'leads.import': told => imports(told, told.campaign!),
  'leads.changeMany': told => changesMany(told, told.campaign!),
  'leads.requeue': async told => ({
    ...(await oneLead(told)),
    text: `Retry a lead in the campaign ${told.name}.`,
    mailCount: told.campaign!.stepCount,
  }),
  'leads.update': async told => ({
    ...(await oneLead(told)),
    text: `Edit the data of a lead in the campaign ${told.name}, which is ${statusWords(told.campaign!.status)}.`,
    from: told.campaign!.from,
    mailCount: mailsFor(1, told.campaign!),
  }),
  'leads.delete': async told => ({ ...(await oneLead(told)), text: `Remove a lead from the campaign ${told.name}.` }),
  'leadSearches.export': buys,
  'leadSearches.attach': buys,
  'replies.answer': answers,
  'suppressions.create': ({ body }) => ({
    text: 'Suppress an address or a domain. No campaign will email it again.',
    recipients: addressesIn([body], 'value'),
  }),
  'suppressions.createMany': ({ body }) => ({
    text: `Suppress ${many(sizeOf(body.suppressions), 'entry').replace(/ys$/, 'ies')}. No campaign will email ${sizeOf(body.suppressions) === 1 ? 'it' : 'them'} again.`,
    recipients: addressesIn(body.suppressions, 'value'),
  }),
  'suppressions.delete': lifts,
}

const SETTINGS: Record<string, string> = {
  name: 'name',
  trackOpens: 'open tracking',
  trackClicks: 'click tracking',
  unsubscribe: 'unsubscribe method',
  optOutText: 'footer text',
  contactRules: 'contact rules',
}
const settingsIn = (body: Body): string =>
  [...new Set(Object.keys(body).map(field => SETTINGS[field] ?? 'labels'))].join(', ') || 'no changes'

function starts(verb: string, name: string, { openLeads, stepCount, from }: CampaignFacts): Partial<PlanSummary> {
  const mailCount = openLeads * stepCount
  const text = `${verb} the campaign ${name}: ${many(openLeads, 'lead')}, ${many(stepCount, 'step')}, at most ${many(mailCount, 'email')}.`
  return { text, from, leadCount: openLeads, mailCount }
}

/** A later end date reactivates a completed campaign. */
function reschedules(name: string, { status, openLeads, stepCount, from }: CampaignFacts): Partial<PlanSummary> {
  if (status !== 'completed') return { text: `Edit the schedule of the campaign ${name}, which is ${statusWords(status)}.`, from }
  const mailCount = openLeads * stepCount
  const text = `Edit the schedule of the campaign ${name}, which is completed. A later end date restarts it: at most ${many(mailCount, 'email')}.`
  return { text, from, leadCount: openLeads, mailCount }
}

async function changesMailboxes({ db, workspaceId, body, name, campaign }: Told): Promise<Partial<PlanSummary>> {
  const mailboxes = await findMailboxFacts(db, workspaceId, mailboxIdsIn(body))
  return {
    text: `Change the mailboxes of the campaign ${name}, which is ${statusWords(campaign!.status)}.`,
    from: mailboxes.map(({ fromEmail }) => fromEmail),
  }
}

/** Leads that are added to a running campaign get messages without another request. */
const mailsFor = (leadCount: number, { status, stepCount }: CampaignFacts): number => (status === 'draft' ? 0 : leadCount * stepCount)

async function imports({ db, workspaceId, body, now, name }: Told, campaign: CampaignFacts): Promise<Partial<PlanSummary>> {
  const exported = typeof body.exportId === 'string' ? await getImportableExport(db, workspaceId, body.exportId, now) : null
  const leadCount = exported?.leadCount ?? sizeOf(body.leads)
  const what = exported === null ? many(leadCount, 'lead') : `the ${many(leadCount, 'lead')} of an export`
  const update = body.onDuplicate === 'update' ? ' Existing leads are updated with the imported data.' : ''
  const text = `Import ${what} into the campaign ${name}, which is ${statusWords(campaign.status)}.${update}`
  return { text, from: campaign.from, leadCount, mailCount: mailsFor(leadCount, campaign), recipients: addressesIn(body.leads, 'email') }
}

async function changesMany({ db, workspaceId, body, name }: Told, campaign: CampaignFacts): Promise<Partial<PlanSummary>> {
  const leadCount = body.ids === undefined ? campaign.totalLeads : sizeOf(body.ids)
  const which = body.ids === undefined ? `the leads that match a filter (at most ${digits(leadCount)})` : many(leadCount, 'lead')
  if (body.action === 'move') {
    const target = await findTarget(db, workspaceId, body)
    const text = `Move ${which} from the campaign ${name} to the campaign ${quoted(target.name)}, which is ${statusWords(target.status)}.`
    return { text, from: target.from, leadCount, mailCount: mailsFor(leadCount, target) }
  }
  const mailCount = body.action === 'requeue' ? leadCount * campaign.stepCount : 0
  const text =
    body.action === 'requeue'
      ? `Retry ${which} in the campaign ${name}.`
      : body.action === 'delete'
        ? `Remove ${which} from the campaign ${name}.`
        : `Set the status of ${which} in the campaign ${name} to ${statusWords(String(body.status))}.`
  return { text, from: campaign.from, leadCount, mailCount }
}

function buys({ body, name, campaign }: Told): Partial<PlanSummary> {
  const leadCount = Number(body.leadCount)
  const where = campaign ? ` and add them to the campaign ${name}, which is ${statusWords(campaign.status)}` : ' as a file'
  const own = campaign ? ' Some of them may already be in your workspace.' : ''
  const text = `Buy up to ${many(leadCount, 'lead')}${where}. Cost: at most ${many(leadCount, 'credit')}.${own}`
  return { text, from: campaign?.from ?? [], leadCount, creditCost: leadCount, mailCount: campaign ? mailsFor(leadCount, campaign) : 0 }
}

async function oneLead({ db, workspaceId, params }: Told): Promise<Partial<PlanSummary>> {
  const lead = existing(await findLeadFacts(db, workspaceId, params.campaignId!, params.leadId!), 'lead')
  return { recipients: [lead.email], leadCount: 1 }
}

async function answers({ db, workspaceId, params }: Told): Promise<Partial<PlanSummary>> {
  const reply = await findReply(db, workspaceId, params.replyId!)
  const recipient = recipientOf(reply)
  const text = 'Answer a reply.'
  return { text, recipients: recipient === null ? [] : [recipient], from: reply.fromEmail === null ? [] : [reply.fromEmail], mailCount: 1 }
}

async function lifts({ db, workspaceId, params }: Told): Promise<Partial<PlanSummary>> {
  const { value } = existing(await findSuppressionFacts(db, workspaceId, params.suppressionId!), 'suppression')
  const mailCount = await findMailsHeldBack(db, workspaceId, params.suppressionId!, [])
  const text = 'Remove a suppression. Campaigns can email the address or domain again.'
  return { text, recipients: value === null ? [] : [value], mailCount: Math.max(mailCount, 1) }
}
