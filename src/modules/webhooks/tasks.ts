import manifest from '../../../package.json' with { type: 'json' }
import type { Context } from '../../context/context.ts'
import type { Hmac } from '../../lib/hmac.ts'
import { newId } from '../../lib/ids.ts'
import { PostFailed, SafeClient } from '../../lib/safe-fetch.ts'
import { Slots } from '../../lib/slots.ts'
import { signatureHeaders, signerOf } from '../../lib/webhook-signature.ts'
import type { WorkerIdentity } from '../../queue/identity.ts'
import { LeasedQueue } from '../../queue/leased-queue.ts'
import { Lookout } from '../../queue/lookout.ts'
import { type Attempt, bodyOf, concludeAttempt, EVENT_EXPIRED } from './deliveries.ts'
import { Occupancy } from './occupancy.ts'
import { Pace } from './pace.ts'
import { claimDeliveries, type DeliveryJob, fanOut, releaseDeliveriesExcept } from './queue-queries.ts'
import { AttemptRecorder } from './record-tasks.ts'
import { openSecret } from './webhooks.ts'

const POLL_MS = 1000
const TIMEOUT_MS = 15_000
const SOON_MS = 3
const FAN_OUT_LIMITS = { endpoints: 20, events: 500 }
const CAPACITY = 256
const PER_ENDPOINT = 8
const MOST_SIGNERS = 1000
/** A receiver that fails usually does so slowly: it keeps a way to recover, but not the places of others. */
const PER_FAILING_ENDPOINT = 2

/** Turns events into deliveries, sends them, and has it written down what came of it. */
export class WebhookWorker {
  readonly #ctx: Context
  readonly #client: SafeClient
  readonly #recorder: AttemptRecorder
  readonly #fanOut: Lookout
  readonly #deliveries: LeasedQueue<DeliveryJob>
  readonly #stopListening: () => void
  readonly #occupancy = new Occupancy()
  readonly #pace = new Pace()
  readonly #lanes = new Map<string, Slots>()
  readonly #signers = new Map<string, Hmac>()
  /** A claim costs a statement, so none is made without a reason to find something. */
  #hasReasonToLook = true
  #lookedAtMs = 0
  #lookSoon: NodeJS.Timeout | undefined

  constructor(ctx: Context, identity: Pick<WorkerIdentity, 'id'>) {
    this.#ctx = ctx
    this.#client = new SafeClient({ allowLocal: ctx.config.allowLocalTargets })
    this.#recorder = new AttemptRecorder(ctx)
    const events = { name: 'webhook events', topics: ['events'], pollMs: POLL_MS, look: () => this.#fanOutOnce() }
    this.#fanOut = new Lookout(events, ctx.wake, ctx.log)
    this.#stopListening = ctx.wake.on('deliveries', () => this.#look())
    this.#deliveries = new LeasedQueue(
      {
        name: 'webhook deliveries',
        topics: [],
        pollMs: POLL_MS,
        room: inHand => CAPACITY - inHand,
        claim: (workerId, limit) => this.#claim(workerId, limit),
        // One by one: together they would be busy until the slowest receiver has answered.
        begin: (jobs, workerId) => jobs.map(job => ({ rows: [job], done: this.#deliver(job, workerId) })),
        giveBackExcept: (workerId, ids) => ctx.db.inTransaction(tx => releaseDeliveriesExcept(tx, workerId, ids)),
        graceMs: ctx.config.stopGraceSeconds * 1000,
      },
      identity,
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
    await this.#client.close()
  }

  async #fanOutOnce(): Promise<boolean> {
    const fanned = await fanOut(this.#ctx.db, FAN_OUT_LIMITS)
    if (fanned.some(endpoint => endpoint.count > 0)) this.#ctx.wake.wake(['deliveries'])
    return fanned.length > 0
  }

  #look(): void {
    this.#hasReasonToLook = true
    this.#deliveries.poke()
  }

  async #claim(workerId: number, total: number): Promise<DeliveryJob[]> {
    const isTimeToLook = performance.now() - this.#lookedAtMs > POLL_MS * 0.9
    if (!this.#hasReasonToLook && !isTimeToLook) return []
    this.#hasReasonToLook = false
    const busy = this.#occupancy.counts
    const limits = { total, perEndpoint: PER_ENDPOINT, perFailingEndpoint: PER_FAILING_ENDPOINT, busy, aheadOf: this.#aheadOf }
    const jobs = await claimDeliveries(this.#ctx.db, workerId, limits).catch(error => {
      this.#hasReasonToLook = true
      throw error
    })
    this.#lookedAtMs = performance.now()
    for (const job of jobs) this.#occupancy.enter(job.endpointId, job.inHand)
    this.#occupancy.remember(
      busy,
      jobs.map(job => job.endpointId),
    )
    if (jobs.length === total) this.#hasReasonToLook = true
    return jobs
  }

  async #deliver(job: DeliveryJob, workerId: number): Promise<void> {
    const claimedMs = performance.now()
    let startedMs = claimedMs
    const outcome = await this.#laneOf(job).run(() => {
      startedMs = performance.now()
      return this.#send(job)
    })
    const durationMs = Math.round(performance.now() - startedMs)
    const isAccepted = 'responseStatus' in outcome && outcome.responseStatus < 300
    this.#pace.note(job.endpointId, durationMs, isAccepted)
    this.#makeRoom(job)
    if ('failure' in outcome && outcome.failure === 'aborted') throw new Error('the delivery was cut short')
    const now = new Date(job.claimedAt.getTime() + performance.now() - claimedMs)
    const conclusion = concludeAttempt(job.attempt, outcome, now)
    const { id, endpointId, isFailing: wasFailing } = job
    const result = { id, workerId, endpointId, wasFailing, durationMs, nextId: newId(), ...conclusion }
    await this.#deliveries.record(() => this.#recorder.record(result))
    if (this.#deliveries.inHand >= CAPACITY) this.#hasReasonToLook = true
  }

  readonly #aheadOf = (endpointId: string): number => this.#pace.aheadOf(endpointId)

  /** What was claimed ahead of its turn waits here until the endpoint has answered something else. */
  #laneOf({ endpointId }: DeliveryJob): Slots {
    const lane = this.#lanes.get(endpointId) ?? new Slots(PER_ENDPOINT)
    this.#lanes.set(endpointId, lane)
    return lane
  }

  /** Never throws: whatever goes wrong is the outcome of this attempt. */
  async #send(job: DeliveryJob): Promise<Attempt> {
    const { timestamp } = job
    if (timestamp === null) return { failure: EVENT_EXPIRED }
    try {
      const body = bodyOf({ ...job, timestamp })
      const sealed = job.previousSecret ? [job.secret, job.previousSecret] : [job.secret]
      const signers = sealed.map(secret => this.#signerOf(job.endpointId, secret))
      const headers = {
        'content-type': 'application/json',
        'user-agent': `Overture/${manifest.version}`,
        ...signatureHeaders(signers, job.eventId, job.claimedAt, body),
      }
      const answer = await this.#client.post(job.url, { headers, body, timeoutMs: TIMEOUT_MS, signal: this.#deliveries.signal })
      return { responseStatus: answer.status, retryAfter: answer.retryAfter }
    } catch (error) {
      if (error instanceof PostFailed) return { failure: error.reason }
      this.#ctx.log.error({ err: error, deliveryId: job.id }, 'a delivery could not be sent')
      return { failure: 'internal_error' }
    }
  }

  /** Opening a secret takes as long as all else about a delivery, so what follows from it is remembered for a while. */
  #signerOf(endpointId: string, sealed: string): Hmac {
    const key = `${endpointId} ${sealed}`
    let signer = this.#signers.get(key)
    if (!signer) {
      signer = signerOf(openSecret(this.#ctx.secrets, endpointId, Buffer.from(sealed, 'base64')))
      if (this.#signers.size >= MOST_SIGNERS) this.#signers.clear()
      this.#signers.set(key, signer)
    }
    return signer
  }

  /** The receiver has answered, so it can get the next; writing down goes on meanwhile. */
  #makeRoom(job: DeliveryJob): void {
    const when = this.#occupancy.leave(job.endpointId)
    if (!this.#occupancy.isBusy(job.endpointId)) this.#lanes.delete(job.endpointId)
    if (when === 'now') this.#look()
    else if (when === 'soon') {
      this.#lookSoon ??= setTimeout(() => {
        this.#lookSoon = undefined
        this.#look()
      }, SOON_MS)
    }
  }
}
