import manifest from '../../../package.json' with { type: 'json' }
import type { Context } from '../../context/context.ts'
import type { Hmac } from '../../lib/hmac.ts'
import { PostFailed, SafeClient } from '../../lib/safe-fetch.ts'
import { Slots } from '../../lib/slots.ts'
import { signatureHeaders, signerOf } from '../../lib/webhook-signature.ts'
import type { WorkerIdentity } from '../../queue/identity.ts'
import { LeasedQueue } from '../../queue/leased-queue.ts'
import { type Attempt, bodyOf, concludeAttempt, EVENT_EXPIRED } from './deliveries.ts'
import { fanOut } from './fan-out-queries.ts'
import { Occupancy, type Source } from './occupancy.ts'
import { Pace } from './pace.ts'
import { type ClaimLimits, claimDeliveries, type DeliveryJob, releaseDeliveriesExcept } from './queue-queries.ts'
import { AttemptRecorder } from './record-tasks.ts'
import { openSecret } from './webhooks.ts'

const POLL_MS = 1000
const TIMEOUT_MS = 15_000
const SOON_MS = 3
const FAN_OUT_LIMITS = { endpoints: 20, events: 500 }
const EVERYWHERE: Source = { waiting: true, events: true }
const CAPACITY = 512
const PER_ENDPOINT = 8
const MOST_SIGNERS = 1000
/** A failing receiver is usually slow: it still gets a few attempts, but not the places of others. */
const PER_FAILING_ENDPOINT = 2

/** Turns events into deliveries, sends them, and has their outcomes recorded. */
export class WebhookWorker {
  readonly #ctx: Context
  readonly #client: SafeClient
  readonly #recorder: AttemptRecorder
  readonly #deliveries: LeasedQueue<DeliveryJob>
  readonly #stopListening: (() => void)[]
  readonly #occupancy = new Occupancy(PER_ENDPOINT, endpointId => this.#pace.aheadOf(endpointId))
  readonly #pace = new Pace()
  readonly #lanes = new Map<string, Slots>()
  readonly #signers = new Map<string, Hmac>()
  /** Each look is a statement, so we look only when there is a reason to find something. */
  readonly #reasons: Source = { waiting: true, events: true }
  #lookedFor: keyof Source = 'waiting'
  /** Separate times, so that a stream of events does not delay the look for deliveries that have become due, which nothing announces. */
  readonly #lookedAtMs: Record<keyof Source, number> = { waiting: -Infinity, events: -Infinity }
  #soon: Source = { waiting: false, events: false }
  #lookSoon: NodeJS.Timeout | undefined

  constructor(ctx: Context, identity: Pick<WorkerIdentity, 'id'>) {
    this.#ctx = ctx
    this.#client = new SafeClient({ allowLocal: ctx.config.allowLocalTargets })
    this.#recorder = new AttemptRecorder(ctx)
    this.#stopListening = [
      ctx.wake.on('events', () => this.#look({ waiting: false, events: true })),
      ctx.wake.on('deliveries', () => this.#look({ waiting: true, events: false })),
    ]
    this.#deliveries = new LeasedQueue(ctx, identity, {
      name: 'webhook deliveries',
      topics: [],
      pollMs: POLL_MS,
      room: inHand => CAPACITY - inHand,
      claim: (workerId, limit) => this.#claim(workerId, limit),
      // One by one: as a batch, they would wait for the slowest receiver.
      begin: (jobs, workerId) => jobs.map(job => ({ rows: [job], done: this.#deliver(job, workerId) })),
      giveBackExcept: async (workerId, ids) => {
        await ctx.db.inTransaction(tx => releaseDeliveriesExcept(tx, workerId, ids))
        this.#reasons.waiting = true
      },
      graceMs: ctx.config.stopGraceSeconds * 1000,
    })
  }

  start(): void {
    this.#deliveries.start()
  }

  /** Claims nothing more, waits a little for answers, and gives back deliveries without one. */
  async stop(): Promise<void> {
    for (const stop of this.#stopListening) stop()
    clearTimeout(this.#lookSoon)
    await this.#deliveries.stop()
    await this.#client.close()
  }

  #look(where: Source): void {
    this.#reasons.waiting ||= where.waiting
    this.#reasons.events ||= where.events
    this.#deliveries.poke()
  }

  async #claim(workerId: number, total: number): Promise<DeliveryJob[]> {
    for (const source of ['waiting', 'events'] as const) {
      if (performance.now() - this.#lookedAtMs[source] > POLL_MS * 0.9) this.#reasons[source] = true
    }
    for (let last = this.#lookedFor; ; ) {
      const source = this.#nextSource(last)
      if (!source) return []
      last = source
      const jobs = await this.#claimFrom(source, workerId, total)
      // Only a look that found something uses the turn of the next claim.
      if (jobs.length > 0) {
        this.#lookedFor = source
        return jobs
      }
    }
  }

  /** In turn when there is a reason for both, so that neither a long queue nor many events delay the other. */
  #nextSource(last: keyof Source): keyof Source | undefined {
    const other = last === 'waiting' ? 'events' : 'waiting'
    return this.#reasons[other] ? other : this.#reasons[last] ? last : undefined
  }

  async #claimFrom(source: keyof Source, workerId: number, total: number): Promise<DeliveryJob[]> {
    this.#lookedAtMs[source] = performance.now()
    this.#reasons[source] = false
    const busy = this.#occupancy.counts
    const limits = { total, perEndpoint: PER_ENDPOINT, perFailingEndpoint: PER_FAILING_ENDPOINT, busy, aheadOf: this.#aheadOf }
    try {
      return await (source === 'waiting' ? this.#claimWaiting(workerId, limits) : this.#claimNew(workerId, limits))
    } catch (error) {
      // The claim may have committed although its answer was lost: then the rows are in the queue again after they are given back.
      Object.assign(this.#reasons, EVERYWHERE)
      throw error
    }
  }

  async #claimWaiting(workerId: number, limits: ClaimLimits): Promise<DeliveryJob[]> {
    const jobs = await claimDeliveries(this.#ctx.db, workerId, limits)
    for (const job of jobs) this.#occupancy.enter(job.endpointId, job.inHand)
    this.#occupancy.remember(
      limits.busy,
      jobs.map(job => job.endpointId),
    )
    if (jobs.length === limits.total) this.#reasons.waiting = true
    return jobs
  }

  async #claimNew(workerId: number, limits: ClaimLimits): Promise<DeliveryJob[]> {
    const { jobs, reached } = await fanOut(this.#ctx.db, workerId, { ...limits, ...FAN_OUT_LIMITS, isSlow: this.#isSlow })
    for (const job of jobs) this.#occupancy.enter(job.endpointId, job.inHand)
    this.#occupancy.rememberBehind(reached, limits.busy)
    // The claim was limited: an endpoint may have got none of its deliveries, and then no answer would start another look.
    const isCut = reached.length === FAN_OUT_LIMITS.endpoints || jobs.length === limits.total
    if (isCut || reached.some(({ isBehind, isFilled }) => isBehind && !isFilled)) this.#reasons.events = true
    if (reached.some(({ hasWaiting }) => hasWaiting)) this.#reasons.waiting = true
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
    const result = { id, workerId, endpointId, wasFailing, durationMs, ...conclusion }
    await this.#deliveries.record(() => this.#recorder.record(result))
    if (this.#deliveries.inHand >= CAPACITY) Object.assign(this.#reasons, EVERYWHERE)
  }

  readonly #isSlow = (endpointId: string): boolean => this.#pace.isSlow(endpointId)
  readonly #aheadOf = (endpointId: string): number => this.#pace.aheadOf(endpointId)

  /** A delivery that was claimed ahead waits here until the endpoint has answered another one. */
  #laneOf({ endpointId }: DeliveryJob): Slots {
    const lane = this.#lanes.get(endpointId) ?? new Slots(PER_ENDPOINT)
    this.#lanes.set(endpointId, lane)
    return lane
  }

  /** Never throws: every error is the outcome of this attempt. */
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

  /** Opening a secret takes as long as the rest of a delivery, so the result is cached for a while. */
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

  /** The receiver has answered, so it can get the next delivery while this one is recorded. */
  #makeRoom(job: DeliveryJob): void {
    const { when, more } = this.#occupancy.leave(job.endpointId)
    if (!this.#occupancy.isBusy(job.endpointId)) this.#lanes.delete(job.endpointId)
    if (when === 'now') this.#look(more)
    else if (when === 'soon') this.#lookSoonFor(more)
  }

  #lookSoonFor(more: Source): void {
    this.#soon.waiting ||= more.waiting
    this.#soon.events ||= more.events
    this.#lookSoon ??= setTimeout(() => {
      this.#lookSoon = undefined
      const soon = this.#soon
      this.#soon = { waiting: false, events: false }
      this.#look(soon)
    }, SOON_MS)
  }
}
