import type { Context } from '../../context/context.ts'
import { DateTime, nullable, strict } from '../../http/schema.ts'
import { Again, type OperationTasks, outsideTask } from '../../operations/tasks.ts'
import { advanceClock, type Stage } from './advance-tasks.ts'
import { ClockAdvance } from './schema.ts'

/** When a worker stops, the next one continues to advance the clock. */
export const clockTasks = (openStage: (ctx: Context) => Stage, stopping: AbortSignal): OperationTasks => ({
  'sandbox.advance_clock': outsideTask(strict({ target: nullable(DateTime) }), ClockAdvance, {
    async run(ctx, { id, workspaceId, input }) {
      const stage = openStage(ctx)
      try {
        const target = input.target === null ? null : new Date(input.target)
        const { stoppedBy, ...happened } = await advanceClock(ctx, stage, { operationId: id, workspaceId, target }, stopping)
        return async () => (stoppedBy === 'stopped' ? new Again(0) : { stoppedBy, ...happened })
      } finally {
        await stage.close()
      }
    },
    leaves: 'The clock may have been advanced in part.',
  }),
})
