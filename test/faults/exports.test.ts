import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runExportFaults } from './exports.ts'

it('whatever dies during concurrent exports, the ledger balances, each is charged once or not at all, and each file is whole', async () => {
  const report = await runExportFaults({ exports: 24, kills: 4 })
  assert.equal(report.succeeded + report.failed, 24)
  assert.ok(report.succeeded > 0)
  assert.deepEqual([report.workersKilled, report.databasesKilled], [3, 1])
})
