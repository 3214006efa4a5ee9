import type { OperationTasks } from '../../operations/runner.ts'
import { erasePerson, forgetAddress, openAddress } from './erasures.ts'

/** A long log takes a while to go through. */
const TIMEOUT_MS = 60 * 60_000

export const erasureTasks: OperationTasks = {
  'person.erase': {
    timeoutMs: TIMEOUT_MS,
    async run(ctx, { id, workspaceId, input }, signal) {
      const counts = await erasePerson(ctx, workspaceId, openAddress(ctx.secrets, workspaceId, input), signal)
      return async tx => {
        await forgetAddress(tx, id)
        return counts
      }
    },
    abandon: (tx, _ctx, { id }) => forgetAddress(tx, id),
  },
}
