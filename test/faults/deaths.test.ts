import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { Worker } from '../../src/app/worker.ts'
import { claimIsolated, claimOperations, releaseOperationsOfDeadWorkers } from '../../src/operations/claim-queries.ts'
import { letter, startCorrespondence } from '../correspondence.ts'
import { seed } from '../full.ts'
import { addPeople, staffOf } from '../people.ts'
import { MINUTE } from '../sending.ts'
import { eventually } from './eventually.ts'
import { Random } from './random.ts'

const NAMES = ['ann', 'bob', 'cyd', 'dan']
const LEADS = 5
const GRANT = 1000
/** A worker tries an operation eight times; it dies more often than that here. */
const DEATHS = 20
const TERMINATIONS = 12

interface Ended {
  id: string
  status: string
  error: { code: string; message: string; retryable: boolean } | null
  result: Record<string, unknown> | null
}

it('a failed operation has done nothing, and one that did something continues, while workers die faster than eight attempts', async t => {
  const random = new Random(seed)
  const world = await startCorrespondence({ names: NAMES })
  const { overture, imap, smtp } = world
  const { ctx, client, home, clock } = overture
  await world.begin()
  await addPeople(overture, staffOf('Acme', 30))
  await client.post(`${home}/credits/grants`, { amount: GRANT })
  const original = await world.messageIds()
  for (const [index, name] of NAMES.entries()) {
    imap.append('INBOX', letter({ from: `${name}@people.example`, inReplyTo: original[name]!, text: 'Tell me more.' }), clock.now())
    await world.readUpTo(index + 1)
  }
  await overture.worker.stop()

  // A worker without a lock on its number is dead.
  let number = 1_000_000
  const hurry = () => ctx.db.pool.query('update operations set run_at = now() where worker_id is null and completed_at is null')
  const die = async (limit: number): Promise<void> => {
    const held = await claimOperations(ctx.db, ++number, limit)
    if (held.length === 0) await claimIsolated(ctx.db, number)
    await ctx.db.inTransaction(releaseOperationsOfDeadWorkers)
    await hurry()
  }
  const order = async (n: number) => {
    const body = { filters: { companies: { include: ['Acme'] } }, leadCount: LEADS }
    return (await client.post(`${home}/leads/search`, body, { headers: { 'idempotency-key': `order ${n}` } })).body.id as string
  }

  // The only one at work, each time: it fails, and its credits come back.
  const doomed = await order(0)
  for (let deaths = 0; deaths < DEATHS; deaths++) await die(1)

  const { data: replies } = (await client.get(`${home}/replies?limit=100`)).body
  const accept = async (path: string, body: object) => (await client.post(path, body)).body.id as string
  const answers = new Map<string, string>()
  const copies = new Map<string, string>()
  const imports = new Map<string, string>()
  const orders = [doomed]
  const campaigns: string[] = []
  for (let n = 0; n < NAMES.length; n++) {
    const { body } = await client.post(`${home}/campaigns`, { name: `Original ${n}` })
    campaigns.push(`${home}/campaigns/${body.data.id}`)
  }
  for (const [n, campaign] of campaigns.entries()) {
    answers.set(await accept(`${replies[n].links.self}/answer`, { text: 'Gladly.', subject: `Answer ${n}` }), `Answer ${n}`)
    copies.set(await accept(`${campaign}/duplicate`, { name: `Copy ${n}` }), `Copy ${n}`)
    imports.set(await accept(`${campaign}/leads/import`, { leads: [{ email: `lead${n}@import.example` }] }), `lead${n}@import.example`)
    if (n % 3 === 0) orders.push(await order(n + 1))
  }
  for (let deaths = 0; deaths < DEATHS; deaths++) await die(random.pick([1, 1, 2, 5, 128]))

  // The rest of them happens while the worker is at work: it loses its lock, and others consider it dead.
  const worker = new Worker(ctx)
  await worker.start()
  after(() => worker.stop())
  const all = [...answers.keys(), ...copies.keys(), ...imports.keys(), ...orders]
  const count = async (text: string): Promise<number> => (await ctx.db.pool.query(`select count(*)::int as n from ${text}`)).rows[0].n
  const HELD = 'operations where completed_at is null and worker_id is not null'
  for (let terminations = 0; terminations < TERMINATIONS; terminations++) {
    await eventually(
      'something is at work',
      async () => (await count(HELD)) > 0 || (await count('operations where completed_at is null')) === 0,
    )
    await ctx.db.pool.query(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 7265002 and database = (select oid from pg_database where datname = current_database())",
    )
    await ctx.db.inTransaction(releaseOperationsOfDeadWorkers)
    await hurry()
  }
  const ended: Ended[] = []
  for (const id of all) {
    ended.push(
      await eventually(
        'every operation ends',
        async () => {
          await hurry()
          clock.advance(MINUTE)
          await overture.work.tick()
          const { body } = await client.get(`/v1/operations/${id}`)
          return body.completedAt !== null && (body as Ended)
        },
        120_000,
      ),
    )
  }

  const byId = new Map(ended.map(operation => [operation.id, operation]))
  const has = (map: Map<string, string>) =>
    [...map].map(([id, what]) => ({ what, status: byId.get(id)!.status, error: byId.get(id)!.error }))
  const received = smtp.received.map(raw => /^Subject: (.*)\r$/m.exec(raw)![1]!)
  for (const { what, status, error } of has(answers)) {
    assert.equal(status, 'succeeded', JSON.stringify(error))
    assert.equal(received.filter(subject => subject === what).length, 1, `${what} arrived once`)
  }
  for (const { what, status } of has(copies))
    assert.equal(await count(`campaigns where name = '${what}'`), status === 'succeeded' ? 1 : 0, `${what} ${status}`)
  for (const { what, status } of has(imports))
    assert.equal(await count(`leads where email = '${what}'`), status === 'succeeded' ? 1 : 0, `${what} ${status}`)
  const charged = orders.map(id => Number(byId.get(id)!.result?.creditsCharged ?? 0))
  const { available, held } = (await client.get(`${home}/credits`)).body.data
  assert.deepEqual([available, held], [GRANT - charged.reduce((sum, each) => sum + each, 0), 0])
  assert.deepEqual(
    [byId.get(doomed)!.error?.code, byId.get(doomed)!.error?.message],
    ['internal_error', 'The operation failed repeatedly because of an internal error. Nothing was saved.'],
  )
  const failed = ended.filter(({ status }) => status === 'failed')
  for (const { error } of failed) assert.match(error!.message, /Nothing was saved/)
  t.diagnostic(`${ended.length} operations, ${failed.length} failed`)
})
