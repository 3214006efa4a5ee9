import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runExportFaults } from './exports.ts'

it('whatever dies during concurrent exports, the ledger balances, each is charged once or not at all, and each file is whole', async () => {
  const report = await runExportFaults({ exports: 12, kills: 4 })
  assert.equal(report.succeeded + report.failed, 12)
  assert.ok(report.succeeded > 0)
  assert.ok(report.storedInPart >= 4, 'each kill came between two parts')
  assert.deepEqual([report.workersKilled, report.databasesKilled], [3, 1])
})
