import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context, HasLink } from '../../context/context.ts'
import { existing } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import type { LeadRow } from '../leads/queries.ts'
import { OwnLinkRemover } from '../sending/link-tokens.ts'
import { presentActor } from '../tokens/tokens.ts'
import { type AttachmentRow, findLinks, findThreadMessage, listThread, type ThreadRow } from './queries.ts'

type Ctx = Pick<Context, 'db' | 'secrets'>

/** More than the two texts of any message take. */
const MOST_BYTES = 2 * 1024 * 1024

/** The messages to a lead and the replies, oldest first. Showing them counts no open or click. A page of long texts has fewer messages. */
export async function readThread(ctx: Ctx, lead: LeadRow, page: Page): Promise<{ rows: ThreadRow[]; most: number }> {
  const rows = await listThread(ctx.db, lead.workspaceId, lead.id, page, MOST_BYTES)
  const most = Math.min(page.limit, rows.filter(row => row.bytes <= MOST_BYTES).length)
  return { rows: await disarm(ctx, lead, rows), most }
}

export async function getThreadMessage(ctx: Ctx, lead: LeadRow, id: string): Promise<ThreadRow> {
  const row = existing(await findThreadMessage(ctx.db, lead.workspaceId, lead.id, id), 'message')
  return (await disarm(ctx, lead, [row]))[0]!
}

async function disarm({ db, secrets }: Ctx, lead: LeadRow, rows: ThreadRow[]): Promise<ThreadRow[]> {
  const links = await findLinks(db, lead.id)
  const ownLinks = new OwnLinkRemover(secrets, sendId => links.get(sendId))
  const disarmed: ThreadRow[] = []
  for (const row of rows) {
    disarmed.push({ ...row, text: row.text && ownLinks.text(row.text), html: row.html && ownLinks.html(row.html) })
    // Other requests do not wait for a page of the longest messages.
    await nextTurn()
  }
  return disarmed
}

export function presentThreadMessage(row: ThreadRow, lead: LeadRow, ctx: HasLink) {
  const { workspaceId, campaignId } = lead
  const { id, direction, kind, status, step, sendId, replyId, messageId, cc, subject, text, html, isCut, at } = row
  return {
    ...{ id, direction, kind, status, step, sendId, replyId, messageId, cc, subject, text, html, isCut, at },
    hold: row.holdReason === null ? null : { reason: row.holdReason, until: row.holdUntil },
    from: row.fromAddress,
    to: row.toAddress,
    author: row.author && presentActor(row.author),
    attachments: row.attachments.map(each => presentAttachment(each, workspaceId, row.id, ctx)),
    links: { self: ctx.link(`/v1/workspaces/${workspaceId}/campaigns/${campaignId}/leads/${lead.id}/thread/${row.id}`) },
  }
}

export function presentAttachment(row: AttachmentRow, workspaceId: string, replyId: string, ctx: HasLink) {
  const { id, filename, contentType, sizeBytes, isKept } = row
  const links = { self: ctx.link(`/v1/workspaces/${workspaceId}/replies/${replyId}/attachments/${id}`) }
  return { id, filename, contentType, sizeBytes, isKept, links }
}

/**
 * For saving, never for display: a stranger chose the name, the type and the bytes. The response has a type that no program
 * runs; the type that the sender claims is in the list.
 */
export const downloadHeaders = (filename: string, sizeBytes: number): Record<string, string> => ({
  'content-type': 'application/octet-stream',
  'content-length': String(sizeBytes),
  'content-disposition': `attachment; filename="${plainName(filename)}"; filename*=UTF-8''${encodedName(filename)}`,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store',
})

/** For programs that do not know the other form (RFC 6266), without characters that cannot be quoted. */
const plainName = (name: string): string => name.replace(/[^\x20-\x7e]|["\\%;]/g, '_')

/** RFC 8187: the platform's function leaves a few characters that do not belong here. */
const encodedName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
