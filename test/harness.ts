import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { Agent, request as undiciRequest } from 'undici'
import { buildContext, closeContext } from '../src/app/build-context.ts'
import { fingerprintOf } from '../src/app/installation-keys.ts'
import { buildApp } from '../src/app/server.ts'
import { Worker } from '../src/app/worker.ts'
import { type Config, loadConfig } from '../src/context/config.ts'
import type { Context } from '../src/context/context.ts'
import { sql, type Tx } from '../src/db/sql.ts'
import { retryConnecting } from '../src/db/startup.ts'
import { OPERATOR_SCOPES } from '../src/http/access.ts'
import { type Clock, systemClock } from '../src/lib/clock.ts'
import type { Resolve } from '../src/lib/public-address.ts'
import { SecretBox } from '../src/lib/secret-box.ts'
import { issueToken } from '../src/modules/tokens/tokens.ts'
import { ensureUser } from '../src/modules/workspaces/workspaces.ts'
import { cleanups } from './cleanups.ts'
import { assertIsActionOf, assertMatchesContract } from './contract/openapi-check.ts'
import { assertStoredAsDescribed } from './contract/stored-check.ts'
import { adminOf, giveBackDatabase, keepConnections, takeDatabase } from './databases.ts'
import { startTestPostgres, TEMPLATE } from './postgres.ts'

export interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
}

interface RequestOptions {
  token?: string | null
  headers?: Record<string, string>
  /** Sent as it is, instead of JSON. */
  raw?: string | Buffer
}

/** A client that holds every response against the OpenAPI document before the test sees it. */
export class Client {
  readonly baseUrl: string
  readonly token: string
  readonly #agent = new Agent({ keepAliveTimeout: 1000 })

  constructor(baseUrl: string, token: string) {
    this.baseUrl = baseUrl
    this.token = token
  }

  async send(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<Reply> {
    const headers: Record<string, string> = {}
    const token = options.token === undefined ? this.token : options.token
    if (token !== null) headers.authorization = `Bearer ${token}`
    if (body !== undefined || options.raw !== undefined) headers['content-type'] = 'application/json'
    Object.assign(headers, options.headers)
    const url = path.startsWith('http') ? path : this.baseUrl + path
    const payload = options.raw ?? (body === undefined ? null : JSON.stringify(body))
    const answer = await undiciRequest(url, { method: method as 'GET', headers, body: payload, dispatcher: this.#agent })
    const text = await answer.body.text()
    const type = String(answer.headers['content-type'] ?? '')
    const reply: Reply = {
      status: answer.statusCode,
      headers: answer.headers,
      body: type.includes('json') && text ? JSON.parse(text) : text,
    }
    assertMatchesContract(method, url, reply)
    return reply
  }

  get = (path: string, options?: RequestOptions) => this.send('GET', path, undefined, options)
  post = (path: string, body?: unknown, options?: RequestOptions) => this.send('POST', path, body, options)
  put = (path: string, body?: unknown, options?: RequestOptions) => this.send('PUT', path, body, options)
  patch = (path: string, body?: unknown, options?: RequestOptions) => this.send('PATCH', path, body, options)
  delete = (path: string, options?: RequestOptions) => this.send('DELETE', path, undefined, options)

  /** Sends an accepted write and returns its operation once that is terminal. */
  async operate(method: string, path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Reply['body']> {
    const accepted = await this.send(method, path, body, { headers: { prefer: 'wait=20', ...headers } })
    if (accepted.status !== 200 && accepted.status !== 202)
      throw new Error(`${method} ${path} answered ${accepted.status}: ${JSON.stringify(accepted.body)}`)
    const operation = await this.#terminal(accepted.body.id)
    assertIsActionOf(method, path, operation.action)
    return operation
  }

  /** The response as it would be if the request had waited until its operation was terminal: on a busy machine it may not wait for so long. */
  async whenDone(accepted: Promise<Reply>): Promise<Reply> {
    const reply = await accepted
    return reply.status === 202 ? { ...reply, status: 200, body: await this.#terminal(reply.body.id) } : reply
  }

  async #terminal(id: string): Promise<Reply['body']> {
    for (let polls = 0; polls < 400; polls++) {
      const operation = (await this.get(`/v1/operations/${id}`)).body
      if (['succeeded', 'failed'].includes(operation.status)) return operation
      await delay(250)
    }
    throw new Error(`operation ${id} has not ended`)
  }
}

export interface Overture {
  ctx: Context
  app: FastifyInstance
  baseUrl: string
  databaseUrl: string
  workspaceId: string
  userId: string
  client: Client
  /** `/v1/workspaces/{id}` of the test's own workspace. */
  home: string
  worker: Worker | null
  /** A second person with a workspace of their own. */
  stranger(): Promise<{ client: Client; workspaceId: string; home: string }>
  /** A client with a workspace key of just these scopes. */
  withScopes(scopes: string[]): Promise<Client>
  stop(): Promise<void>
  /** Stops it, checks what it has stored, and leaves its database to the next service. */
  end(): Promise<void>
}

export interface HarnessOptions {
  config?: Partial<Config>
  clock?: Clock
  /** Names of mail servers lead where the test says. */
  resolve?: Resolve
  worker?: boolean
  /** How long the database may take to answer a question. */
  answerLimitMs?: number
}

let ownServer: Promise<{ url(name: string): string }> | undefined

/** `npm test` starts one server for all files; a file that is run alone starts its own. */
async function serverUrl(database: string): Promise<string> {
  const shared = process.env.OVERTURE_TEST_POSTGRES
  if (shared) return shared.replace('/postgres?', `/${database}?`)
  ownServer ??= startTestPostgres().then(({ server, stop }) => {
    cleanups.push(stop)
    return server
  })
  return (await ownServer).url(database)
}

export async function createTestDatabase(options: { isEmpty?: boolean } = {}): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: await serverUrl('postgres') })
  await admin.connect()
  // Copying files takes a third of what writing every page to the log does.
  await admin.query(`create database ${name} template ${options.isEmpty ? 'template0' : TEMPLATE} strategy file_copy`)
  await admin.end()
  return serverUrl(name)
}

export const TEST_SECRET = randomBytes(32)

/** For processes that a test starts on the same database with this secret key: they derive the same keys. */
const storeMasterKey = (tx: Tx): Promise<number> => {
  const sealed = new SecretBox(TEST_SECRET).seal('master', TEST_SECRET.toString('base64'), 'installation_keys/master')
  return tx.run(sql('insert into installation_keys (fingerprint, sealed_master) values ($1, $2)'), [fingerprintOf(TEST_SECRET), sealed])
}

export async function startOverture(options: HarnessOptions = {}): Promise<Overture> {
  const database = await takeDatabase(createTestDatabase)
  const databaseUrl = database.url
  const config = loadConfig(
    {},
    { port: 0, logLevel: 'silent', allowLocalTargets: true, rateLimitPerMinute: 1_000_000, poolSize: 8, ...options.config },
  )
  const { clock = systemClock, resolve, answerLimitMs } = options
  const ctx = buildContext({ config, databaseUrl, secretKey: TEST_SECRET, clock, resolve, answerLimitMs })
  // A limit for answers stays with a connection.
  if (answerLimitMs === undefined) keepConnections(ctx.db, database)
  await retryConnecting(
    () => ctx.db.inTransaction(storeMasterKey),
    () => {},
  )
  await ctx.wake.listen(databaseUrl)
  const app = await buildApp(ctx)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const baseUrl = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`
  config.baseUrl = baseUrl
  const worker = options.worker === false ? null : new Worker(ctx)
  await worker?.start()

  // On a busy machine PostgreSQL may be slow to give the first connections.
  const signUp = (email: string) =>
    retryConnecting(
      () => createUser(email),
      () => {},
    )
  const createUser = (email: string) =>
    ctx.db.inTransaction(async tx => {
      const now = new Date()
      const { userId, workspace } = await ensureUser(tx, { name: email, email, workspaceName: email }, now)
      const { token } = await issueToken(
        tx,
        { kind: 'personal', userId, workspaceId: null, name: 'test', scopes: ['*', ...OPERATOR_SCOPES], expiresAt: null },
        now,
      )
      return { userId, workspaceId: workspace.id, token }
    })
  // There is always another workspace: a statement that forgets its workspace finds that one, too.
  await signUp('neighbour@overture.example')
  const me = await signUp('me@overture.example')

  let [stopped, isOver] = [false, false]
  const overture: Overture = {
    ctx,
    app,
    baseUrl,
    databaseUrl,
    workspaceId: me.workspaceId,
    userId: me.userId,
    client: new Client(baseUrl, me.token),
    home: `/v1/workspaces/${me.workspaceId}`,
    worker,
    async stranger() {
      const other = await signUp(`${randomUUID()}@stranger.example`)
      return { client: new Client(baseUrl, other.token), workspaceId: other.workspaceId, home: `/v1/workspaces/${other.workspaceId}` }
    },
    async withScopes(scopes) {
      const { token } = await ctx.db.inTransaction(tx =>
        issueToken(
          tx,
          { kind: 'organization', userId: null, workspaceId: me.workspaceId, name: 'scoped', scopes, expiresAt: null },
          new Date(),
        ),
      )
      return new Client(baseUrl, token)
    },
    async stop() {
      if (stopped) return
      stopped = true
      await app.close()
      await worker?.stop()
      await closeContext(ctx)
    },
    async end() {
      if (isOver) return
      isOver = true
      await overture.stop()
      await assertStoredAsDescribed(await adminOf(database))
      await giveBackDatabase(database)
    },
  }
  cleanups.push(() => overture.end())
  return overture
}
