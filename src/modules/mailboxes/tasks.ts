import type { Context } from '../../context/context.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { connectProvider, noteStillDisconnected } from './connection.ts'
import { takeToVerify } from './connection-queries.ts'
import { problemOf, tryMailbox } from './verify.ts'

const TRY_TAKES_AT_MOST_MS = 5 * MINUTE_MS

/** Mailboxes that were disconnected are tried again by themselves, ever more rarely; one that works again goes on. */
export async function reverifyMailboxes(ctx: Context): Promise<number> {
  for (let tried = 0; ; tried++) {
    const now = ctx.clock.now()
    const mailbox = await ctx.db.inTransaction(tx => takeToVerify(tx, now, new Date(now.getTime() + TRY_TAKES_AT_MOST_MS)))
    if (!mailbox) return tried
    const verification = await tryMailbox(ctx, mailbox, { testMessage: false })
    await ctx.db.inTransaction(async tx => {
      if (verification.ok) await connectProvider(tx, mailbox.id, null, ctx.clock.now())
      else await noteStillDisconnected(tx, mailbox.id, mailbox.verifyAttempts, problemOf(verification), ctx.clock.now())
    })
  }
}
