import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import pg from 'pg'
import { buildContext, closeContext } from '../../src/app/build-context.ts'
import { CampaignWork } from '../../src/app/worker.ts'
import { sql } from '../../src/db/sql.ts'
import { sandboxMail } from '../../src/modules/sandbox/sandbox.ts'
import { claimSends } from '../../src/modules/sending/claim.ts'
import { intendSends, prepareSends } from '../../src/modules/sending/intend.ts'
import { judgeAnswer } from '../../src/modules/sending/outcomes.ts'
import { storeOutcomes } from '../../src/modules/sending/record.ts'
import { WorkerIdentity } from '../../src/queue/identity.ts'
import { startMailServers, startOnServers } from '../correspondence.ts'
import { CuttingProxy } from '../cutting-proxy.ts'
import { eventually } from '../faults/eventually.ts'
import { TEST_SECRET } from '../harness.ts'
import type { ScriptedSmtp } from '../mail/smtp-script.ts'
import { type LivingOverture, makeCampaign, startLiving } from '../sending.ts'

const leadsOf = (...names: string[]) => names.map(name => ({ email: `${name}@${name}.example`, firstName: name }))

/** The state of a campaign whose messages were refused for their content. */
async function setUp(names: string[]) {
  const servers = await startMailServers()
  const overture = await startLiving()
  const made = await startOnServers(overture, servers, { leads: leadsOf(...names) })
  const { client, home, ctx } = overture
  const found = async () => ({
    statuses: (await ctx.db.many<{ status: string }>(sql(`select status from sends order by status`))).map(row => row.status),
    bounces: (await client.get(`${home}/events?type=email.bounced`)).body.data.length,
    refusals: (await ctx.db.first<{ count: number }>(sql(`select content_refusals as count from providers`)))!.count,
    campaign: (await client.get(made.base)).body.data.status,
  })
  const refuse: ScriptedSmtp['script'] = point => (point === 'DOT' ? '550 5.7.1 Message content rejected' : undefined)
  servers.smtp.script = refuse
  return { overture, found }
}

/** Sends over connections to PostgreSQL of which one breaks after a commit with this text. */
async function sendCut(overture: LivingOverture, text: string): Promise<number> {
  const { proxy, url } = await CuttingProxy.start(overture.databaseUrl, text, 'commit')
  const ctx = buildContext({
    config: { ...overture.ctx.config, poolSize: 4 },
    databaseUrl: url,
    secretKey: TEST_SECRET,
    clock: overture.clock,
  })
  const identity = new WorkerIdentity(ctx.db, ctx.log)
  const work = new CampaignWork(ctx, identity)
  after(async () => {
    await work.stop()
    await identity.close()
    await closeContext(ctx)
    await proxy.stop()
  })
  await work.sender.tick()
  return proxy.cuts
}

describe('an outcome whose recording is repeated', () => {
  it('is counted once when the response to the commit was lost: two refusals of a text stay two', async () => {
    const { overture, found } = await setUp(['ann', 'bob'])
    assert.equal(await sendCut(overture, 'set content_refusals = r.count'), 1)
    assert.deepEqual(await found(), { statuses: ['queued', 'queued'], bounces: 0, refusals: 2, campaign: 'active' })
  })

  it('still stops the campaign when the response to the third refusal was lost', async () => {
    const { overture, found } = await setUp(['ann', 'bob', 'cid'])
    assert.equal(await sendCut(overture, 'set content_refusals = r.count'), 1)
    assert.deepEqual(await found(), { statuses: ['queued', 'queued', 'queued'], bounces: 0, refusals: 3, campaign: 'attention_needed' })
  })

  it('is stored once when its consequences fail afterwards', async () => {
    const { overture, found } = await setUp(['ann', 'bob', 'cid'])
    const { db } = overture.ctx
    // A sequence is not rolled back, so the change of the campaign fails once and then goes through.
    await db.pool.query(`
      create sequence failing_once;
      create function fail_once() returns trigger language plpgsql as $$
      begin
        if nextval('failing_once') = 1 then raise exception 'the disk hiccups'; end if;
        return new;
      end $$;
      create trigger fail_once before update of status on campaigns
      for each row when (new.status = 'attention_needed') execute function fail_once()`)
    await overture.work.sender.tick()
    const { rows } = await db.pool.query('select last_value::int as turns from failing_once')
    assert.deepEqual(rows, [{ turns: 2 }])
    assert.deepEqual(await found(), { statuses: ['queued', 'queued', 'queued'], bounces: 0, refusals: 3, campaign: 'attention_needed' })
  })
})

describe('outcomes of several mailboxes that are recorded together', () => {
  it('lock the mailboxes in one order, so that two workers never deadlock', async () => {
    const overture = await startLiving()
    const { ctx } = overture
    for (const name of ['ann', 'bob']) await makeCampaign(overture, { leads: leadsOf(name) })
    const identity = new WorkerIdentity(ctx.db, ctx.log)
    after(() => identity.close())
    const workerId = await identity.id()
    const claimed = await claimSends(ctx, workerId, 10)
    const prepared = (await Promise.all(claimed.map(send => prepareSends(ctx, workerId, [send])))).flat()
    await intendSends(ctx, workerId, prepared)
    const [first, second] = prepared.sort((a, b) => (a.mailbox.id < b.mailbox.id ? -1 : 1))
    const now = overture.clock.now()
    // The load of the second mailbox is given back early in the transaction; that the first one works is noted late in it.
    const later = { kind: 'rejected', permanent: false, code: 451, enhanced: '4.7.1', stage: 'rcpt_to', scope: 'recipient' } as const
    const delivered = [
      { ...first!, judged: judgeAnswer({ kind: 'accepted', response: '250 ok' }, 1, now) },
      { ...second!, judged: judgeAnswer({ ...later, response: '451 4.7.1 Greylisted' }, 1, now) },
    ]
    await ctx.db.pool.query('update providers set failures = 1')
    const other = new pg.Client({ connectionString: overture.databaseUrl })
    await other.connect()
    after(() => other.end())
    await other.query('begin')
    await other.query('select from providers where id = $1 for no key update', [first!.mailbox.id])
    const stored = ctx.db.inTransaction(tx => storeOutcomes(ctx, tx, sandboxMail, workerId, delivered, now))
    await eventually('the record waits for the first mailbox', async () => {
      const { rows } = await ctx.db.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%providers%'`,
      )
      return rows.length === 1
    })
    // Were it held, this would fail.
    await other.query('select from providers where id = $1 for no key update nowait', [second!.mailbox.id])
    await other.query('commit')
    await stored
    const { rows } = await ctx.db.pool.query('select status from sends order by status')
    assert.deepEqual(rows, [{ status: 'queued' }, { status: 'sent' }])
  })
})
