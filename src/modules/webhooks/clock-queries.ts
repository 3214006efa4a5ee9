import { sql, type Tx } from '../../db/client.ts'

const PULL_FORWARD = sql(`
  update deliveries
  set due_at = now(), created_at = now()
  where status = 'pending'
    and worker_id is null
    and due_at > now()
    and created_at > now() + interval '1 minute'`)

/** A delivery with a creation time in the future was made before the clock was set back; it is due. */
export const pullDeliveriesForward = (tx: Tx): Promise<number> => tx.run(PULL_FORWARD)
