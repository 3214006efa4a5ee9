import type { Campaign, VariantComparison } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge, type Tone } from '@/ui/badge.tsx'
import { Card } from '@/ui/card.tsx'
import { formatCount, formatNoun, formatPercent } from '@/ui/format.ts'
import { useVariantComparison } from '../data.ts'

type Step = VariantComparison['steps'][number]

const VERDICTS: Record<Step['verdict'], [words: string, tone: Tone]> = {
  only_variant: ['Only variant', 'neutral'],
  not_enough_data: ['Not enough data', 'neutral'],
  no_clear_difference: ['No clear difference', 'info'],
  clear_winner: ['Clear winner', 'good'],
}

/** Variants with the confidence intervals of their rates. If the intervals overlap, the text says that there is no winner yet. */
export function VariantsCard({ campaign }: { campaign: Campaign }) {
  const { data } = useVariantComparison(campaign.id)
  const steps = data?.steps.filter(({ variants }) => variants.length > 1) ?? []
  if (steps.length === 0) return null
  return (
    <Card isFlush title="Variants" description="Positive replies per email sent. The bar shows the likely range (95% confidence).">
      {steps.map(step => (
        <StepVariants key={step.step} step={step} campaignId={campaign.id} />
      ))}
    </Card>
  )
}

function StepVariants({ step: { step, verdict, message, variants, winnerVariantId }, campaignId }: { step: Step; campaignId: string }) {
  const [words, tone] = VERDICTS[verdict]
  // The scale ends at the widest range, rounded up to 5%.
  const widest = Math.max(...variants.map(({ interval }) => interval.high), 0.05)
  const scale = Math.min(1, Math.ceil(widest * 20) / 20)
  return (
    <div className="border-line px-4 py-3.5 not-last:border-b">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-medium">Step {step + 1}</h3>
        <Badge tone={tone}>{words}</Badge>
      </div>
      <p className="mt-0.5 text-soft">{message}</p>
      <ul className="mt-3 flex flex-col gap-3">
        {variants.map(({ variantId, subject, sentCount, replyCount, positiveReplyCount, positiveReplyRate, interval }, index) => {
          const isWinner = variantId === winnerVariantId
          const color = isWinner ? 'bg-good' : 'bg-accent'
          return (
            <li key={variantId} className="grid grid-cols-[auto_1fr] gap-x-3 sm:grid-cols-[auto_minmax(0,14rem)_1fr]">
              <span className="grid size-5 place-items-center rounded bg-hover font-medium text-2xs text-soft">
                {String.fromCharCode(65 + index)}
              </span>
              <div className="min-w-0">
                <p className="truncate" title={subject ?? undefined}>
                  {subject ?? <span className="text-faint">Same thread, no subject</span>}
                </p>
                <p className="text-faint text-xs tabular">
                  <EventsLink {...{ campaignId, variantId }} type="email.sent">
                    {formatCount(sentCount)} sent
                  </EventsLink>
                  {' · '}
                  <EventsLink {...{ campaignId, variantId }} type="email.replied">
                    {formatNoun(replyCount, 'reply', 'replies')}
                  </EventsLink>
                  {' · '}
                  <EventsLink {...{ campaignId, variantId }} type="ai_sdr.positive_reply">
                    {formatCount(positiveReplyCount)} positive
                  </EventsLink>
                </p>
              </div>
              <div className="max-sm:col-start-2 max-sm:mt-1.5">
                {sentCount === 0 ? (
                  <p className="text-faint text-xs">Not sent yet</p>
                ) : (
                  <>
                    <div
                      role="img"
                      aria-label={`${formatPercent(positiveReplyRate)} positive, the true rate is likely between ${formatPercent(interval.low)} and ${formatPercent(interval.high)}`}
                      className="relative h-5 rounded bg-sunken"
                    >
                      <span
                        className={`absolute inset-y-1.5 rounded-full opacity-30 ${color}`}
                        style={{ left: `${(interval.low / scale) * 100}%`, width: `${((interval.high - interval.low) / scale) * 100}%` }}
                      />
                      <span
                        className={`-ml-1 absolute top-1 h-3 w-2 rounded-sm ${color}`}
                        style={{ left: `${(positiveReplyRate / scale) * 100}%` }}
                      />
                    </div>
                    <p className="mt-0.5 text-faint text-xs tabular">
                      <span className="font-medium text-ink">{formatPercent(positiveReplyRate)}</span>, likely between{' '}
                      {formatPercent(interval.low)} and {formatPercent(interval.high)}
                    </p>
                  </>
                )}
              </div>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

interface EventsLinkProps {
  campaignId: string
  variantId: string
  type: string
  children: ReactNode
}

function EventsLink({ campaignId, variantId, type, children }: EventsLinkProps) {
  return (
    <Link
      to="/campaigns/$campaignId/activity"
      params={{ campaignId }}
      search={{ type, variant: variantId }}
      className="underline-offset-2 hover:text-ink hover:underline"
    >
      {children}
    </Link>
  )
}
