import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/sql.ts'
import { type AppError, invalid, wrongState } from '../../lib/errors.ts'
import { isLocalName, publicNameOf } from '../../lib/public-address.ts'
import { PostFailed, SafeClient } from '../../lib/safe-fetch.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { storableText } from '../../lib/storable-text.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { recordEvent } from '../events/events.ts'
import type { TrackingHostRow } from './queries.ts'
import * as queries from './queries.ts'

/** After this time, a host that was never verified is free for others. */
const KEPT_PENDING_MS = DAY_MS
/** A single failed check does not count: names and servers can fail for a moment. */
const FAILURES_BELIEVED = 3

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** The one spelling of a host. A port is only for trying things out on one machine. */
export function readHost(text: string, config: Context['config']): string {
  const refuse = (message: string): AppError => invalid('body', '/host', 'host', message)
  const [, name = '', port] = /^([^:/?#@\s]+?)\.?(?::(\d{1,5}))?$/.exec(text.trim()) ?? []
  const host = domainToASCII(name.toLowerCase())
  if (host === '' || isIP(host) !== 0 || !host.split('.').every(label => LABEL.test(label)))
    throw refuse('must be a host name, like go.example.com')
  if (!config.allowLocalTargets && (isLocalName(host) || port !== undefined)) throw refuse('must be a public name, without a port')
  const full = port === undefined || /^(?:80|443)$/.test(port) ? host : `${host}:${Number(port)}`
  const base = config.baseUrl === '' ? [] : [new URL(config.baseUrl).hostname, new URL(config.baseUrl).host]
  // A workspace that used one of these names would block it for all others.
  if ([...base, ...config.ownHosts.toLowerCase().split(',')].some(own => own.trim() === full)) {
    throw refuse('is the address of this installation itself: use another one for links')
  }
  return full
}

/** Whether the workspace may use the host. An unverified claim of another workspace expires. */
export async function requireFree(db: Db, workspaceId: string, host: string, now: Date): Promise<void> {
  const taken = await queries.findHost(db, host)
  if (!taken || taken.workspaceId === workspaceId) return
  if (taken.status === 'pending' && now.getTime() - taken.createdAt.getTime() >= KEPT_PENDING_MS) return
  throw wrongState('This domain belongs to another workspace. Use another one.', 'taken', 'free')
}

/** Stores the requested host, which is not used before it is verified. A host that is in use stays in use until then. */
export async function claimHost(tx: Tx, workspaceId: string, host: string, now: Date): Promise<void> {
  await queries.lockHost(tx, workspaceId, host)
  await requireFree(tx, workspaceId, host, now)
  await queries.deleteOtherPending(tx, workspaceId, host)
  await queries.insertPending(tx, host, workspaceId, new Date(now.getTime() + MINUTE_MS), now)
  tx.wake('tracking_hosts')
}

export type Look = { origin: string } | { problem: string }

interface Believing {
  /** A caller requested this check, and gets its result at once. */
  isAsked: boolean
  now: Date
}

/** The result of a check of the host. An event is recorded when it begins to work, and when it stops. */
export async function recordLook(tx: Tx, workspaceId: string, host: string, look: Look, { isAsked, now }: Believing): Promise<void> {
  const row = await queries.lockHost(tx, workspaceId, host)
  if (row?.workspaceId !== workspaceId) return
  const seen = { ...row, checkedAt: now }
  const announce = (type: 'tracking_host.verified' | 'tracking_host.failing', reason: string | null): void => {
    recordEvent(tx, { workspaceId, type, timestamp: now, data: { host, reason } })
  }
  if ('origin' in look) {
    await queries.deleteOtherInUse(tx, workspaceId, host)
    const checkAt = new Date(now.getTime() + DAY_MS)
    await queries.updateHost(tx, { ...seen, status: 'verified', origin: look.origin, reason: null, failures: 0, verifiedAt: now, checkAt })
    if (row.status !== 'verified') announce('tracking_host.verified', null)
    tx.wake('sends')
  } else {
    const reason = storableText(look.problem, 500)
    const failures = row.failures + 1
    const isBroken = row.status === 'failing' || isAsked || failures >= FAILURES_BELIEVED
    const status = row.status === 'pending' ? 'pending' : isBroken ? 'failing' : 'verified'
    await queries.updateHost(tx, {
      ...seen,
      status,
      reason,
      failures,
      checkAt: new Date(now.getTime() + lookAgainMs({ ...row, failures, status }, now)),
    })
    if (status === 'failing' && row.status === 'verified') announce('tracking_host.failing', reason)
  }
  tx.wake('tracking_hosts')
}

/** Soon if mail may wait for the host, and at growing intervals while it is not set up. */
function lookAgainMs({ status, createdAt }: TrackingHostRow, now: Date): number {
  if (status !== 'pending') return status === 'failing' ? 5 * MINUTE_MS : MINUTE_MS
  const ageMs = now.getTime() - createdAt.getTime()
  return ageMs < HOUR_MS ? 5 * MINUTE_MS : ageMs < DAY_MS ? HOUR_MS : DAY_MS
}

/** New links lead to the installation itself again. Old links work as long as the name leads here. */
export async function removeHosts(tx: Tx, workspaceId: string): Promise<void> {
  await queries.deleteHosts(tx, workspaceId)
  tx.wake('tracking_hosts')
  tx.wake('sends')
}

export async function getTrackingHost(ctx: Pick<Context, 'config' | 'link'>, db: Db, workspaceId: string) {
  const hosts = await queries.listHosts(db, workspaceId)
  const used = hosts.find(({ status }) => status !== 'pending')
  const shown = hosts.find(({ status }) => status === 'pending') ?? used
  const target = publicNameOf(ctx.config.baseUrl)
  return {
    workspaceId,
    host: shown?.host ?? null,
    status: shown?.status ?? ('none' as const),
    reason: shown?.reason ?? null,
    linkOrigin: used?.origin ?? ctx.link(''),
    record: target === null ? null : { type: 'CNAME' as const, name: shown?.host ?? 'go.example.com', value: target },
    verifiedAt: shown?.verifiedAt?.toISOString() ?? null,
    checkedAt: shown?.checkedAt?.toISOString() ?? null,
    nextCheckAt: shown?.checkAt.toISOString() ?? null,
    links: { self: ctx.link(`/v1/workspaces/${workspaceId}/tracking-host`) },
  }
}

const FETCH_MS = 10_000

export const CHALLENGE_PATH = '/.well-known/overture-tracking'

/** The response that only this installation can give, for one host and one challenge. */
export const answerChallenge = (secrets: SecretBox, host: string, challenge: string): string =>
  secrets.sign('tracking-host', `${host}\n${challenge}`).toString('base64url')

/**
 * Requests the host from outside, like a recipient: its name must resolve, its certificate must be valid, and this installation must
 * respond under this name.
 */
export async function lookAtHost(ctx: Context, host: string): Promise<Look> {
  const { allowLocalTargets: allowLocal } = ctx.config
  const client = new SafeClient({ allowLocal, resolve: ctx.resolve })
  try {
    const problem = await ask(ctx, client, `https://${host}`, host)
    if (problem === null) return { origin: `https://${host}` }
    // On one machine there may be no certificates at all.
    if (allowLocal && (await ask(ctx, client, `http://${host}`, host)) === null) return { origin: `http://${host}` }
    return { problem: await explain(ctx, host, problem) }
  } finally {
    await client.close()
  }
}

/** The problem; null if the response is ours. */
async function ask({ secrets }: Context, client: SafeClient, origin: string, host: string): Promise<string | null> {
  const challenge = randomBytes(16).toString('hex')
  try {
    const answer = await client.get(`${origin}${CHALLENGE_PATH}/${challenge}`, { headers: { accept: 'text/plain' }, timeoutMs: FETCH_MS })
    if (answer.status === 200 && answer.body.trim() === answerChallenge(secrets, host, challenge)) return null
    const said = answer.status === 200 ? 'another server responds there' : `it returns ${answer.status}`
    return `${host} does not point to this installation, or the proxy does not forward the Host header: ${said}.`
  } catch (error) {
    if (!(error instanceof PostFailed)) throw error
    return wordFailure(host, error.reason)
  }
}

const FAILURES: { [reason in PostFailed['reason']]?: string } = {
  dns_failed: 'was not found',
  tls_failed: 'has no valid certificate for this name',
  address_not_allowed: 'resolves to an address that is not public',
  timeout: `did not respond within ${FETCH_MS / 1000} seconds`,
}
const wordFailure = (host: string, reason: PostFailed['reason']): string =>
  `${host} ${FAILURES[reason] ?? `cannot be reached: ${reason.replaceAll('_', ' ')}`}.`

/** Adds the DNS records of the name, if that helps. */
async function explain({ dns, config }: Context, host: string, problem: string): Promise<string> {
  const target = publicNameOf(config.baseUrl)
  const name = host.split(':')[0]!
  try {
    const [alias] = await dns.aliases(name)
    if (target === null || alias === target) return problem
    if (alias !== undefined) return `${problem} It is an alias of ${alias}, and should be an alias of ${target}.`
    const [own, ours] = await Promise.all([dns.addresses(name), dns.addresses(target)])
    if (own.some(address => ours.includes(address))) return problem
    return `${problem} Publish a CNAME record for ${name} that points to ${target}.`
  } catch {
    return problem
  }
}

const KEPT_MS = MINUTE_MS / 2
/** A client can send any host, so the number of remembered hosts is limited. */
const MOST_KEPT = 1000

/**
 * Tells whether a host serves nothing but links. Every request asks, so most responses are known at once: the installation's
 * own name, addresses, and what was looked up within the last half minute.
 */
class HostGuard {
  readonly #ctx: Pick<Context, 'db' | 'config'>
  readonly #known = new Map<string, { isTracking: boolean; untilMs: number }>()

  constructor(ctx: Context) {
    this.#ctx = ctx
    ctx.wake.on('tracking_hosts', () => this.#known.clear())
  }

  /** Undefined when it has to be looked up. */
  recall(host: string): boolean | undefined {
    if (host === URL.parse(this.#ctx.config.baseUrl)?.host || isIP(host.replace(/:\d+$/, '')) !== 0 || host.startsWith('[')) return false
    const known = this.#known.get(host)
    return known && known.untilMs > performance.now() ? known.isTracking : undefined
  }

  async lookUp(host: string): Promise<boolean> {
    const found = await queries.findHost(this.#ctx.db, host)
    // A claimed name may belong to someone else: until it is verified, it changes nothing.
    const isTracking = found !== undefined && found.status !== 'pending'
    if (this.#known.size >= MOST_KEPT) this.#known.clear()
    this.#known.set(host, { isTracking, untilMs: performance.now() + KEPT_MS })
    return isTracking
  }
}

const makeHostGuard = (ctx: Context): HostGuard => new HostGuard(ctx)
export const hostGuardOf = (ctx: Context): HostGuard => ctx.part(makeHostGuard)
