import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Metric, Registry } from 'prom-client'
import type { Context } from '../context/context.ts'
import { sql } from '../db/client.ts'
import { AppError } from '../lib/errors.ts'

const BACKLOG = sql(`
  select (select count(*) from operations where completed_at is null)::int as operations,
    (select count(*) from deliveries where status = 'pending' and due_at <= now())::int as deliveries`)

/** Frequent scrapes must not count the tables each time. */
const KEPT_MS = 10_000

/**
 * The metrics for Prometheus at /metrics, without names of workspaces or people. The library is loaded with the first scrape,
 * because it takes a twelfth of a start and most installations are never scraped.
 */
export class Telemetry {
  readonly #ctx: Context
  readonly #tallies = new RequestTallies()
  #registry: Promise<Registry> | undefined

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  observe(route: string, method: string, status: number, elapsedMs: number): void {
    this.#tallies.add(route, method, status, elapsedMs)
  }

  async render(): Promise<{ contentType: string; text: string }> {
    // A failure is not cached: the next scrape tries again.
    this.#registry ??= makeRegistry(this.#ctx, this.#tallies).catch(error => {
      this.#registry = undefined
      throw error
    })
    const registry = await this.#registry
    return { contentType: registry.contentType, text: await registry.metrics() }
  }
}

async function makeRegistry(ctx: Context, tallies: RequestTallies): Promise<Registry> {
  const { Counter, collectDefaultMetrics, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'overture_' })
  const requests = new Counter({
    name: 'overture_http_requests_total',
    help: 'Requests by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
    collect() {
      requests.reset()
      for (const [route, { counts }] of tallies.routes) {
        for (const [answer, count] of counts) {
          const [method, status] = answer.split(' ') as [string, string]
          requests.inc({ route, method, status }, count)
        }
      }
    },
  })
  registry.registerMetric(durationsOf(tallies))
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
  return registry
}

/** A histogram of counts that exist already: the library's own accepts only single observations. */
function durationsOf(tallies: RequestTallies): Metric {
  const name = 'overture_http_request_seconds'
  const values = () =>
    [...tallies.routes].flatMap(([route, { within, count, sumSeconds }]) => {
      let upTo = 0
      const buckets = BOUNDS_SECONDS.map((le, index) => {
        upTo += within[index]!
        return { metricName: `${name}_bucket`, labels: { le, route }, value: upTo }
      })
      return [
        ...buckets,
        { metricName: `${name}_bucket`, labels: { le: '+Inf', route }, value: count },
        { metricName: `${name}_sum`, labels: { route }, value: sumSeconds },
        { metricName: `${name}_count`, labels: { route }, value: count },
      ]
    })
  const get = async () => ({ name, help: 'How long requests took.', type: 'histogram', aggregator: 'sum', values: values() })
  // It is only ever asked for its name and its values.
  return { name, get } as unknown as Metric
}

/** Repeated calls within that time, or while the first is running, get the same response. */
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

/** The bounds of the histogram, in seconds. Longer ones count in the total alone. */
const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30] as const

/** The number of requests of a route, their statuses and their durations. */
interface RouteTally {
  /** By method and status, separated by a space. */
  counts: Map<string, number>
  /** The number of requests up to each bound and above the one before. */
  within: number[]
  count: number
  sumSeconds: number
}

/** Counts requests when they are answered. It runs for every request, so it only adds. */
class RequestTallies {
  readonly routes = new Map<string, RouteTally>()

  add(route: string, method: string, status: number, elapsedMs: number): void {
    let tally = this.routes.get(route)
    if (!tally) {
      tally = { counts: new Map(), within: BOUNDS_SECONDS.map(() => 0), count: 0, sumSeconds: 0 }
      this.routes.set(route, tally)
    }
    const answer = `${method} ${status}`
    tally.counts.set(answer, (tally.counts.get(answer) ?? 0) + 1)
    const seconds = elapsedMs / 1000
    const bound = BOUNDS_SECONDS.findIndex(each => seconds <= each)
    if (bound >= 0) tally.within[bound]!++
    tally.count++
    tally.sumSeconds += seconds
  }
}
