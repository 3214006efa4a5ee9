import { randomBytes } from 'node:crypto'
import type { Context } from '../../context/context.ts'
import { strict, Uuid } from '../../http/schema.ts'
import { domainOf } from '../../lib/email.ts'
import { newId } from '../../lib/ids.ts'
import { storableText } from '../../lib/storable-text.ts'
import { messageIdFor, writeMessage } from '../../mail/compose/mime.ts'
import { SmtpSession } from '../../mail/transport/smtp.ts'
import { Again, type OperationTasks, outsideTask } from '../../operations/tasks.ts'
import { smtpSettingsOf } from '../mailboxes/mail-access.ts'
import { getProvider } from '../mailboxes/mailboxes.ts'
import type { ProviderRow } from '../mailboxes/queries.ts'
import { checkDomain } from './check.ts'
import { nobodyToWriteTo, notArrived, notSent, waitingFor } from './dkim.ts'
import { getCheckedMailbox, HEALTH_HEADER, hashMessageToken, presentHealth, recordHealth, recordSignature } from './health.ts'
import { findHealth, findHealthMessage, findReceiver, insertHealthMessage, type OfCheck, type Receiver } from './queries.ts'
import { DomainHealthResult } from './schema.ts'

const LOOK_AGAIN_MS = 1000
const PATIENCE = { connectMs: 10_000, silenceMs: 15_000, sendMs: 20_000 }

/**
 * The check queries DNS and sends one message; then the operation checks from time to time whether the message has arrived. What
 * was found is stored together with the message, before that is sent: a second attempt of the operation sends no second one.
 */
export const healthTasks: OperationTasks = {
  'provider.check_health': outsideTask(strict({ providerId: Uuid }), DomainHealthResult, {
    async run(ctx, { id: operationId, workspaceId, input }) {
      const check = { operationId, workspaceId, providerId: input.providerId }
      const begun = await findHealth(ctx.db, workspaceId, check.providerId)
      const refusal = begun?.operationId === operationId ? null : await begin(ctx, check)
      const message = await findHealthMessage(ctx.db, operationId)
      return async tx => {
        if (refusal !== null) await recordSignature(tx, check, () => notSent(refusal))
        else if (message && !message.hasArrived) {
          if (!message.isOverdue) return new Again(LOOK_AGAIN_MS)
          await recordSignature(tx, check, () => notArrived(message.receiver))
        }
        const mailbox = await getProvider(tx, workspaceId, check.providerId)
        return { health: presentHealth(mailbox, await findHealth(tx, workspaceId, check.providerId), ctx) }
      }
    },
    leaves: 'The result of the check may be incomplete, and its message may have been sent.',
  }),
}

/** Why the test message was not sent; null when it was sent, may have been sent, or there is no receiver. */
async function begin(ctx: Context, check: OfCheck): Promise<string | null> {
  const { workspaceId, providerId } = check
  const mailbox = await getCheckedMailbox(ctx.db, workspaceId, providerId)
  const receiver = mailbox.status === 'connected' ? await findReceiver(ctx.db, workspaceId, providerId) : undefined
  const dkim = receiver
    ? waitingFor(receiver.fromEmail)
    : mailbox.status === 'connected'
      ? nobodyToWriteTo()
      : notSent(`the mailbox is ${mailbox.status}.`)
  const checks = await checkDomain(ctx, mailbox, dkim)
  const token = randomBytes(24).toString('base64url')
  const isDeclared = await ctx.db.inTransaction(async tx => {
    const found = { ...check, domain: domainOf(mailbox.fromEmail), checks, checkedAt: ctx.clock.now() }
    await recordHealth(tx, mailbox, found, receiver !== undefined)
    return receiver !== undefined && insertHealthMessage(tx, { ...check, receiverId: receiver.id, tokenHash: hashMessageToken(token) })
  })
  return isDeclared ? send(ctx, mailbox, receiver!, token) : null
}

/** The refusal of the server; null when it accepted the message, or may have. */
async function send(ctx: Context, mailbox: ProviderRow, receiver: Receiver, token: string): Promise<string | null> {
  const messageId = messageIdFor(newId(), domainOf(mailbox.fromEmail), id => ctx.secrets.sign('message-id', id))
  const raw = writeMessage({
    from: { address: mailbox.fromEmail, name: mailbox.fromName },
    to: { address: receiver.fromEmail },
    subject: 'Overture: a check of the domain',
    date: ctx.clock.now(),
    messageId,
    headers: { [HEALTH_HEADER]: token },
    text: `This message was sent to check how mail from ${domainOf(mailbox.fromEmail)} arrives. You can delete it.\n`,
  })
  let session: SmtpSession | null = null
  try {
    session = await SmtpSession.connect({ ...(await smtpSettingsOf(ctx, mailbox)), timeouts: PATIENCE })
    const answer = await session.send({ from: mailbox.fromEmail, to: receiver.fromEmail }, raw)
    if (answer.kind === 'accepted' || answer.kind === 'unknown') return null
    return storableText(answer.kind === 'rejected' ? answer.response : answer.reason, 300)
  } catch (error) {
    return storableText(error instanceof Error ? error.message : String(error), 300)
  } finally {
    session?.close()
  }
}
