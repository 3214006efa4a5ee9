import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'

/**
 * The HTTP interface of ClickHouse in front of chdb, the real engine as a library: as much of it as the official client
 * speaks. It runs in a process of its own, as a server would, and can be killed like one.
 */
export class ChdbServer {
  readonly #dir: string
  readonly #data: string
  #process: ChildProcess | undefined
  #port = 0

  /** `dir` is the folder that chdb was installed into, `data` where the tables are kept. */
  constructor(dir: string, data: string) {
    this.#dir = dir
    this.#data = data
  }

  /** The same port after every start, so that a client finds the server again. */
  async start(): Promise<void> {
    const child = fork(import.meta.filename, [resolve(this.#dir), this.#data, String(this.#port)])
    this.#process = child
    const [port] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`chdb ended with ${code}`))),
    ])) as [number]
    this.#port = port
  }

  url(database = 'default'): string {
    return `http://${USER}:${PASSWORD}@127.0.0.1:${this.#port}/${database}`
  }

  async kill(): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (!child || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}

const USER = 'overture'
const PASSWORD = 'open-sesame'

interface Session {
  query(sql: string, format?: string): string
}

/** The parameters of a query string that are not settings. */
const NOT_SETTINGS = new Set(['query', 'query_id', 'database', 'session_id', 'session_timeout', 'default_format', 'role'])

function serve(dir: string, data: string, port: number): void {
  const { Session } = createRequire(resolve(dir, 'package.json'))('chdb') as { Session: new (path: string) => Session }
  const session = new Session(data)
  let lastContext = ''

  /** Settings, parameters and the database hold for a request; the session has them until the next one differs. */
  const prepare = (params: URLSearchParams): void => {
    const settings = [...params].filter(([name]) => !NOT_SETTINGS.has(name))
    const literal = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    const assignments = settings.map(([name, value]) => `${name} = ${literal(value)}`).join(', ')
    const database = params.get('database') ?? 'default'
    const context = `${database} ${assignments}`
    if (context === lastContext) return
    session.query(`use ${database}`)
    if (assignments !== '') session.query(`set ${assignments}`)
    lastContext = context
  }

  const answer = async (request: IncomingMessage): Promise<{ status: number; body: string; headers?: Record<string, string> }> => {
    const url = new URL(request.url!, 'http://localhost')
    if (url.pathname === '/ping') return { status: 200, body: 'Ok.\n' }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const credentials = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`
    if (request.headers.authorization !== credentials) return failure(403, 516, 'AUTHENTICATION_FAILED')
    try {
      prepare(url.searchParams)
      // As on a server: the query in the address comes first, the body is the rest of it, data included.
      const sql = [url.searchParams.get('query'), body].filter(Boolean).join('\n')
      return { status: 200, body: session.query(sql, url.searchParams.get('default_format') ?? 'TabSeparated') ?? '' }
    } catch (error) {
      lastContext = ''
      const text = String((error as Error).message)
      return failure(500, Number(/Code: (\d+)/.exec(text)?.[1] ?? 1002), text)
    }
  }

  const server = createServer((request, reply) => {
    void answer(request).then(({ status, body, headers }) => reply.writeHead(status, headers).end(body))
  })
  server.listen(port, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
}

const failure = (status: number, code: number, text: string) => ({
  status,
  body: `Code: ${code}. DB::Exception: ${text.replace(/^.*?DB::Exception: /s, '')}\n`,
  headers: { 'x-clickhouse-exception-code': String(code) },
})

if (process.send && process.argv[1] === import.meta.filename) {
  process.on('disconnect', () => process.exit())
  const [dir, data, port] = process.argv.slice(2) as [string, string, string]
  serve(dir, data, Number(port))
}
