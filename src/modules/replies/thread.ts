import type { Context } from '../../context/context.ts'
import { existing } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import type { LeadRow } from '../leads/leads.ts'
import { disarmHtml } from '../sending/disarm.ts'
import { presentAttachment } from './attachments.ts'
import { findLinks, findThreadMessage, listThread, type ThreadRow } from './thread-queries.ts'

type Ctx = Pick<Context, 'db' | 'secrets'>

/** The messages to a lead and the replies, oldest first. Showing them counts no open or click. */
export const readThread = async (ctx: Ctx, lead: LeadRow, page: Page): Promise<ThreadRow[]> =>
  disarm(ctx, lead, await listThread(ctx.db, lead.workspaceId, lead.id, page))

export async function getThreadMessage(ctx: Ctx, lead: LeadRow, id: string): Promise<ThreadRow> {
  const row = existing(await findThreadMessage(ctx.db, lead.workspaceId, lead.id, id), 'message')
  return (await disarm(ctx, lead, [row]))[0]!
}

async function disarm({ db, secrets }: Ctx, lead: LeadRow, rows: ThreadRow[]): Promise<ThreadRow[]> {
  if (rows.every(row => row.html === null)) return rows
  const links = await findLinks(db, lead.id)
  return rows.map(row => ({ ...row, html: row.html && disarmHtml(secrets, row.html, id => links.get(id)) }))
}

export function presentThreadMessage(row: ThreadRow, lead: LeadRow, ctx: Pick<Context, 'link'>) {
  const { workspaceId, campaignId } = lead
  return {
    id: row.id,
    direction: row.direction,
    kind: row.kind,
    status: row.status,
    hold: row.holdReason === null ? null : { reason: row.holdReason, until: row.holdUntil?.toISOString() ?? null },
    at: row.at.toISOString(),
    step: row.step,
    sendId: row.sendId,
    replyId: row.replyId,
    messageId: row.messageId,
    from: row.fromAddress,
    to: row.toAddress,
    cc: row.cc,
    subject: row.subject,
    text: row.text,
    html: row.html,
    isCut: row.isCut,
    attachments: row.attachments.map(each => presentAttachment(each, workspaceId, row.id, ctx)),
    links: { self: ctx.link(`/v1/workspaces/${workspaceId}/campaigns/${campaignId}/leads/${lead.id}/thread/${row.id}`) },
  }
}
