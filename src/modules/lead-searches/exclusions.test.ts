import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { createTestDatabase } from '../../../test/harness.ts'
import { seedDirectory } from '../../app/demo/directory.ts'
import { openTestContext } from '../people/testing.ts'
import { EXCLUSIONS, listExcludedBy } from './exclusion-queries.ts'

const PEOPLE = 40_000
const ctx = openTestContext(await createTestDatabase(), await mkdtemp(join(tmpdir(), 'overture-exclusions-')))

describe('whom a search leaves out', () => {
  const workspaceId = randomUUID()
  const campaignId = randomUUID()
  const OWNER = 1

  const run = async (text: string, values: unknown[] = []) => (await ctx.db.pool.query(text, values)).rows

  before(async () => {
    await ctx.db.inTransaction(tx => seedDirectory(tx, { people: PEOPLE, now: new Date() }))
    await run("insert into workspaces (id, name, owner_number) values ($1, 'Large', $2)", [workspaceId, OWNER])
    await run("insert into campaigns (id, workspace_id, name) values ($1, $2, 'Large')", [campaignId, workspaceId])
    // A third of the directory is in a campaign and was written to: so many that a join would rather read everybody.
    await run(
      `insert into leads (id, workspace_id, campaign_id, email, email_hash, domain_hash, source, email_sent, status, reached)
       select gen_random_uuid(), $1, $2, email, '', '', 'api_import', true, case when id % 9 = 0 then 'bounced' else 'replied' end, '{contacted}'
       from people where email is not null and id % 3 = 0`,
      [workspaceId, campaignId],
    )
    await run(
      `insert into events (workspace_id, seq, id, type, timestamp, campaign_id, lead_id, data)
       select $1, row_number() over (), gen_random_uuid(), 'email.sent', now(), campaign_id, id, '{}' from leads`,
      [workspaceId],
    )
    await run(
      `insert into suppressions (id, workspace_id, kind, value, hash, reason)
       select gen_random_uuid(), $1, 'email', match_key, sha256(match_key::bytea), 'manual' from people where email is not null and id % 4 = 0`,
      [workspaceId],
    )
    await run(
      `insert into suppressions (id, workspace_id, kind, value, hash, reason)
       select gen_random_uuid(), $1, 'domain', domain, sha256(domain::bytea), 'manual' from company_domains where company_id % 50 = 0`,
      [workspaceId],
    )
    await run(
      `insert into workspace_people (workspace_id, email_hash, person_id, operation_id, bought_at)
       select $1, sha256(match_key::bytea), id, gen_random_uuid(), now() from people where id % 5 = 0`,
      [workspaceId],
    )
    await run(
      `insert into people (id, match_key, email, email_status, source, imported_at, version, owner)
       select ${PEOPLE} + row_number() over (), match_key, email, 'unverified', 'api', now(), 1, $1
       from people where email is not null and id % 6 = 0`,
      [OWNER],
    )
    await run('vacuum analyze')
  })

  const MORE: Partial<Record<keyof typeof EXCLUSIONS, (string | Date)[]>> = { inCampaign: [campaignId], contactedSince: [new Date(0)] }

  it('is found from the rows of the workspace, one look into the directory each, never by reading all people', async () => {
    for (const name of Object.keys(EXCLUSIONS) as (keyof typeof EXCLUSIONS)[]) {
      const { rows } = await ctx.db.pool.query(`explain ${EXCLUSIONS[name].text}`, [workspaceId, OWNER, ...(MORE[name] ?? [])])
      const plan = rows.map(row => row['QUERY PLAN']).join('\n')
      assert.doesNotMatch(plan, /Seq Scan on people/, `${name}:\n${plan}`)
    }
  })

  it('is everybody it should be, of the operator and of the workspace itself', async () => {
    const searcher = { workspaceId, owner: OWNER }
    const found = async (name: keyof typeof EXCLUSIONS) =>
      [...new Set(await listExcludedBy(ctx.db, name, searcher, ...(MORE[name] ?? [])))].sort((a, b) => a - b)
    const expected = async (condition: string) => (await run(`select id from people where ${condition} order by id`)).map(row => row.id)
    const inLeads = (condition: string): string => `match_key in (select lower(email) from leads where ${condition})`
    assert.deepEqual(
      await found('barred'),
      await expected(`match_key in (select value from suppressions) or split_part(match_key, '@', 2) in (select value from suppressions)
        or ${inLeads("status = 'bounced'")}`),
    )
    for (const name of ['inAnyCampaign', 'inCampaign', 'contacted', 'contactedSince'] as const)
      assert.deepEqual(await found(name), await expected(inLeads('true')), name)
    assert.deepEqual(await found('replied'), await expected(inLeads("status = 'replied'")))
    assert.deepEqual(await found('bought'), await expected(`id % 5 = 0 and id <= ${PEOPLE}`))
    assert.deepEqual(await found('shadowed'), await expected('owner = 0 and match_key in (select match_key from people where owner = 1)'))
    assert.deepEqual(await listExcludedBy(ctx.db, 'shadowed', { workspaceId, owner: 0 }), [])
  })
})
