import type { Db, Tx } from '../../db/sql.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { judgeHit, type TrackingJudgement } from '../../mail/compose/tracking.ts'
import { recordLeadEvent, unsubscribeLead } from '../leads/leads.ts'
import { type LeadRow, lockLead } from '../leads/queries.ts'
import { countHit } from '../leads/queue-queries.ts'
import { countHitOfSend } from '../sending/queries.ts'
import { hashValue, suppressHash } from '../suppressions/suppressions.ts'
import { findClickedLinks, findRecipient, findTrackedSend, type Recipient, type TrackedSend } from './queries.ts'

interface Visit {
  method: string
  userAgent: string | null
}

/** Links that are followed within this time count as followed together. */
const TOGETHER_MS = 10_000
/** More visits of a message add no information, and a stranger with the URL of a pixel must not be able to fill the log. */
const MOST_HITS = 100

interface Tracked {
  send: TrackedSend
  lead: LeadRow
}

async function find(tx: Tx, sendId: string): Promise<Tracked | null> {
  const send = await findTrackedSend(tx, sendId)
  if (!send) return null
  const lead = await lockLead(tx, send.workspaceId, send.campaignId, send.leadId)
  return lead ? { send, lead } : null
}

export async function recordOpen(tx: Tx, sendId: string, visit: Visit, now: Date): Promise<void> {
  const tracked = await find(tx, sendId)
  if (!tracked || tracked.send.openCount >= MOST_HITS) return
  const judgement = judge('open', tracked.send, visit, now, 1)
  const first = await countVisit(tx, 'open', tracked, judgement)
  recordLeadEvent(tx, 'email.opened', tracked.lead, describeVisit(tracked.send, judgement, first), now)
}

/** The target of the link; null when there is no such link. */
export async function recordClick(tx: Tx, sendId: string, link: number, visit: Visit, now: Date): Promise<string | null> {
  const tracked = await find(tx, sendId)
  // The lead may have been removed since; the link still works for the reader of the email.
  if (!tracked) return (await findTrackedSend(tx, sendId))?.links[link] ?? null
  const { send, lead } = tracked
  const url = send.links[link] ?? null
  if (url === null || send.clickCount >= MOST_HITS) return url
  const followed = new Set(await findClickedLinks(tx, lead.id, send.id, new Date(now.getTime() - TOGETHER_MS)))
  const judgement = judge('click', send, visit, now, followed.add(link).size)
  const first = await countVisit(tx, 'click', tracked, judgement)
  recordLeadEvent(tx, 'email.clicked', lead, { ...describeVisit(send, judgement, first), url, link }, now)
  return url
}

/** Every visit counts for the message; the visit of a person also counts for the lead. True for the first visit of a person. */
async function countVisit(tx: Tx, kind: 'open' | 'click', { send, lead }: Tracked, judgement: TrackingJudgement): Promise<boolean> {
  await countHitOfSend(tx, send.id, kind)
  return judgement.by === 'human' && (await countHit(tx, lead.id, kind)) === 1
}

/** The data of the page of an unsubscribe link. */
export interface Correspondence {
  /** As much of the recipient's address as its owner needs to recognize it; null when the lead is gone. */
  address: string | null
  language: string | null
  unsubscribed: boolean
  sender: Recipient['sender']
}

/** Undefined when there never was such a message. */
export async function findCorrespondence(db: Db, sendId: string): Promise<Correspondence | undefined> {
  const recipient = await findRecipient(db, sendId)
  if (!recipient) return undefined
  const { email, language, sender, isUnsubscribed } = recipient
  return { address: email === null ? null : mask(email), language, unsubscribed: isUnsubscribed, sender }
}

/** Enough for the owner to recognize the address, but not for others. */
const mask = (address: string): string => `${[...address][0]}***${address.slice(address.lastIndexOf('@'))}`

/** Works as long as the message is stored, even when the lead was removed. False: there never was such a message. */
export async function recordUnsubscribe(tx: Tx, secrets: SecretBox, sendId: string, now: Date): Promise<boolean> {
  const tracked = await find(tx, sendId)
  if (tracked) {
    await unsubscribeLead(tx, secrets, tracked.lead, 'one_click', now)
    return true
  }
  const recipient = await findRecipient(tx, sendId)
  if (!recipient) return false
  const { workspaceId, emailHash, loggedEmail } = recipient
  const hash = emailHash ?? (loggedEmail === null ? null : hashValue(secrets, loggedEmail))
  // Without both, the person was erased, and is therefore suppressed.
  if (hash) await suppressHash(tx, workspaceId, hash, now)
  return true
}

function judge(kind: 'open' | 'click', send: TrackedSend, visit: Visit, now: Date, linksClickedTogether: number): TrackingJudgement {
  return judgeHit({
    kind,
    method: visit.method,
    userAgent: visit.userAgent,
    msSinceDelivery: send.sentAt === null ? 0 : now.getTime() - send.sentAt.getTime(),
    linksClickedTogether,
    linksInMessage: send.links.length,
  })
}

function describeVisit({ id: sendId, step, variantId }: TrackedSend, judgement: TrackingJudgement, first: boolean) {
  return { sendId, step, variantId, machine: judgement.by === 'machine', judgedBy: judgement.reason, first }
}
