import { storableData } from '../../lib/storable-text.ts'
import { type InboundMessage, parseInbound } from '../inbound/inbound.ts'
import { classifyReply, type KnownVerdicts } from './classify.ts'
import type { ReplyClass } from './reply-class.ts'

export interface ReadMessage {
  message: InboundMessage
  judged: ReplyClass
}

/** A raw message, parsed and judged, with nothing in it that the database would refuse. */
export async function readMessage(raw: Uint8Array, receivedAt: Date, isCut = false, known?: KnownVerdicts): Promise<ReadMessage> {
  const message = storableData(await parseInbound(raw, isCut))
  return { message, judged: storableData(classifyReply(message, receivedAt, known)) }
}
