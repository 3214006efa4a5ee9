import manifest from '../../../package.json' with { type: 'json' }
import type { Context } from '../../context/context.ts'
import { newId } from '../../lib/ids.ts'
import { PostFailed, SafeClient } from '../../lib/safe-fetch.ts'
import { ClaimLoop } from '../../queue/claim-loop.ts'
import type { WorkerIdentity } from '../../queue/identity.ts'
import { AttemptRecorder } from './attempt-recorder.ts'
import { type Attempt, bodyOf, concludeAttempt, RETRY_DELAYS_MS } from './deliveries.ts'
import { Occupancy } from './occupancy.ts'
import { claimDeliveries, type DeliveryJob, type FanOut, fanOut, releaseDeliveries, releaseDeliveriesExcept } from './queries.ts'
import { signatureHeaders } from './signature.ts'
import { openSecret } from './webhooks.ts'

const POLL_MS = 1000
const SOON_MS = 3
const FAN_OUT_LIMITS = { endpoints: 20, events: 500 }
const CAPACITY = 256
const PER_ENDPOINT = 8
/** A receiver that fails usually does so slowly: it keeps a way to recover, but not the places of others. */
const PER_FAILING_ENDPOINT = 2

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

/** Turns events into deliveries, sends them, and has it written down what came of it. */
export class WebhookWorker {
  readonly #ctx: Context
  readonly #identity: WorkerIdentity
  readonly #options: Required<WebhookWorkerOptions>
  readonly #client: SafeClient
  readonly #recorder: AttemptRecorder
  readonly #fanOut: ClaimLoop<FanOut>
  readonly #deliveries: ClaimLoop<DeliveryJob>
  readonly #stopListening: () => void
  /** Everything that is claimed and not yet written down, by the id of the delivery. */
  readonly #underWay = new Map<string, Delivering>()
  readonly #tasks = new Set<Promise<void>>()
  readonly #occupancy = new Occupancy()
  #hasReasonToLook = true
  #lookedAtMs = 0
  #lookSoon: NodeJS.Timeout | undefined
  #claimIsUncertain = false

  constructor(ctx: Context, identity: WorkerIdentity, options: WebhookWorkerOptions = {}) {
    this.#ctx = ctx
    this.#identity = identity
    this.#options = { retryDelaysMs: RETRY_DELAYS_MS, timeoutMs: 15_000, graceMs: 3000, ...options }
    this.#client = new SafeClient({ allowLocal: ctx.config.allowLocalTargets })
    this.#recorder = new AttemptRecorder(ctx)
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
    this.#stopListening = ctx.wake.on('deliveries', () => this.#look())
    this.#deliveries = new ClaimLoop(
      {
        name: 'webhook deliveries',
        topics: [],
        pollMs: POLL_MS,
        batchSize: CAPACITY,
        capacity: CAPACITY,
        claim: () => this.#claim(),
        // Deliveries are begun and counted one by one: to the loop a batch would be busy until its slowest receiver has answered.
        handle: async () => {},
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
    this.#stopListening()
    clearTimeout(this.#lookSoon)
    await Promise.all([this.#fanOut.stop(), this.#deliveries.stop()])
    const timer = setTimeout(() => {
      for (const { abort } of this.#underWay.values()) abort.abort()
    }, this.#options.graceMs)
    await Promise.all(this.#tasks)
    clearTimeout(timer)
    await this.#giveBack()
    await this.#client.close()
  }

  #look(): void {
    this.#hasReasonToLook = true
    this.#deliveries.poke()
  }

  async #claim(): Promise<DeliveryJob[]> {
    const total = CAPACITY - this.#underWay.size
    const isTimeToLook = performance.now() - this.#lookedAtMs > POLL_MS * 0.9
    if (total <= 0 || !(this.#hasReasonToLook || this.#claimIsUncertain || isTimeToLook)) return []
    const workerId = await this.#identity.id()
    if (this.#claimIsUncertain) await this.#releaseUnknown(workerId)
    const busy = this.#occupancy.counts
    this.#hasReasonToLook = false
    this.#claimIsUncertain = true
    const limits = { total, perEndpoint: PER_ENDPOINT, perFailingEndpoint: PER_FAILING_ENDPOINT, busy }
    const jobs = await claimDeliveries(this.#ctx.db, workerId, limits)
    this.#claimIsUncertain = false
    this.#lookedAtMs = performance.now()
    for (const job of jobs) this.#begin(job, workerId)
    this.#occupancy.remember(
      busy,
      jobs.map(job => job.endpointId),
    )
    if (jobs.length === total) this.#hasReasonToLook = true
    return jobs
  }

  /** A claim whose answer got lost may have been carried out: its rows would be ours for ever, and nobody would send them. */
  async #releaseUnknown(workerId: number): Promise<void> {
    await this.#ctx.db.inTransaction(tx => releaseDeliveriesExcept(tx, workerId, [...this.#underWay.keys()]))
    this.#claimIsUncertain = false
  }

  #begin(job: DeliveryJob, workerId: number): void {
    const delivering: Delivering = { job, workerId, abort: new AbortController() }
    this.#underWay.set(job.id, delivering)
    this.#occupancy.enter(job.endpointId, job.atOnce)
    const task = this.#deliver(delivering)
      .catch(error => this.#ctx.log.error({ err: error, deliveryId: job.id }, 'a delivery was not written down'))
      .finally(() => this.#tasks.delete(task))
    this.#tasks.add(task)
  }

  async #deliver(delivering: Delivering): Promise<void> {
    const { job, workerId, abort } = delivering
    const startedMs = performance.now()
    const outcome = await this.#send(delivering)
    const durationMs = Math.round(performance.now() - startedMs)
    this.#makeRoom(job)
    if ('failure' in outcome && outcome.failure === 'aborted') return
    const now = new Date(job.claimedAt.getTime() + durationMs)
    const conclusion = concludeAttempt(job.attempt, outcome, now, this.#options.retryDelaysMs)
    const { id, endpointId, isFailing: wasFailing } = job
    await this.#recorder.record({ id, workerId, endpointId, wasFailing, durationMs, nextId: newId(), ...conclusion }, abort.signal)
    const wasFull = this.#underWay.size >= CAPACITY
    // After a lost connection the same delivery may have been claimed anew, under our next number.
    if (this.#underWay.get(id) === delivering) this.#underWay.delete(id)
    if (wasFull) this.#look()
  }

  /** Never throws: whatever goes wrong is the outcome of this attempt. */
  async #send({ job, abort }: Delivering): Promise<Attempt> {
    try {
      const body = bodyOf(job)
      const sealed = job.previousSecret ? [job.secret, job.previousSecret] : [job.secret]
      const secrets = sealed.map(secret => openSecret(this.#ctx.secrets, job.endpointId, secret))
      const headers = {
        'content-type': 'application/json',
        'user-agent': `Overture/${manifest.version}`,
        ...signatureHeaders(secrets, job.eventId, job.claimedAt, body),
      }
      const { timeoutMs } = this.#options
      const answer = await this.#client.post(job.url, { headers, body, timeoutMs, signal: abort.signal })
      return { responseStatus: answer.status, retryAfter: answer.retryAfter }
    } catch (error) {
      if (error instanceof PostFailed) return { failure: error.reason }
      this.#ctx.log.error({ err: error, deliveryId: job.id }, 'a delivery could not be sent')
      return { failure: 'internal_error' }
    }
  }

  /** The receiver has answered, so it can get the next; writing down goes on meanwhile. */
  #makeRoom(job: DeliveryJob): void {
    const when = this.#occupancy.leave(job.endpointId)
    if (when === 'now') this.#look()
    else if (when === 'soon') {
      this.#lookSoon ??= setTimeout(() => {
        this.#lookSoon = undefined
        this.#look()
      }, SOON_MS)
    }
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
