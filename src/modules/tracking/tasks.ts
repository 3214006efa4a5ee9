import type { Context } from '../../context/context.ts'
import { strict } from '../../http/schema.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { Type } from '../../lib/type.ts'
import { type OperationTasks, outsideTask } from '../../operations/tasks.ts'
import { takeDueHost } from './queries.ts'
import { TrackingHostResult } from './schema.ts'
import { claimHost, getTrackingHost, lookAtHost, recordLook } from './tracking-hosts.ts'

export const trackingHostTasks: OperationTasks = {
  'tracking_host.set': outsideTask(strict({ host: Type.String() }), TrackingHostResult, {
    async run(ctx, { workspaceId, input: { host } }) {
      await ctx.db.inTransaction(tx => claimHost(tx, workspaceId, host, ctx.clock.now()))
      const look = await lookAtHost(ctx, host)
      return async tx => {
        await recordLook(tx, workspaceId, host, look, { isAsked: true, now: ctx.clock.now() })
        return { trackingHost: await getTrackingHost(ctx, tx, workspaceId) }
      }
    },
  }),
}

const LOOK_TAKES_AT_MOST_MS = MINUTE_MS

/** Checks the hosts: once a day while they work, and more often while they do not. */
export async function reverifyTrackingHosts(ctx: Context): Promise<number> {
  for (let looked = 0; ; looked++) {
    const now = ctx.clock.now()
    const due = await ctx.db.inTransaction(tx => takeDueHost(tx, now, new Date(now.getTime() + LOOK_TAKES_AT_MOST_MS)))
    if (!due) return looked
    const look = await lookAtHost(ctx, due.host)
    await ctx.db.inTransaction(tx => recordLook(tx, due.workspaceId, due.host, look, { isAsked: false, now: ctx.clock.now() }))
  }
}
