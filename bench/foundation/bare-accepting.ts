import { randomUUID } from 'node:crypto'
import { registry } from '../../src/app/routes.ts'
import { Database } from '../../src/db/client.ts'
import { newId } from '../../src/lib/ids.ts'
import { acceptOperations } from '../../src/operations/queries.ts'
import { CAMPAIGNS, campaignId } from './seed.ts'

const rules = {
  accept: registry.accept,
  changeStatus: registry.actions.having('changesStatus'),
  maxOpen: Number.MAX_SAFE_INTEGER,
  onlyRead: [],
}

interface Task {
  databaseUrl: string
  workspaceId: string
  connections: number
  durationMs: number
}

/** The statement that accepts, without HTTP, tokens, checks or batches: as many connections as the API has clients. */
async function run({ databaseUrl, workspaceId, connections, durationMs }: Task): Promise<{ perSecond: number }> {
  const db = new Database({ url: databaseUrl, poolSize: connections, onWake: () => {} })
  const tokenId = randomUUID()
  let count = 0
  const acceptUntil = async (endAt: number): Promise<void> => {
    while (performance.now() < endAt) {
      const operation = { id: newId(), workspaceId, action: 'campaign.duplicate', campaignId: campaignId(1 + (count % CAMPAIGNS)) }
      const rest = { allowedStatuses: null, input: { name: 'A copy' }, key: randomUUID(), fingerprint: randomUUID(), tokenId }
      await acceptOperations(db, [{ ...operation, ...rest }], rules)
      count++
    }
  }
  const all = (endAt: number): Promise<unknown> => Promise.all(Array.from({ length: connections }, () => acceptUntil(endAt)))
  await all(performance.now() + 500)
  count = 0
  await all(performance.now() + durationMs)
  const perSecond = count / (durationMs / 1000)
  await db.close()
  return { perSecond }
}

process.once('message', task => {
  void run(task as Task).then(result => process.send!(result, () => process.disconnect()))
})
