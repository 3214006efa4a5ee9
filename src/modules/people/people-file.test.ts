import assert from 'node:assert/strict'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../../lib/clock.ts'
import { mapColumns, prepareBatches, readHead } from './people-file.ts'

const file = join(await mkdtemp(join(tmpdir(), 'overture-reader-')), 'rows.csv')

test('rows that are long come in fewer rows at a time', async () => {
  const long = 'x'.repeat(900_000)
  await writeFile(file, `email,notes\n${Array.from({ length: 40 }, (_, n) => `ann${n}@long.example,${long}\n`).join('')}`)
  const head = await readHead(file)
  const people = { ...head, file, mapping: mapColumns(head.headers), batchRows: 25_000, clock: systemClock }
  const counts: number[] = []
  for await (const { lines } of prepareBatches(people, 0, {})) counts.push(lines.length)
  assert.deepEqual(counts, [19, 19, 2])
})

test('a row with lines that look like other rows is rejected, and one with other lines is not', async () => {
  await writeFile(file, 'email,note\na@x.example,"one\nb@x.example,two"\nc@x.example,"one\ntwo"\n')
  const head = await readHead(file)
  const people = { ...head, file, mapping: mapColumns(head.headers), batchRows: 100, clock: systemClock }
  for await (const batch of prepareBatches(people, 0, {})) {
    const taken = batch.people.map(person => person.email)
    const rejected = batch.rejected.map(({ row, reason }) => [row[0], /look like other rows/.test(reason)])
    assert.deepEqual([taken, rejected], [['c@x.example'], [['a@x.example', true]]])
  }
})
