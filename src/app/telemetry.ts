import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from '../context/context.ts'
import { sql } from '../db/client.ts'
import { AppError } from '../lib/errors.ts'

const BACKLOG = sql(`
  select (select count(*) from operations where status in ('queued', 'running'))::int as operations,
    (select count(*) from deliveries where status = 'pending' and due_at <= now())::int as deliveries`)

/** A scrape a second, or a hundred, must not count the tables each time. */
const KEPT_MS = 10_000

/** What a Prometheus server scrapes at /metrics. Nothing here names a workspace or a person. */
export class Telemetry {
  readonly #registry = new Registry()
  readonly #requests: Counter<'route' | 'method' | 'status'>
  readonly #durations: Histogram<'route'>

  constructor(ctx: Context) {
    const registers = [this.#registry]
    collectDefaultMetrics({ register: this.#registry, prefix: 'overture_' })
    this.#requests = new Counter({
      name: 'overture_http_requests_total',
      help: 'Requests by route, method and status.',
      labelNames: ['route', 'method', 'status'],
      registers,
    })
    this.#durations = new Histogram({
      name: 'overture_http_request_seconds',
      help: 'How long requests took.',
      labelNames: ['route'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30],
      registers,
    })
    const backlog = new Gauge({
      name: 'overture_backlog',
      help: 'Pending work, by queue.',
      labelNames: ['queue'],
      registers,
      async collect() {
        for (const [queue, count] of Object.entries(await countBacklog())) backlog.set({ queue }, count)
      },
    })
    const countBacklog = keptFor(KEPT_MS, async () => (await ctx.db.first<Record<string, number>>(BACKLOG).catch(() => undefined)) ?? {})
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
  }

  observe(route: string, method: string, status: number, elapsedMs: number): void {
    this.#requests.inc({ route, method, status })
    this.#durations.observe({ route }, elapsedMs / 1000)
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  render(): Promise<string> {
    return this.#registry.metrics()
  }
}

/** Asked again within that time, or while the answer is still being found, it gives the same answer. */
function keptFor<T>(ms: number, find: () => Promise<T>): () => Promise<T> {
  let kept: { answer: Promise<T>; at: number } | undefined
  return () => {
    const at = performance.now()
    if (!kept || at - kept.at >= ms) kept = { answer: find(), at }
    return kept.answer
  }
}

const PROXY_HEADER = /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/

/**
 * The amount of work is not public. Metrics are available to direct requests from the machine itself, not to requests
 * through a proxy on it, and to callers with the token.
 */
export function checkMayScrape(request: FastifyRequest, token: string): void {
  const isLocal = isLoopback(request.socket.remoteAddress ?? '') && !Object.keys(request.headers).some(name => PROXY_HEADER.test(name))
  if (isLocal) return
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token !== '' && given !== undefined && timingSafeEqual(digest(given), digest(token))) return
  throw new AppError(
    given === undefined ? 'unauthenticated' : 'invalid_token',
    'Metrics are available only from this machine, or with OVERTURE_METRICS_TOKEN as the bearer token.',
    null,
    { 'www-authenticate': 'Bearer' },
  )
}

const isLoopback = (address: string): boolean => /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/.test(address)

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')
