import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { assertCountedRightly } from '../../../test/contract/stored-check.ts'
import { createTestDatabase } from '../../../test/harness.ts'
import { Database } from '../../db/client.ts'
import { clearQueueCounts } from './queue-count-queries.ts'

describe('the counts of leads that wait for their first message', () => {
  const [workspaceId, campaignId, otherId] = [randomUUID(), randomUUID(), randomUUID()]
  let connectionString: string
  let client: pg.Client
  let second: pg.Client

  before(async () => {
    connectionString = await createTestDatabase()
    client = new pg.Client({ connectionString })
    second = new pg.Client({ connectionString })
    await Promise.all([client.connect(), second.connect()])
    await client.query(`insert into workspaces (id, name) values ($1, 'w')`, [workspaceId])
    await client.query(`insert into campaigns (id, workspace_id, name) select unnest($1::uuid[]), $2, 'c'`, [
      [campaignId, otherId],
      workspaceId,
    ])
    await client.query(
      `insert into leads (id, workspace_id, campaign_id, email, email_hash, domain_hash, status, due_at, timezone, source)
       select gen_random_uuid(), $1, $2, n || '@a.example', '', '', 'not_yet_contacted',
         case when n % 5 > 0 then timestamptz '2026-03-02 09:00:30Z' + n % 4 * interval '20 seconds' end,
         case when n % 3 > 0 then 'Asia/Tokyo' end, 'manual'
       from generate_series(1, 300) as n`,
      [workspaceId, campaignId],
    )
  })
  after(() => Promise.all([client.end(), second.end()]))

  const total = async (): Promise<number> =>
    (await client.query('select coalesce(sum(count), 0)::int as n from lead_queue_counts')).rows[0].n
  const numbered = (n: string) => `email in (select i || '@a.example' from ${n} as i)`

  it('are what counting them gives, whatever is done with leads', async () => {
    assert.equal(await total(), 240)
    const changes = [
      `update leads set due_at = null where ${numbered('generate_series(1, 40)')}`,
      `update leads set due_at = '2026-03-02 09:00:59Z' where ${numbered('generate_series(1, 20)')}`,
      `update leads set hold_reason = 'mailbox_gap' where ${numbered('generate_series(11, 60)')}`,
      `update leads set hold_reason = null where ${numbered('generate_series(11, 20)')}`,
      `update leads set timezone = 'Europe/Berlin' where ${numbered('generate_series(50, 120)')}`,
      `update leads set provider_id = gen_random_uuid(), next_step = 1 where ${numbered('generate_series(100, 150)')}`,
      `update leads set provider_id = null where ${numbered('generate_series(120, 150)')}`,
      `update leads set campaign_id = '${otherId}' where ${numbered('generate_series(160, 180)')}`,
      `with gone as (delete from leads where ${numbered('generate_series(181, 185)')} returning id)
       update leads set due_at = null where ${numbered('generate_series(186, 190)')} and exists (select from gone)`,
      `delete from leads where ${numbered('generate_series(191, 210)')}`,
    ]
    for (const change of changes) {
      await client.query(change)
      await assertCountedRightly(client)
    }
  })

  it('stay right when transactions change the same minute at once, do not wait for each other, and one of them is undone', async () => {
    for (const end of ['commit', 'rollback']) {
      await client.query('begin')
      await client.query(`update leads set due_at = null where ${numbered('generate_series(220, 239)')}`)
      // Would wait for the other transaction, and so for ever, if the two shared a row.
      await second.query(`update leads set due_at = null where ${numbered('generate_series(240, 259)')}`)
      await client.query(end)
      await assertCountedRightly(client)
      await second.query(`update leads set due_at = '2026-03-02 09:01:00Z' where ${numbered('generate_series(240, 259)')}`)
      await assertCountedRightly(client)
    }
  })

  it('stay right under many changes of one minute from four connections', async () => {
    const toggle = `update leads set due_at = case when due_at is null then timestamptz '2026-03-02 09:01:00Z' end where email = $1`
    const connections = await Promise.all(
      [0, 1, 2, 3].map(async () => {
        const connection = new pg.Client({ connectionString })
        await connection.connect()
        return connection
      }),
    )
    await Promise.all(
      connections.map(async (connection, c) => {
        for (let n = 0; n < 50; n++) await connection.query(toggle, [`${211 + c + 4 * (n % 20)}@a.example`])
        await connection.end()
      }),
    )
    await assertCountedRightly(client)
  })

  it('are gone when everybody is', async () => {
    await client.query('delete from campaigns where id = any($1)', [[campaignId, otherId]])
    await assertCountedRightly(client)
    const db = new Database({ url: connectionString, poolSize: 1, onWake: () => {} })
    await db.inTransaction(clearQueueCounts)
    await db.close()
    assert.equal((await client.query('select count(*)::int as n from lead_queue_counts')).rows[0].n, 0)
  })
})
