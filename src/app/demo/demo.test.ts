import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tx } from '../../db/sql.ts'
import { Life } from './demo.ts'

test('a failed part of the demo cancels the following parts, even without a handler', async () => {
  const life = new Life({} as Tx)
  assert.equal(await life.db.inTransaction(async () => 'sent'), 'sent')
  await life.db
    .inTransaction(async () => {
      throw new Error('the disk is full')
    })
    .catch(() => {})
  let isPlayed = false
  const later = life.db.inTransaction(async () => {
    isPlayed = true
  })
  await assert.rejects(later, /the disk is full/)
  await assert.rejects(life.settled, /the disk is full/)
  await assert.rejects(life.failure, /the disk is full/, 'who repeats for ever is not waited for')
  assert.equal(isPlayed, false)
})
