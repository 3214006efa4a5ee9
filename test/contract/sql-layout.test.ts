import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { judgeLayout, sqlLiteralsOf, sqlSources } from './sql-layout.ts'

const root = new URL('../..', import.meta.url).pathname

describe('the layout of SQL', () => {
  it('has one clause in a line, in every statement of the service', () => {
    const sources = sqlSources(root)
    let count = 0
    const wrong = [...sources].flatMap(([file, source]) =>
      sqlLiteralsOf(source).flatMap(({ from, to }) => {
        count++
        return judgeLayout(source.slice(from, to)).map(why => `${file}: ${why}`)
      }),
    )
    assert.deepEqual(wrong, [])
    assert.ok(count > 300, `only ${count} statements were found: the reading of the sources is broken`)
  })

  const planted: [what: string, text: string][] = [
    ['a statement in one line', 'select id from campaigns where id = $1'],
    ['a join behind the table', '\n  select id\n  from campaigns c join leads l on l.campaign_id = c.id'],
    ['a lock behind the condition', '\n  select id\n  from campaigns\n  where id = $1 for update'],
    ['an order with its limit', '\n  select id\n  from campaigns\n  order by id limit 1'],
    ['clauses in a subquery of several lines', 'select exists (\n  select from leads where id = $1\n    and a)'],
    ['a subquery that is too long for its line', `select exists (select from leads where ${'a = 1 and '.repeat(8)} true)`],
    ['an insert with its values', "\n  insert into a (b) values ('c')"],
    ['a line that is too long', `\n  select ${'a_long_column, '.repeat(10)}b\n  from c`],
  ]
  for (const [what, text] of planted) it(`refuses ${what}`, () => assert.equal(judgeLayout(text).length, 1))

  it('takes for a clause only what is one', () => {
    const text = `
      select distinct on (a) a, extract(epoch from b), array_agg(c order by d) filter (where e), count(*) over (partition by f order by g)
      from unnest($1::int[]) with ordinality as n(a, b)
      where a is distinct from b and (select from c where d = 1 limit 1)
      for no key update skip locked`
    assert.deepEqual(judgeLayout(text), [])
    assert.deepEqual(judgeLayout('\n  insert into a (b)\n  select 1\n  on conflict (b) where c do update set b = 2'), [])
  })

  it('finds statements in every kind of quotes, and reads over what is put into them', () => {
    const source = `sql('select 1') sql("select 2") sql.atomic(\`update \${a ? \`b\` : 'c'} set d = 1\`) // sql('select 3')`
    const found = sqlLiteralsOf(source).map(({ from, to }) => source.slice(from, to))
    assert.deepEqual(found, ['select 1', 'select 2', `update \${a ? \`b\` : 'c'} set d = 1`])
  })
})

describe('the SQL that every supported PostgreSQL understands', () => {
  /** What came after PostgreSQL 15. The tests run on a newer one, which would take it. */
  const newer =
    /(?<!\bset )\bstorage (?:plain|external|extended|main)\b|\b(?:any_value|json_table|uuidv7|array_sort|array_reverse|array_shuffle|casefold|json_scalar) *\(/i

  it('has no word that PostgreSQL 15 does not know, in migrations and statements', () => {
    const migrations = globSync('migrations/*.sql', { cwd: root }).map(file => [file, readFileSync(`${root}/${file}`, 'utf8')] as const)
    assert.ok(migrations.length > 50)
    const wrong = [...migrations, ...sqlSources(root)].filter(([, text]) => newer.test(text)).map(([file]) => file)
    assert.deepEqual(wrong, [])
    assert.match('create table t (b bytea storage external)', newer)
  })
})
