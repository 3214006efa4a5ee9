import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { full } from '../full.ts'
import { runExportFaults } from './exports.ts'

describe('the ledger balances, each export is charged once or not at all, and each file is whole', () => {
  it('when a worker is killed between two parts of an export', async () => {
    const report = await runExportFaults({ exports: 3, kills: 1, workers: 1, companies: 1 })
    assert.ok(report.succeeded > 0)
    assert.ok(report.storedInPart >= 1)
    assert.equal(report.workersKilled, 1)
  })

  // The test above is the short one.
  it('when processes are killed at random during many exports', full, async () => {
    const report = await runExportFaults({ exports: 12, kills: 4 })
    assert.ok(report.succeeded > 0)
    assert.ok(report.storedInPart >= 4, 'each kill came between two parts')
    assert.deepEqual([report.workersKilled, report.databasesKilled], [3, 1])
  })
})
