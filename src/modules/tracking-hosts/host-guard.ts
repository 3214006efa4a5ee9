import { isIP } from 'node:net'
import type { Context } from '../../context/context.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { findHost } from './tracking-hosts.ts'

const KEPT_MS = MINUTE_MS / 2
/** A client can send any host, so the number of remembered hosts is limited. */
const MOST_KEPT = 1000

/**
 * Tells whether a host serves nothing but links. Every request asks, so most answers are known at once: the installation's
 * own name, addresses, and what was looked up within the last half minute.
 */
class HostGuard {
  readonly #ctx: Pick<Context, 'db' | 'config'>
  readonly #known = new Map<string, { isTracking: boolean; untilMs: number }>()
  #own = { baseUrl: '', host: '' }

  constructor(ctx: Context) {
    this.#ctx = ctx
    ctx.wake.on('tracking_hosts', () => this.#known.clear())
  }

  /** Undefined when it has to be looked up. */
  recall(host: string): boolean | undefined {
    if (host === this.#ownHost() || isIP(host.replace(/:\d+$/, '')) !== 0 || host.startsWith('[')) return false
    const known = this.#known.get(host)
    return known && known.untilMs > performance.now() ? known.isTracking : undefined
  }

  async lookUp(host: string): Promise<boolean> {
    const found = await findHost(this.#ctx.db, host)
    // A claimed name may belong to somebody else: until it is verified, it changes nothing.
    const isTracking = found !== undefined && found.status !== 'pending'
    if (this.#known.size >= MOST_KEPT) this.#known.clear()
    this.#known.set(host, { isTracking, untilMs: performance.now() + KEPT_MS })
    return isTracking
  }

  #ownHost(): string {
    const { baseUrl } = this.#ctx.config
    if (baseUrl !== this.#own.baseUrl) this.#own = { baseUrl, host: new URL(baseUrl).host }
    return this.#own.host
  }
}

const makeHostGuard = (ctx: Context): HostGuard => new HostGuard(ctx)
export const hostGuardOf = (ctx: Context): HostGuard => ctx.part(makeHostGuard)
