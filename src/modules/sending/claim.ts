import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { domainOf } from '../../lib/email.ts'
import { newId } from '../../lib/ids.ts'
import { pick } from '../../lib/pick.ts'
import { messageIdFor } from '../../mail/compose/mime.ts'
import {
  type ChosenSends,
  chooseSends,
  type Hold as PlannerHold,
  type PlannerLead,
  type PlannerState,
  type WaitDecision,
} from '../../scheduling/planner.ts'
import { isContactReason } from '../../scheduling/reasons.ts'
import { holdLeads, skipLead } from '../leads/leads.ts'
import { type Hold, putBackIntoQueue, takeOutOfQueue } from '../leads/queue-queries.ts'
import { giveBackLoads } from '../mailboxes/mailboxes.ts'
import { lockFreeMailboxes, type SendingMailbox, saveLoads } from '../mailboxes/queries.ts'
import { listSteps } from '../sequences/queries.ts'
import type { SequenceStep } from '../sequences/schema.ts'
import { type ClaimedAnswer, putBackAnswers } from './answer-queries.ts'
import type { DueCampaign, DueLead, LeadQueue, NewSend } from './claim-queries.ts'
import * as claimQueries from './claim-queries.ts'
import type { Surroundings } from './planner-input.ts'
import * as plannerInput from './planner-input.ts'
import {
  doubtDeadSends,
  type Message,
  type ReleasedSend,
  releaseDeadClaims,
  releaseSends,
  releaseSendsExcept,
  requeueUnknown,
} from './queries.ts'

/** A message that this worker has claimed. No part of it has been sent. */
export type ClaimedSend = ClaimedStep | ClaimedAnswer

/** A message of a sequence. */
export interface ClaimedStep extends Omit<Message, 'providerId'> {
  kind: 'step'
  workerId: number
  attempts: number
  /** The mailbox's day that the message was counted on. */
  countedOn: string | null
  dueAt: Date
  lead: DueLead
  campaign: DueCampaign
  mailbox: SendingMailbox
  steps: SequenceStep[]
}

/** So many more leads are read than there are slots, because some will be throttled or suppressed. */
const SPARE_LEADS = 8
/** When leads move back in the queue, the claim looks for others at once, at most this often. */
const MOST_LOOKS = 20

/**
 * Decides which messages may be sent now and claims them, in one transaction: it reserves the count of the day and the slot of
 * the mailbox, takes the lead out of the queue, and stores the send as claimed. If the worker dies after this, nothing was sent.
 * Workspaces take turns, and `crowded` ones have enough in hand.
 */
export async function claimSends(
  ctx: Context,
  workerId: number,
  limit: number,
  crowded: ReadonlySet<string> = new Set(),
): Promise<ClaimedStep[]> {
  for (let look = 1; ; look++) {
    const { claimed, steppedBack } = await claimOnce(ctx, workerId, limit, crowded)
    if (claimed.length > 0 || steppedBack === 0 || look === MOST_LOOKS) return claimed
  }
}

interface Claim {
  claimed: ClaimedStep[]
  /** Leads that were looked at and moved back in the queue. */
  steppedBack: number
}

const NOTHING: Claim = { claimed: [], steppedBack: 0 }

async function claimOnce(ctx: Context, workerId: number, limit: number, crowded: ReadonlySet<string>): Promise<Claim> {
  const now = ctx.clock.now()
  const due = (await claimQueries.listDueCampaigns(ctx.db, now)).filter(({ workspaceId }) => !crowded.has(workspaceId))
  const open = due.filter(campaign => isOpenAt(ctx, campaign, now))
  if (open.length === 0) return NOTHING
  return ctx.db.inTransaction(async tx => {
    const mailboxIds = new Set(open.flatMap(campaign => [...campaign.mailboxIds, ...campaign.keptMailboxIds]))
    const mailboxes = await lockFreeMailboxes(tx, [...mailboxIds], now)
    const queues = queuesOf(open, mailboxes, limit, now)
    if (queues.length === 0) return NOTHING
    const leads = await claimQueries.takeDueLeads(tx, queues, now)
    if (leads.length === 0) return NOTHING

    const looked: Looked = {
      leadOf: new Map(leads.map(lead => [lead.id, lead])),
      campaignOf: new Map(open.map(campaign => [campaign.id, campaign])),
      mailboxOf: new Map(mailboxes.map(mailbox => [mailbox.id, mailbox])),
    }
    const { campaignOf } = looked
    const contacts = await judgeDue(tx, leads, campaignOf, now)
    const closed = new Set(mailboxes.filter(mailbox => !plannerInput.mayOpenThreads(mailbox)).map(mailbox => mailbox.id))
    const ofCampaign = new Map(
      open.map(campaign => [campaign.id, { campaign, mailboxes: mailboxes.filter(({ id }) => campaign.mailboxIds.includes(id)) }]),
    )
    const state = {
      campaigns: open.map(campaign =>
        plannerInput.toPlannedCampaign({ ...campaign, mailboxIds: campaign.mailboxIds.filter(id => !closed.has(id)) }),
      ),
      leads: leads.map(lead => toPlannerLead(lead, contacts.get(lead.id) ?? null, ofCampaign.get(lead.campaignId)!, now)),
      mailboxes: mailboxes.map(plannerInput.toPlannedMailbox),
      recentSends: await plannerInput.readRecentSends(tx, mailboxes, now),
      seed: 'send',
    }
    const choice = chooseSends(state, now)
    const steppedBack = await holdBack(tx, choice.waits, looked, now)

    const first = inTurns(choice.sends, send => campaignOf.get(send.campaignId)!.workspaceId, limit)
    const { sends: chosen, loads } = choice.sends.length <= limit ? choice : chooseOnly(state, first, now)
    const claimed = await takeOn(ctx, tx, workerId, chosen, looked, now)
    const used = new Set(chosen.map(send => send.mailboxId))
    const saved = [...used].map(id => ({ id, ...loads.get(id)! }))
    await saveLoads(tx, saved)
    for (const send of claimed) send.countedOn = loads.get(send.mailbox.id)!.day
    return { claimed, steppedBack }
  })
}

/** The first of each owner, then the second of each, up to the limit: many messages of one workspace do not delay one of another. */
function inTurns<T>(all: readonly T[], ownerOf: (one: T) => string, limit: number): T[] {
  const counts = new Map<string, number>()
  const placed = all.map(one => {
    const owner = ownerOf(one)
    const turn = counts.get(owner) ?? 0
    counts.set(owner, turn + 1)
    return { one, turn }
  })
  return placed
    .sort((a, b) => a.turn - b.turn)
    .slice(0, limit)
    .map(({ one }) => one)
}

/** Chooses again without the leads that are left for later, so that no mailbox counts a message that it does not send. */
function chooseOnly(state: PlannerState, chosen: readonly { leadId: string }[], now: Date): ChosenSends {
  const ids = new Set(chosen.map(({ leadId }) => leadId))
  return chooseSends({ ...state, leads: state.leads.filter(({ id }) => ids.has(id)) }, now)
}

/** The contact rules that hold these leads; the leads that are due first are checked first. */
function judgeDue(tx: Tx, leads: DueLead[], campaignOf: Map<string, DueCampaign>, now: Date): Promise<Map<string, PlannerHold>> {
  const inOrder = leads
    .filter(lead => !lead.suppressed && campaignOf.get(lead.campaignId)!.sharesContacts)
    .sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || (a.id < b.id ? -1 : 1))
    .map(lead => ({ ...lead, step: lead.nextStep }))
  return plannerInput.judgeContacts(tx, inOrder, lead => campaignOf.get(lead.campaignId)!, now)
}

function isOpenAt(ctx: Context, campaign: DueCampaign, now: Date): boolean {
  try {
    return plannerInput.openingsOf(campaign)(now.getTime()) === now.getTime()
  } catch (error) {
    ctx.log.warn({ err: error, campaignId: campaign.id }, 'the schedule of a campaign cannot be read')
    return false
  }
}

/** How many leads to look at: as many as the free mailboxes have slots, not more. */
function queuesOf(campaigns: DueCampaign[], mailboxes: SendingMailbox[], limit: number, now: Date): LeadQueue[] {
  const nowMs = now.getTime()
  const roomOf = new Map<string, number>()
  for (const mailbox of mailboxes) {
    const meter = plannerInput.meterOf(mailbox)
    if (!meter.isFree(nowMs)) continue
    roomOf.set(mailbox.id, mailbox.minGapSeconds > 0 ? 1 : Math.min(limit, meter.limitAt(nowMs) - meter.reservedAt(nowMs)))
  }
  const queues: LeadQueue[] = []
  for (const campaign of campaigns) {
    const free = campaign.mailboxIds.filter(id => roomOf.has(id))
    const total = free.reduce((sum, id) => sum + roomOf.get(id)!, 0)
    if (free.length > 0) queues.push({ campaignId: campaign.id, mailboxId: null, room: Math.min(limit, total + SPARE_LEADS) })
    const kept = campaign.keptMailboxIds.filter(id => roomOf.has(id))
    for (const id of [...free, ...kept])
      queues.push({ campaignId: campaign.id, mailboxId: id, room: Math.min(limit, roomOf.get(id)! + SPARE_LEADS) })
  }
  return queues
}

const toPlannerLead = (lead: DueLead, contact: PlannerHold | null, surroundings: Surroundings, now: Date): PlannerLead => ({
  ...pick(lead, 'id', 'campaignId', 'dueAt', 'timezone'),
  step: lead.nextStep,
  domain: domainOf(lead.email),
  mailboxId: lead.providerId,
  hold: lead.suppressed
    ? { reason: 'suppressed' }
    : (contact ?? plannerInput.holdOutside(surroundings, { step: lead.nextStep, mailboxId: lead.providerId }, now)),
})

/** Leaves out campaigns whose window is closed. In a campaign that uses the time zones of its leads, it may be closed for some of them only. */
const isClosedForLead = (reason: string): boolean => reason === 'waiting_window' || reason === 'campaign_expired'

/** What was looked at, by id. */
interface Looked {
  leadOf: Map<string, DueLead>
  campaignOf: Map<string, DueCampaign>
  mailboxOf: Map<string, SendingMailbox>
}

/** Stores the reason why a checked lead waits, when the reason is new. Returns how many leads moved back in the queue. */
async function holdBack(tx: Tx, waits: WaitDecision[], { leadOf, campaignOf }: Looked, now: Date): Promise<number> {
  const holds: Hold[] = []
  let steppedBack = 0
  for (const wait of waits) {
    const lead = leadOf.get(wait.leadId)!
    const { campaignId, leadId, step, reason, nextAttemptAt, detail } = wait
    const hold: Hold = { leadId, workspaceId: lead.workspaceId, campaignId, step, reason, nextAttemptAt, detail }
    const isRepeated = lead.holdReason === reason
    const stops = reason === 'suppressed' || plannerInput.isStopped(reason, campaignOf.get(campaignId)!)
    // A lead that waits for another lead moves back in the queue; otherwise a thousand of them would block all others.
    const stepsBack = reason === 'domain_throttle' || isContactReason(reason) || isClosedForLead(reason)
    if (stops || stepsBack) steppedBack++
    if (stops) await skipLead(tx, hold, now)
    else if (stepsBack)
      holds.push({
        ...hold,
        dueAt: plannerInput.lookAgainAt({ reason, nextAttemptAt }, now),
        isRepeated: isRepeated && reason !== 'domain_throttle',
      })
    else if (!isRepeated) holds.push(hold)
  }
  await holdLeads(tx, holds, now)
  return steppedBack
}

async function takeOn(ctx: Context, tx: Tx, workerId: number, chosen: ChosenSends['sends'], looked: Looked, now: Date) {
  const { leadOf, campaignOf, mailboxOf } = looked
  const sign = (id: string): Buffer => ctx.secrets.sign('message-id', id)
  const versionOf = ({ campaignId, sequenceVersion }: DueLead): number => sequenceVersion ?? campaignOf.get(campaignId)!.sequenceVersion
  const stepsOf = await listSteps(
    tx,
    chosen.map(({ leadId, campaignId }) => ({ campaignId, version: versionOf(leadOf.get(leadId)!) })),
  )
  const candidates = new Map<string, ClaimedStep & { version: number }>()
  const outOfSteps: string[] = []
  for (const { leadId, campaignId, mailboxId, step } of chosen) {
    const [lead, campaign, mailbox] = [leadOf.get(leadId)!, campaignOf.get(campaignId)!, mailboxOf.get(mailboxId)!]
    const version = versionOf(lead)
    const steps = stepsOf.get(`${campaignId} ${version}`) ?? []
    const current = steps[step]
    if (!current) {
      outOfSteps.push(leadId)
      continue
    }
    const id = newId(now.getTime())
    candidates.set(leadId, {
      kind: 'step',
      ...{ id, leadId, step, version, workerId, lead, campaign, mailbox, steps, attempts: 0, countedOn: null },
      ...pick(lead, 'workspaceId', 'campaignId', 'dueAt'),
      messageId: messageIdFor(id, domainOf(mailbox.fromEmail), sign),
      variantId: plannerInput.chooseVariant(current, `${leadId}:${step}`).id,
    })
  }
  const rows = Array.from(
    candidates.values(),
    (send): NewSend => ({
      ...pick(send, 'id', 'workspaceId', 'campaignId', 'leadId', 'step', 'variantId', 'messageId', 'dueAt'),
      ...{ providerId: send.mailbox.id, sequenceVersion: send.version, domain: domainOf(send.lead.email) },
    }),
  )
  const claimed = rows.length > 0 ? await claimQueries.insertClaims(tx, rows, workerId, now) : []
  const taken = claimed.map(row => ({ ...candidates.get(row.leadId)!, ...row }))
  // Due, but not claimed: a message of this step is sending or sent, so the lead must not stay in the queue.
  const claimedIds = new Set(claimed.map(row => row.leadId))
  const refused = rows.filter(row => !claimedIds.has(row.leadId)).map(row => row.leadId)
  if (refused.length > 0) ctx.log.warn({ leadIds: refused }, 'leads were due for a step that has a message already')
  await takeOutOfQueue(tx, [
    ...taken.map(send => ({ id: send.leadId, version: send.version })),
    ...[...refused, ...outOfSteps].map(id => ({ id, version: leadOf.get(id)!.sequenceVersion ?? 1 })),
  ])
  return taken
}

// Claimed messages that were not sent are returned.

/** Returns claims of which nothing was sent, and counts them. */
export async function releaseClaims(tx: Tx, workerId: number, ids: string[]): Promise<number> {
  return putBack(tx, await releaseSends(tx, workerId, ids))
}

/** After the response to a claim was lost: returns every message of this worker that it does not work on. */
export async function releaseClaimsExcept(tx: Tx, workerId: number, ids: string[]): Promise<number> {
  return putBack(tx, await releaseSendsExcept(tx, workerId, ids))
}

/** The message certainly has not left, so it is sent again. */
export async function requeueSend(tx: Tx, id: string): Promise<number> {
  return putBack(tx, await requeueUnknown(tx, id))
}

/** Claims of dead workers return to the queue; messages that they were sending may have been sent, and are reconciled. */
export async function releaseSendsOfDeadWorkers(tx: Tx, now: Date): Promise<number> {
  return (await putBack(tx, await releaseDeadClaims(tx))) + (await doubtDeadSends(tx, now))
}

/** An open lead returns to the queue; the message of a closed lead is unchanged. An answer is its own queue. */
async function putBack(tx: Tx, released: ReleasedSend[]): Promise<number> {
  const steps = released.filter(send => !send.isAnswer)
  const answerIds = released.filter(send => send.isAnswer).map(send => send.id)
  if (steps.length > 0) await putBackIntoQueue(tx, steps)
  if (answerIds.length > 0) await putBackAnswers(tx, answerIds)
  await giveBackLoads(tx, released)
  return released.length
}
