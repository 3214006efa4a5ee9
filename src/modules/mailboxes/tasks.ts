import type { Context } from '../../context/context.ts'
import { strict, Uuid } from '../../http/schema.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { Again, type OperationTasks, outsideTask } from '../../operations/tasks.ts'
import { noteTriedAgain, noteVerification } from './connection.ts'
import { getProvider } from './mailboxes.ts'
import { takeToVerify } from './queries.ts'
import { VerificationProgress, VerificationResult } from './schema.ts'
import { presentVerification, tryMailbox } from './verify.ts'

export const mailboxTasks: OperationTasks = {
  'provider.verify': outsideTask(strict({ providerId: Uuid }), VerificationResult, {
    progress: VerificationProgress,
    async run(ctx, { workspaceId, input }, _signal, report) {
      const found = await getProvider(ctx.db, workspaceId, input.providerId)
      const verification = await tryMailbox(ctx, found, { testMessage: true, onProgress: report })
      return async tx => {
        const row = await noteVerification(tx, found, verification, ctx.clock.now())
        if (!row) return new Again(0)
        return { verification: presentVerification(row, verification, ctx) }
      }
    },
  }),
}

const TRY_TAKES_AT_MOST_MS = 5 * MINUTE_MS

/** Tries disconnected mailboxes again, at growing intervals. A mailbox that works again continues. */
export async function reverifyMailboxes(ctx: Context): Promise<number> {
  for (let tried = 0; ; tried++) {
    const now = ctx.clock.now()
    const mailbox = await ctx.db.inTransaction(tx => takeToVerify(tx, now, new Date(now.getTime() + TRY_TAKES_AT_MOST_MS)))
    if (!mailbox) return tried
    const verification = await tryMailbox(ctx, mailbox, { testMessage: false })
    await ctx.db.inTransaction(tx => noteTriedAgain(tx, mailbox, verification, ctx.clock.now()))
  }
}
