import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context/context.ts'
import { sql } from '../db/sql.ts'
import { AppError } from '../lib/errors.ts'

const BACKLOG = sql(`
  select (select count(*) from operations where completed_at is null)::int as operations,
    (select count(*) from deliveries where status = 'pending' and due_at <= now())::int as deliveries`)

/** Frequent scrapes must not count the tables each time. */
const COUNTED_EVERY_MS = 10_000

const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30]

/** The metrics for Prometheus at /metrics, without names of workspaces or people. */
export class Telemetry {
  readonly #ctx: Context
  #metrics: ReturnType<typeof makeMetrics> | undefined

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  observe(route: string, method: string, status: number, elapsedMs: number): void {
    const count = async (): Promise<void> => {
      const { requests, durations } = await this.#load()
      requests.inc({ route, method, status })
      durations.observe({ route }, elapsedMs / 1000)
    }
    count().catch(error => this.#ctx.log.warn({ err: error }, 'a request could not be counted'))
  }

  async render(): Promise<{ contentType: string; text: string }> {
    const { registry, observeProcess } = await this.#load()
    observeProcess()
    return { contentType: registry.contentType, text: await registry.metrics() }
  }

  /** The library is loaded with the first request, because it takes a twelfth of a start. */
  #load(): ReturnType<typeof makeMetrics> {
    this.#metrics ??= makeMetrics(this.#ctx).catch(error => {
      this.#metrics = undefined
      throw error
    })
    return this.#metrics
  }
}

async function makeMetrics(ctx: Context) {
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  let isObserved = false
  // Watching the event loop and the garbage collector costs something, and most installations are never scraped.
  const observeProcess = (): void => {
    if (!isObserved) collectDefaultMetrics({ register: registry, prefix: 'overture_' })
    isObserved = true
  }
  const requests = new Counter({
    name: 'overture_http_requests_total',
    help: 'Requests by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'overture_http_request_seconds',
    help: 'How long requests took.',
    labelNames: ['route'],
    buckets: BOUNDS_SECONDS,
    registers,
  })
  let countedAt = Number.NEGATIVE_INFINITY
  let counted: Promise<Record<string, number> | undefined>
  const backlog = new Gauge({
    name: 'overture_backlog',
    help: 'Pending work, by queue.',
    labelNames: ['queue'],
    registers,
    async collect() {
      const at = performance.now()
      if (at - countedAt >= COUNTED_EVERY_MS) {
        countedAt = at
        counted = ctx.db.first<Record<string, number>>(BACKLOG).catch(() => undefined)
      }
      for (const [queue, count] of Object.entries((await counted) ?? {})) backlog.set({ queue }, count)
    },
  })
  const saturations = new Counter({
    name: 'overture_pool_saturated_total',
    help: 'How often no connection was available when one was needed.',
    registers,
    collect() {
      saturations.reset()
      saturations.inc(ctx.db.saturatedCount)
    },
  })
  const connections = new Gauge({
    name: 'overture_pool_connections',
    help: 'Connections to PostgreSQL in the pool of this process, and callers that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { totalCount, idleCount, waitingCount } = ctx.db.pool
      connections.set({ state: 'busy' }, totalCount - idleCount)
      connections.set({ state: 'idle' }, idleCount)
      connections.set({ state: 'waiting' }, waitingCount)
    },
  })
  return { registry, observeProcess, requests, durations }
}

const PROXY_HEADER = /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/

/**
 * The amount of work is not public. Metrics are available to direct requests from the machine itself, not to requests
 * through a proxy on it, and to callers with the token.
 */
export function checkMayScrape(request: FastifyRequest, token: string): void {
  const isDirect = isLoopback(request.socket.remoteAddress ?? '') && !Object.keys(request.headers).some(name => PROXY_HEADER.test(name))
  // A page in a browser on this machine could use a name of its own that leads here. It cannot choose the host header.
  if (isDirect && LOCAL_HOST.test(request.headers.host ?? '')) return
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token !== '' && given !== undefined && timingSafeEqual(digest(given), digest(token))) return
  throw new AppError(
    given === undefined ? 'unauthenticated' : 'invalid_token',
    'Metrics are available only from this machine, or with OVERTURE_METRICS_TOKEN as the bearer token.',
    null,
    { 'www-authenticate': 'Bearer' },
  )
}

const LOCAL_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i
const isLoopback = (address: string): boolean => /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/.test(address)

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')
