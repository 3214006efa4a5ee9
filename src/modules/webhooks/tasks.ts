import type { KeyObject } from 'node:crypto'
import manifest from '../../../package.json' with { type: 'json' }
import type { Context } from '../../context/context.ts'
import { Batcher } from '../../lib/batcher.ts'
import { PostFailed, SafeClient } from '../../lib/safe-fetch.ts'
import { Tally } from '../../lib/tally.ts'
import { Turns } from '../../lib/turns.ts'
import { signatureHeaders, signingKey } from '../../lib/webhook-signature.ts'
import type { WorkerIdentity } from '../../queue/identity.ts'
import { LeasedQueue } from '../../queue/leased-queue.ts'
import type { AttemptRecord, DeliveryJob, EndpointReport } from './queries.ts'
import * as queries from './queries.ts'
import { type Attempt, bodyOf, concludeAttempt, EVENT_EXPIRED, openSecret } from './webhooks.ts'

const POLL_MS = 1000
const TIMEOUT_MS = 15_000
const CAPACITY = 512
const FAN_OUT_LIMITS = { endpoints: 20, events: 500 }
/** How many deliveries to one endpoint are sent at a time. */
const SENT_AT_ONCE = 8
/** How many are claimed ahead, so that not every response needs a claim. */
const PER_ENDPOINT = 32
/** The maximum number of deliveries in progress per workspace, however many endpoints it has: the other places are for others. */
const PER_WORKSPACE = 256
/** A failing receiver is usually slow: it still gets a few attempts, but not the places of others. */
const PER_FAILING_ENDPOINT = 2
const RECORDED_AT_ONCE = 200

/** Turns events into deliveries, sends them, and has their outcomes recorded. */
export class WebhookWorker {
  readonly #ctx: Context
  readonly #client: SafeClient
  /** Results that arrive during one commit share the next. */
  readonly #recorder = new Batcher<AttemptResult, undefined>(results => this.#record(results), { maxSize: RECORDED_AT_ONCE })
  readonly #deliveries: LeasedQueue<DeliveryJob>
  readonly #stopListening: (() => void)[]
  // The deliveries in hand.
  readonly #ofEndpoints = new Tally()
  readonly #ofWorkspaces = new Tally()
  /** The keys of the deliveries in hand: opening a secret takes as long as signing with it. Forgotten with the next claim. */
  readonly #keys = new Map<string, KeyObject>()
  /** Claimed deliveries of an endpoint wait here for their turn. */
  readonly #turns = new Turns(CAPACITY, { perOwner: SENT_AT_ONCE })
  // Each look is a statement, so there is one only if it may find something. Nothing announces a delivery that becomes due, so both are also
  // looked for once a second.
  #hasEvents = true
  #hasDeliveries = true
  #polledAtMs = -Infinity

  constructor(ctx: Context, identity: Pick<WorkerIdentity, 'id'>) {
    this.#ctx = ctx
    this.#client = new SafeClient({ allowLocal: ctx.config.allowLocalTargets })
    this.#deliveries = new LeasedQueue(ctx, identity, {
      name: 'webhook deliveries',
      topics: [],
      pollMs: POLL_MS,
      room: inHand => CAPACITY - inHand,
      claim: (workerId, limit) => this.#claim(workerId, limit),
      // One by one: as a batch, they would wait for the slowest receiver.
      begin: (jobs, workerId) => jobs.map(job => ({ rows: [job], done: this.#deliver(job, workerId) })),
      giveBackExcept: async (workerId, ids) => {
        await ctx.db.inTransaction(tx => queries.releaseDeliveriesExcept(tx, workerId, ids))
        this.#hasDeliveries = true
      },
      graceMs: ctx.config.stopGraceSeconds * 1000,
    })
    this.#stopListening = [
      ctx.wake.on('events', () => {
        this.#hasEvents = true
        this.#deliveries.poke()
      }),
      ctx.wake.on('deliveries', () => {
        this.#hasDeliveries = true
        this.#deliveries.poke()
      }),
    ]
  }

  start(): void {
    this.#deliveries.start()
  }

  /** Stops claiming, waits briefly for responses, and returns deliveries without one. */
  async stop(): Promise<void> {
    for (const stop of this.#stopListening) stop()
    await this.#deliveries.stop()
    await this.#client.close()
  }

  async #claim(workerId: number, total: number): Promise<DeliveryJob[]> {
    if (performance.now() - this.#polledAtMs > POLL_MS * 0.9) {
      this.#polledAtMs = performance.now()
      this.#hasEvents = true
      this.#hasDeliveries = true
    }
    if (this.#hasEvents) await this.#fanOut()
    if (!this.#hasDeliveries) return []
    this.#hasDeliveries = false
    const limits = { total, perEndpoint: PER_ENDPOINT, perFailingEndpoint: PER_FAILING_ENDPOINT, perWorkspace: PER_WORKSPACE }
    const inHand = { ofEndpoints: this.#ofEndpoints.counts, ofWorkspaces: this.#ofWorkspaces.counts }
    this.#keys.clear()
    const jobs = await queries.claimDeliveries(this.#ctx.db, workerId, limits, inHand)
    for (const { endpointId, workspaceId } of jobs) {
      this.#ofEndpoints.add(endpointId, 1)
      this.#ofWorkspaces.add(workspaceId, 1)
    }
    if (jobs.length === total) this.#hasDeliveries = true
    return jobs
  }

  async #fanOut(): Promise<void> {
    this.#hasEvents = false
    try {
      const { count, isBehind } = await queries.fanOut(this.#ctx.db, FAN_OUT_LIMITS)
      this.#hasEvents ||= isBehind
      this.#hasDeliveries ||= count > 0
    } catch (error) {
      this.#hasEvents = true
      throw error
    }
  }

  async #deliver(job: DeliveryJob, workerId: number): Promise<void> {
    const claimedMs = performance.now()
    let startedMs = claimedMs
    const outcome = await this.#turns.run(job.endpointId, () => {
      startedMs = performance.now()
      return this.#send(job)
    })
    this.#makeRoom(job)
    if ('failure' in outcome && outcome.failure === 'aborted') throw new Error('the delivery was cut short')
    const durationMs = Math.round(performance.now() - startedMs)
    const now = new Date(job.claimedAt.getTime() + performance.now() - claimedMs)
    const conclusion = concludeAttempt(job.attempt, outcome, now)
    const { id, endpointId, isFailing: wasFailing } = job
    await this.#deliveries.record(() => this.#recorder.submit({ id, workerId, endpointId, wasFailing, durationMs, ...conclusion }))
    if (this.#deliveries.inHand >= CAPACITY) this.#hasDeliveries = true
  }

  /** Never throws: every error is the outcome of this attempt. */
  async #send(job: DeliveryJob): Promise<Attempt> {
    const { timestamp } = job
    if (timestamp === null) return { failure: EVENT_EXPIRED }
    try {
      const body = bodyOf({ ...job, timestamp })
      const sealed = job.previousSecret ? [job.secret, job.previousSecret] : [job.secret]
      const keys = sealed.map(secret => this.#keyOf(job.endpointId, secret))
      const headers = {
        'content-type': 'application/json',
        'user-agent': `Overture/${manifest.version}`,
        ...signatureHeaders(keys, job.eventId, job.claimedAt, body),
      }
      const answer = await this.#client.post(job.url, { headers, body, timeoutMs: TIMEOUT_MS, signal: this.#deliveries.signal })
      return { responseStatus: answer.status, retryAfter: answer.retryAfter }
    } catch (error) {
      if (error instanceof PostFailed) return { failure: error.reason }
      this.#ctx.log.error({ err: error, deliveryId: job.id }, 'a delivery could not be sent')
      return { failure: 'internal_error' }
    }
  }

  #keyOf(endpointId: string, sealed: string): KeyObject {
    // A secret is sealed for its endpoint, and must not be used for another.
    const place = `${endpointId} ${sealed}`
    const known = this.#keys.get(place)
    if (known) return known
    const key = signingKey(openSecret(this.#ctx.secrets, endpointId, Buffer.from(sealed, 'base64')))
    this.#keys.set(place, key)
    return key
  }

  /** The receiver has answered, so it can get the next deliveries while this one is recorded: more may be waiting. */
  #makeRoom({ endpointId, workspaceId }: DeliveryJob): void {
    this.#ofWorkspaces.add(workspaceId, -1)
    const left = this.#ofEndpoints.add(endpointId, -1)
    // Half of the places are filled at once.
    if (left > PER_ENDPOINT / 2) return
    this.#hasDeliveries = true
    this.#deliveries.poke()
  }

  /** One statement in the normal case; the endpoints are read only when something about them may have changed. */
  async #record(results: AttemptResult[]): Promise<undefined[]> {
    const { db, log } = this.#ctx
    const reports = reportsOf(results)
    if (reports.length === 0) await queries.recordAttempts(db, results)
    else {
      const changed = await db.inTransaction(async tx => {
        // The endpoints first: a deletion locks an endpoint and then its deliveries, and another order could deadlock.
        const judged = await queries.judgeEndpoints(tx, reports)
        await queries.recordAttempts(tx, results)
        return judged
      })
      for (const { id, status, disabledReason } of changed) {
        if (status === 'disabled') log.warn({ endpointId: id, disabledReason }, 'a webhook endpoint was disabled')
      }
    }
    return results.map(() => undefined)
  }
}

interface AttemptResult extends AttemptRecord {
  endpointId: string
  gone: boolean
  /** The state of the endpoint when the delivery was claimed. */
  wasFailing: boolean
}

/**
 * One success among the failures of an endpoint is enough: only an endpoint with nothing but failures counts as failing. A deleted
 * event is not a failure of the endpoint.
 */
function reportsOf(results: AttemptResult[]): EndpointReport[] {
  const reports: EndpointReport[] = []
  const attempted = results.filter(result => result.error !== EVENT_EXPIRED)
  for (const [endpointId, own] of Map.groupBy(attempted, result => result.endpointId)) {
    if (!own.some(result => result.status === 'failed' || result.wasFailing)) continue
    const succeeded = own.some(result => result.status === 'succeeded')
    reports.push({ endpointId, succeeded, gone: own.some(result => result.gone) })
  }
  return reports
}
