import assert from 'node:assert/strict'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { systemClock } from '../../lib/clock.ts'
import { readRow } from '../../lib/csv-stream.ts'
import { mapColumns, prepareBatches, readCsv, readHead } from './people-file.ts'

const file = join(await mkdtemp(join(tmpdir(), 'overture-reader-')), 'rows.csv')

async function read(text: string | Buffer, delimiter = ',', from = 0, sliceRows = 1000): Promise<string[][]> {
  await writeFile(file, text)
  const rows: string[][] = []
  for await (const slice of readCsv(file, delimiter, from, sliceRows)) {
    rows.push(...slice.rows)
    const again = slice.lines.map(line => readRow(line, 0, delimiter, true)!.cells)
    assert.deepEqual(again, slice.rows, 'the text of a row gives its cells once more')
  }
  return rows
}

const cell = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom('a "b" c', 'x,y', 'zwei\nZeilen', 'mit\r\nUmbruch', 'Müller', '', '"', '日本', ' '),
)
const quoted = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

test('written cells are read unchanged, from any row on', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 12 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      async (rows, newline, isClosed) => {
        const text = rows.map(row => row.map(quoted).join(',')).join(newline) + (isClosed && rows.length > 0 ? newline : '')
        assert.deepEqual(await read(text), rows)
        assert.deepEqual(parse(text, { relax_column_count: true }), rows, 'an independent reader agrees')
        for await (const { bytePosition } of readCsv(file, ',', 0, 3)) {
          const seen = parse(Buffer.from(text).subarray(0, bytePosition), { relax_column_count: true }).length
          assert.deepEqual(await read(text, ',', bytePosition), rows.slice(seen))
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('rows longer than a read buffer are complete', async () => {
  const long = 'ä'.repeat(300_000)
  assert.deepEqual(await read(`a,${long}\n"b\n${long}",c\nd,e`), [
    ['a', long],
    [`b\n${long}`, 'c'],
    ['d', 'e'],
  ])
})

test('an unclosed quote is reported, and reading continues with the next line', async () => {
  const text = 'a,"open\nb,"c"\nd,"e\nf"\n'
  await writeFile(file, text)
  const seen: unknown[] = []
  for await (const { rows, problems, bytePosition } of readCsv(file, ',', 0, 1)) seen.push([rows, [...problems], bytePosition])
  assert.deepEqual(seen, [
    [
      [
        ['a', 'open'],
        ['b', 'c'],
      ],
      [[0, 'a quote is not closed']],
      text.indexOf('d'),
    ],
    [[['d', 'e\nf']], [], text.length],
  ])
})

test('a slice ends only where reading can resume: not within a long row or an open quote', async () => {
  const long = `x,${'y'.repeat(3 << 19)}`
  for (const text of [`${long},z@z.com\nb,1\n`, 'a,"open\nb,"x\ny"\nc,3\nd,"4\n4"\ne,5\n', `a,"${long}\nb,"2"\nc,3\n`]) {
    await writeFile(file, text)
    const rowsFrom = async (position: number): Promise<string[][]> => {
      const rows: string[][] = []
      for await (const slice of readCsv(file, ',', position, 100)) rows.push(...slice.rows)
      return rows
    }
    const whole = await rowsFrom(0)
    const before: string[][] = []
    for await (const { rows, bytePosition } of readCsv(file, ',', 0, 1)) {
      before.push(...rows)
      assert.deepEqual([...before, ...(await rowsFrom(bytePosition))], whole)
    }
  }
})

test('stray quotes, empty lines, short rows and old encodings are accepted', async () => {
  assert.deepEqual(await read('5" pipe,x\n\n\r\na\n"open,end'), [['5" pipe', 'x'], ['a'], ['open,end']])
  assert.deepEqual(await read(Buffer.from('Müller;José\n', 'latin1'), ';'), [['Müller', 'José']])
})

test('rows that are long come in fewer rows at a time, to the reader and to the database', async () => {
  const long = 'x'.repeat(900_000)
  await writeFile(file, `email,notes\n${Array.from({ length: 40 }, (_, n) => `ann${n}@long.example,${long}\n`).join('')}`)
  const head = await readHead(file)
  for await (const { rows } of readCsv(file, ',', head.headerBytes, 50)) assert.equal(rows.length, 1)
  const mapping = mapColumns(head.headers)
  const people = { ...head, file, mapping, batchRows: 25_000, clock: systemClock }
  const counts: number[] = []
  for await (const { lines } of prepareBatches(people, { bytePosition: head.headerBytes, rowCount: 0 }, {})) counts.push(lines.length)
  assert.deepEqual(counts, [19, 19, 2])
})
