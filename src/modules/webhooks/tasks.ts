import { setTimeout as sleep } from 'node:timers/promises'
import manifest from '../../../package.json' with { type: 'json' }
import type { Context } from '../../context.ts'
import { backoffMs } from '../../lib/backoff.ts'
import { Batcher } from '../../lib/batcher.ts'
import { newId } from '../../lib/ids.ts'
import { PostFailed, SafeClient } from '../../lib/safe-fetch.ts'
import { ClaimLoop } from '../../work/claim-loop.ts'
import type { WorkerIdentity } from '../../work/identity.ts'
import { type Attempt, bodyOf, concludeAttempt, RETRY_DELAYS_MS } from './deliveries.ts'
import { judgeEndpoints, type Verdict } from './endpoint-queries.ts'
import {
  type AttemptRecord,
  claimDeliveries,
  type DeliveryJob,
  type FanOut,
  fanOut,
  recordAttempts,
  releaseDeliveries,
  releaseDeliveriesExcept,
} from './queries.ts'
import { signatureHeaders } from './signature.ts'
import { openSecret } from './webhooks.ts'

const POLL_MS = 1000
const FAN_OUT_LIMITS = { endpoints: 20, events: 500 }
const CAPACITY = 256
const PER_ENDPOINT = 8
/** A receiver that fails usually does so slowly: it keeps a way to recover, but not the places of others. */
const PER_FAILING_ENDPOINT = 2
const RECORD_BATCH = 200
const RECORD_RETRY_MS = 250
const RECORD_RETRY_MAX_MS = 10_000

export interface WebhookWorkerOptions {
  retryDelaysMs?: readonly number[]
  timeoutMs?: number
  /** How long `stop` waits for answers before it gives the rest back to the queue. */
  graceMs?: number
}

interface Delivering {
  job: DeliveryJob
  workerId: number
  abort: AbortController
}

interface Result extends AttemptRecord {
  endpointId: string
  gone: boolean
  /** What the worker knew of the endpoint when it took the delivery. */
  wasFailing: boolean
}

/** Turns events into deliveries, sends them, and writes down what came of it. */
export class WebhookWorker {
  readonly #ctx: Context
  readonly #identity: WorkerIdentity
  readonly #options: Required<WebhookWorkerOptions>
  readonly #client: SafeClient
  readonly #fanOut: ClaimLoop<FanOut>
  readonly #deliveries: ClaimLoop<DeliveryJob>
  readonly #recorder: Batcher<Result, undefined>
  /** Everything that is claimed and not yet written down, by the id of the delivery. */
  readonly #underWay = new Map<string, Delivering>()
  readonly #tasks = new Set<Promise<void>>()
  /** Requests that have no answer yet, by endpoint. */
  readonly #busy = new Map<string, number>()
  #claimWorkerId = 0
  #claimUncertain = false
  #stopped = false

  constructor(ctx: Context, identity: WorkerIdentity, options: WebhookWorkerOptions = {}) {
    this.#ctx = ctx
    this.#identity = identity
    this.#options = { retryDelaysMs: RETRY_DELAYS_MS, timeoutMs: 15_000, graceMs: 3000, ...options }
    this.#client = new SafeClient({ allowLocal: ctx.config.allowLocalTargets })
    this.#recorder = new Batcher(results => this.#record(results), { maxSize: RECORD_BATCH })
    this.#fanOut = new ClaimLoop(
      {
        name: 'webhook events',
        topics: ['events'],
        pollMs: POLL_MS,
        batchSize: FAN_OUT_LIMITS.endpoints,
        capacity: FAN_OUT_LIMITS.endpoints,
        claim: endpoints => fanOut(ctx.db, { ...FAN_OUT_LIMITS, endpoints }),
        handle: async batch => {
          if (batch.some(endpoint => endpoint.count > 0)) ctx.wake.wake(['deliveries'])
        },
      },
      ctx.wake,
      ctx.log,
    )
    this.#deliveries = new ClaimLoop(
      {
        name: 'webhook deliveries',
        topics: ['deliveries'],
        pollMs: POLL_MS,
        batchSize: CAPACITY,
        capacity: CAPACITY,
        claim: () => this.#claim(),
        // Deliveries are counted one by one here: to the loop a batch would be busy until its slowest receiver has answered.
        handle: async batch => {
          for (const job of batch) this.#begin(job)
        },
      },
      ctx.wake,
      ctx.log,
    )
  }

  start(): void {
    this.#fanOut.start()
    this.#deliveries.start()
  }

  /** Takes nothing new, waits a little for answers, and gives back what is still without one. */
  async stop(): Promise<void> {
    await Promise.all([this.#fanOut.stop(), this.#deliveries.stop()])
    const timer = setTimeout(() => {
      for (const { abort } of this.#underWay.values()) abort.abort()
    }, this.#options.graceMs)
    this.#stopped = true
    await Promise.all(this.#tasks)
    clearTimeout(timer)
    await this.#giveBack()
    await this.#client.close()
  }

  async #claim(): Promise<DeliveryJob[]> {
    const total = CAPACITY - this.#underWay.size
    if (total <= 0) return []
    const workerId = await this.#identity.id()
    if (this.#claimUncertain) await this.#releaseUnknown(workerId)
    this.#claimWorkerId = workerId
    this.#claimUncertain = true
    const limits = { total, perEndpoint: PER_ENDPOINT, perFailingEndpoint: PER_FAILING_ENDPOINT, busy: this.#busy }
    const jobs = await claimDeliveries(this.#ctx.db, workerId, limits)
    this.#claimUncertain = false
    return jobs
  }

  /** A claim whose answer got lost may have been carried out: its rows would be ours for ever, and nobody would send them. */
  async #releaseUnknown(workerId: number): Promise<void> {
    await this.#ctx.db.inTransaction(tx => releaseDeliveriesExcept(tx, workerId, [...this.#underWay.keys()]))
    this.#claimUncertain = false
  }

  #begin(job: DeliveryJob): void {
    const delivering: Delivering = { job, workerId: this.#claimWorkerId, abort: new AbortController() }
    this.#underWay.set(job.id, delivering)
    this.#busy.set(job.endpointId, (this.#busy.get(job.endpointId) ?? 0) + 1)
    const task = this.#deliver(delivering)
      .catch(error => this.#ctx.log.error({ err: error, deliveryId: job.id }, 'a delivery was not written down'))
      .finally(() => this.#tasks.delete(task))
    this.#tasks.add(task)
  }

  async #deliver(delivering: Delivering): Promise<void> {
    const { job, workerId } = delivering
    const startedMs = performance.now()
    const outcome = await this.#send(delivering)
    const durationMs = Math.round(performance.now() - startedMs)
    this.#makeRoom(job)
    if ('failure' in outcome && outcome.failure === 'aborted') return
    const now = new Date(job.claimedAt.getTime() + durationMs)
    const { status, responseStatus, error, retryInMs, gone } = concludeAttempt(
      job.attempt,
      outcome,
      now,
      this.#options.retryDelaysMs,
    )
    const record: AttemptRecord = {
      id: job.id,
      workerId,
      status,
      responseStatus,
      error,
      durationMs,
      retryInMs,
      nextId: newId(),
    }
    await this.#writeDown(
      { ...record, endpointId: job.endpointId, gone, wasFailing: job.isFailing },
      delivering.abort.signal,
    )
  }

  /** Never throws: whatever goes wrong is the outcome of this attempt. */
  async #send({ job, abort }: Delivering): Promise<Attempt> {
    try {
      const body = bodyOf(job)
      const sealed = job.previousSecret ? [job.secret, job.previousSecret] : [job.secret]
      const secrets = sealed.map(secret => openSecret(this.#ctx.secrets, secret))
      const headers = {
        'content-type': 'application/json',
        'user-agent': `Overture/${manifest.version}`,
        ...signatureHeaders(secrets, job.eventId, job.claimedAt, body),
      }
      const answer = await this.#client.post(job.url, {
        headers,
        body,
        timeoutMs: this.#options.timeoutMs,
        signal: abort.signal,
      })
      return { responseStatus: answer.status, retryAfter: answer.retryAfter }
    } catch (error) {
      if (error instanceof PostFailed) return { failure: error.reason }
      this.#ctx.log.error({ err: error, deliveryId: job.id }, 'a delivery could not be sent')
      return { failure: 'internal_error' }
    }
  }

  /** The receiver has answered, so it can get the next; writing down goes on meanwhile. */
  #makeRoom(job: DeliveryJob): void {
    const busy = this.#busy.get(job.endpointId)!
    if (busy === 1) this.#busy.delete(job.endpointId)
    else this.#busy.set(job.endpointId, busy - 1)
    if (busy >= job.atOnce) this.#deliveries.poke()
  }

  /** Goes on until it is stored: a result that is forgotten would leave the delivery claimed by a worker that lives. */
  async #writeDown(result: Result, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#recorder.submit(result)
        const wasFull = this.#underWay.size >= CAPACITY
        this.#underWay.delete(result.id)
        if (wasFull) this.#deliveries.poke()
        return
      } catch (error) {
        if (this.#stopped) return
        if (attempt === 1)
          this.#ctx.log.warn({ err: error, deliveryId: result.id }, 'cannot write down a delivery; will keep trying')
        await sleep(backoffMs(attempt, RECORD_RETRY_MS, RECORD_RETRY_MAX_MS), undefined, { signal }).catch(() => {})
      }
    }
  }

  /** One statement when all is well; the endpoints are only looked at when something about them may have changed. */
  async #record(results: Result[]): Promise<undefined[]> {
    const verdicts = verdictsOf(results)
    if (verdicts.length === 0) {
      await recordAttempts(this.#ctx.db, results)
    } else {
      const changed = await this.#ctx.db.inTransaction(async tx => {
        await recordAttempts(tx, results)
        return judgeEndpoints(tx, verdicts)
      })
      for (const { id, status, disabledReason } of changed) {
        if (status === 'disabled')
          this.#ctx.log.warn({ endpointId: id, disabledReason }, 'a webhook endpoint was disabled')
      }
    }
    return results.map(() => undefined)
  }

  async #giveBack(): Promise<void> {
    const rest = Map.groupBy(this.#underWay.values(), delivering => delivering.workerId)
    for (const [workerId, deliverings] of rest) {
      const ids = deliverings.map(delivering => delivering.job.id)
      // Should this fail, the rows are released all the same when others notice that this worker is gone.
      await this.#ctx.db.inTransaction(tx => releaseDeliveries(tx, workerId, ids)).catch(() => {})
    }
    this.#underWay.clear()
  }
}

/** One success among the failures of an endpoint is enough: only failures and nothing else count against it. */
function verdictsOf(results: Result[]): Verdict[] {
  const verdicts: Verdict[] = []
  for (const [endpointId, own] of Map.groupBy(results, result => result.endpointId)) {
    if (!own.some(result => result.status === 'failed' || result.wasFailing)) continue
    verdicts.push({
      endpointId,
      succeeded: own.some(result => result.status === 'succeeded'),
      gone: own.some(result => result.gone),
    })
  }
  return verdicts
}
