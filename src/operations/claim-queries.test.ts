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
})
