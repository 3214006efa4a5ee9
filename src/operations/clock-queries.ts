import { sql, type Tx } from '../db/client.ts'

const PULL_FORWARD = sql(`
  update operations
  set run_at = now()
  where completed_at is null
    and worker_id is null
    and run_at > now() + interval '5 minutes'`)

/** No operation is postponed for so long, so the clock was set back: without this, the operation would wait until that time comes again. */
export const pullOperationsForward = (tx: Tx): Promise<number> => tx.run(PULL_FORWARD)
