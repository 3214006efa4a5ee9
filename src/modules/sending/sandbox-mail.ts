import type { Tx } from '../../db/client.ts'
import type { ComposedMessage } from '../../mail/compose/compose.ts'
import type { ClaimedSend } from './claim.ts'

/** What a made-up recipient will do about a message, and when. */
export interface SandboxReaction {
  at: Date
  kind: 'reply' | 'bounce' | 'auto_reply' | 'open' | 'click' | 'unsubscribe'
  /** The message that arrives in the sandbox's inbox; for replies, automatic replies and bounces. */
  raw?: Buffer
  /** What a mail program or browser would request; for opens and clicks (GET) and unsubscribing (POST). */
  url?: string
  userAgent?: string
}

export interface SandboxDelivery {
  send: ClaimedSend
  composed: ComposedMessage
  reactions: SandboxReaction[]
}

/** The mail of sandbox mailboxes, which never leaves the machine. The slice that plays the recipients is handed in. */
export interface SandboxMail {
  react(message: { raw: Buffer; envelope: { from: string; to: string }; at: Date }): Promise<SandboxReaction[]>
  /** Keeps messages and reactions, in the transaction that records the messages as sent. */
  store(tx: Tx, deliveries: SandboxDelivery[], now: Date): Promise<void>
}
