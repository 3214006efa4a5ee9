import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { createTestDatabase } from '../../test/harness.ts'
import { type Cell, csvRecord } from '../lib/csv.ts'
import { Database, sql } from './client.ts'
import { csvRecords } from './csv-records.ts'

const PIECES = [
  ...[
    'a',
    'Zoë',
    '😀',
    ' ',
    '',
    '"',
    ',',
    '\r',
    '\n',
    '\r\n',
    '\t',
    '\v',
    '\f',
    "'",
    '=',
    '+',
    '-',
    '@',
    '1',
    ';',
    '|',
    'x;=',
    'x|"+',
    ', -',
    '\n@',
  ],
  ...['\u001f', '\u001e', '\u001f\u001e', '\\', '\\x1f', '%', '\u0085', '\u200b'],
  ...['＝', '＋', '－', '＠', '\u00a0', '\ufeff', '\u1680', '\u2003', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000'],
]

const WRITE = sql(`
  select record
  from ${csvRecords(
    [
      { column: 'first', type: 'text' },
      { column: 'size', type: 'number' },
      { column: 'second', type: 'text' },
      { column: 'at', type: 'time' },
    ],
    `rows from (jsonb_to_recordset($1::jsonb) as (first text, size int, second text, at timestamptz(3)))
        with ordinality as r(first, size, second, at, n)`,
    'n',
  )} as records
  order by n`)

let db: Database

before(async () => {
  db = new Database({ url: await createTestDatabase(), poolSize: 1, onWake: () => {} })
})
after(() => db.close())

it('PostgreSQL writes a record as we do, whatever is in its cells', async () => {
  const texts = [null, ...PIECES.flatMap(one => [one, ...PIECES.map(other => one + other), `a${one}b`, `${one}=1`])]
  const rows = texts.map((first, index) => ({
    first,
    size: index % 5 === 0 ? null : (index % 7) - 3,
    second: index % 3 === 0 ? null : texts[(index * 31) % texts.length]!,
    at: index % 11 === 0 ? null : new Date(Date.UTC(2026, 0, 1) + index * 86_399_991),
  }))
  const written = await db.many<{ record: string }>(WRITE, [JSON.stringify(rows)])
  assert.equal(written.length, rows.length)
  for (const [index, { first, size, second, at }] of rows.entries()) {
    assert.equal(written[index]!.record, csvRecord([first, size, second, at] as Cell[]), JSON.stringify(rows[index]))
  }
})
