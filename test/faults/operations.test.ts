import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runOperationFaults } from './operations.ts'

const seed = Number(process.env.OVERTURE_FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31))

it(`nothing is lost, done twice, out of order or undelivered when API, workers and PostgreSQL are killed (seed ${seed})`, async t => {
  const outcome = await runOperationFaults({ seconds: 12, seed })
  t.diagnostic(JSON.stringify(outcome))
  assert.ok(outcome.operations > 5)
})
