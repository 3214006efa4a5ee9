import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../test/harness.ts'
import { Database } from '../db/client.ts'
import type { AtomicSql, Writer } from '../db/sql.ts'
import { claimDeliveries } from '../modules/webhooks/queries.ts'
import { type ClaimRules, claimIsolated, claimOperations, lookAgainLater, releaseOperationsOfDeadWorkers } from './claim-queries.ts'

describe('the claim of an operation', () => {
  it('changes no indexed column or condition', async () => {
    const client = new pg.Client({ connectionString: await createTestDatabase() })
    await client.connect()
    after(() => client.end())
    const { rows } = await client.query(`
      select distinct a.attname as name
      from pg_index i
      join pg_depend d on d.objid = i.indexrelid and d.refobjid = i.indrelid
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = d.refobjsubid
      where i.indrelid = 'operations'::regclass`)
    const mentioned = new Set(rows.map(({ name }) => name))
    assert.ok(mentioned.has('completed_at'), 'conditions of indexes are found')
    const changed = ['status', 'worker_id', 'attempts', 'progress', 'started_at']
    assert.deepEqual(
      changed.filter(name => mentioned.has(name)),
      [],
    )
  })

  it('finds open operations by completed_at alone, because only ended operations have it', async () => {
    const client = new pg.Client({ connectionString: await createTestDatabase() })
    await client.connect()
    after(() => client.end())
    const insert = (status: string, error: string | null, completedAt: string | null) =>
      client.query(
        `insert into operations (id, workspace_id, action, status, error, completed_at)
         values (gen_random_uuid(), gen_random_uuid(), 'campaign.pause', $1, $2, $3)`,
        [status, error, completedAt],
      )
    const now = new Date().toISOString()
    for (const [status, error] of [
      ['queued', null],
      ['running', null],
      ['succeeded', null],
      ['failed', '{}'],
    ] as const) {
      const isEnded = status === 'succeeded' || status === 'failed'
      await insert(status, error, isEnded ? now : null)
      await assert.rejects(insert(status, error, isEnded ? null : now), /violates check constraint/, status)
    }
  })

  it('and of a delivery finds what is due at this very moment, at any fraction of a millisecond', async () => {
    const { db } = await open()
    const [workspaceId, endpointId] = [randomUUID(), randomUUID()]
    await db.pool.query(`insert into workspaces (id, name) values ($1, 'Due')`, [workspaceId])
    await db.pool.query(
      `insert into webhook_endpoints (id, workspace_id, url, events, secret, cursor_seq) values ($1, $2, 'https://a.example', '{}', '', 0)`,
      [endpointId, workspaceId],
    )
    for (let n = 0; n < 20; n++) {
      // now() is the same in a whole transaction.
      await db.inTransaction(async tx => {
        const here = {
          write: async (statement: AtomicSql, values: unknown[]) => (await tx.query(statement, values)).rows,
        } as unknown as Writer
        await tx.client.query(
          `insert into operations (id, workspace_id, action, status) values (gen_random_uuid(), gen_random_uuid(), 'campaign.pause', 'queued')`,
        )
        assert.equal((await claimOperations(here, 1, 1)).length, 1)
        await tx.client.query(
          `insert into deliveries (id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, due_at)
           values (gen_random_uuid(), $1, $2, 1, gen_random_uuid(), 'lead.replied', 1, now())`,
          [workspaceId, endpointId],
        )
        const limits = { total: 100, perEndpoint: 100, perFailingEndpoint: 100, perWorkspace: 100 }
        await claimDeliveries(here, 1, limits, { ofEndpoints: new Map(), ofWorkspaces: new Map() })
        assert.equal((await tx.client.query('select from deliveries where worker_id is null')).rowCount, 0)
      })
    }
  })

  it('alternates between workspaces, keeps the order of each campaign, and claims one operation per campaign at a time', async () => {
    const { add, claim, db } = await open()
    const [one, other, campaign] = [randomUUID(), randomUUID(), randomUUID()]
    for (let n = 0; n < 20; n++) await add(`one ${n}`, one)
    await add('other 0', other)
    await add('lane 0', other, { campaignId: campaign })
    await add('lane 1', other, { campaignId: campaign })
    const [first, second, third] = [await claim(1, 2), await claim(2, 3), await claim(3, 128)]
    assert.deepEqual(
      [first.sort(), second.sort()],
      [
        ['one 0', 'other 0'],
        ['lane 0', 'one 1', 'one 2'],
      ],
    )
    assert.deepEqual([third.length, third.includes('lane 1')], [17, false])
    await db.pool.query(`update operations set status = 'succeeded', completed_at = now(), worker_id = null where fingerprint = 'lane 0'`)
    assert.deepEqual(await claim(4, 128), ['lane 1'])
  })

  it('of a change does not wait for reads of the campaign, which wait for earlier changes', async () => {
    const { add, claim, db } = await open()
    const [workspace, campaignId] = [randomUUID(), randomUUID()]
    const rules = {
      outsideActions: [],
      outsideRoom: 0,
      largeRoom: 1,
      crowdedWorkspaces: [],
      onlyRead: ['lead_search.preview'],
      maxOpen: 10,
    }
    for (const name of ['read 0', 'read 1']) await add(name, workspace, { campaignId, action: 'lead_search.preview' })
    await add('pause', workspace, { campaignId })
    await add('read 2', workspace, { campaignId, action: 'lead_search.preview' })
    assert.deepEqual(await claim(1, 1, rules), ['read 0'])
    assert.deepEqual((await claim(2, 128, rules)).sort(), ['pause', 'read 1'])
    assert.deepEqual(await claim(3, 128, rules), [])
    await db.pool.query(`update operations set status = 'succeeded', completed_at = now(), worker_id = null where fingerprint = 'pause'`)
    assert.deepEqual(await claim(4, 128, rules), ['read 2'])
  })

  it('leaves room for other workspaces when work uses the network, and takes one large operation at a time', async () => {
    const { add, claim } = await open()
    const [one, other] = [randomUUID(), randomUUID()]
    for (let n = 0; n < 5; n++) await add(`call ${n}`, one, { action: 'provider.verify' })
    await add('other call', other, { action: 'provider.verify' })
    for (let n = 0; n < 2; n++) await add(`large ${n}`, one, { isLarge: true })
    const rules = { outsideActions: ['provider.verify'], outsideRoom: 3, largeRoom: 1, crowdedWorkspaces: [], onlyRead: [], maxOpen: 10 }
    assert.deepEqual((await claim(1, 128, rules)).sort(), ['call 0', 'call 1', 'large 0', 'other call'])
    assert.deepEqual(await claim(2, 128, { ...rules, largeRoom: 0, crowdedWorkspaces: [one] }), [])
    assert.deepEqual((await claim(3, 128, { ...rules, largeRoom: 0 })).sort(), ['call 2', 'call 3', 'call 4'])
  })

  it('of a dead worker counts against an operation only if it was alone, and otherwise tries each alone first', async () => {
    const { add, claim, db } = await open()
    const stateOf = async (name: string) =>
      (await db.pool.query('select attempts, suspicion from operations where fingerprint = $1', [name])).rows[0]
    const die = async () => {
      await db.inTransaction(releaseOperationsOfDeadWorkers)
      await db.pool.query('update operations set run_at = now()')
    }
    await add('a', randomUUID())
    await add('b', randomUUID())
    for (let deaths = 1; deaths <= 3; deaths++) {
      assert.equal((await claim(deaths, 128)).length, 2)
      await die()
      assert.deepEqual(await stateOf('a'), { attempts: 0, suspicion: deaths })
    }
    assert.deepEqual(await claim(4, 128), [], 'both are tried alone now')
    const [isolated] = await claimIsolated(db, 5)
    await die()
    assert.deepEqual(await stateOf(isolated!.fingerprint!), { attempts: 1, suspicion: 4 })
    assert.deepEqual(await claim(6, 128), [isolated!.fingerprint], 'it is known to be a killer, and the other is still tried alone')
    const [second] = await claimIsolated(db, 6)
    await die()
    assert.deepEqual(await stateOf(isolated!.fingerprint!), { attempts: 2, suspicion: 4 })
    assert.deepEqual(await stateOf(second!.fingerprint!), { attempts: 0, suspicion: 3 })
    await claim(7, 128)
    assert.equal(await db.inTransaction(tx => lookAgainLater(tx, 7, isolated!.id, 0, true)), true)
    assert.deepEqual(await stateOf(isolated!.fingerprint!), { attempts: 0, suspicion: 0 }, 'it has come further')
  })
})

describe('a worker that seems dead while it ends an operation', () => {
  it('keeps its operations until they are unlocked, and no other operation waits for it', async () => {
    const { add, claim, db } = await open()
    for (const name of ['a', 'b']) await add(name, randomUUID())
    assert.equal((await claim(1, 128)).length, 2)
    const held = async () => (await db.pool.query('select count(*)::int as n from operations where worker_id = 1')).rows[0].n
    await db.inTransaction(async ending => {
      await ending.client.query("select from operations where fingerprint = 'a' for update")
      await db.inTransaction(releaseOperationsOfDeadWorkers)
    })
    assert.equal(await held(), 2)
    await db.inTransaction(releaseOperationsOfDeadWorkers)
    assert.equal(await held(), 0)
  })
})

/** The name of an operation is its fingerprint. */
async function open() {
  const db = new Database({ url: await createTestDatabase(), poolSize: 2, onWake: () => {} })
  after(() => db.close())
  const add = (name: string, workspaceId: string, more: { campaignId?: string; action?: string; isLarge?: boolean } = {}) =>
    db.pool.query(
      `insert into operations (id, workspace_id, action, status, campaign_id, fingerprint, is_large) values ($1, $2, $3, 'queued', $4, $5, $6)`,
      [randomUUID(), workspaceId, more.action ?? 'campaign.pause', more.campaignId ?? null, name, more.isLarge ?? false],
    )
  const claim = async (workerId: number, limit: number, rules?: ClaimRules) =>
    (await claimOperations(db, workerId, limit, rules)).map(({ fingerprint }) => fingerprint!)
  return { db, add, claim }
}
