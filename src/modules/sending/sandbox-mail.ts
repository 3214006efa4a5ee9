import type { Tx } from '../../db/client.ts'
import type { ComposedMessage } from '../../mail/compose/compose.ts'
import type { ClaimedSend } from './claim.ts'

/** The reaction of a simulated recipient to a message, and its time. */
export interface SandboxReaction {
  at: Date
  kind: 'reply' | 'bounce' | 'auto_reply' | 'open' | 'click' | 'unsubscribe'
  /** The message that arrives in the sandbox's inbox; for replies, automatic replies and bounces. */
  raw?: Buffer
  /** The request of a mail program or browser: GET for opens and clicks, POST for unsubscribing. */
  url?: string
  userAgent?: string
}

export interface SandboxDelivery {
  send: ClaimedSend
  composed: ComposedMessage
  reactions: SandboxReaction[]
}

/** The mail of sandbox mailboxes, which never leaves the machine. The slice that simulates the recipients is passed in. */
export interface SandboxMail {
  react(message: { raw: Buffer; envelope: { from: string; to: string }; at: Date }): Promise<SandboxReaction[]>
  /** Stores messages and reactions, in the transaction that records the messages as sent. */
  store(tx: Tx, deliveries: SandboxDelivery[], now: Date): Promise<void>
}
