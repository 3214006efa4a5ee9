import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../test/harness.ts'
import { Database } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { sql } from '../../db/sql.ts'
import { listReplies } from './inbox-queries.ts'

const COUNT = 700

/** The text of the reply with this number; number 1 is the newest. */
function textOf(n: number): string {
  if (n === 650) return 'The ÉLAN of purple umbrellas'
  if (n === 10) return 'at 100% of a_b, c:\\temp'
  return n % 2 === 0 ? 'Thank you, and goodbye.' : 'Thanks'
}

describe('a search for words in replies', () => {
  const [workspaceId, elsewhere] = [randomUUID(), randomUUID()]
  let admin: pg.Client
  let indexed: Database
  let plain: Database

  before(async () => {
    const ownUrl = await createTestDatabase()
    const strangerUrl = await createTestDatabase({ isEmpty: true })
    admin = new pg.Client({ connectionString: strangerUrl })
    await admin.connect()
    // May make tables, and no extensions: as if the server had none.
    await admin.query(`revoke create on database ${admin.database} from current_user`)
    await migrate(strangerUrl)
    for (const target of [ownUrl, strangerUrl]) {
      const client = new pg.Client({ connectionString: target })
      await client.connect()
      await fill(client)
      await client.end()
    }
    indexed = new Database({ url: ownUrl, poolSize: 1, onWake: () => {} })
    plain = new Database({ url: strangerUrl, poolSize: 1, onWake: () => {} })
  })

  after(async () => {
    await indexed?.close()
    await plain?.close()
    await admin?.end()
  })

  async function fill(client: pg.Client): Promise<void> {
    const mailboxId = randomUUID()
    for (const id of [workspaceId, elsewhere]) await client.query("insert into workspaces (id, name) values ($1, 'Home')", [id])
    await client.query(
      `insert into providers (id, workspace_id, kind, name, from_name, from_email, postal_address, status, daily_cap, min_gap_seconds, connected_at)
       values ($2, $1, 'sandbox', 'Sam', 'Sam', 'sam@home.example', 'Street 1', 'connected', 100, 60, now())`,
      [workspaceId, mailboxId],
    )
    const texts = Array.from({ length: COUNT }, (_, index) => textOf(index + 1))
    await client.query(
      `insert into inbound_messages (id, workspace_id, provider_id, dedupe_key, kind, from_address, subject, text, received_at)
       select gen_random_uuid(), $1, $2, n::text, case when n = 651 then 'bounce' else 'neutral' end, n || '@there.example', 'Re: Hello', text,
         '2026-01-01'::timestamptz - n * interval '1 minute'
       from unnest($3::text[]) with ordinality as t(text, n)`,
      [workspaceId, mailboxId, texts],
    )
    await client.query('analyze inbound_messages')
  }

  async function found(q: string, at = workspaceId): Promise<(string | null)[]> {
    const lists = await Promise.all([indexed, plain].map(db => listReplies(db, at, { q }, { limit: 50, after: null })))
    const [first, second] = lists.map(rows => rows.map(row => row.fromAddress))
    assert.deepEqual(second, first, `${q}: without the index`)
    return first!
  }

  it('finds rare words, however old, and frequent words, newest first, with and without the index', async () => {
    assert.deepEqual(await found('PURPLE umb'), ['650@there.example'])
    assert.deepEqual(await found('650@THERE'), ['650@there.example'])
    const many = await found('thank')
    assert.equal(many.length, 51)
    assert.deepEqual(many.slice(0, 3), ['1@there.example', '2@there.example', '3@there.example'])
    assert.deepEqual(await found('zzzzzz'), [])
    assert.deepEqual(await found('thank', elsewhere), [])
    assert.deepEqual(await found('651@there'), [], 'a bounce is no reply')
  })

  it('treats every character literally', async () => {
    for (const q of ['100%', 'a_b', 'c:\\temp', '%', '_', '\\', '0% of']) assert.deepEqual(await found(q), ['10@there.example'], q)
    assert.deepEqual(await found('1_0@'), [])
  })

  it('has an index if pg_trgm is available and permitted, or as soon as it is added', async () => {
    const count = sql(`
      select count(*)::int as count
      from pg_indexes
      where indexname = 'replies_by_words'`)
    assert.deepEqual(await indexed.many(count, []), [{ count: 1 }])
    assert.deepEqual(await plain.many(count, []), [{ count: 0 }])
    assert.deepEqual((await admin.query('select create_search_indexes() as "isMade"')).rows, [{ isMade: false }])
    await admin.query(`grant create on database ${admin.database} to current_user`)
    await admin.query('create schema extensions')
    await admin.query('create extension pg_trgm schema extensions')
    assert.deepEqual((await admin.query('select create_search_indexes() as "isMade"')).rows, [{ isMade: true }])
    assert.deepEqual(await plain.many(count, []), [{ count: 1 }])
    assert.deepEqual(await found('purple umbrellas'), ['650@there.example'])
  })
})
