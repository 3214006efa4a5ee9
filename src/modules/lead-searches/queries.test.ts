import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { createTestDatabase } from '../../../test/harness.ts'
import { openTestContext } from '../../../test/people.ts'
import { seedDirectory } from '../../app/demo/directory.ts'
import type { Db } from '../../db/sql.ts'
import { EXCLUSIONS, listExcludedBy } from './queries.ts'
import { exclusionMemory } from './selection.ts'

const PEOPLE = 12_000
const ctx = openTestContext(await createTestDatabase(), await mkdtemp(join(tmpdir(), 'overture-exclusions-')))

describe('people excluded from a search', () => {
  const workspaceId = randomUUID()
  const campaignId = randomUUID()
  const OWNER = 1

  const run = async (text: string, values: unknown[] = []) => (await ctx.db.pool.query(text, values)).rows

  before(async () => {
    await ctx.db.inTransaction(tx => seedDirectory(tx, { people: PEOPLE, now: new Date() }))
    await run("insert into workspaces (id, name, owner_number) values ($1, 'Large', $2)", [workspaceId, OWNER])
    await run("insert into campaigns (id, workspace_id, name) values ($1, $2, 'Large')", [campaignId, workspaceId])
    // A third of the directory is in a campaign and was written to: so many that a join would read everyone instead.
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

  it('are found from the rows of the workspace with one directory lookup each, never by reading all people', async () => {
    for (const name of Object.keys(EXCLUSIONS) as (keyof typeof EXCLUSIONS)[]) {
      const { rows } = await ctx.db.pool.query(`explain ${EXCLUSIONS[name].text}`, [workspaceId, OWNER, ...(MORE[name] ?? [])])
      const plan = rows.map(row => row['QUERY PLAN']).join('\n')
      assert.doesNotMatch(plan, /Seq Scan on people/, `${name}:\n${plan}`)
    }
  })

  it('include all people of the operator and the workspace that must be excluded', async () => {
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

  describe('are cached between searches', () => {
    const searcher = { workspaceId, owner: OWNER }
    const memory = exclusionMemory()
    let wasRead = false
    /** Detects when everyone is looked up again. */
    const db: Db = {
      many: (statement, values) => ctx.db.many(statement, values),
      find: (what, keys) => ctx.db.find(what, keys),
      first: (statement, values) => {
        wasRead ||= Object.values(EXCLUSIONS).includes(statement as never)
        return ctx.db.first(statement, values)
      },
    }
    /** The cached exclusions, which must be correct, and whether everything was read for them. */
    const ask = async (name: keyof typeof EXCLUSIONS): Promise<{ count: number; wasRead: boolean }> => {
      wasRead = false
      const ids = new Set(await memory.list(db, name, searcher))
      assert.deepEqual(
        [...ids].sort((a, b) => a - b),
        [...new Set(await listExcludedBy(ctx.db, name, searcher))].sort((a, b) => a - b),
        name,
      )
      return { count: ids.size, wasRead }
    }
    let lastSeq = 1_000_000
    const happen = async (type: string, leadId: string | null, data: object): Promise<void> => {
      await run(
        `insert into events (workspace_id, seq, id, type, timestamp, campaign_id, lead_id, data)
         values ($1, $2, gen_random_uuid(), $3, now(), $4, $5, $6)`,
        [workspaceId, ++lastSeq, type, campaignId, leadId, data],
      )
      await run(
        `insert into event_streams (workspace_id, seq) values ($1, $2)
         on conflict (workspace_id) do update set seq = excluded.seq`,
        [workspaceId, lastSeq],
      )
    }
    const addLead = async (personId: number, sent: boolean): Promise<string> => {
      const [lead] = await run(
        `insert into leads (id, workspace_id, campaign_id, email, email_hash, domain_hash, source, email_sent)
         select gen_random_uuid(), $1, $2, email, '', '', 'api_import', $4 from people where id = $3 returning id`,
        [workspaceId, campaignId, personId, sent],
      )
      await run('update campaigns set total_leads = total_leads + 1 where id = $1', [campaignId])
      return lead.id
    }
    const NAMES = ['barred', 'shadowed', 'inAnyCampaign', 'contacted', 'replied'] as const

    it('without a new lookup while nothing changed', async () => {
      await happen('campaign.updated', null, {})
      for (const name of NAMES) assert.equal((await ask(name)).wasRead, true, name)
      await happen('email.opened', null, {})
      await happen('operation.succeeded', null, { action: 'lead_search.preview' })
      for (const name of NAMES) assert.equal((await ask(name)).wasRead, false, name)
    })

    it('with a new lookup when a person gets a message, and when a lead comes or goes', async () => {
      const [person] = await run(`select id from people where owner = 0 and email is not null and id % 3 = 1 limit 1`)
      const leadId = await addLead(person.id, false)
      const before = await ask('contacted')
      await run('update leads set email_sent = true where id = $1', [leadId])
      await happen('email.sent', leadId, {})
      const contacted = await ask('contacted')
      assert.ok(contacted.count > before.count)
      assert.equal((await ask('contacted')).wasRead, false)
      assert.equal((await ask('inAnyCampaign')).wasRead, true, 'a lead came')
      await run('delete from leads where id = $1', [leadId])
      await run('update campaigns set total_leads = total_leads - 1 where id = $1', [campaignId])
      assert.equal((await ask('contacted')).wasRead, true, 'a lead went')
    })

    it('with only the changed part looked up again when a person is suppressed, bounces or replies; purchases are read each time', async () => {
      for (const name of NAMES) await ask(name)
      const [suppression] = await run(
        `insert into suppressions (id, workspace_id, kind, value, hash, reason)
         select gen_random_uuid(), $1, 'email', match_key, sha256(('new' || match_key)::bytea), 'manual'
         from people where owner = 0 and email is not null and id % 12 = 7 limit 1 returning id`,
        [workspaceId],
      )
      assert.equal((await ask('barred')).wasRead, true)
      await run('delete from suppressions where id = $1', [suppression.id])
      assert.equal((await ask('barred')).wasRead, true)
      await run(`update leads set status = 'bounced' where id = (select id from leads where status = 'replied' limit 1)`)
      await happen('lead.status_changed', null, { from: 'replied', to: 'bounced' })
      assert.deepEqual(
        [(await ask('barred')).wasRead, (await ask('replied')).wasRead, (await ask('contacted')).wasRead],
        [true, true, false],
      )
      await run(
        `insert into workspace_people (workspace_id, email_hash, person_id, operation_id, bought_at)
         values ($1, sha256('new'), 3, gen_random_uuid(), now())`,
        [workspaceId],
      )
      await happen('lead_search.completed', null, {})
      assert.deepEqual([(await ask('bought')).wasRead, (await ask('barred')).wasRead], [true, false])
    })
  })
})
