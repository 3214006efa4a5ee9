import assert from 'node:assert/strict'
import { it } from 'node:test'
import { seed } from '../full.ts'
import { runOperationFaults } from './operations.ts'

it('nothing is lost, done twice, out of order or undelivered when API, workers and PostgreSQL are killed', async t => {
  const outcome = await runOperationFaults({ seconds: 12, seed })
  t.diagnostic(JSON.stringify(outcome))
  assert.ok(outcome.operations > 5)
})
