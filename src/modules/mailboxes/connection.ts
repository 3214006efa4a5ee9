import type { Tx } from '../../db/sql.ts'
import { backoffMs } from '../../lib/backoff.ts'
import { storableData, storableText } from '../../lib/storable-text.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/time.ts'
import { changeStatus, getLockedCampaign } from '../campaigns/campaigns.ts'
import { recordEvent } from '../events/events.ts'
import type { Inbox, ProviderRow } from './queries.ts'
import * as queries from './queries.ts'
import { problemOf, type Verification } from './verify.ts'

// The effects when a mailbox stops working, and when it works again.

/** A mail server that is unavailable for a shorter time causes no event. */
const FAILING_ALLOWED_MS = 15 * MINUTE_MS
const REST_MS = 5 * SECOND_MS
const LONGEST_REST_MS = 2 * MINUTE_MS
const VERIFY_MS = 5 * MINUTE_MS
const LONGEST_VERIFY_MS = 6 * HOUR_MS

export interface MailboxFailure {
  /** The response of the server. */
  failed: string
  permanent: boolean
  /** The server accepts the sign-in but refuses mail after it: a test that only signs in would find no problem. */
  signsIn?: boolean
}

/** A mailbox at the time when it was tried. */
type Tried = Pick<ProviderRow, 'id' | 'workspaceId' | 'updatedAt'>

/** False when the mailbox was changed or removed since: then the finding is about servers and credentials that it no longer has. */
const lockUnchanged = async (tx: Tx, { id, workspaceId, updatedAt }: Tried): Promise<boolean> =>
  (await queries.lockProvider(tx, workspaceId, id))?.updatedAt.getTime() === updatedAt.getTime()

export async function noteInboxRefused(tx: Tx, inbox: Tried, said: string, now: Date): Promise<void> {
  if (await lockUnchanged(tx, inbox)) await disconnectProvider(tx, inbox.id, `Inbox not readable: ${said}`, now)
}

/**
 * The server refuses to store copies of sent messages (`said`), or accepts them again (null). An event is recorded when this begins and
 * when it ends.
 */
export async function noteCopies(tx: Tx, mailbox: Tried, said: string | null, now: Date): Promise<void> {
  const reason = said && storableText(said, 500)
  const change = await queries.changeCopies(tx, mailbox, reason, now)
  if (!change || (change.before === null) === (reason === null)) return
  const { workspaceId, name, fromEmail } = change
  const data = { providerId: mailbox.id, name, fromEmail, reason }
  recordEvent(tx, { workspaceId, type: reason === null ? 'provider.copies_stored' : 'provider.copies_failing', timestamp: now, data })
}

/** Disconnects the mailbox: its campaigns stop with a reason. The mailbox is tried again automatically. */
async function disconnectProvider(tx: Tx, id: string, said: string, now: Date, verifyMs = VERIFY_MS): Promise<void> {
  const reason = storableText(said)
  const provider = await queries.markDisconnected(tx, id, reason, new Date(now.getTime() + verifyMs), now)
  if (!provider) return
  const { workspaceId, name, fromEmail } = provider
  recordEvent(tx, { workspaceId, type: 'provider.disconnected', timestamp: now, data: { providerId: id, name, fromEmail, reason } })
  for (const campaignId of await queries.listStrandedCampaigns(tx, workspaceId, id)) {
    const campaign = await getLockedCampaign(tx, workspaceId, campaignId)
    if (campaign.status !== 'active') continue
    await changeStatus(tx, campaign, 'attention_needed', now, { reason: `The mailbox ${name} is disconnected: ${reason}`, providerId: id })
  }
}

/** Connects the mailbox: the campaigns that stopped because of it continue. */
async function connectProvider(tx: Tx, id: string, savesSent: boolean | null, now: Date): Promise<ProviderRow | undefined> {
  const provider = await queries.markConnected(tx, id, savesSent, now)
  if (!provider) return undefined
  for (const campaignId of await queries.listStoppedCampaigns(tx, provider.workspaceId, id)) {
    const campaign = await getLockedCampaign(tx, provider.workspaceId, campaignId)
    if (campaign.status === 'attention_needed') await changeStatus(tx, campaign, 'active', now, { event: 'campaign.resumed' })
  }
  tx.wake('sends')
  tx.wake('inboxes')
  return provider
}

/**
 * The mailbox itself failed, not one recipient. It rests, longer each time. A permanent refusal, or a quarter of an hour of failures,
 * disconnects it.
 */
export async function noteMailboxFailure(tx: Tx, mailbox: Tried, failure: MailboxFailure, now: Date): Promise<void> {
  if (!(await lockUnchanged(tx, mailbox))) return
  const { id } = mailbox
  const { failed: reason, permanent, signsIn } = failure
  const failing = await queries.countFailure(tx, id, now, FAILING_ALLOWED_MS)
  const isOver = failing !== undefined && now.getTime() - failing.failingSince.getTime() >= FAILING_ALLOWED_MS
  if (permanent || isOver) return disconnectProvider(tx, id, reason, now, signsIn ? LONGEST_VERIFY_MS : VERIFY_MS)
  if (failing) await queries.restMailbox(tx, id, new Date(now.getTime() + backoffMs(failing.failures, REST_MS, LONGEST_REST_MS)), reason)
}

/** Records an automatic attempt. While the mailbox does not work, the intervals between attempts grow. */
export async function noteTriedAgain(tx: Tx, mailbox: Tried & { verifyAttempts: number }, verification: Verification, now: Date) {
  if (!(await lockUnchanged(tx, mailbox))) return
  if (verification.ok) return void (await connectProvider(tx, mailbox.id, null, now))
  const nextAt = new Date(now.getTime() + backoffMs(mailbox.verifyAttempts + 1, VERIFY_MS, LONGEST_VERIFY_MS))
  await queries.postponeVerification(tx, mailbox.id, nextAt, problemOf(verification))
}

/**
 * Records a requested verification: a working mailbox becomes connected, another gets the problem as its reason. Undefined when the mailbox
 * was changed or removed meanwhile.
 */
export async function noteVerification(tx: Tx, provider: ProviderRow, verification: Verification, now: Date) {
  if (!(await lockUnchanged(tx, provider))) return undefined
  if (verification.ok) return (await connectProvider(tx, provider.id, verification.savesSent, now)) ?? provider
  const reason = problemOf(verification)
  if (provider.status === 'connected') await disconnectProvider(tx, provider.id, reason, now)
  else await queries.postponeVerification(tx, provider.id, null, reason)
  return { ...provider, status: provider.status === 'connected' ? 'disconnected' : provider.status, statusReason: reason }
}

// The workers that read inboxes, and their positions. One worker reads an inbox, until it gives it back or dies.

/** Takes up to `room` inboxes that no worker reads, and returns all inboxes of this worker. */
export async function takeInboxes(tx: Tx, workerId: number, room: number): Promise<Inbox[]> {
  await queries.leaseFreeInboxes(tx, workerId, room)
  return queries.listLeasedInboxes(tx, workerId)
}

/** Another worker reads this inbox now: nothing of the batch may be saved. */
export class LeaseLost extends Error {}

/** The inbox has been read up to here. Part of the transaction that stores what was found. */
export async function saveCursor(tx: Tx, id: string, workerId: number, cursor: unknown): Promise<void> {
  if ((await queries.updateCursor(tx, id, workerId, cursor)) === 0) throw new LeaseLost('another worker has taken over the inbox')
}

/** The result of reading: `unread` when the connection was lost, `unreadable` when it could not be made. */
export type InboxNews = { state: 'readable' } | { state: 'unread' | 'unreadable'; reason: string }

/**
 * Follow-ups wait while an inbox is not readable; an event is recorded when that begins and when it ends. The result counts only if the
 * mailbox was not changed since: it may have other servers and credentials now.
 */
export async function noteInbox(tx: Tx, inbox: Pick<Inbox, 'id' | 'updatedAt'>, workerId: number, found: InboxNews, now: Date) {
  const news = storableData(found)
  const reason = news.state === 'readable' ? null : news.reason
  const change = await queries.changeInboxState(tx, inbox, workerId, news.state, reason, now)
  if (!change || change.before === news.state) return
  const { workspaceId, name, fromEmail, before } = change
  const data = { providerId: inbox.id, name, fromEmail, reason }
  if (news.state === 'unreadable') recordEvent(tx, { workspaceId, type: 'provider.inbox_unreadable', timestamp: now, data })
  if (news.state !== 'readable') return
  if (before === 'unreadable') recordEvent(tx, { workspaceId, type: 'provider.inbox_readable', timestamp: now, data })
  tx.wake('sends')
}
