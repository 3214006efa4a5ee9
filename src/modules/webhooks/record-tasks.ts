import type { Context } from '../../context/context.ts'
import { Batcher } from '../../lib/batcher.ts'
import { EVENT_EXPIRED } from './deliveries.ts'
import { type EndpointReport, judgeEndpoints } from './endpoint-queries.ts'
import { type AttemptRecord, recordAttempts } from './queue-queries.ts'

interface AttemptResult extends AttemptRecord {
  endpointId: string
  gone: boolean
  /** The state of the endpoint when the delivery was claimed. */
  wasFailing: boolean
}

const BATCH = 200

/** Records the outcomes of attempts; results that arrive during one commit share the next. */
export class AttemptRecorder {
  readonly #ctx: Context
  readonly #batcher: Batcher<AttemptResult, undefined>

  constructor(ctx: Context) {
    this.#ctx = ctx
    this.#batcher = new Batcher(results => this.#store(results), { maxSize: BATCH })
  }

  async record(result: AttemptResult): Promise<void> {
    await this.#batcher.submit(result)
  }

  /** One statement in the normal case; the endpoints are read only when something about them may have changed. */
  async #store(results: AttemptResult[]): Promise<undefined[]> {
    const reports = reportsOf(results)
    if (reports.length === 0) await recordAttempts(this.#ctx.db, results)
    else await this.#storeAndJudge(results, reports)
    return results.map(() => undefined)
  }

  async #storeAndJudge(results: AttemptResult[], reports: EndpointReport[]): Promise<void> {
    const changed = await this.#ctx.db.inTransaction(async tx => {
      // The endpoints first: a deletion locks an endpoint and then its deliveries, and another order could deadlock.
      const judged = await judgeEndpoints(tx, reports)
      await recordAttempts(tx, results)
      return judged
    })
    for (const { id, status, disabledReason } of changed) {
      if (status === 'disabled') this.#ctx.log.warn({ endpointId: id, disabledReason }, 'a webhook endpoint was disabled')
    }
  }
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
