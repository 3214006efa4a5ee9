import type { Context } from '../../context/context.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { findHost } from './tracking-hosts.ts'

const KEPT_MS = MINUTE_MS / 2
/** Anybody can send any host, so only so many are remembered. */
const MOST_KEPT = 1000

/** Tells whether a host serves nothing but links. Asked for every request, so the answer is kept for a while. */
class HostGuard {
  readonly #ctx: Pick<Context, 'db' | 'config'>
  readonly #known = new Map<string, { isTracking: boolean; untilMs: number }>()

  constructor(ctx: Context) {
    this.#ctx = ctx
    ctx.wake.on('tracking_hosts', () => this.#known.clear())
  }

  async isTrackingHost(host: string): Promise<boolean> {
    const { baseUrl } = this.#ctx.config
    if (baseUrl !== '' && host === new URL(baseUrl).host) return false
    const known = this.#known.get(host)
    if (known && known.untilMs > performance.now()) return known.isTracking
    const isTracking = (await findHost(this.#ctx.db, host)) !== undefined
    if (this.#known.size >= MOST_KEPT) this.#known.clear()
    this.#known.set(host, { isTracking, untilMs: performance.now() + KEPT_MS })
    return isTracking
  }
}

const makeHostGuard = (ctx: Context): HostGuard => new HostGuard(ctx)
export const hostGuardOf = (ctx: Context): HostGuard => ctx.part(makeHostGuard)
