import type { Context } from '../../context/context.ts'
import { storableData } from '../../lib/storable-text.ts'
import type { SmtpAnswer } from '../../mail/transport/smtp-answers.ts'
import type { MailboxConnections } from './connections.ts'
import type { PreparedSend } from './intend.ts'
import { type Judged, judgeAnswer } from './outcomes.ts'
import { weighAnswer } from './refusals.ts'
import type { SandboxMail, SandboxReaction } from './sandbox-mail.ts'

// The third step: hands the message to a mail server or to the sandbox, and judges the answer.

export type DeliveredSend = PreparedSend & {
  judged: Judged
  reactions?: SandboxReaction[]
  /** Its outcome is stored. The consequences may not be stored yet. */
  isRecorded?: true
}

/** Never throws: after an unexpected error, the outcome of the message is unknown. */
export async function deliverSend(
  ctx: Context,
  connections: MailboxConnections,
  sandbox: SandboxMail,
  send: PreparedSend,
): Promise<DeliveredSend> {
  const { composed, mailbox } = send
  try {
    if (mailbox.kind === 'sandbox') {
      const message = { raw: composed.raw, envelope: composed.envelope, at: ctx.clock.now() }
      const reactions = await sandbox.react(message).catch(() => [])
      return { ...send, reactions, judged: { outcome: { kind: 'sent', response: 'sandbox' }, mailbox: null } }
    }
    // Strangers write the answers of mail servers: one bad answer must not make the record of the whole batch fail.
    const answer = storableData(await connections.send(composed.envelope, composed.raw))
    const weighed = answer.kind === 'no_session' ? answer : await weigh(ctx, send, answer)
    return { ...send, judged: judgeAnswer(weighed, send.attempts, ctx.clock.now()) }
  } catch (error) {
    ctx.log.error({ err: error, sendId: send.id }, 'a message failed in an unforeseen way')
    return { ...send, judged: { outcome: { kind: 'unknown', reason: String(error), reconcileAt: ctx.clock.now() }, mailbox: null } }
  }
}

/** The answer of the server counts even when the earlier answers cannot be read from the database. */
async function weigh(ctx: Context, { id, mailbox }: PreparedSend, answer: SmtpAnswer): Promise<SmtpAnswer> {
  try {
    return await weighAnswer(ctx, { id, mailboxId: mailbox.id }, answer)
  } catch (error) {
    ctx.log.warn({ err: error, sendId: id }, 'an answer could not be compared with those before it')
    return answer
  }
}
