import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { buildContext, closeContext } from '../../src/app/build-context.ts'
import { openInstallationKeys } from '../../src/app/installation-keys.ts'
import { loadConfig } from '../../src/context/config.ts'
import { EmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Client, Reply } from '../harness.ts'
import { eventually } from './eventually.ts'
import { freePort, makeFolder, type Program, overture as run, tryKill } from './processes.ts'
import { Random } from './random.ts'
import { Receiver } from './receiver.ts'
import { signUp } from './stage.ts'

interface FaultOptions {
  /** How long to keep killing: at least until a worker, the API and PostgreSQL were killed once. */
  seconds: number
  workers?: number
  /** How many clients write at once, each as fast as it gets answers. */
  lanes?: number
  /** The longest pause of a client between two writes. None by default. */
  pauseMs?: number
  seed: number
  onProgress?: (line: string) => void
}

const VICTIMS = ['worker', 'worker', 'worker', 'api', 'api', 'postgres', 'postgres', 'everything'] as const
const CAMPAIGNS = 5

interface Sent {
  key: string
  kind: string
  /** Of the operation, or of the campaign that was created. */
  id: string
}

/**
 * API, workers and PostgreSQL are killed with -9 at random moments, while clients send writes with keys and repeat
 * each until it is answered. Afterwards nothing may be lost, done twice, out of order, undelivered or left hanging.
 */
export async function runOperationFaults(
  options: FaultOptions,
): Promise<{ operations: number; events: number; kills: Record<string, number>; repeats: number }> {
  const world = await World.create(options)
  try {
    await Promise.all([world.keepKilling(), world.keepSending()])
    await world.settle()
    return await world.judge()
  } catch (error) {
    throw new Error(`with seed ${options.seed}: ${(error as Error).message}`, { cause: error })
  } finally {
    await world.close()
  }
}

/** A process that is restarted whenever it ends, as by a service manager. */
class Supervised {
  readonly #command: string
  readonly #env: Record<string, string>
  #program: Program
  #isWanted = true

  constructor(command: string, env: Record<string, string>) {
    this.#command = command
    this.#env = env
    this.#program = this.#start()
  }

  #start(): Program {
    const program = run([this.#command], this.#env)
    void program.exited.then(async () => {
      await sleep(50)
      if (this.#isWanted) this.#program = this.#start()
    })
    return program
  }

  kill(): void {
    tryKill(this.#program.pid, 'SIGKILL')
  }

  async isUp(): Promise<void> {
    await eventually(`the ${this.#command} is up`, () => !this.#program.isOver && this.#program.output.includes('"msg":"started"'), 60_000)
  }

  async end(): Promise<void> {
    this.#isWanted = false
    await this.#program.end('SIGKILL')
  }
}

class World {
  readonly #seed: number
  readonly #random: Random
  readonly #seconds: number
  readonly #lanes: number
  readonly #pauseMs: number
  readonly #say: (line: string) => void
  readonly #postgres: EmbeddedPostgres
  readonly #receiver: Receiver
  readonly #env: Record<string, string>
  readonly #client: Client
  readonly #home: string
  readonly #api: Supervised
  readonly #workers: Supervised[]
  #campaigns: string[] = []
  readonly #sent: Sent[] = []
  readonly #kills: Record<string, number> = { api: 0, worker: 0, postgres: 0, everything: 0 }
  #repeats = 0
  #isOver = false

  static async create({ seconds, seed, workers = 2, lanes = 8, pauseMs = 0, onProgress }: FaultOptions): Promise<World> {
    const folder = await makeFolder()
    await chmod(folder, 0o755) // root runs the test, PostgreSQL runs as somebody else
    const postgres = await EmbeddedPostgres.start(join(folder, 'postgres'))
    await postgres.createDatabase('faults')
    const url = postgres.url('faults')
    await migrate(url)
    const port = await freePort()
    const secretKey = randomBytes(32)
    const { masterKey } = await openInstallationKeys(url, { secretKey })
    const config = loadConfig({}, { logLevel: 'silent', poolSize: 1, dir: folder, baseUrl: `http://127.0.0.1:${port}` })
    const ctx = buildContext({ config, databaseUrl: url, secretKey: masterKey })
    const { client, home } = await signUp(ctx)
    await closeContext(ctx)
    const env = {
      DATABASE_URL: url,
      OVERTURE_SECRET_KEY: secretKey.toString('base64'),
      OVERTURE_LOG_LEVEL: 'info',
      OVERTURE_ALLOW_LOCAL_TARGETS: 'true',
      OVERTURE_RATE_LIMIT: '1000000000',
      PORT: String(port),
    }
    // Some events are refused the first time, so that retries are in it, too.
    const receiver = await Receiver.start((seq, attempt) => seq % 17 === 0 && attempt === 1)
    const world = new World({
      seed,
      seconds,
      workers,
      lanes,
      pauseMs,
      say: onProgress ?? (() => {}),
      postgres,
      receiver,
      env,
      client,
      home,
    })
    await world.#prepare()
    return world
  }

  private constructor(parts: {
    seed: number
    seconds: number
    workers: number
    lanes: number
    pauseMs: number
    say: (line: string) => void
    postgres: EmbeddedPostgres
    receiver: Receiver
    env: Record<string, string>
    client: Client
    home: string
  }) {
    this.#seed = parts.seed
    this.#random = new Random(parts.seed)
    this.#seconds = parts.seconds
    this.#lanes = parts.lanes
    this.#pauseMs = parts.pauseMs
    this.#say = parts.say
    this.#postgres = parts.postgres
    this.#receiver = parts.receiver
    this.#env = parts.env
    this.#client = parts.client
    this.#home = parts.home
    this.#api = new Supervised('api', this.#env)
    this.#workers = Array.from({ length: parts.workers }, () => new Supervised('worker', this.#env))
  }

  async #prepare(): Promise<void> {
    await eventually('the API is ready', async () => (await fetch(`${this.#client.baseUrl}/readyz`)).ok)
    const hook = await this.#client.post(`${this.#home}/webhooks`, { url: this.#receiver.url, events: ['*'] })
    assert.equal(hook.status, 201, JSON.stringify(hook.body))
    this.#receiver.useSecret(hook.body.data.secret)
    for (let n = 0; n < CAMPAIGNS; n++) {
      const { data } = (await this.#client.post(`${this.#home}/campaigns`, { name: `Lane ${n}` })).body
      this.#campaigns.push(data.id)
    }
  }

  async keepKilling(): Promise<void> {
    const deadline = performance.now() + this.#seconds * 1000
    // Everyone gets a turn, even if the machine is so slow that there is time for little more.
    const first: (typeof VICTIMS)[number][] = ['worker', 'postgres', 'api']
    while (first.length > 0 || performance.now() < deadline) {
      if (first.length > 0) {
        await this.#untilUp()
        const before = this.#sent.length
        await eventually('writes are accepted', () => this.#sent.length >= before + this.#lanes, 60_000)
      } else if (this.#random.chance(0.8)) {
        // Usually all processes are up when one is killed; sometimes one is just starting.
        await this.#untilUp()
      }
      await sleep(this.#random.between(0, 1200))
      const victim = first.splice(this.#random.between(0, first.length - 1), 1)[0] ?? this.#random.pick(VICTIMS)
      this.#kills[victim]!++
      if (victim === 'worker') this.#random.pick(this.#workers).kill()
      if (victim === 'everything') for (const worker of this.#workers) worker.kill()
      if (victim === 'postgres' || victim === 'everything') tryKill(this.#postgres.pid!, 'SIGKILL')
      if (victim === 'api' || victim === 'everything') this.#api.kill()
      const left = Math.max(0, Math.round((deadline - performance.now()) / 1000))
      this.#say(
        `${left} s left, killed ${JSON.stringify(this.#kills)}, ${this.#sent.length} writes, ${this.#receiver.seen.size} events delivered`,
      )
    }
    this.#isOver = true
  }

  async #untilUp(): Promise<void> {
    await eventually('the API is ready', async () => (await fetch(`${this.#client.baseUrl}/readyz`)).ok, 60_000)
    await Promise.all(this.#workers.map(worker => worker.isUp()))
  }

  async keepSending(): Promise<void> {
    await Promise.all(
      Array.from({ length: this.#lanes }, async (_, lane) => {
        const random = new Random(this.#seed + lane + 1)
        for (let n = 0; !this.#isOver; n++) {
          await this.#sendOne(random, `lane ${lane} write ${n}`)
          if (random.chance(0.1)) await this.#repeatOne(random)
          if (this.#pauseMs > 0) await sleep(random.between(0, this.#pauseMs))
        }
      }),
    )
  }

  async #sendOne(random: Random, key: string): Promise<void> {
    const campaignId = random.pick(this.#campaigns)
    const path = `${this.#home}/campaigns/${campaignId}`
    const kind = random.pick(['duplicate', 'duplicate', 'import', 'patch', 'archive', 'unarchive', 'create'] as const)
    const send = async (): Promise<Reply> => {
      const headers = { 'idempotency-key': key, ...(random.chance(0.3) ? { prefer: 'wait=2' } : {}) }
      switch (kind) {
        case 'create':
          return this.#client.post(`${this.#home}/campaigns`, { name: key }, { headers })
        case 'duplicate':
          return this.#client.post(`${path}/duplicate`, { name: key }, { headers })
        case 'import':
          return this.#client.post(
            `${path}/leads/import`,
            { leads: [{ email: `${key.replaceAll(' ', '-')}@faults.example` }] },
            { headers },
          )
        case 'patch':
          return this.#client.patch(path, { niche: key }, { headers: { ...headers, 'if-match': '2026-01-01T00:00:00Z' } })
        default:
          return this.#client.post(`${path}/${kind}`, {}, { headers })
      }
    }
    const reply = await this.#untilAnswered(key, send)
    // The status of a campaign may refuse the request; that is a response, and uses up no key.
    if (reply.status === 409) return assert.equal(reply.body.error.code, 'invalid_state', JSON.stringify(reply.body))
    assert.ok([200, 201, 202].includes(reply.status), `${kind} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
    this.#sent.push({ key, kind, id: kind === 'create' ? reply.body.data.id : reply.body.id })
  }

  async #repeatOne(random: Random): Promise<void> {
    const sent = random.pick(this.#sent.filter(each => each.kind === 'create'))
    if (!sent) return
    const reply = await this.#untilAnswered(sent.key, () =>
      this.#client.post(`${this.#home}/campaigns`, { name: sent.key }, { headers: { 'idempotency-key': sent.key } }),
    )
    assert.deepEqual([reply.status, reply.body.data?.id], [200, sent.id], 'a repeated request did something new')
  }

  /** Repeats with the same key while there is no response: the connection broke, or the response is 503. */
  async #untilAnswered(key: string, send: () => Promise<Reply>): Promise<Reply> {
    for (let attempt = 0; ; attempt++) {
      const reply = await send().catch((error: Error) => {
        if (!/ECONN|EPIPE|socket|other side closed|terminated/i.test(`${error.message} ${(error as { code?: string }).code}`)) throw error
        return null
      })
      if (reply && reply.status !== 503) return reply
      if (reply) assert.ok(reply.headers['retry-after'], '503 without Retry-After')
      this.#repeats++
      if (attempt > 1000) throw new Error(`nobody ever answers ${key}`)
      await sleep(50)
    }
  }

  /** No more kills: now everything that was accepted has to come to its end. */
  async settle(): Promise<void> {
    await this.#untilUp()
    const open = `select (select count(*) from operations where status in ('queued', 'running'))::int as operations,
      (select count(*) from deliveries where status = 'pending')::int as deliveries,
      (select sum(s.seq - e.cursor_seq) from webhook_endpoints e join event_streams s using (workspace_id))::int as events`
    await eventually(
      'all work is done',
      async () => {
        const [row] = await this.#query<{ operations: number; deliveries: number; events: number }>(open)
        this.#say(`waiting for ${row!.operations} operations, ${row!.deliveries} deliveries, ${row!.events} events`)
        return row!.operations + row!.deliveries + row!.events === 0
      },
      120_000,
    )
  }

  async #query<R>(text: string, values: unknown[] = []): Promise<R[]> {
    const client = new pg.Client({ connectionString: this.#env.DATABASE_URL! })
    await client.connect()
    try {
      return (await client.query(text, values)).rows as R[]
    } finally {
      await client.end()
    }
  }

  async judge() {
    const operations = await this.#query<{
      id: string
      key: string | null
      action: string
      status: string
      campaign: string | null
      result: { campaign?: { id: string } } | null
    }>(`select id, idempotency_key as key, action, status, campaign_id as campaign, result from operations order by seq`)
    const byKey = new Map(operations.map(operation => [operation.key, operation]))
    const named = new Map(
      (await this.#query<{ name: string; count: number }>('select name, count(*)::int as count from campaigns group by name')).map(row => [
        row.name,
        row.count,
      ]),
    )
    const leads = new Set((await this.#query<{ email: string }>('select email from leads')).map(row => row.email))

    for (const { key, kind, id } of this.#sent) {
      const operation = byKey.get(key)
      assert.ok(operation, `${key} was accepted and is lost`)
      assert.equal(
        kind === 'create' ? operation.result?.campaign?.id : operation.id,
        id,
        `${key} has another operation than the client was told`,
      )
      assert.ok(['succeeded', 'failed'].includes(operation.status), `${key} is ${operation.status}`)
      if (kind === 'create' || kind === 'duplicate')
        assert.equal(named.get(key) ?? 0, operation.status === 'succeeded' ? 1 : 0, `${kind} ${key} ${operation.status}`)
      if (kind === 'import') assert.equal(leads.has(`${key.replaceAll(' ', '-')}@faults.example`), operation.status === 'succeeded', key)
    }
    assert.ok(
      [...named.values()].every(count => count === 1),
      'a campaign was made twice',
    )
    const accidents = await this.#query(
      `select id, error from operations where error->>'code' not in ('invalid_state', 'precondition_failed')`,
    )
    assert.deepEqual(accidents, [], 'an operation failed for a reason of ours')

    const events = await this.#query<{ seq: string; type: string; operation: string | null }>(
      `select seq, type, data->>'operationId' as operation from events order by seq`,
    )
    assert.deepEqual(
      events.map(event => Number(event.seq)),
      events.map((_, n) => n + 1),
      'the log has gaps',
    )
    const told = events.filter(event => event.type.startsWith('operation.')).map(event => event.operation!)
    assert.equal(new Set(told).size, told.length, 'an operation was told of twice')
    const position = new Map(told.map((id, n) => [id, n]))
    for (const campaign of this.#campaigns) {
      const order = operations
        .filter(operation => operation.campaign === campaign && position.has(operation.id))
        .map(operation => position.get(operation.id)!)
      assert.deepEqual(
        order,
        order.toSorted((a, b) => a - b),
        'operations of a campaign were applied out of order',
      )
    }

    assert.deepEqual(this.#receiver.problems, [])
    const missing = events.filter(event => !this.#receiver.seen.has(Number(event.seq))).map(event => event.seq)
    assert.deepEqual(missing, [], 'events were never delivered')

    const held = await this.#query(
      `select 'operation' as kind, id from operations where worker_id is not null union all select 'delivery', id from deliveries where worker_id is not null`,
    )
    assert.deepEqual(held, [], 'rows are held by a worker')
    const miscounted = await this.#query(
      'select id from campaigns c where total_leads <> (select count(*) from leads l where l.campaign_id = c.id)',
    )
    assert.deepEqual(miscounted, [])
    return { operations: operations.length, events: events.length, kills: this.#kills, repeats: this.#repeats }
  }

  async close(): Promise<void> {
    this.#isOver = true
    await Promise.all([this.#api, ...this.#workers].map(program => program.end()))
    await this.#receiver.close()
    await this.#postgres.stop()
    await this.#postgres.remove()
  }
}
