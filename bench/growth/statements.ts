import type { Database } from '../../src/db/client.ts'
import type { Tx } from '../../src/db/sql.ts'
import { deleteChunksOfFinishedImports } from '../../src/modules/leads/import-queries.ts'
import { takeCompleted } from '../../src/modules/leads/queue-queries.ts'
import { releaseInboxesOfDeadWorkers } from '../../src/modules/mailboxes/queries.ts'
import { listDueCampaigns, takeDueLeads } from '../../src/modules/sending/claim-queries.ts'
import { doubtDeadSends, releaseDeadClaims, takeDoubtfulSends } from '../../src/modules/sending/queries.ts'
import { claimDeliveries, fanOut, forgetDeliveries, releaseDeliveriesOfDeadWorkers } from '../../src/modules/webhooks/queries.ts'
import { claimOperations, deleteOldOperations, releaseOperationsOfDeadWorkers } from '../../src/operations/claim-queries.ts'
import { CAMPAIGN } from './fill.ts'

const now = new Date()
const longAgo = new Date(0)
const claimLimits = { total: 100, perEndpoint: 10, perFailingEndpoint: 1, perWorkspace: 256 }

/** The repeated queries of the worker. */
const WORK: Record<string, (tx: Tx) => Promise<unknown>> = {
  'claim of operations': tx => claimOperations(tx, 1, 100),
  'claim of deliveries': tx => claimDeliveries(tx, 1, claimLimits, { ofEndpoints: new Map(), ofWorkspaces: new Map() }),
  'claim of messages': async tx => {
    await listDueCampaigns(tx, now)
    await takeDueLeads(tx, [{ campaignId: CAMPAIGN, mailboxId: null, room: 50 }], now)
  },
  'fan-out of 100 events': tx => fanOut(tx, { endpoints: 10, events: 100 }),
  'sweep of dead workers': async tx => {
    await releaseOperationsOfDeadWorkers(tx)
    await releaseDeliveriesOfDeadWorkers(tx)
    await releaseDeadClaims(tx)
    await doubtDeadSends(tx, now)
    await releaseInboxesOfDeadWorkers(tx)
  },
  'clean-up of old operations and deliveries': async tx => {
    await deleteOldOperations(tx, longAgo, 1000, [])
    await forgetDeliveries(tx, longAgo, 1000)
    await deleteChunksOfFinishedImports(tx)
  },
  'leads that are done, messages in doubt': async tx => {
    await takeCompleted(tx, now, 100)
    await takeDoubtfulSends(tx, now, now, 10)
  },
}

class Undone extends Error {}

/** Each as work that leaves nothing behind. */
export const statements = (db: Database): [what: string, ask: () => Promise<void>][] =>
  Object.entries(WORK).map(([what, work]) => [
    what,
    async () => {
      const undo = db.inTransaction(async tx => {
        await work(tx)
        throw new Undone()
      })
      await undo.catch(error => {
        if (!(error instanceof Undone)) throw error
      })
    },
  ])
