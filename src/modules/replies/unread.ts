import { hash } from 'node:crypto'
import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/client.ts'
import { newId } from '../../lib/ids.ts'
import { storableText } from '../../lib/storable-text.ts'
import { insertUnread, type UnreadRow } from './queries.ts'
import type { UnreadReason } from './schema.ts'

/** A raw message in a mailbox, readable or not. */
export interface Located {
  workspaceId: string
  mailboxId: string
  folder: string
  /** It is in the spam folder. */
  isJunk: boolean
  uidValidity: string
  uid: number
  raw: Buffer
  receivedAt: Date
}

export const digestOf = (raw: Buffer): Buffer => hash('sha256', raw, 'buffer')

/** Sets a message aside, with the reason, for a person to review. The message stays in the mailbox. */
export async function setAside(tx: Tx, located: Located, reason: UnreadReason, detail: string, now: Date): Promise<void> {
  const { workspaceId, mailboxId, folder, uidValidity, uid, raw, receivedAt } = located
  await insertUnread(tx, {
    id: newId(now.getTime()),
    workspaceId,
    providerId: mailboxId,
    folder: storableText(folder, MAX_TEXT_CHARS),
    uidValidity,
    uid,
    messageId: messageIdOf(raw),
    digest: digestOf(raw),
    reason,
    detail: storableText(detail, MAX_TEXT_CHARS),
    receivedAt,
    createdAt: now,
  })
}

const MAX_TEXT_CHARS = 500
const MAX_HEADER_BYTES = 64 * 1024

/** Found without parsing the message, because parsing failed. */
function messageIdOf(raw: Buffer): string | null {
  const head = raw.toString('latin1', 0, MAX_HEADER_BYTES)
  const header = /^message-id:[ \t]{0,20}(?:\r?\n[ \t]{1,20})?(<[^<>\s]{1,500}>)/im.exec(head)
  return header ? storableText(header[1] as string, MAX_TEXT_CHARS) : null
}

export function presentUnread(row: UnreadRow, ctx: Pick<Context, 'link'>) {
  const { id, providerId, folder, uidValidity, uid, messageId, reason, detail } = row
  const times = { receivedAt: row.receivedAt.toISOString(), createdAt: row.createdAt.toISOString() }
  const links = { self: ctx.link(`/v1/workspaces/${row.workspaceId}/providers/${providerId}/unread-messages/${id}`) }
  return { id, providerId, folder, uidValidity, uid, messageId, reason, detail, ...times, links }
}
