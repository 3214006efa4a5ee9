import { sql, type Tx } from '../../db/client.ts'
import { LIVE_WORKERS } from '../../queue/identity.ts'

const RELEASE_DEAD = sql(`
  update providers set inbox_worker_id = null where inbox_worker_id is not null and inbox_worker_id not in (${LIVE_WORKERS})`)

/** Inboxes that dead workers were reading are free again. */
export const releaseInboxesOfDeadWorkers = (tx: Tx): Promise<number> => tx.run(RELEASE_DEAD)
