import { sql, type Tx } from '../../db/client.ts'

const PULL_FORWARD = sql(`
  update deliveries
  set due_at = now(), created_at = now()
  where status = 'pending'
    and worker_id is null
    and due_at > now()
    and created_at > now() + interval '1 minute'`)

/** A delivery that was made in the future was made before the clock was set back. It is due. */
export const pullDeliveriesForward = (tx: Tx): Promise<number> => tx.run(PULL_FORWARD)
