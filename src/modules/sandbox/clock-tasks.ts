import type { Context } from '../../context/context.ts'
import { DateTime, nullable, strict } from '../../http/schema.ts'
import { Again, type OperationTasks, outsideTask } from '../../operations/tasks.ts'
import { advanceClock, type Stage } from './advance-tasks.ts'

/** A worker that stops gives the rest of the way to the next one. */
export const clockTasks = (openStage: (ctx: Context) => Stage, stopping: AbortSignal): OperationTasks => ({
  'sandbox.advance_clock': outsideTask(strict({ target: nullable(DateTime) }), {
    async run(ctx, { id, workspaceId, input }) {
      const stage = openStage(ctx)
      try {
        const target = input.target === null ? null : new Date(input.target)
        const result = await advanceClock(ctx, stage, { operationId: id, workspaceId, target }, stopping)
        return async () => (result.stoppedBy === 'stopped' ? new Again(0) : result)
      } finally {
        await stage.close()
      }
    },
  }),
})
