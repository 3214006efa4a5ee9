import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/client.ts'
import { replySubject } from '../../mail/compose/mime.ts'
import { findThread } from '../leads/progress.ts'
import { readSteps } from '../sequences/sequences.ts'
import { findSendingCampaign } from './claim-queries.ts'
import { scheduleOf } from './planning.ts'
import { type DoubtfulSend, findDoubtfulSend } from './reconcile-queries.ts'
import { type Result, recordResults } from './record.ts'

/** Records a message with an unknown outcome as sent, because it was found or because that is assumed. */
export async function recordAsSent(
  ctx: Pick<Context, 'secrets'>,
  tx: Tx,
  send: DoubtfulSend,
  how: 'found' | 'named' | 'assumed',
  now: Date,
): Promise<void> {
  const message = await toSentMessage(tx, send)
  if (!message) return
  const outcome = { kind: 'sent', response: `reconciled: ${how}`, reconciled: how }
  await recordResults(ctx, tx, null, [{ message, outcome } as Result], now)
}

/** A reply or a bounce refers to the message, so it was sent. */
export async function recordNamedSend(ctx: Pick<Context, 'secrets'>, tx: Tx, sendId: string, now: Date): Promise<void> {
  const send = await findDoubtfulSend(tx, sendId)
  if (send?.status === 'unknown') await recordAsSent(ctx, tx, send, 'named', now)
}

async function toSentMessage(db: Db, send: DoubtfulSend): Promise<Result['message'] | null> {
  const { id, workspaceId, campaignId, leadId, providerId, step, variantId, messageId } = send
  if (step === null) return { kind: 'answer', id, workspaceId, campaignId, leadId, providerId, messageId, subject: send.subject ?? '' }
  const campaign = await findSendingCampaign(db, send.campaignId)
  if (!campaign) return null
  const thread = await findThread(db, send.leadId)
  const subject = send.subject ?? ''
  const continues = thread !== null && subject === replySubject(thread.subject)
  return {
    kind: 'step',
    ...{ id, workspaceId, campaignId, leadId, providerId, step, variantId: variantId!, messageId, subject },
    threadSubject: continues ? thread.subject : subject,
    startsThread: !continues,
    steps: await readSteps(db, campaignId, send.sequenceVersion!),
    schedule: scheduleOf(campaign),
  }
}
