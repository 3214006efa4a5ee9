import { type ReplyClass, type ReplyKind, settleKind } from '#reply-reader'
import type { HasSecrets } from '../../context/context.ts'
import type { Db, Tx } from '../../db/sql.ts'
import { asciiAddress, isEmail } from '../../lib/email.ts'
import { newId } from '../../lib/ids.ts'
import { pick } from '../../lib/pick.ts'
import { storableText } from '../../lib/storable-text.ts'
import type { InboundMessage } from '../../mail/inbound/inbound.ts'
import { namesSender } from '../../mail/transport/refusal.ts'
import { needsAttention } from '../campaigns/campaigns.ts'
import { receiveHealthMessage } from '../health/health.ts'
import { changeLead, recordLeadEvent, stopOpenLeads, stopSamePerson, unsubscribeLead } from '../leads/leads.ts'
import { type LeadRow, lockLead } from '../leads/queries.ts'
import type { LeadStatus } from '../leads/schema.ts'
import { findAnswerAddress } from '../sending/answer-queries.ts'
import { OwnLinkRemover } from '../sending/link-tokens.ts'
import { judgeReportedRefusal, postponeForAbsence, recordBounce } from '../sending/outcomes.ts'
import { recordNamedSend } from '../sending/reconcile.ts'
import { isErased, suppress } from '../suppressions/suppressions.ts'
import { type ReplyRow, wasAnnounced } from './inbox-queries.ts'
import type { Located } from './matching.ts'
import * as matching from './matching.ts'
import { findEarlierKinds, insertAttachments, insertInbound, type MatchedSend } from './queries.ts'
import { REPLY_KINDS } from './schema.ts'

/** A message that has been read. `readMessage` made its texts storable. */
interface Received extends Located {
  message: InboundMessage
  judged: ReplyClass
}

/** Work for after the transaction, because a campaign must be locked before its leads, never after. */
export interface Aftermath {
  workspaceId: string
  campaignId: string
  attention: string
}

/** The message is not read again, so nothing else would stop the campaign. */
export const stopCampaign = (tx: Tx, { workspaceId, campaignId, attention }: Aftermath, now: Date): Promise<void> =>
  needsAttention(tx, workspaceId, campaignId, attention, now)

const KEPT_TEXT_CHARS = 20_000

/** Records one message: finds the lead, and applies its consequences once. An unrelated message is not stored. */
export async function receiveMessage(ctx: HasSecrets, tx: Tx, received: Received, now: Date): Promise<Aftermath | null> {
  const { message, judged, mailboxId, workspaceId } = received
  if (await receiveHealthMessage(tx, { mailboxId, isJunk: received.isJunk, headers: message.headers })) return null
  const match = await findMatch(ctx, tx, received, now)
  if (!match) return null
  const lead = await lockLead(tx, workspaceId, match.campaignId, match.leadId)
  if (!lead || (await matching.isOwnMessage(tx, workspaceId, message, lead.email))) return null
  // An erased person may still reply in the thread of a colleague.
  if (message.from && (await isErased(tx, ctx.secrets, workspaceId, message.from.address))) return null
  const id = newId()
  const settled = settleKind(judged)
  const isNew = await insertInbound(tx, {
    id,
    workspaceId,
    providerId: mailboxId,
    dedupeKey: message.messageId ?? matching.digestOf(received.raw).toString('base64url'),
    campaignId: lead.campaignId,
    leadId: lead.id,
    sendId: match.sendId,
    kind: settled.kind,
    confidence: judged.confidence,
    needsLook: settled.needsLook,
    fromAddress: message.from?.address ?? null,
    ...pick(message, 'replyTo', 'cc', 'subject', 'messageId', 'referenceIds', 'isCut'),
    text: storableText(message.text, KEPT_TEXT_CHARS),
    receivedAt: received.receivedAt,
    fullText: message.whole.text,
    html: message.whole.html,
    referralEmail: judged.referral?.email ?? null,
    referralName: judged.referral?.name ?? null,
    deferredUntil: judged.deferredUntil ?? null,
  })
  if (!isNew) return null
  // A bounce contains our own message and the words of a server, nothing that a person sent.
  const attachments = judged.kind === 'bounce' ? [] : message.attachments.map(each => ({ id: newId(), ...each }))
  if (attachments.length > 0) await insertAttachments(tx, workspaceId, id, attachments)
  // A message that names our message proves that it was sent.
  if (match.status === 'unknown') await recordNamedSend(ctx, tx, match.sendId, now)
  const current = match.status === 'unknown' ? ((await lockLead(tx, workspaceId, lead.campaignId, lead.id)) ?? lead) : lead
  if (judged.kind === 'bounce') return takeBounce(ctx, tx, current, match, received, now)
  if (settled.kind === 'auto_reply') await takeAbsence(tx, current, match, received, now)
  else await takeReply(ctx, tx, current, match, received, { id, ...settled }, now)
  return null
}

/** Our message that this one is about, if any. */
export async function findConcerned(ctx: HasSecrets, db: Db, received: Received): Promise<MatchedSend | undefined> {
  const isReport = received.judged.kind === 'bounce'
  const isBelieved = !isReport && !received.isJunk
  return (
    (await matching.findOptedOut(ctx, db, received)) ??
    (await matching.findAnswered(db, received)) ??
    (isBelieved ? await matching.findSendToWriter(db, received) : undefined) ??
    (await matching.findQuotedSend(ctx, db, received)) ??
    (isBelieved ? await matching.findThread(db, received) : undefined)
  )
}

/**
 * The strongest evidence comes first. A stranger can write a report about any address: a report without the id of our message, or one
 * that has a return address and so was not written by a server, is shown to a person and has no other effect. A message in the spam
 * folder needs the same evidence.
 */
async function findMatch(ctx: HasSecrets, tx: Tx, received: Received, now: Date): Promise<MatchedSend | undefined> {
  const found = await findConcerned(ctx, tx, received)
  const { bounce } = received.judged
  if (!bounce) return found
  const isOfServer = RETURN_PATH_OF_SERVER.test(received.message.headers.get('return-path') ?? '')
  if (found && isOfServer) return found
  const detail = found
    ? 'It reports that a lead cannot be reached, but has a return address, unlike the reports of mail servers'
    : 'It reports that a lead cannot be reached, but names no message that we sent'
  const recipient = found ?? (bounce.recipient && (await matching.findRecipient(tx, received, bounce.recipient)))
  if (recipient) await matching.setAside(tx, received, 'unproven_bounce', detail, now)
  return undefined
}

/** Empty (RFC 3464), or missing where the server of the mailbox does not write it. Some servers name themselves. */
const RETURN_PATH_OF_SERVER = /^\s*<?\s*(?:(?:mailer-daemon|mail-daemon|mdaemon|postmaster|bounces?)(?:[+=-][^@\s]*)?@[^\s]*)?>?\s*$/i

async function takeBounce(ctx: HasSecrets, tx: Tx, lead: LeadRow, match: MatchedSend, { judged, message, mailboxId }: Received, now: Date) {
  const { status, diagnostic, recipient, ...bounce } = judged.bounce!
  const { sendId, step } = match
  // If the bounced message was an answer to a colleague, the bounce is not about the lead.
  const address = step === null ? await findAnswerAddress(tx, sendId) : undefined
  if (address !== undefined && address.toLowerCase() !== lead.email.toLowerCase()) return null
  // The lead forwards its mail: that another address is dead says nothing about this one.
  const own = lead.email.toLowerCase()
  const isOfOther = recipient !== null && asciiAddress(recipient) !== own && !message.fullText.toLowerCase().includes(own)
  const isOfSender = namesSender({ status, text: diagnostic })
  const isByRule = bounce.type === 'sender_fault' || (bounce.type === 'soft' && isOfSender)
  const attention = isByRule ? await judgeReportedRefusal(tx, mailboxId, sendId, diagnostic || (status ?? ''), now) : null
  const type = isByRule
    ? isOfSender || attention !== null
      ? 'sender_fault'
      : 'soft'
    : isOfOther && bounce.type === 'hard'
      ? 'soft'
      : bounce.type
  // A rule that refused the message will refuse the next one, too, while a full mailbox may have room by then.
  const isFinal = isByRule && type === 'soft'
  await recordBounce(tx, ctx.secrets, lead, { type, status, diagnostic, sendId, step, isFinal }, now)
  if (attention === null) return null
  return { workspaceId: lead.workspaceId, campaignId: lead.campaignId, attention }
}

/** An absence notice: the next step waits until the person is back. It does not count as a reply. */
async function takeAbsence(tx: Tx, lead: LeadRow, match: MatchedSend, { judged, message }: Received, now: Date): Promise<void> {
  const postponedTo = judged.returnDate ? await postponeForAbsence(tx, lead, judged.returnDate, now) : null
  const data = {
    sendId: match.sendId,
    step: match.step,
    subject: message.subject,
    confidence: judged.confidence,
    returnDate: judged.returnDate ?? null,
    referral: judged.referral ?? null,
    postponedTo: postponedTo?.toISOString() ?? null,
  }
  recordLeadEvent(tx, 'email.auto_replied', lead, data, now)
}

async function takeReply(
  ctx: HasSecrets,
  tx: Tx,
  lead: LeadRow,
  match: MatchedSend,
  { judged, message, isJunk }: Received,
  { id, kind, needsLook }: { id: string; kind: ReplyKind; needsLook: boolean },
  now: Date,
): Promise<void> {
  const earlier = await findEarlierKinds(tx, lead.id, id)
  const { sendId, step } = match
  const { confidence } = judged
  const pointers = { referral: judged.referral ?? null, deferredUntil: judged.deferredUntil ?? null }
  const said = { sendId, step, replyId: id, confidence, subject: message.subject, text: shownText(ctx, message.text) }
  const first = !REPLY_KINDS.some(reply => earlier.has(reply))
  // The server does not believe the sender address of what it takes for spam: another name there could stop any person.
  if (!isJunk) await stopWriter(ctx, tx, lead, message, kind, now)
  recordLeadEvent(tx, 'email.replied', lead, { ...said, messageId: message.messageId, kind, needsLook, first, ...pointers }, now)
  if (kind === 'opt_out') {
    await unsubscribeLead(tx, ctx.secrets, lead, 'reply', now)
    return
  }
  const status = statusAfter(kind, lead.status)
  if (status !== lead.status) await changeLead(tx, lead, { status, by: 'reply' }, now)
  if (kind === 'positive') await followInterest(tx, lead, said, now)
}

/**
 * A person who replies in the thread of another lead may also be a lead, and then counts as replied. A person who opts out from
 * another address than the recipient's also wants no messages at that address.
 */
async function stopWriter(ctx: HasSecrets, tx: Tx, lead: LeadRow, { from }: InboundMessage, kind: ReplyKind, now: Date) {
  if (!from || from.address === lead.email.toLowerCase() || !isEmail(from.address)) return
  const isOptOut = kind === 'opt_out'
  if (isOptOut) await suppress(tx, ctx.secrets, lead.workspaceId, { kind: 'email', value: from.address, reason: 'unsubscribed' }, now)
  await stopOpenLeads(tx, lead, from.address, { status: isOptOut ? 'unsubscribed' : 'replied', by: 'reply_in_other_thread' }, now)
}

/** A status that people reported (a meeting, a deal, an opt-out) is never changed by the automatic kind of a reply. */
const BEYOND: readonly LeadStatus[] = ['meeting_booked', 'meeting_completed', 'closed', 'unsubscribed']

function statusAfter(kind: ReplyKind, current: LeadStatus): LeadStatus {
  if (BEYOND.includes(current)) return current
  if (kind === 'positive') return 'interested'
  if (kind === 'negative') return 'not_interested'
  return current === 'interested' || current === 'not_interested' ? current : 'replied'
}

// The effects of a reply, whether the service or a person decided its kind.

const SHOWN_TEXT_CHARS = 2000

/** The beginning of a text, as events show it: without our own links, because readers of events may not unsubscribe a lead. */
export const shownText = ({ secrets }: HasSecrets, text: string): string =>
  new OwnLinkRemover(secrets).text(storableText(text, SHOWN_TEXT_CHARS))

type Said = Pick<ReplyRow, 'sendId' | 'step' | 'confidence' | 'subject' | 'text'> & { replyId: string }

/** An interested person gets no message of other campaigns. The interest is announced once for each lead, which must be locked. */
export async function followInterest(tx: Tx, lead: LeadRow, said: Said, now: Date): Promise<void> {
  await stopSamePerson(tx, lead, 'positive_reply', now)
  const { id: leadId, workspaceId, fullName, company, jobTitle } = lead
  if (await wasAnnounced(tx, { workspaceId, leadId, replyId: said.replyId })) return
  recordLeadEvent(tx, 'ai_sdr.positive_reply', lead, { ...said, fullName, company, jobTitle }, now)
}
