import { stripQuotes } from '../inbound/quotes.ts'
import data from './replies.data.json' with { type: 'json' }
import { HUMAN_KINDS, type HumanKind, type ReplyModel, trainReplyModel } from './reply-model.ts'
import { foldText } from './return-date.ts'

/** The model as it is used: trained on the labelled replies, never on those that are held out to measure it. */
let trained: ReplyModel | undefined

export function judgeText(foldedText: string): Record<HumanKind, number> {
  trained ??= trainReplyModel(
    data.replies
      .filter(reply => reply.split === 'tune' && HUMAN_KINDS.includes(reply.kind as HumanKind))
      .map(reply => ({ text: foldText(stripQuotes(reply.text)), kind: reply.kind as HumanKind })),
  )
  return trained(foldedText)
}
