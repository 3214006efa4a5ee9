import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUuid, newId } from './ids.ts'

test('ids are uuids of version 7, all different, and ordered by the millisecond', () => {
  const ids = Array.from({ length: 5000 }, (_, n) => newId(1_700_000_000_000 + Math.floor(n / 10)))
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(new Set(ids).size, ids.length)
  for (let n = 10; n < ids.length; n++) assert.ok(ids[n - 10]! < ids[n]!)
})

test('a uuid is accepted, and text that only looks like one is not', () => {
  assert.ok(isUuid(newId()) && isUuid(newId().toUpperCase()) && isUuid('00000000-0000-0000-0000-000000000000'))
  for (const text of [
    '',
    'x',
    newId().replaceAll('-', ''),
    `${newId()}\n`,
    ` ${newId()}`,
    `{${newId()}}`,
    newId().slice(1),
    newId().replace(/.$/, 'g'),
  ])
    assert.ok(!isUuid(text), text)
})
