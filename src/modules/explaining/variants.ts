import type { Db } from '../../db/sql.ts'
import type { Static } from '../../lib/type.ts'
import type { CampaignRow } from '../campaigns/queries.ts'
import { countSentOfVariants } from '../metrics/queries.ts'
import { readSteps } from '../sequences/sequences.ts'
import { countAnswers } from './queries.ts'
import type { VariantComparison } from './schema.ts'

/** With fewer messages per variant, no conclusion is possible. */
const ENOUGH_SENT = 50
const ENOUGH_POSITIVE = 5
const Z_95 = 1.959964

/**
 * The range that contains the true rate with 95% confidence (Wilson score interval, which is reliable for small numbers and rare events).
 */
export function wilson(positive: number, total: number): ComparedVariant['interval'] {
  if (total === 0) return { low: 0, high: 1 }
  const z2 = Z_95 * Z_95
  const rate = positive / total
  const centre = (rate + z2 / (2 * total)) / (1 + z2 / total)
  const half = (Z_95 / (1 + z2 / total)) * Math.sqrt((rate * (1 - rate)) / total + z2 / (4 * total * total))
  return { low: round(Math.max(0, centre - half)), high: round(Math.min(1, centre + half)) }
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000

type ComparedStep = Static<typeof VariantComparison>['steps'][number]
export type ComparedVariant = ComparedStep['variants'][number]

/** Compares the variants of each step by positive replies, and whether the difference is significant. */
export async function compareVariants(db: Db, campaign: CampaignRow): Promise<ComparedStep[]> {
  // Sent messages are stored as a sum; replies are few and can be counted.
  const sentCounts = await countSentOfVariants(db, campaign.id)
  const answers = new Map((await countAnswers(db, campaign.id)).map(count => [count.variantId, count]))
  const steps = await readSteps(db, campaign.id, campaign.sequenceVersion)
  return steps.map((step, index) => {
    const variants = step.variants.map(({ id, subject, weight }) => {
      const sent = sentCounts.get(id) ?? 0
      const { replied = 0, positive = 0 } = answers.get(id) ?? {}
      const rate = sent === 0 ? 0 : round(positive / sent)
      const result = { sentCount: sent, replyCount: replied, positiveReplyCount: positive, positiveReplyRate: rate }
      return { variantId: id, subject, weight, ...result, interval: wilson(positive, sent) }
    })
    return { step: index, ...judge(variants), variants }
  })
}

export function judge(variants: ComparedVariant[]): Pick<ComparedStep, 'verdict' | 'winnerVariantId' | 'message'> {
  const none = (verdict: ComparedStep['verdict'], message: string) => ({ verdict, winnerVariantId: null, message })
  if (variants.length < 2) return none('only_variant', 'There is nothing to compare.')
  const fewest = Math.min(...variants.map(variant => variant.sentCount))
  const positive = variants.reduce((sum, variant) => sum + variant.positiveReplyCount, 0)
  if (fewest < ENOUGH_SENT || positive < ENOUGH_POSITIVE) {
    return none(
      'not_enough_data',
      `The comparison needs ${ENOUGH_SENT} emails of each variant and ${ENOUGH_POSITIVE} positive replies in total.`,
    )
  }
  const [best, ...others] = [...variants].sort((a, b) => b.positiveReplyRate - a.positiveReplyRate) as [
    ComparedVariant,
    ...ComparedVariant[],
  ]
  if (others.some(other => other.interval.high >= best.interval.low)) {
    return none('no_clear_difference', 'The likely ranges overlap, so the difference may be chance.')
  }
  return { verdict: 'clear_winner', winnerVariantId: best.variantId, message: 'One variant gets clearly more positive replies.' }
}
