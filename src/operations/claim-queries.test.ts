import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../test/harness.ts'

describe('the claim of an operation', () => {
  it('changes nothing that an index mentions, in its columns or its condition', async () => {
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

  it('finds open operations by completed_at alone, because no operation can end without it or have it before', async () => {
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
})
