import type { Context, HasDb, HasSecrets } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { notThere, wrongUsage } from '../../lib/command-failure.ts'
import { isEmail } from '../../lib/email.ts'
import { existing } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { pagesOf } from '../../lib/page.ts'
import { pick } from '../../lib/pick.ts'
import { changeLead, recordLeadEvent, stopOpenLeads, unsubscribeLead } from '../leads/leads.ts'
import { type LeadRow, lockLead } from '../leads/queries.ts'
import type { LeadStatus } from '../leads/schema.ts'
import { OwnLinkRemover } from '../sending/link-tokens.ts'
import { suppress } from '../suppressions/suppressions.ts'
import { correctKind, findRepliedAt, findReply, lockReply, type ReplyIds, type ReplyRow, setHandled } from './inbox-queries.ts'
import { findEarlierKinds, readCorrections } from './queries.ts'
import { followInterest, shownText } from './replies.ts'
import { REPLY_KINDS, type ReplyPatch } from './schema.ts'
import { presentAttachment } from './thread.ts'

/** A person corrects the kind of a reply, or marks it as handled. The correction has the consequences of a reply of that kind. */
export async function patchReply(ctx: HasSecrets, tx: Tx, ids: ReplyIds, patch: ReplyPatch, by: string, now: Date) {
  const { workspaceId, replyId } = ids
  const found = existing(await findReply(tx, workspaceId, replyId), 'reply')
  const lead = found.leadId && found.campaignId ? await lockLead(tx, workspaceId, found.campaignId, found.leadId) : undefined
  const before = (await lockReply(tx, workspaceId, replyId))!
  const isCorrected = patch.kind !== undefined && patch.kind !== before.kind
  const isHandled = patch.handled !== undefined && patch.handled !== (before.handledAt !== null)
  // A confirmation is also a decision of a person, so the reply needs no further review.
  const isConfirmed = patch.kind !== undefined && !isCorrected && before.needsLook
  if (!isCorrected && !isHandled && !isConfirmed) return before
  if (isCorrected || isConfirmed) await correctKind(tx, replyId, patch.kind!, by, now)
  if (isHandled) await setHandled(tx, replyId, patch.handled ? now : null)
  const after = (await findReply(tx, workspaceId, replyId))!
  if (lead) {
    const { sendId, step, kind, judgedKind } = after
    const handled = after.handledAt !== null
    const repliedAt = ((await findRepliedAt(tx, workspaceId, lead.id, replyId))?.at ?? after.receivedAt).toISOString()
    const data = { replyId, sendId, step, kind, previousKind: before.kind, judgedKind, handled, repliedAt, by: 'api' }
    recordLeadEvent(tx, 'reply.updated', lead, data, now, by)
  }
  if (isCorrected) await follow(ctx, tx, lead, before, after, by, now)
  return after
}

async function follow(ctx: HasSecrets, tx: Tx, lead: LeadRow | undefined, before: ReplyRow, after: ReplyRow, tokenId: string, now: Date) {
  const { workspaceId, fromAddress } = after
  const isOptOut = after.kind === 'opt_out'
  const isOther = fromAddress !== null && isEmail(fromAddress) && fromAddress.toLowerCase() !== lead?.email.toLowerCase()
  if (isOptOut && isOther) await suppress(tx, ctx.secrets, workspaceId, { kind: 'email', value: fromAddress, reason: 'unsubscribed' }, now)
  if (!lead) return
  if (isOptOut && isOther) await stopOpenLeads(tx, lead, fromAddress, { status: 'unsubscribed', by: 'reply_in_other_thread' }, now)

  const others = await findEarlierKinds(tx, lead.id, after.id)
  const { id: replyId, sendId, step, confidence, subject, messageId } = after
  const said = { sendId, step, replyId, confidence, subject, text: after.text === null ? null : shownText(ctx, after.text) }
  if (before.kind === 'auto_reply') {
    const first = !REPLY_KINDS.some(kind => others.has(kind))
    recordLeadEvent(tx, 'email.replied', lead, { ...said, messageId, kind: after.kind, needsLook: false, first }, now)
  }
  if (after.kind === 'opt_out') {
    await unsubscribeLead(tx, ctx.secrets, lead, 'reply_corrected', now, tokenId)
    return
  }
  const status = statusAfterCorrection(before.kind, after.kind, lead.status, others)
  if (status !== lead.status) await changeLead(tx, lead, { status, by: 'reply_corrected', tokenId }, now)
  if (after.kind === 'positive') await followInterest(tx, lead, said, now)
}

export const presentReply = (row: ReplyRow, ctx: Pick<Context, 'link' | 'secrets'>, ownLinks = new OwnLinkRemover(ctx.secrets)) => ({
  ...pick(row, 'id', 'workspaceId', 'campaignId', 'leadId', 'providerId', 'sendId', 'step', 'kind', 'judgedKind', 'confidence'),
  ...pick(row, 'needsLook', 'correctedBy', 'correctedAt', 'handledAt', 'replyTo', 'cc', 'leadName', 'subject', 'messageId', 'isCut'),
  ...pick(row, 'deferredUntil', 'receivedAt'),
  handled: row.handledAt !== null,
  correctedKind: row.correctedAt === null ? null : row.kind,
  from: row.fromAddress,
  text: row.text && ownLinks.text(row.text),
  attachments: row.attachments.map(each => presentAttachment(each, row.workspaceId, row.id, ctx)),
  referral: row.referralEmail === null ? null : { email: row.referralEmail, name: row.referralName },
  links: { self: ctx.link(`/v1/workspaces/${row.workspaceId}/replies/${row.id}`) },
})

type ReplyKind = ReplyRow['kind']

/**
 * The status of a lead after a person corrected the kind of its reply (not to `opt_out`, which always unsubscribes). `others`
 * are the kinds of its other replies. A status that people reported stays, and so does an opt-out from another source. No
 * correction removes a suppression.
 */
export function statusAfterCorrection(
  before: ReplyKind,
  after: Exclude<ReplyKind, 'opt_out'>,
  current: LeadStatus,
  others: ReadonlySet<string>,
): LeadStatus {
  const isReported = current === 'meeting_booked' || current === 'meeting_completed' || current === 'closed'
  const isOptedOut = current === 'unsubscribed' && (before !== 'opt_out' || others.has('opt_out'))
  if (isReported || isOptedOut) return current
  if (after === 'positive') return 'interested'
  if (after === 'negative') return 'not_interested'
  return others.has('positive') ? 'interested' : others.has('negative') ? 'not_interested' : 'replied'
}

const AT_ONCE = 500

/** `overture replies ...` */
export async function runRepliesCommand(
  { db }: HasDb,
  positionals: readonly string[],
  { workspace }: { workspace?: string | undefined },
  print: (line: string) => void = console.log,
): Promise<void> {
  if (positionals.join(' ') !== 'export-corrections')
    throw wrongUsage('This command takes no arguments.', 'overture replies export-corrections')
  if (workspace !== undefined && !isUuid(workspace))
    throw notThere(`There is no workspace with the id ${workspace}.`, 'overture api workspaces.list')
  const read = (after: string | null) => readCorrections(db, workspace ?? null, after, AT_ONCE)
  for await (const rows of pagesOf(read, row => row.id)) {
    for (const { receivedAt, ...reply } of rows) print(JSON.stringify({ ...reply, writtenAt: receivedAt.toISOString() }))
  }
}
