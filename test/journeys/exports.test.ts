import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { erasePerson } from '../../src/app/erase-person.ts'
import { Worker } from '../../src/app/worker.ts'
import type { Tx } from '../../src/db/sql.ts'
import { VirtualClock } from '../../src/lib/clock.ts'
import { grantCredits } from '../../src/modules/credits/credits.ts'
import { readFile } from '../../src/modules/exports/exports.ts'
import { findExport } from '../../src/modules/exports/queries.ts'
import { clearExports } from '../../src/modules/exports/tasks.ts'
import { leadSearchTasks } from '../../src/modules/lead-searches/tasks.ts'
import { findOperation } from '../../src/modules/operations/queries.ts'
import { claimOperations } from '../../src/operations/claim-queries.ts'
import { Again, type OutsideTask } from '../../src/operations/tasks.ts'
import { makeCampaign } from '../factories.ts'
import { eventually } from '../faults/eventually.ts'
import { type Overture, startOverture } from '../harness.ts'
import { addPeople, staffOf } from '../people.ts'
import { S3_CREDENTIALS, S3Server } from '../s3-server.ts'

const DAY_MS = 24 * 60 * 60_000
const ACME = { companies: ['Acme'] }

async function open(people: number, options: Parameters<typeof startOverture>[0] = {}): Promise<Overture> {
  const overture = await startOverture(options)
  await addPeople(overture, staffOf('Acme', people))
  await overture.ctx.db.inTransaction(tx => grantCredits(tx, overture.workspaceId, 10_000, new Date()))
  return overture
}

const search = ({ client, home }: Overture, leadCount: number) =>
  client.operate('POST', `${home}/leads/search`, { filters: ACME, leadCount })
const credits = async ({ client, home }: Overture) => (await client.get(`${home}/credits`)).body.data
const count = async (overture: Overture, table: string) =>
  Number((await overture.ctx.db.pool.query(`select count(*) from ${table}`)).rows[0].count)
const emails = (csv: string) => parse(csv, { columns: true }).map((row: unknown) => (row as { email: string }).email)

describe('the file of an export', () => {
  it('is complete and in order, however many parts it has', async () => {
    const overture = await open(2500)
    const { result } = await search(overture, 2400)
    assert.deepEqual(
      emails((await overture.client.get(result.downloadUrl, { token: null })).body),
      staffOf('Acme', 2400).map(row => row.email),
    )
  })

  it('does not end the connection that it was read over', async () => {
    const answerLimitMs = 3000
    const overture = await open(30, { config: { poolSize: 3 }, answerLimitMs })
    const { client, home } = overture
    const { result } = await search(overture, 30)
    const campaign = await makeCampaign(overture, { name: 'Imported' })
    for (let n = 0; n < 40; n++) assert.equal(emails((await client.get(result.downloadUrl, { token: null })).body).length, 30)
    // The body of a large import goes over COPY, too.
    const leads = Array.from({ length: 400 }, (_, index) => ({
      email: `lead${index}@import.example`,
      variables: { text: 'x'.repeat(200) },
    }))
    assert.equal((await client.operate('POST', `${home}/campaigns/${campaign.id}/leads/import`, { leads })).result.importedCount, 400)
    const end = performance.now() + answerLimitMs * 1.5
    while (performance.now() < end) {
      const paths = [`${home}/campaigns/${campaign.id}`, `${home}/campaigns/${campaign.id}/metrics`, `${home}/credits`]
      const replies = await Promise.all(Array.from({ length: 9 }, (_, index) => client.get(paths[index % 3]!)))
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
      await delay(100)
    }
  })

  it('is not complete when rows are deleted during the download', async () => {
    const overture = await open(2500)
    const { result } = await search(overture, 2400)
    const exported = (await findExport(overture.ctx.db, overture.workspaceId, result.exportId))!
    const received: Buffer[] = []
    await assert.rejects(async () => {
      for await (const piece of await readFile(overture.ctx, exported)) {
        if (received.push(piece) === 1) await overture.ctx.db.pool.query('delete from export_rows where n > 2000')
      }
    }, /was changed while its file was being written/)
    assert.ok(received.length > 1)
  })

  it('is deleted after 30 days and returns 410', async () => {
    const clock = new VirtualClock(new Date())
    const overture = await open(5, { clock })
    const { client, home } = overture
    const { result } = await search(overture, 5)
    const campaign = await makeCampaign(overture, { name: 'Late' })
    clock.advance(30 * DAY_MS - 1000)
    await clearExports(overture.ctx)
    assert.equal((await client.get(result.downloadUrl, { token: null })).status, 200)
    clock.advance(1000)
    for (const token of [null, client.token]) {
      const reply = await client.get(result.downloadUrl, { token })
      assert.deepEqual([reply.status, reply.body.error.code], [410, 'export_expired'])
    }
    const exported = (await client.get(`${home}/exports/${result.exportId}`)).body.data
    assert.deepEqual([exported.status, exported.downloadUrl, exported.expiresAt], ['expired', null, result.expiresAt])
    assert.equal((await client.post(`${home}/campaigns/${campaign.id}/leads/import`, { exportId: result.exportId })).status, 422)
    await clearExports(overture.ctx)
    assert.equal(await count(overture, 'export_rows'), 0)
    assert.equal((await client.get(result.downloadUrl, { token: null })).status, 410)
  })
})

describe('an object store', () => {
  const store = new S3Server()
  const clock = new VirtualClock(new Date())
  let overture: Overture

  before(async () => {
    const s3Endpoint = await store.start()
    const { accessKey, secretKey, region } = S3_CREDENTIALS
    overture = await open(50, {
      clock,
      config: { s3Endpoint, s3Bucket: 'exports', s3AccessKey: accessKey, s3SecretKey: secretKey, s3Region: region },
    })
  })
  after(() => store.stop())

  it('stores the files when one is configured, and Overture serves them', async () => {
    const { result } = await search(overture, 20)
    assert.equal(store.objects.size, 1)
    const reply = await overture.client.get(result.downloadUrl, { token: null })
    assert.deepEqual(
      emails(reply.body),
      staffOf('Acme', 20).map(row => row.email),
    )
    assert.deepEqual(store.refused, [])
    store.isDown = true
    assert.equal((await overture.client.get(result.downloadUrl, { token: null })).status, 503)
    store.isDown = false
  })

  it('that is unavailable delays an export, which is still charged once', async () => {
    store.isDown = true
    const before = await credits(overture)
    const asked = await overture.client.post(`${overture.home}/leads/search`, { filters: { ...ACME, suppress: ['owned'] }, leadCount: 10 })
    const attempts = store.requests.length
    await eventually('the worker tried and was refused', () => store.requests.length > attempts + 1)
    assert.equal((await credits(overture)).held, 10)
    store.isDown = false
    const operation = await eventually('the export succeeded', async () => {
      const { body } = await overture.client.get(`/v1/operations/${asked.body.id}`)
      return body.status === 'succeeded' ? body : null
    })
    assert.deepEqual([operation.result.exportedCount, operation.result.creditsCharged], [10, 10])
    assert.deepEqual([(await credits(overture)).available, (await credits(overture)).held], [before.available - 10, 0])
  })

  it('deletes the files after their retention period', async () => {
    assert.ok(store.objects.size > 0)
    clock.advance(30 * DAY_MS)
    await clearExports(overture.ctx)
    assert.equal(store.objects.size, 0)
  })
})

describe('a purchase', () => {
  const task = leadSearchTasks['lead_search.export'] as OutsideTask
  const WORKER = 4711

  /** Does by hand what the worker does up to the money, and leaves the rest to the test. */
  async function prepare(overture: Overture) {
    const [operation] = await claimOperations(overture.ctx.db, WORKER, 1)
    const finish = await task.run(overture.ctx, operation!, AbortSignal.timeout(20_000), () => {})
    return { operation: operation!, finish: () => overture.ctx.db.inTransaction((tx: Tx) => finish(tx)) }
  }

  const release = (overture: Overture) => overture.ctx.db.pool.query('update operations set worker_id = null, attempts = attempts - 1')

  async function order(leadCount: number) {
    const overture = await open(10, { worker: false })
    await overture.client.post(`${overture.home}/leads/search`, { filters: ACME, leadCount })
    return overture
  }

  it('checks everyone again: people suppressed or unverified in the meantime are replaced, not charged', async () => {
    const overture = await order(3)
    const first = await prepare(overture)
    await overture.client.post(`${overture.home}/suppressions`, { kind: 'email', value: 'p1@acme.example' })
    await addPeople(overture, [{ email: 'p2@acme.example', emailStatus: 'unverified' }])
    assert.ok((await first.finish()) instanceof Again)
    assert.equal(await count(overture, 'workspace_people'), 0)
    await release(overture)
    const second = await prepare(overture)
    const result = (await second.finish()) as { exportedCount: number; creditsCharged: number; downloadUrl: string }
    assert.deepEqual([result.exportedCount, result.creditsCharged], [3, 3])
    const file = await overture.client.get(result.downloadUrl, { token: null })
    assert.deepEqual(emails(file.body), ['p3@acme.example', 'p4@acme.example', 'p5@acme.example'])
  })

  it('delivers the people that were fixed before the charge, whatever the directory says later', async () => {
    const overture = await order(2)
    const { finish } = await prepare(overture)
    await addPeople(overture, [{ email: 'p1@acme.example', firstName: 'Renamed', lastName: 'Since' }])
    const result = (await finish()) as { downloadUrl: string }
    const [row] = parse((await overture.client.get(result.downloadUrl, { token: null })).body, { columns: true }) as { firstName: string }[]
    assert.equal(row!.firstName, 'First1')
  })

  it('reports the number of written people while the file grows, and can stop there', async () => {
    const overture = await open(7500, { worker: false })
    await overture.client.post(`${overture.home}/leads/search`, { filters: ACME, leadCount: 7400 })
    const [operation] = await claimOperations(overture.ctx.db, WORKER, 1)
    const told: number[] = []
    const stop = new AbortController()
    const stopped = task.run(overture.ctx, operation!, stop.signal, progress => {
      const { leadCount, writtenCount } = progress as { leadCount: number; writtenCount: number }
      assert.equal(leadCount, 7400)
      if (told.push(writtenCount) === 2) stop.abort()
    })
    await assert.rejects(stopped, { name: 'AbortError' })
    assert.ok(Math.max(...told) < 7400, 'it stops behind the parts that are being written')
    assert.equal(told[0], 0)
    told.length = 0
    await task.run(overture.ctx, operation!, AbortSignal.timeout(20_000), progress =>
      told.push((progress as { writtenCount: number }).writtenCount),
    )
    assert.deepEqual([told.length, told[0], told.at(-1)], [5, 0, 7400])
    assert.deepEqual(
      told,
      told.toSorted((a, b) => a - b),
    )
  })

  it('that is interrupted keeps no part with a person who is erased then', async () => {
    const overture = await order(3)
    const [operation] = await claimOperations(overture.ctx.db, WORKER, 1)
    const crash = (progress: unknown) => assert.equal((progress as { writtenCount: number }).writtenCount, 0, 'a part is written')
    await assert.rejects(task.run(overture.ctx, operation!, AbortSignal.timeout(20_000), crash), /a part is written/)
    const holding = async () => {
      const found = "select from export_rows where email = 'p1@acme.example'"
      return (await overture.ctx.db.pool.query(found)).rowCount
    }
    assert.equal(await holding(), 1)
    await erasePerson(overture.ctx, overture.workspaceId, 'p1@acme.example', new AbortController().signal)
    assert.equal(await holding(), 0)
  })

  it('a new attempt continues after the last fixed part', async () => {
    const overture = await order(2)
    await prepare(overture)
    await overture.ctx.db.pool.query('update operations set worker_id = null')
    await addPeople(overture, [{ ...staffOf('Acme', 1)[0], email: 'p0@acme.example' }])
    const { finish } = await prepare(overture)
    const result = (await finish()) as { downloadUrl: string; creditsCharged: number }
    assert.equal(result.creditsCharged, 2)
    assert.equal(await count(overture, 'exports'), 1)
    assert.deepEqual(emails((await overture.client.get(result.downloadUrl, { token: null })).body), ['p1@acme.example', 'p2@acme.example'])
  })

  it('a worker that was considered dead writes nothing more', async () => {
    const overture = await order(2)
    const [operation] = await claimOperations(overture.ctx.db, WORKER, 1)
    await overture.ctx.db.pool.query('update operations set worker_id = null')
    await claimOperations(overture.ctx.db, WORKER + 1, 1)
    await assert.rejects(
      task.run(overture.ctx, operation!, AbortSignal.timeout(20_000), () => {}),
      /has taken over operation/,
    )
    assert.equal(await count(overture, 'export_rows'), 0)
  })

  it('that fails repeatedly returns the held credits and says so', async () => {
    const overture = await order(4)
    assert.deepEqual([(await credits(overture)).available, (await credits(overture)).held], [9996, 4])
    await prepare(overture)
    const { rows } = await overture.ctx.db.pool.query('update operations set worker_id = null, attempts = 8 returning id')
    const worker = new Worker(overture.ctx)
    await worker.start()
    const operation = await eventually('it failed', async () => {
      const row = await findOperation(overture.ctx.db, rows[0].id)
      return row?.status === 'failed' ? row : null
    })
    await worker.stop()
    assert.deepEqual([operation.error!.code, operation.error!.retryable], ['internal_error', true])
    const { available, held } = await credits(overture)
    assert.deepEqual([available, held], [10_000, 0])
    const [event] = (await overture.client.get(`${overture.home}/events?type=lead_search.failed`)).body.data
    assert.deepEqual([event.data.operationId, event.data.error.code], [operation.id, 'internal_error'])
    const [exported] = (await overture.client.get(`${overture.home}/exports`)).body.data
    assert.deepEqual([exported.status, exported.downloadUrl], ['failed', null])
    assert.equal((await overture.client.get(`${overture.home}/exports/${exported.id}/download`)).status, 404)
    await clearExports(overture.ctx)
    assert.equal(await count(overture, 'export_rows'), 0)
  })

  it('two concurrent purchases of the same people are charged once', async () => {
    const overture = await open(40)
    const operations = await Promise.all(Array.from({ length: 8 }, () => search(overture, 40)))
    const charged = operations.map(operation => operation.result.creditsCharged)
    assert.equal(
      charged.reduce((sum, one) => sum + one),
      40,
    )
    assert.ok(operations.every(operation => operation.result.exportedCount === 40))
    assert.equal((await credits(overture)).available, 9960)
  })
})
