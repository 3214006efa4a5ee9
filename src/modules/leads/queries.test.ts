import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createTestDatabase } from '../../../test/harness.ts'
import { Database } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { findLeadByAddress, insertLeads } from './queries.ts'

describe('the address of a lead', () => {
  const [workspaceId, campaignId, otherId] = [randomUUID(), randomUUID(), randomUUID()]
  let db: Database

  before(async () => {
    db = new Database({ url: await createTestDatabase(), poolSize: 3, onWake: () => {} })
    await db.inTransaction(async tx => {
      await tx.run(sql(`insert into workspaces (id, name) values ($1, 'w')`), [workspaceId])
      await tx.run(sql(`insert into campaigns (id, workspace_id, name) select unnest($1::uuid[]), $2, 'c'`), [
        [campaignId, otherId],
        workspaceId,
      ])
    })
  })
  after(() => db.close())

  const add = (email: string, toId = campaignId): Promise<number> => {
    const names = { firstName: null, lastName: null, fullName: null, company: null, jobTitle: null, timezone: null }
    const row = { id: randomUUID(), email, emailHash: Buffer.alloc(1), domainHash: Buffer.alloc(1), ...names, variables: {} }
    const batch = { leadListName: null, source: 'manual', now: new Date() } as const
    return db.inTransaction(tx => insertLeads(tx, workspaceId, toId, [row], batch))
  }

  it('is in a campaign once, in any case and with concurrent transactions', async () => {
    const added = await Promise.all(['ann@a.example', 'Ann@A.example', 'ANN@A.EXAMPLE'].map(email => add(email)))
    assert.equal(
      added.reduce((sum, count) => sum + count, 0),
      1,
    )
  })

  it('can be in several campaigns of a workspace, and is found in each of them', async () => {
    assert.deepEqual([await add('ben@a.example'), await add('ben@a.example', otherId)], [1, 1])
    const found = await Promise.all([campaignId, otherId].map(id => findLeadByAddress(db, workspaceId, id, 'ben@a.example')))
    assert.equal(new Set(found).size, 2)
    assert.equal(await findLeadByAddress(db, randomUUID(), campaignId, 'ben@a.example'), undefined)
  })
})
