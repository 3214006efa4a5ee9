import { randomUUID } from 'node:crypto'
import { Client } from 'undici'

export interface Load {
  origin: string
  connections: number
  method: 'GET' | 'POST' | 'PATCH'
  /** Taken in turn. */
  paths: string[]
  headers?: Record<string, string>
  body?: string
  /** A new idempotency-key with every request, as a careful client sends it. */
  withKeys?: boolean
  /** Answered, but not counted. */
  warmUpMs?: number
  /** One of the two says when it is over. */
  durationMs?: number
  requests?: number
}

export interface LoadResult {
  perSecond: number
  p50Ms: number
  p99Ms: number
  statuses: Record<string, number>
}

/** A closed loop: as many requests are under way as there are connections, never more. */
async function run(load: Load): Promise<LoadResult> {
  const { connections, method, paths, headers = {}, body = null, withKeys = false } = load
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  const countFrom = performance.now() + (load.warmUpMs ?? 0)
  const endAt = load.durationMs === undefined ? Number.POSITIVE_INFINITY : countFrom + load.durationMs
  let left = load.requests ?? Number.POSITIVE_INFINITY
  let next = 0

  const askOnce = (client: Client): Promise<void> =>
    new Promise(resolve => {
      const startedAt = performance.now()
      let status = 'no answer'
      const done = (): void => {
        const now = performance.now()
        if (startedAt >= countFrom) latencies.push(now - startedAt)
        statuses[status] = (statuses[status] ?? 0) + 1
        resolve()
      }
      const sent = withKeys ? { ...headers, 'idempotency-key': randomUUID() } : headers
      // `dispatch` with bare callbacks: what the generator costs is missing from what the server gets.
      client.dispatch(
        { method, path: paths[next++ % paths.length]!, headers: sent, body },
        {
          onRequestStart() {},
          onResponseStart(_controller, statusCode) {
            status = String(statusCode)
          },
          onResponseData() {},
          onResponseEnd: done,
          onResponseError: done,
        },
      )
    })

  const clients = Array.from({ length: connections }, () => new Client(load.origin, { pipelining: 1 }))
  await Promise.all(
    clients.map(async client => {
      while (performance.now() < endAt && left-- > 0) await askOnce(client)
    }),
  )
  const seconds = (performance.now() - countFrom) / 1000
  await Promise.all(clients.map(client => client.close()))
  latencies.sort((a, b) => a - b)
  const at = (percent: number): number => latencies[Math.floor((latencies.length * percent) / 100)] ?? 0
  return { perSecond: latencies.length / seconds, p50Ms: at(50), p99Ms: at(99), statuses }
}

process.once('message', load => {
  void run(load as Load).then(result => process.send!(result, () => process.disconnect()))
})
