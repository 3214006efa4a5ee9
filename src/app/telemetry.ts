import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from '../context/context.ts'
import { sql } from '../db/client.ts'

const BACKLOG = sql(`
  select (select count(*) from operations where status in ('queued', 'running'))::int as operations,
    (select count(*) from deliveries where status = 'pending' and due_at <= now())::int as deliveries`)

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
      help: 'Work that waits, by queue.',
      labelNames: ['queue'],
      registers,
      async collect() {
        const waiting = await ctx.db.first<Record<string, number>>(BACKLOG).catch(() => undefined)
        for (const [queue, count] of Object.entries(waiting ?? {})) backlog.set({ queue }, count)
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
