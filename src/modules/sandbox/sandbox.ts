import { newId } from '../../lib/ids.ts'
import type { ComposedMessage } from '../../mail/compose/compose.ts'
import type { SandboxDelivery, SandboxMail } from '../sending/deliver.ts'
import { reactTo } from './personas.ts'
import { insertReactions, insertSandboxMessages, type ReactionRow, type SandboxMessageRow } from './queries.ts'

/** Stores the messages of sandbox mailboxes, with the reactions of their simulated recipients. */
export const sandboxMail: SandboxMail = {
  react: reactTo,
  async store(tx, deliveries, now) {
    await insertSandboxMessages(
      tx,
      deliveries.map(delivery => toMessageRow(delivery, now)),
    )
    const rows = deliveries.flatMap(toReactionRows)
    if (rows.length > 0) await insertReactions(tx, rows)
  },
}

const toMessageRow = ({ send, composed }: SandboxDelivery, now: Date): SandboxMessageRow =>
  sentMessage({ ...send, providerId: send.mailbox.id }, composed, now)

/** The lead is null for a message that is for no lead. */
type MessageOrigin = Pick<SandboxMessageRow, 'id' | 'workspaceId' | 'providerId' | 'campaignId' | 'leadId'>

/** A message that a sandbox mailbox has sent, as it is stored. */
export const sentMessage = (
  { id, workspaceId, providerId, campaignId, leadId }: MessageOrigin,
  composed: ComposedMessage,
  now: Date,
): SandboxMessageRow => ({
  id,
  workspaceId,
  providerId,
  campaignId,
  leadId,
  direction: 'out',
  fromAddress: composed.envelope.from,
  toAddress: composed.envelope.to,
  subject: composed.subject,
  text: composed.text,
  html: composed.html,
  raw: composed.raw,
  createdAt: now,
})

const toReactionRows = ({ send, reactions }: SandboxDelivery): ReactionRow[] =>
  reactions.map(({ at, kind, raw, url, userAgent }) => ({
    id: newId(),
    workspaceId: send.workspaceId,
    providerId: send.mailbox.id,
    sendId: send.id,
    dueAt: at,
    action: { kind, ...(raw ? { raw: raw.toString('latin1') } : {}), ...(url ? { url } : {}), ...(userAgent ? { userAgent } : {}) },
  }))
