import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOverture } from '../../../test/harness.ts'
import { findOwner } from '../workspaces/queries.ts'

test('people sent to the directory are merged, reported by index if invalid, and found by the next search', async () => {
  const { client, home, ctx, workspaceId } = await startOverture()
  const people = [
    {
      email: 'ada@analytical.com',
      fullName: 'Ada Lovelace',
      jobTitle: 'CTO',
      emailStatus: 'verified',
      location: 'London, United Kingdom',
      company: {
        name: 'Analytical Ltd',
        website: 'analytical.com',
        industry: 'software',
        employees: 40,
        technologies: ['aws'],
        revenue: 5_000_000,
        revenueCurrency: 'GBP',
      },
    },
    { email: 'not an address' },
    { email: 'bob@analytical.com', jobTitle: 'Sales Manager', seniority: 'boss' },
  ]
  const { status, result } = await client.operate('POST', `${home}/directory/people`, { people, source: 'crm' })
  assert.equal(status, 'succeeded')
  assert.deepEqual(result, {
    insertedCount: 2,
    updatedCount: 0,
    unchangedCount: 0,
    version: 1,
    rejectedCount: 1,
    rejected: [{ index: 1, reason: 'not a valid email address' }],
    unread: [{ index: 2, field: 'seniority' }],
  })
  await ctx.leadEngine.caughtUp()
  const filter = { companies: { include: ['analytical.com'] }, revenue: [{ min: 5_500_000, currency: 'USD' as const }] }
  // That an address is verified is not taken from a workspace.
  const owner = await findOwner(ctx.db, workspaceId)
  assert.deepEqual(await ctx.leadEngine.count(filter, { owner }), { matchCount: 2, verifiedCount: 0, version: 1 })

  const again = await client.operate('POST', `${home}/directory/people`, { people: [{ email: 'ADA@analytical.com', jobTitle: 'CTO' }] })
  assert.deepEqual([again.result.insertedCount, again.result.updatedCount, again.result.unchangedCount], [0, 0, 1])
})

test('more than a thousand people, an unknown field or a token without people:write are refused', async () => {
  const { client, home, withScopes } = await startOverture({ worker: false })
  const path = `${home}/directory/people`
  assert.equal((await client.post(path, { people: Array.from({ length: 1001 }, () => ({ email: 'a@b.com' })) })).status, 422)
  assert.equal((await client.post(path, { people: [] })).status, 422)
  assert.equal((await client.post(path, { people: [{ email: 'a@b.com', age: 5 }] })).status, 422)
  assert.equal((await (await withScopes(['leads:write'])).post(path, { people: [{ email: 'a@b.com' }] })).status, 403)
})
