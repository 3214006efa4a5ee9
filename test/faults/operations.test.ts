import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { full, seed } from '../full.ts'
import { runOperationFaults } from './operations.ts'

describe('nothing is lost, repeated, reordered or undelivered', () => {
  it('when the API, a worker and PostgreSQL are killed once each', async t => {
    const outcome = await runOperationFaults({ seconds: 0, workers: 1, lanes: 3, pauseMs: 300, seed })
    t.diagnostic(JSON.stringify(outcome))
    assert.ok(outcome.operations > 5)
  })

  // The test above is the short one.
  it('when API, workers and PostgreSQL are killed again and again', full, async t => {
    const outcome = await runOperationFaults({ seconds: 12, seed })
    t.diagnostic(JSON.stringify(outcome))
    assert.ok(outcome.operations > 5)
  })
})
