import { HOUR_MS } from '../../lib/time.ts'
import { clearInput } from '../../operations/queries.ts'
import { noteStep, type OperationTasks, outsideTask } from '../../operations/tasks.ts'
import { type ErasePerson, type ErasureCounts, NOTHING_ERASED, openAddress } from './erasures.ts'
import { ErasureResult, SealedAddress } from './schema.ts'

/** A long log takes a while to go through. */
const TIMEOUT_MS = HOUR_MS

export const erasureTasks = (erasePerson: ErasePerson): OperationTasks => ({
  'person.erase': outsideTask(SealedAddress, ErasureResult, {
    timeoutMs: TIMEOUT_MS,
    async run(ctx, operation, signal) {
      const { id, workspaceId, input } = operation
      const counting = { before: (operation.checkpoint as ErasureCounts | null) ?? NOTHING_ERASED, save: noteStep(operation) }
      const counts = await erasePerson(ctx, workspaceId, openAddress(ctx.secrets, workspaceId, input), signal, counting)
      return async tx => {
        await clearInput(tx, id)
        return counts
      }
    },
    abandon: async (tx, _ctx, { id }) => void (await clearInput(tx, id)),
    leaves: 'Some data may already be erased. Repeat the request to erase the rest.',
  }),
})
