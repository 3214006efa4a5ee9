import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/client.ts'
import { type AppError, invalid, wrongState } from '../../lib/errors.ts'
import { isLocalName } from '../../lib/public-address.ts'
import { storableText } from '../../lib/storable-text.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { recordEvent } from '../events/events.ts'
import {
  deleteHosts,
  deleteOtherInUse,
  deleteOtherPending,
  findHost,
  insertPending,
  listHosts,
  lockHost,
  type TrackingHostRow,
  updateHost,
} from './queries.ts'

export { findHost, type TrackingHostRow }

/** A host that nobody has verified for so long is free for others. */
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
  // A workspace that used one of these names would block it for everybody else.
  if ([...base, ...config.ownHosts.toLowerCase().split(',')].some(own => own.trim() === full)) {
    throw refuse('is the address of this installation itself: a tracking host serves only links')
  }
  return full
}

/** Whether the workspace may use the host. An unverified claim of another workspace expires. */
export async function requireFree(db: Db, workspaceId: string, host: string, now: Date): Promise<void> {
  const taken = await findHost(db, host)
  if (!taken || taken.workspaceId === workspaceId) return
  if (taken.status === 'pending' && now.getTime() - taken.createdAt.getTime() >= KEPT_PENDING_MS) return
  throw wrongState('This host belongs to another workspace.', 'taken', 'free')
}

/** Stores the requested host, which is not used before it is verified. A host that is in use stays in use until then. */
export async function claimHost(tx: Tx, workspaceId: string, host: string, now: Date): Promise<void> {
  await lockHost(tx, workspaceId, host)
  await requireFree(tx, workspaceId, host, now)
  await deleteOtherPending(tx, workspaceId, host)
  await insertPending(tx, host, workspaceId, new Date(now.getTime() + MINUTE_MS), now)
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
  const row = await lockHost(tx, workspaceId, host)
  if (row?.workspaceId !== workspaceId) return
  const seen = { ...row, checkedAt: now }
  const announce = (type: 'tracking_host.verified' | 'tracking_host.failing', reason: string | null): void => {
    recordEvent(tx, { workspaceId, type, timestamp: now, data: { host, reason } })
  }
  if ('origin' in look) {
    await deleteOtherInUse(tx, workspaceId, host)
    const checkAt = new Date(now.getTime() + DAY_MS)
    await updateHost(tx, { ...seen, status: 'verified', origin: look.origin, reason: null, failures: 0, verifiedAt: now, checkAt })
    if (row.status !== 'verified') announce('tracking_host.verified', null)
    tx.wake('sends')
  } else {
    const reason = storableText(look.problem, 500)
    const failures = row.failures + 1
    const isBroken = row.status === 'failing' || isAsked || failures >= FAILURES_BELIEVED
    const status = row.status === 'pending' ? 'pending' : isBroken ? 'failing' : 'verified'
    await updateHost(tx, {
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

/** Soon when mail may wait for the host, and at growing intervals while nobody has set it up. */
function lookAgainMs({ status, createdAt }: TrackingHostRow, now: Date): number {
  if (status !== 'pending') return status === 'failing' ? 5 * MINUTE_MS : MINUTE_MS
  const ageMs = now.getTime() - createdAt.getTime()
  return ageMs < HOUR_MS ? 5 * MINUTE_MS : ageMs < DAY_MS ? HOUR_MS : DAY_MS
}

/** New links lead to the installation itself again. Old links work as long as the name leads here. */
export async function removeHosts(tx: Tx, workspaceId: string): Promise<void> {
  await deleteHosts(tx, workspaceId)
  tx.wake('tracking_hosts')
  tx.wake('sends')
}

/** The one in use, working or not; null when links lead to the installation itself. */
export const findHostInUse = async (db: Db, workspaceId: string): Promise<TrackingHostRow | null> =>
  (await listHosts(db, workspaceId)).find(({ status }) => status !== 'pending') ?? null

export async function getTrackingHost(ctx: Pick<Context, 'config' | 'link'>, db: Db, workspaceId: string) {
  const hosts = await listHosts(db, workspaceId)
  const used = hosts.find(({ status }) => status !== 'pending')
  const shown = hosts.find(({ status }) => status === 'pending') ?? used
  return presentTrackingHost(workspaceId, shown, used?.origin ?? null, ctx)
}

function presentTrackingHost(
  workspaceId: string,
  row: TrackingHostRow | undefined,
  origin: string | null,
  ctx: Pick<Context, 'config' | 'link'>,
) {
  const target = publicNameOf(ctx.config.baseUrl)
  return {
    workspaceId,
    host: row?.host ?? null,
    status: row?.status ?? ('none' as const),
    reason: row?.reason ?? null,
    linkOrigin: origin ?? ctx.link(''),
    record: target === null ? null : { type: 'CNAME' as const, name: row?.host ?? 'go.example.com', value: target },
    verifiedAt: row?.verifiedAt?.toISOString() ?? null,
    checkedAt: row?.checkedAt?.toISOString() ?? null,
    nextCheckAt: row?.checkAt.toISOString() ?? null,
    links: { self: ctx.link(`/v1/workspaces/${workspaceId}/tracking-host`) },
  }
}

/** The name of the installation, where it has one that others can look up. */
export function publicNameOf(baseUrl: string): string | null {
  const host = baseUrl === '' ? '' : new URL(baseUrl).hostname.toLowerCase()
  return host === '' || host.startsWith('[') || isIP(host) !== 0 || isLocalName(host) ? null : host
}
