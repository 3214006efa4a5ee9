import { sql, type Tx } from '../db/client.ts'

const PULL_FORWARD = sql(`
  update operations
  set run_at = now()
  where status in ('queued', 'running')
    and worker_id is null
    and run_at > now() + interval '5 minutes'`)

/** No operation is ever put off for that long: the clock was set back, and it would wait until that time comes again. */
export const pullOperationsForward = (tx: Tx): Promise<number> => tx.run(PULL_FORWARD)
