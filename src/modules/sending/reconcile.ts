import type { Context, HasSecrets } from '../../context/context.ts'
import type { Db, Tx } from '../../db/sql.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { replySubject } from '../../mail/compose/mime.ts'
import { findInSent } from '../../mail/transport/imap.ts'
import { findThread } from '../leads/queue-queries.ts'
import { imapSettingsOf } from '../mailboxes/mail-access.ts'
import { listMailboxes, noteSavesSent } from '../mailboxes/queries.ts'
import { readSteps } from '../sequences/sequences.ts'
import { requeueSend } from './claim.ts'
import { findSendingCampaign } from './claim-queries.ts'
import { scheduleOf } from './planner-input.ts'
import { type DoubtfulSend, findDoubtfulSend, listNeighbours, takeDoubtfulSends } from './queries.ts'
import { type Result, recordResults } from './record.ts'

/** Records a message with an unknown outcome as sent, because it was found or because that is assumed. */
async function recordAsSent(ctx: HasSecrets, tx: Tx, send: DoubtfulSend, how: 'found' | 'named' | 'assumed', now: Date) {
  const message = await toSentMessage(tx, send)
  if (!message) return
  const outcome = { kind: 'sent', response: `reconciled: ${how}`, reconciled: how }
  await recordResults(ctx, tx, null, [{ message, outcome } as Result], now)
}

/** A reply or a bounce refers to the message, so it was sent. */
export async function recordNamedSend(ctx: HasSecrets, tx: Tx, sendId: string, now: Date): Promise<void> {
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
  const continued = thread && subject === replySubject(thread.subject) ? thread.subject : null
  return {
    kind: 'step',
    ...{ id, workspaceId, campaignId, leadId, providerId, step, variantId: variantId!, messageId, subject },
    threadSubject: continued ?? subject,
    startsThread: continued === null,
    steps: await readSteps(db, campaignId, send.sequenceVersion!),
    schedule: scheduleOf(campaign),
  }
}

const AT_ONCE = 10
const LOOK_AGAIN_MS = 2 * MINUTE_MS
/** The copy may appear in the Sent folder a little later, so absence counts from the second check on. */
const LOOKS_BEFORE_ABSENT = 2
const LOOKS_BEFORE_ASSUMED = 3
/** Messages that left within this time before and after show whether the mailbox kept copies then. */
const NEIGHBOUR_MS = 10 * MINUTE_MS

type Finding = 'found' | 'absent' | 'assumed' | 'look_again'

/**
 * Finds out whether messages with an unknown outcome were sent. A mailbox may stop keeping copies at any time, so absence from
 * the Sent folder counts only if the messages that left just before and just after are there: then this one is sent again.
 * Otherwise it counts as sent, because a missing message is better than a second copy.
 */
export async function reconcileSends(ctx: Context): Promise<number> {
  const now = ctx.clock.now()
  const { taken, toLookFor } = await ctx.db.inTransaction(async tx => {
    const taken = await takeDoubtfulSends(tx, now, new Date(now.getTime() + LOOK_AGAIN_MS), AT_ONCE)
    const mailboxes = await listMailboxes(tx, [...new Set(taken.map(send => send.providerId))])
    const withInbox = new Set(mailboxes.filter(mailbox => mailbox.settings.imap != null).map(mailbox => mailbox.id))
    // Without a Sent folder, the outcome is decided in this transaction, so that no check is lost if the worker dies.
    for (const send of taken) if (!withInbox.has(send.providerId)) await recordAsSent(ctx, tx, send, 'assumed', now)
    return { taken, toLookFor: taken.filter(send => withInbox.has(send.providerId)) }
  })
  for (const send of toLookFor) {
    const finding = await lookFor(ctx, send)
    if (finding === 'look_again') continue
    await ctx.db.inTransaction(async tx => {
      if (finding === 'absent') {
        await requeueSend(tx, send.id)
        return tx.wake('sends')
      }
      if (finding === 'found') await noteSavesSent(tx, send.providerId)
      await recordAsSent(ctx, tx, send, finding, now)
    })
  }
  return taken.length
}

async function lookFor(ctx: Context, send: DoubtfulSend): Promise<Finding> {
  const [mailbox] = await listMailboxes(ctx.db, [send.providerId])
  const settings = mailbox ? await imapSettingsOf(ctx, mailbox).catch(() => 'unavailable' as const) : null
  if (settings === null) return 'assumed'
  const { intendedAt } = send
  const neighbours = intendedAt ? await listNeighbours(ctx.db, send.providerId, send.id, intendedAt, NEIGHBOUR_MS) : []
  const found = settings === 'unavailable' ? settings : await findInSent(settings, [send.messageId, ...neighbours])
  if (found !== 'unavailable') {
    if (found.has(send.messageId)) return 'found'
    const isKeeping = neighbours.length === 2 && neighbours.every(id => found.has(id))
    if (isKeeping && send.reconcileAttempts >= LOOKS_BEFORE_ABSENT) return 'absent'
  }
  return send.reconcileAttempts >= LOOKS_BEFORE_ASSUMED ? 'assumed' : 'look_again'
}
