import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/harness.ts'
import { openTestContext } from '../../test/people.ts'
import { BudgetedThreads } from '../lib/budgeted-thread.ts'

test('a part that is first used after the stop starts no thread', async () => {
  const ctx = openTestContext(await createTestDatabase(), '/nonexistent')
  await ctx.stopParts()
  const threads = ctx.part(() => new BudgetedThreads<null, null>(new URL('../scheduling/planning-thread.ts', import.meta.url)))
  await assert.rejects(threads.run(null, { timeoutMs: 1000 }), { reason: 'stopped' })
})
