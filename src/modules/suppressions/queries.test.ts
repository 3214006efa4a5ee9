import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createTestDatabase } from '../../../test/harness.ts'
import { Database } from '../../db/client.ts'
import type { Db, Sql } from '../../db/sql.ts'
import { listOpenEntries } from '../explaining/queries.ts'
import { hasMailable } from '../leads/queries.ts'
import { whichAreSuppressed } from './queries.ts'

const COUNT = 3000

interface Node {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: Node[]
}

/** How many rows all the steps of a plan have handed on or thrown away. */
const rowsOf = (node: Node): number =>
  node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) +
  (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0)

describe('suppression', () => {
  const [workspaceId, campaignId] = [randomUUID(), randomUUID()]
  const hashes = Array.from({ length: COUNT }, () => ({ email: randomBytes(32), domain: randomBytes(32) }))
  let db: Database

  before(async () => {
    db = new Database({ url: await createTestDatabase(), poolSize: 2, onWake: () => {} })
    const { pool } = db
    await pool.query(`insert into workspaces (id, name) values ($1, 'w')`, [workspaceId])
    await pool.query(`insert into campaigns (id, workspace_id, name) values ($1, $2, 'c')`, [campaignId, workspaceId])
    const [emails, domains] = [hashes.map(({ email }) => email), hashes.map(({ domain }) => domain)]
    await pool.query(
      `insert into leads (id, workspace_id, campaign_id, email, email_hash, domain_hash, source)
       select gen_random_uuid(), $1, $2, n || '@example.com', email, domain, 'manual'
       from unnest($3::bytea[], $4::bytea[]) with ordinality as r(email, domain, n)`,
      [workspaceId, campaignId, emails, domains],
    )
    // Everyone is suppressed, every second one only by the domain: nothing may be overlooked, and nothing found early.
    await pool.query(
      `insert into suppressions (id, workspace_id, kind, hash, reason)
       select gen_random_uuid(), $1, case when n % 2 = 0 then 'email' else 'domain' end, case when n % 2 = 0 then email else domain end, 'manual'
       from unnest($2::bytea[], $3::bytea[]) with ordinality as r(email, domain, n)`,
      [workspaceId, emails, domains],
    )
  })
  after(() => db.close())

  /** Runs a query, and counts the rows that its plan reads. */
  async function rowsFor(ask: (db: Db) => Promise<unknown>): Promise<number> {
    let rows = 0
    const explain = async (statement: Sql, values: readonly unknown[] = []): Promise<void> => {
      const { rows: found } = await db.pool.query(`explain (analyze, timing off, format json) ${statement.text}`, values as unknown[])
      rows += rowsOf(found[0]['QUERY PLAN'][0].Plan)
    }
    await ask({
      many: (statement, values) => explain(statement, values).then(() => db.many(statement, values)),
      first: (statement, values) => explain(statement, values).then(() => db.first(statement, values)),
      find: (what, keys) => db.find(what, keys),
    })
    return rows
  }

  it('applies to every lead, by address or domain', async () => {
    assert.equal(await hasMailable(db, campaignId), false)
    assert.equal((await whichAreSuppressed(db, workspaceId, hashes)).size, COUNT)
    const entries = await listOpenEntries(db, campaignId, telling)
    assert.deepEqual([entries.length, entries[0]!.suppressed, entries[0]!.count], [1, true, COUNT])
    const others = hashes.slice(0, 10).map(() => ({ email: randomBytes(32), domain: randomBytes(32) }))
    assert.equal((await whichAreSuppressed(db, workspaceId, [...others, hashes[0]!])).size, 1)
  })

  const telling = { now: new Date(), byZone: true, crowdedFrom: null, recentDomains: [], detailed: [], except: [] }
  const questions: [what: string, ask: (db: Db) => Promise<unknown>][] = [
    ['whether a campaign has anybody to write to', asked => hasMailable(asked, campaignId)],
    ['which of many addresses are suppressed', asked => whichAreSuppressed(asked, workspaceId, hashes)],
    ['what holds for every lead of a campaign', asked => listOpenEntries(asked, campaignId, telling)],
  ]
  for (const [what, ask] of questions) {
    it(`is checked without comparing every lead with every suppression: ${what}`, async () => {
      // Right after an import PostgreSQL knows nothing about the tables, and plans differently.
      for (const statistics of ['unknown', 'known']) {
        if (statistics === 'known') await db.pool.query('analyze leads, suppressions')
        const rows = await rowsFor(ask)
        assert.ok(rows < 20 * COUNT, `${rows} rows were gone through for ${COUNT} leads and ${COUNT} suppressions (${statistics})`)
      }
    })
  }
})
