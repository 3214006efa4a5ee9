import type { ComposedMessage } from './compose.ts'
import { checkAddress, type Mailbox, writeMessage } from './mime.ts'

interface AnswerInput {
  from: Mailbox
  to: Mailbox
  replyTo: Mailbox | null
  date: Date
  messageId: string
  inReplyTo: string | null
  /** Oldest first. */
  references: string[]
  subject: string
  text: string
  html: string | null
}

/** A person writes this message, so it has no tracking, no footer and no unsubscribe link. */
export function composeAnswer(input: AnswerInput): ComposedMessage {
  const { from, to, messageId, subject, text, html } = input
  return {
    raw: writeMessage(input),
    envelope: { from: checkAddress(from.address, 'From'), to: checkAddress(to.address, 'To') },
    messageId,
    subject,
    threadSubject: subject,
    startsThread: false,
    text,
    html,
  }
}
