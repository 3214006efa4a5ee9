import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql, type Tx } from '../../src/db/sql.ts'
import { type ClaimedSend, claimSends } from '../../src/modules/sending/claim.ts'
import { holdActiveCampaigns, markSending } from '../../src/modules/sending/queries.ts'
import { suppress } from '../../src/modules/suppressions/suppressions.ts'
import { WorkerIdentity } from '../../src/queue/identity.ts'
import { eventually } from '../faults/eventually.ts'
import { type LivingOverture, makeCampaign, startLiving } from '../sending.ts'

const ann = { email: 'Ann@people.example', firstName: 'Ann' }
const WAITING = sql(`select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)

/** A transaction that stays open until the test commits it. */
function open<T>(overture: LivingOverture, work: (tx: Tx) => Promise<T>) {
  const worked = Promise.withResolvers<T>()
  const end = Promise.withResolvers<void>()
  const over = overture.ctx.db.inTransaction(async tx => {
    worked.resolve(await work(tx))
    await end.promise
  })
  over.catch(worked.reject)
  return {
    worked: worked.promise,
    async commit() {
      end.resolve()
      await over
    },
  }
}

/** A message that is claimed, and nothing more. The same person is a lead of another campaign, too. */
async function claimOne() {
  const overture = await startLiving()
  const { campaignId } = await makeCampaign(overture, { leads: [ann] })
  await makeCampaign(overture, { leads: [ann], activate: false })
  const { ctx, workspaceId } = overture
  const identity = new WorkerIdentity(overture.ctx.db, ctx.log)
  const workerId = await identity.id()
  const [send] = (await claimSends(ctx, workerId, 10)) as [ClaimedSend]
  // Of a worker that is gone, the claim would be given back meanwhile.
  after(() => identity.close())
  const declare = async (tx: Tx): Promise<number> => {
    await holdActiveCampaigns(tx, [campaignId], [send.leadId])
    return (
      await markSending(tx, workerId, [{ id: send.id, leadId: send.leadId, subject: 'Hi', links: [], text: 'Hi', html: null }], new Date())
    ).size
  }
  const add = (kind: 'email' | 'domain') => (tx: Tx) =>
    suppress(tx, ctx.secrets, workspaceId, { kind, value: kind === 'email' ? ann.email : 'people.example', reason: 'manual' }, new Date())
  const isWaiting = () => eventually('somebody waits for a lock', async () => (await ctx.db.first<{ count: number }>(WAITING))!.count > 0)
  return { overture, declare, add, isWaiting }
}

describe('a suppression at the moment of sending', () => {
  for (const kind of ['email', 'domain'] as const) {
    it(`of the kind ${kind}: delays the message while it is being added, and prevents it once committed`, async () => {
      const { overture, declare, add, isWaiting } = await claimOne()
      const adding = open(overture, add(kind))
      await adding.worked
      const declaring = open(overture, declare)
      await isWaiting()
      await adding.commit()
      assert.equal(await declaring.worked, 0)
      await declaring.commit()
    })

    it(`of the kind ${kind}: waits for a message that is being marked as sending, so that a committed suppression is honored`, async () => {
      const { overture, declare, add, isWaiting } = await claimOne()
      const declaring = open(overture, declare)
      assert.equal(await declaring.worked, 1)
      const adding = open(overture, add(kind))
      await isWaiting()
      assert.deepEqual((await overture.client.get(`${overture.home}/suppressions`)).body.data, [])
      await declaring.commit()
      await adding.worked
      await adding.commit()
      assert.equal((await overture.client.get(`${overture.home}/suppressions`)).body.data.length, 1)
    })
  }
})
