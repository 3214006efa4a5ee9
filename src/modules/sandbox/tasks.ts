import type { Context } from '../../context/context.ts'
import { repeatWhileLocked } from '../../db/errors.ts'
import type { Tx } from '../../db/sql.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { storableText } from '../../lib/storable-text.ts'
import type { ComposedMessage } from '../../mail/compose/compose.ts'
import { makeMailReader } from '../../mail/inbound/mail-reader.ts'
import { checkApproval, isApproved, registryOf } from '../../operations/registry.ts'
import { type OperationTasks, type OperationWith, outsideTask } from '../../operations/tasks.ts'
import { smtpSettingsOf } from '../mailboxes/mail-access.ts'
import type { SendingMailbox } from '../mailboxes/queries.ts'
import { type Aftermath, receiveMessage, stopCampaign } from '../replies/replies.ts'
import { MailboxConnections } from '../sending/deliver.ts'
import { openTrackingToken } from '../sending/link-tokens.ts'
import { isErased } from '../suppressions/suppressions.ts'
import { recordClick, recordOpen, recordUnsubscribe } from '../tracking/tracking.ts'
import { insertSandboxMessages, isLeadThere, type ReactionRow, takeReaction } from './queries.ts'
import { prepareTestMessage, sentMessage } from './sandbox.ts'
import { TestMessage, TestOrder } from './schema.ts'

/**
 * Plays the reactions of simulated recipients that are due. Their replies are read like real mail, and their opens and clicks are recorded
 * like real visits. Each reaction is one transaction, at its own time.
 */
export async function playReactions(ctx: Context, signal: AbortSignal): Promise<number> {
  for (let played = 0; ; played++) {
    const now = ctx.clock.now()
    const done = await ctx.db.inTransaction(async tx => {
      const reaction = await takeReaction(tx, now)
      return reaction ? { aftermath: await play(ctx, tx, reaction) } : null
    })
    if (!done) return played
    const { aftermath } = done
    if (aftermath) await repeatWhileLocked(() => ctx.db.inTransaction(tx => stopCampaign(tx, aftermath, ctx.clock.now())), signal)
  }
}

async function play(ctx: Context, tx: Tx, reaction: ReactionRow): Promise<Aftermath | null> {
  const { action, dueAt } = reaction
  if (action.raw !== undefined) return receive(ctx, tx, reaction, Buffer.from(action.raw, 'latin1'))
  const token = new URL(action.url ?? 'http://sandbox.invalid/').pathname.split('/').at(-1) ?? ''
  const visit = { method: 'GET', userAgent: action.userAgent ?? null }
  if (action.kind === 'open') {
    const opened = openTrackingToken(ctx.secrets, 'open', token.replace(/\.gif$/, ''))
    if (opened) await recordOpen(tx, opened.sendId, visit, dueAt)
  } else if (action.kind === 'click') {
    const clicked = openTrackingToken(ctx.secrets, 'click', token)
    if (clicked) await recordClick(tx, clicked.sendId, clicked.index, visit, dueAt)
  } else if (action.kind === 'unsubscribe') {
    const left = openTrackingToken(ctx.secrets, 'unsubscribe', token)
    if (left) await recordUnsubscribe(tx, ctx.secrets, left.sendId, dueAt)
  }
  return null
}

async function receive(ctx: Context, tx: Tx, reaction: ReactionRow, raw: Buffer): Promise<Aftermath | null> {
  const { workspaceId, providerId, sendId, dueAt } = reaction
  const { message, judged } = await ctx.part(makeMailReader).read(raw, dueAt)
  // A message from a removed or erased person is not stored.
  const isUnwanted = message.from && (await isErased(tx, ctx.secrets, workspaceId, message.from.address))
  if (isUnwanted || !(await isLeadThere(tx, sendId))) return null
  await insertSandboxMessages(tx, [
    {
      id: newId(),
      workspaceId,
      providerId,
      campaignId: null,
      leadId: null,
      direction: 'in',
      fromAddress: message.from?.address ?? '',
      toAddress: message.to[0] ?? '',
      subject: message.subject,
      text: message.fullText,
      html: null,
      raw: storableText(raw.toString('latin1')),
      createdAt: dueAt,
    },
  ])
  const located = { mailboxId: providerId, workspaceId, folder: 'INBOX', isJunk: false, uidValidity: '0', uid: 0, raw, receivedAt: dueAt }
  return receiveMessage(ctx, tx, { ...located, message, judged }, dueAt)
}

/** A test is not a step of a sequence: it changes no lead and no count. */
export const testMessageTasks: OperationTasks = {
  'campaign.send_test': outsideTask(TestOrder, TestMessage, {
    async run(ctx, operation) {
      const { workspaceId, input } = operation
      const { composed, mailbox, variantId } = await prepareTestMessage(ctx, workspaceId, input)
      if (mailbox.kind !== 'sandbox') {
        await ctx.db.inTransaction(tx => requireAllowed(tx, ctx, operation))
        await deliver(ctx, mailbox, composed)
      }
      return async tx => {
        const { campaignId, step } = input
        if (mailbox.kind === 'sandbox') {
          await checkApproval(tx, ctx, operation)
          const origin = { id: newId(), workspaceId, providerId: mailbox.id, campaignId, leadId: null }
          await insertSandboxMessages(tx, [sentMessage(origin, composed, ctx.clock.now())])
        }
        const { messageId, subject, envelope } = composed
        return { campaignId, step, variantId, providerId: mailbox.id, from: envelope.from, to: envelope.to, subject, messageId }
      }
    },
    leaves: 'The test email may have been sent.',
  }),
}

/** The draft may have changed since the request was accepted, and may have got another mailbox. */
async function requireAllowed(tx: Tx, ctx: Context, operation: OperationWith<TestOrder>): Promise<void> {
  const { tokenId } = operation
  await checkApproval(tx, ctx, operation)
  if (tokenId === null || isApproved(operation)) return
  await registryOf(ctx).spend(tx, tokenId, async () => ({ leads: 0, credits: 0, mails: 0, isReal: true }))
}

async function deliver(ctx: Context, mailbox: SendingMailbox, { envelope, raw }: ComposedMessage): Promise<void> {
  const connections = new MailboxConnections(() => smtpSettingsOf(ctx, mailbox), 1)
  const answer = await connections.send(envelope, raw).finally(() => connections.close())
  if (answer.kind === 'accepted') return
  const said = storableText('response' in answer ? answer.response : answer.reason, 500)
  // It is not always known whether it was sent, and a caller can easily request another test, so it is not retried.
  throw new AppError('invalid_state', `The mail server did not accept the message: ${said}`, null)
}
