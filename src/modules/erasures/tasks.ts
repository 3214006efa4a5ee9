import { HOUR_MS } from '../../lib/time.ts'
import { type ErasureCounts, NOTHING_ERASED } from '../../operations/erasing.ts'
import { noteStep } from '../../operations/steps.ts'
import { type OperationTasks, outsideTask } from '../../operations/tasks.ts'
import { erasePerson } from './erase-tasks.ts'
import { forgetAddress, openAddress } from './erasures.ts'
import { ErasureResult, SealedAddress } from './schema.ts'

/** A long log takes a while to go through. */
const TIMEOUT_MS = HOUR_MS

export const erasureTasks: OperationTasks = {
  'person.erase': outsideTask(SealedAddress, ErasureResult, {
    timeoutMs: TIMEOUT_MS,
    async run(ctx, operation, signal) {
      const { id, workspaceId, input } = operation
      const counting = { before: (operation.checkpoint as ErasureCounts | null) ?? NOTHING_ERASED, save: noteStep(operation) }
      const counts = await erasePerson(ctx, workspaceId, openAddress(ctx.secrets, workspaceId, input), signal, counting)
      return async tx => {
        await forgetAddress(tx, id)
        return counts
      }
    },
    abandon: (tx, _ctx, { id }) => forgetAddress(tx, id),
    leaves: 'What was erased before stays erased. Repeat the request for the rest.',
  }),
}
