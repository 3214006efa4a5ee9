import { hash } from 'node:crypto'
import type { HasLink, HasSecrets } from '../../context/context.ts'
import type { Db, Tx } from '../../db/sql.ts'
import { domainOf, isEmail } from '../../lib/email.ts'
import { newId } from '../../lib/ids.ts'
import { pick } from '../../lib/pick.ts'
import { storableText } from '../../lib/storable-text.ts'
import { DAY_MS } from '../../lib/time.ts'
import { answeredIds, type InboundMessage } from '../../mail/inbound/inbound.ts'
import { isFreeMail } from '../../mail/transport/hosters.ts'
import { openTrackingToken } from '../sending/link-tokens.ts'
import type { MatchedSend, UnreadRow } from './queries.ts'
import * as queries from './queries.ts'
import type { UnreadReason } from './schema.ts'

type Asked = Pick<Located, 'workspaceId' | 'mailboxId' | 'receivedAt'> & { message: InboundMessage }

/** The send that the message replies to by its headers. Only the recipient knows the id of our message. */
export const findAnswered = (db: Db, { message, workspaceId }: Asked): Promise<MatchedSend | undefined> =>
  queries.findSendByMessageIds(db, workspaceId, answeredIds(message))

/** The send whose button to unsubscribe was pressed. The button belongs to the message to one lead, even when another lead pressed it. */
export const findOptedOut = async (ctx: HasSecrets, db: Db, { message, workspaceId }: Asked) =>
  message.isOptOutMail ? findSendByTokens(ctx, db, workspaceId, message.quotedTokens.slice(0, 1)) : undefined

/** The send whose id or signed link is in the text, from any sender. */
export async function findQuotedSend(ctx: HasSecrets, db: Db, asked: Asked): Promise<MatchedSend | undefined> {
  const { message, workspaceId } = asked
  const named = await queries.findSendByMessageIds(db, workspaceId, message.quotedIds)
  return named ?? findSendByTokens(ctx, db, workspaceId, message.quotedTokens)
}

async function findSendByTokens(ctx: HasSecrets, db: Db, workspaceId: string, tokens: InboundMessage['quotedTokens']) {
  const sendIds = tokens.flatMap(({ purpose, token }) => openTrackingToken(ctx.secrets, purpose, token)?.sendId ?? [])
  return (await queries.findSendsByIds(db, workspaceId, sendIds))[0]
}

/** The latest send to the sender of the message. */
export async function findSendToWriter(db: Db, asked: Asked): Promise<MatchedSend | undefined> {
  const address = asked.message.from?.address ?? ''
  return isEmail(address) ? findRecipient(db, asked, address) : undefined
}

/** The latest message to an address, as the report of a server may name it. */
export const findRecipient = (db: Db, { workspaceId, mailboxId }: Asked, address: string): Promise<MatchedSend | undefined> =>
  queries.findSendByAddress(db, workspaceId, mailboxId, address, plainAddress(address))

/** A message to an address with a detail (`name+detail@`) may be answered from the plain address. */
function plainAddress(address: string): string {
  const [plus, at] = [address.indexOf('+'), address.lastIndexOf('@')]
  return plus > 0 && plus < at ? address.slice(0, plus) + address.slice(at) : address
}

const THREAD_DAYS = 60

/**
 * A colleague replies in the thread, but the headers that show it are lost. The domain is that of the company, the subject
 * is ours, and only one person there got a message with it; or the quoted text names the person who did.
 */
export async function findThread(db: Db, { message, workspaceId, mailboxId, receivedAt }: Asked): Promise<MatchedSend | undefined> {
  const domain = domainOf(message.from?.address ?? '')
  const isReply = message.inReplyTo !== null || message.references.length > 0 || threadSubject(message.subject) !== message.subject.trim()
  const subject = threadSubject(message.subject).toLowerCase()
  if (!isReply || subject === '' || domain === '' || isFreeMail(domain)) return undefined
  const since = new Date(receivedAt.getTime() - THREAD_DAYS * DAY_MS)
  const sends = await queries.listSendsToDomain(db, workspaceId, mailboxId, domain, since)
  const same = sends.filter(send => threadSubject(send.subject ?? '').toLowerCase() === subject)
  const quoted = message.fullText.toLowerCase()
  const named = same.filter(send => quoted.includes(send.email.toLowerCase()))
  for (const candidates of [same, named]) {
    if (new Set(candidates.map(send => send.leadId)).size === 1) return candidates[0]
  }
  return undefined
}

const MAX_SUBJECT_CHARS = 500
/** "Re" and "Fwd" in the languages of mail programs. */
const REPLY_WORDS =
  're|aw|antw|antwort|sv|vs|vb|vl|fwd?|wg|tr|rv|ref|réf|rép|res|enc|rif|r|odp|odg|pd|ynt|ilt|i̇lt|vá|ats|atb|bls|doorst|απ|σχετ|πρθ|отв|ответ|пересл|відп|' +
  'רד|השב|رد|回[复覆]|答[复覆]|转[发寄]|轉寄|返信|転送|답장|회신|전달'
/** The tags that company servers add to the subjects of external mail. */
const TAGS = '\\[(?:ext(?:ern(?:al|e|o)?)?(?:[ -](?:e-?mail|mail|sender|message))?|spam|caution)\\]:?'
const PREFIX = new RegExp(`^(?:(?:${REPLY_WORDS})(?:\\[\\d{1,3}\\])?\\s{0,3}[:：]|${TAGS})\\s*`, 'iu')

/** The subject without the prefixes of mail programs for replies and forwards. */
export function threadSubject(subject: string): string {
  let rest = subject.slice(0, MAX_SUBJECT_CHARS).trim()
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(PREFIX, '')
  }
  return rest
}

/**
 * Our own message, found in a folder of copies, or a message that the user of the mailbox wrote. A lead may be a mailbox
 * of the workspace, too, and then its answers count as usual.
 */
export async function isOwnMessage(db: Db, workspaceId: string, message: InboundMessage, leadEmail: string): Promise<boolean> {
  if (message.messageId && (await queries.findSendByMessageIds(db, workspaceId, [message.messageId.toLowerCase()]))) return true
  const address = message.from?.address
  if (!address || address === leadEmail.toLowerCase()) return false
  return queries.isOwnMailbox(db, workspaceId, address)
}

/** A raw message in a mailbox, readable or not. */
export interface Located extends Pick<UnreadRow, 'workspaceId' | 'folder' | 'uidValidity' | 'uid' | 'receivedAt'> {
  mailboxId: string
  /** It is in the spam folder. */
  isJunk: boolean
  raw: Buffer
}

export const digestOf = (raw: Buffer): Buffer => hash('sha256', raw, 'buffer')

/** Sets a message aside, with the reason, for a person to review. The message stays in the mailbox. */
export async function setAside(tx: Tx, located: Located, reason: UnreadReason, detail: string, now: Date): Promise<void> {
  const { workspaceId, mailboxId, folder, uidValidity, uid, raw, receivedAt } = located
  await queries.insertUnread(tx, {
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

export function presentUnread(row: UnreadRow, ctx: HasLink) {
  const links = { self: ctx.link(`/v1/workspaces/${row.workspaceId}/providers/${row.providerId}/unread-messages/${row.id}`) }
  return {
    ...pick(row, 'id', 'providerId', 'folder', 'uidValidity', 'uid', 'messageId', 'reason', 'detail', 'receivedAt', 'createdAt'),
    links,
  }
}
