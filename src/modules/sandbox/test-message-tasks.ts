import type { Context } from '../../context/context.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { storableText } from '../../lib/storable-text.ts'
import type { ComposedMessage } from '../../mail/compose/compose.ts'
import { type OperationTasks, outsideTask } from '../../operations/tasks.ts'
import { smtpSettingsOf } from '../mailboxes/mail-access.ts'
import type { SendingMailbox } from '../mailboxes/mailboxes.ts'
import { MailboxConnections } from '../sending/deliver.ts'
import { insertSandboxMessages } from './queries.ts'
import { sentMessage } from './sandbox.ts'
import { TestMessage, TestOrder } from './schema.ts'
import { prepareTestMessage } from './test-message.ts'

/** A test is not a step of a sequence: it changes no lead and no count. */
export const testMessageTasks: OperationTasks = {
  'campaign.send_test': outsideTask(TestOrder, TestMessage, {
    async run(ctx, { workspaceId, input }) {
      const { composed, mailbox, variantId } = await prepareTestMessage(ctx, workspaceId, input)
      if (mailbox.kind !== 'sandbox') await deliver(ctx, mailbox, composed)
      return async tx => {
        const { campaignId, step } = input
        if (mailbox.kind === 'sandbox') {
          const origin = { id: newId(), workspaceId, providerId: mailbox.id, campaignId, leadId: null }
          await insertSandboxMessages(tx, [sentMessage(origin, composed, ctx.clock.now())])
        }
        const { messageId, subject, envelope } = composed
        return { campaignId, step, variantId, providerId: mailbox.id, from: envelope.from, to: envelope.to, subject, messageId }
      }
    },
    leaves: 'The test message may have been sent.',
  }),
}

async function deliver(ctx: Context, mailbox: SendingMailbox, { envelope, raw }: ComposedMessage): Promise<void> {
  const connections = new MailboxConnections(() => smtpSettingsOf(ctx, mailbox), 1)
  const answer = await connections.send(envelope, raw).finally(() => connections.close())
  if (answer.kind === 'accepted') return
  const said = storableText('response' in answer ? answer.response : answer.reason, 500)
  // It is not always known whether it was sent, and a caller can easily request another test, so it is not retried.
  throw new AppError('invalid_state', `The mail server did not accept the message: ${said}`, null)
}
