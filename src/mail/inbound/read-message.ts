import { type ReplyClass, readReply } from '#reply-reader'
import { storableData } from '../../lib/storable-text.ts'
import { type InboundMessage, parseInbound } from './inbound.ts'

export interface ReadingTask {
  raw: Uint8Array
  /** Stands in for a message that carries no readable date. */
  receivedAt: Date
  /** These are not all the bytes of the message. */
  isCut?: boolean
}

export interface ReadMessage {
  message: InboundMessage
  judged: ReplyClass
}

/** A raw message, parsed and judged, with nothing in it that the database would refuse. */
export async function readMessage({ raw, receivedAt, isCut }: ReadingTask): Promise<ReadMessage> {
  const message = storableData(await parseInbound(raw, isCut))
  return { message, judged: judgeMessage(message, receivedAt) }
}

export const judgeMessage = (message: InboundMessage, receivedAt: Date): ReplyClass =>
  storableData(readReply({ ...message, date: message.date ?? receivedAt }))
