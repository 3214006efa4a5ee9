import type { HasSecrets } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { pick } from '../../lib/pick.ts'
import { storableText } from '../../lib/storable-text.ts'
import { dueAfterSend } from '../../scheduling/planner.ts'
import { addBusinessDays, type Schedule, scheduleFor } from '../../scheduling/window.ts'
import { recordEvent } from '../events/events.ts'
import { advanceLeads, holdLeads, isOpen } from '../leads/leads.ts'
import { lockLead } from '../leads/queries.ts'
import { type Advance, type LockedLead, lockLeads, stickToMailbox } from '../leads/queue-queries.ts'
import { giveBackLoads } from '../mailboxes/mailboxes.ts'
import { clearFailures, lockContentRefusals } from '../mailboxes/queries.ts'
import type { SequenceStep } from '../sequences/schema.ts'
import { type AnswerResult, recordAnswers } from './answers.ts'
import type { DeliveredSend, SandboxMail } from './deliver.ts'
import { type Outcome, recordBounce, weighTexts } from './outcomes.ts'
import { scheduleOf } from './planner-input.ts'
import { forgetTexts, type Message, markOwnCopies, noteOthersAccepted, type OutcomeRow, updateOutcomes } from './queries.ts'
import { keepsOwnCopies } from './sent-copies.ts'

// The fourth step: stores the outcomes of messages and their effects on the mailboxes in one transaction.

/** Whether Overture stores the copy of the message in the Sent folder. */
export const hasOwnCopy = ({ mailbox, judged }: DeliveredSend): boolean => judged.outcome.kind === 'sent' && keepsOwnCopies(mailbox)

const isAccepted = ({ mailbox, judged }: DeliveredSend): boolean => mailbox.kind !== 'sandbox' && judged.outcome.kind === 'sent'

const mailboxesOf = (sends: DeliveredSend[]): string[] => [...new Set(sends.map(({ mailbox }) => mailbox.id))]

/**
 * Stores the outcomes, and returns the messages with their outcomes as judged with the earlier ones. When the response to a commit is
 * lost, the same outcomes come again: those that are stored already have no second effect.
 */
export async function storeOutcomes(
  ctx: HasSecrets,
  tx: Tx,
  sandbox: SandboxMail,
  workerId: number,
  delivered: DeliveredSend[],
  now: Date,
): Promise<DeliveredSend[]> {
  const mailboxIds = mailboxesOf(delivered)
  const isAnyOfText = delivered.some(({ judged }) => judged.ifOfText)
  const isAnyGivenBack = delivered.some(({ judged }) => judged.outcome.kind === 'retry')
  // The order of locks is in docs/internals/sending.md. A mailbox is locked no earlier than it must be, because it does not send meanwhile.
  const mustLock = isAnyOfText || (isAnyGivenBack && mailboxIds.length > 1)
  const refusals = mustLock ? await lockContentRefusals(tx, mailboxIds) : null
  const weighed = isAnyOfText && refusals ? await weighTexts(tx, workerId, delivered, refusals) : delivered
  const results = weighed.map(send => ({ message: toMessage(send), outcome: send.judged.outcome }) as Result)
  const recorded = await recordResults(ctx, tx, workerId, results, now)
  const news = delivered.filter(send => recorded.has(send.id))
  const sandboxed = news.flatMap(send => (send.reactions ? [{ send, composed: send.composed, reactions: send.reactions }] : []))
  if (sandboxed.length > 0) await sandbox.store(tx, sandboxed, now)
  const working = mailboxesOf(news.filter(({ judged }) => judged.mailbox === 'works'))
  const accepting = mailboxesOf(news.filter(isAccepted))
  const clean = accepting.filter(id => !delivered.some(send => send.mailbox.id === id && send.judged.ifOfText))
  if (working.length > 0) await clearFailures(tx, working, clean)
  const copied = delivered.filter(hasOwnCopy).map(send => send.id)
  if (copied.length > 0) await markOwnCopies(tx, copied)
  const together = delivered.map(({ id }) => id)
  if (accepting.length > 0) await noteOthersAccepted(tx, accepting, together)
  return weighed
}

function toMessage(send: DeliveredSend): Result['message'] {
  const { id, workspaceId, campaignId, leadId, messageId, composed } = send
  const { subject, threadSubject, startsThread } = composed
  const ids = { id, workspaceId, campaignId, leadId, providerId: send.mailbox.id, messageId }
  if (send.kind === 'answer') return { kind: 'answer', ...ids, subject }
  const { step, variantId, steps } = send
  return { kind: 'step', ...ids, step, variantId, steps, subject, threadSubject, startsThread, schedule: scheduleOf(send.campaign) }
}

/** The data of a message that recording needs, wherever its outcome comes from. */
interface SentMessage extends Message {
  kind: 'step'
  subject: string
  threadSubject: string
  startsThread: boolean
  steps: SequenceStep[]
  schedule: Schedule
}

interface StepResult {
  message: SentMessage
  outcome: Outcome
}

export type Result = StepResult | AnswerResult

/**
 * Stores the outcome of a batch of messages, in a handful of statements. Returns the ids of messages that were not
 * recorded before and whose lead exists. For a lead that was removed meanwhile, only the fact that the message left is kept.
 */
export async function recordResults(ctx: HasSecrets, tx: Tx, workerId: number | null, results: Result[], now: Date) {
  const outcomes = results.map(result => toOutcomeRow(result, now))
  const rows = await updateOutcomes(tx, workerId, outcomes)
  const queued = rows.filter(row => row.status === 'queued')
  await giveBackLoads(tx, queued)
  const recorded = new Set(rows.map(row => row.id))
  const ours = results.filter(result => recorded.has(result.message.id))
  if (ours.length === 0) return recorded
  const leadIds = ours.map(result => result.message.leadId)
  const leads = new Map((await lockLeads(tx, leadIds)).map(lead => [lead.id, lead]))
  const steps = ours.filter((result): result is StepResult => result.message.kind === 'step')
  await recordSent(tx, steps, leads, now)
  await recordRetries(tx, steps, leads, now)
  const answers = ours.filter((result): result is AnswerResult => result.message.kind === 'answer')
  await recordAnswers(ctx, tx, answers, leads, now)
  const goneIds = ours.filter(result => !leads.has(result.message.leadId)).map(result => result.message.id)
  if (goneIds.length > 0) await forgetTexts(tx, goneIds)
  for (const { message, outcome } of steps) {
    if (outcome.kind !== 'refused') continue
    const lead = await lockLead(tx, message.workspaceId, message.campaignId, message.leadId)
    const { type, status, response: diagnostic } = outcome
    const report = { type, status, diagnostic, sendId: message.id, step: message.step, isFinal: true }
    if (lead) await recordBounce(tx, ctx.secrets, lead, report, now)
  }
  for (const id of goneIds) recorded.delete(id)
  return recorded
}

const MAX_RESPONSE_CHARS = 500

function toOutcomeRow({ message, outcome }: Result, now: Date): OutcomeRow {
  const nothing = { id: message.id, response: null, sentAt: null, reconcileAt: null, reconciled: null, byPolicy: false, isAttempt: true }
  switch (outcome.kind) {
    case 'sent':
      return {
        ...nothing,
        status: 'sent',
        response: storableText(outcome.response, MAX_RESPONSE_CHARS),
        sentAt: now,
        reconciled: outcome.reconciled ?? null,
      }
    case 'retry':
      return {
        ...nothing,
        status: 'queued',
        response: storableText(JSON.stringify(outcome.detail), MAX_RESPONSE_CHARS),
        isAttempt: outcome.sticky,
        byPolicy: outcome.reason === 'content_refused',
      }
    case 'refused':
      return { ...nothing, status: 'failed', response: storableText(outcome.response, MAX_RESPONSE_CHARS), byPolicy: outcome.byPolicy }
    case 'unknown':
      return { ...nothing, status: 'unknown', response: storableText(outcome.reason, MAX_RESPONSE_CHARS), reconcileAt: outcome.reconcileAt }
  }
}

async function recordSent(tx: Tx, results: StepResult[], leads: Map<string, LockedLead>, now: Date): Promise<void> {
  const sent = results.filter(result => result.outcome.kind === 'sent')
  if (sent.length === 0) return
  const advanced: { lead: LockedLead; advance: Advance }[] = []
  for (const { message, outcome } of sent) {
    const lead = leads.get(message.leadId)
    if (lead) advanced.push({ lead, advance: advanceOf(message, lead, now) })
    const { id: sendId, workspaceId, leadId, campaignId, step } = message
    recordEvent(tx, {
      ...{ workspaceId, type: 'email.sent', timestamp: now, campaignId, leadId },
      data: {
        ...{ leadId, campaignId, sendId, step, ...pick(message, 'variantId', 'providerId', 'messageId') },
        subject: lead ? message.subject : null,
        email: lead?.email ?? null,
        first: lead ? !lead.emailSent : step === 0,
        ...(outcome.kind === 'sent' && outcome.reconciled ? { reconciled: outcome.reconciled } : {}),
      },
    })
  }
  await advanceLeads(tx, advanced, now)
}

/**
 * After the last step, the lead has time to reply before it counts as done: as long as the delay of the last step, and at
 * least one business day.
 */
function advanceOf(message: SentMessage, lead: LockedLead, now: Date): Advance {
  const { steps, step, providerId, messageId } = message
  const schedule = scheduleFor(message.schedule, lead.timezone)
  const next = dueAfterSend({ steps, schedule }, step, now)
  const goesOn = isOpen(lead.status)
  const wait = Math.max(1, steps[step]?.delayDays ?? 1)
  const continued = !message.startsThread && lead.thread ? lead.thread.messageIds : []
  return {
    leadId: message.leadId,
    nextStep: step + 1,
    dueAt: goesOn ? next : null,
    completesAt: goesOn && next === null ? addBusinessDays(now, wait, schedule.timezone) : null,
    providerId,
    thread: { subject: message.threadSubject, messageIds: [...continued, messageId].slice(-20) },
  }
}

async function recordRetries(tx: Tx, results: StepResult[], leads: Map<string, LockedLead>, now: Date): Promise<void> {
  const retries = results.flatMap(({ message, outcome }) =>
    outcome.kind === 'retry' && leads.has(message.leadId) ? [{ message, outcome }] : [],
  )
  const open = retries.filter(({ message }) => isOpen(leads.get(message.leadId)!.status))
  await holdLeads(
    tx,
    open.map(({ message, outcome }) => ({
      ...pick(message, 'leadId', 'workspaceId', 'campaignId', 'step'),
      reason: outcome.reason,
      nextAttemptAt: outcome.at,
      detail: outcome.detail,
      dueAt: outcome.at,
    })),
    now,
  )
  const sticky = open
    .filter(({ outcome }) => outcome.sticky)
    .map(({ message }) => ({ leadId: message.leadId, mailboxId: message.providerId }))
  if (sticky.length > 0) await stickToMailbox(tx, sticky)
}
