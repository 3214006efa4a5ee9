import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judgeWriters, mapOf, readWriters, tablesOf, writesOf } from './table-writers.ts'

const root = new URL('../..', import.meta.url).pathname

describe('the writer of a table', () => {
  const { tables, writes } = readWriters(root)

  it('is one slice or room for every table', () => {
    assert.deepEqual(judgeWriters(tables, writes), [], `who writes what:\n${mapOf(tables, writes)}`)
    assert.ok(writes.length > 150, `only ${writes.length} writes were found: the reading of the sources is broken`)
    assert.ok(tables.length > 30, `only ${tables.length} tables were found: the reading of the migrations is broken`)
  })

  it('is leads for the progress of a lead, and operations for operations', () => {
    const owner = (table: string) => mapOf([table], writes)
    assert.deepEqual(['leads', 'decisions', 'sends', 'providers', 'operations', 'event_streams'].map(owner), [
      'leads -> leads',
      'decisions -> leads',
      'sends -> sending',
      'providers -> mailboxes',
      'operations -> src/operations',
      'event_streams -> events',
    ])
  })

  const planted: [what: string, statement: string][] = [
    ['an insert', 'insert into leads (id) values ($1)'],
    ['an insert over two lines, in capitals', 'INSERT INTO\n    leads AS l (id) VALUES ($1)'],
    ['an update', 'update leads set due_at = null'],
    ['an update with an alias', 'update leads l\n  set due_at = null'],
    ['an update with a named alias', 'update only leads as l set due_at = null'],
    ['an update of a quoted table in a schema', 'update public."leads" set due_at = null'],
    ['a delete', 'delete from leads where id = $1'],
    ['a write within another statement', 'with gone as (\n    delete from leads using x where true returning 1\n  ) select * from gone'],
    ['a merge', 'merge into leads using x on true when matched then delete'],
    ['a copy from outside', `copy leads (id, \${CELLS}, email) from stdin`],
    ['a truncation', 'truncate leads'],
    ['a truncation of several', 'truncate table events, leads'],
  ]
  for (const [what, statement] of planted) {
    it(`finds ${what} by a second slice`, () => {
      const found = writesOf('src/modules/planted/queries.ts', `const X = sql(\`\n  ${statement}\`)\n`)
      assert.ok(
        found.some(write => write.table === 'leads'),
        JSON.stringify(found),
      )
      const [broken] = judgeWriters(tables, [...writes, ...found]).filter(line => line.startsWith('leads is written by'))
      assert.match(broken ?? '', /planted \(src\/modules\/planted\/queries\.ts:\d+\)/)
    })
  }

  it('cannot be found for a computed name, so computed names are refused', () => {
    const found = writesOf('src/modules/planted/queries.ts', `sql('update \${table} set x = 1'); sql('copy \${target} from stdin')`)
    assert.deepEqual(
      found.map(write => write.table),
      ['?', '?'],
    )
    assert.equal(judgeWriters([], found).length, 2)
  })

  it('must exist: an unwritten table is reported, and so is a write to a missing table', () => {
    const found = writesOf('src/modules/planted/queries.ts', 'sql(`insert into missing values (1)`)')
    assert.deepEqual(judgeWriters(['forgotten'], found), [
      'src/modules/planted/queries.ts:1 writes to missing, which no migration makes',
      'nobody writes to forgotten',
    ])
  })

  it('ignores comments, locks, conflict clauses and reads', () => {
    const source = `
      // Then we update leads, set by set, and insert into sends.
      /** A truncate leads nowhere. */
      sql(\`select id from leads where x for update skip locked\`)
      sql(\`insert into events (id) values ($1) on conflict (id) do update set seq = 1\`)
      sql(\`copy (select * from leads) to stdout\`)`
    assert.deepEqual(
      writesOf('src/modules/events/queries.ts', source).map(write => write.table),
      ['events'],
    )
  })

  it('knows the tables that exist after all migrations', () => {
    const texts = [
      'create table a (id int);\ncreate table if not exists b (id int); -- create table c',
      'drop table b; alter table a rename to d;',
    ]
    assert.deepEqual(tablesOf(texts), ['d'])
  })
})
