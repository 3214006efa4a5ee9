import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/client.ts'
import { recordEvent } from '../events/events.ts'
import { getLockedLead } from '../leads/leads.ts'
import { continueThread, type ProgressingLead } from '../leads/progress.ts'
import { type AnswerThread, holdAnswers, listAnswerThreads } from './answer-queries.ts'
import { recordBounce } from './bounces.ts'
import type { Outcome } from './outcomes.ts'

/** The data of an answer that recording needs, wherever its outcome comes from. */
interface SentAnswer {
  kind: 'answer'
  id: string
  workspaceId: string
  campaignId: string
  leadId: string
  providerId: string
  messageId: string
  subject: string
}

export interface AnswerResult {
  message: SentAnswer
  outcome: Outcome
}

/** Stores the outcome of answers. Their messages are recorded already, and their leads are locked. */
export async function recordAnswers(
  ctx: Pick<Context, 'secrets'>,
  tx: Tx,
  results: AnswerResult[],
  leads: Map<string, ProgressingLead>,
  now: Date,
): Promise<void> {
  if (results.length === 0) return
  const threads = new Map(
    (
      await listAnswerThreads(
        tx,
        results.map(({ message }) => message.id),
      )
    ).map(thread => [thread.sendId, thread]),
  )
  for (const { message, outcome } of results) {
    const lead = leads.get(message.leadId)
    const thread = threads.get(message.id)
    if (!lead || !thread) continue
    if (outcome.kind === 'sent') await recordSent(tx, message, lead, thread, outcome.reconciled, now)
    if (outcome.kind === 'retry') {
      await holdAnswers(tx, [{ id: message.id, dueAt: outcome.at, reason: outcome.reason, until: outcome.at }])
    }
    // If a colleague wrote the reply, the bounce is not about the lead.
    if (outcome.kind === 'refused' && isTo(thread, lead)) {
      const whole = await getLockedLead(tx, message.workspaceId, message.campaignId, message.leadId)
      const { type, status, response } = outcome
      const report = { type, status, diagnostic: response, sendId: message.id, step: null, isFinal: true }
      if (whole) await recordBounce(tx, ctx.secrets, whole, report, now)
    }
  }
}

const isTo = (thread: AnswerThread, lead: ProgressingLead): boolean => thread.toAddress.toLowerCase() === lead.email.toLowerCase()

async function recordSent(
  tx: Tx,
  message: SentAnswer,
  lead: ProgressingLead,
  thread: AnswerThread,
  reconciled: string | undefined,
  now: Date,
): Promise<void> {
  const { id: sendId, workspaceId, campaignId, leadId, providerId, messageId, subject } = message
  const { replyId, inReplyTo } = thread
  const ids = { leadId, campaignId, sendId, replyId, providerId, messageId }
  recordEvent(tx, {
    ...{ workspaceId, type: 'email.answered', timestamp: now, campaignId, leadId },
    // An answer to a colleague of the lead is about the colleague: the log, which is searched by lead, does not contain its text.
    data: { ...ids, email: lead.email, subject: isTo(thread, lead) ? subject : null, ...(reconciled ? { reconciled } : {}) },
  })
  // Later steps of the sequence continue the thread after the answer.
  if (lead.thread) await continueThread(tx, lead, inReplyTo === null ? [messageId] : [inReplyTo, messageId])
}
