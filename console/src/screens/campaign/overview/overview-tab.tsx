import type { Campaign } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import { asSentence } from '@/data/words.ts'
import { buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { formatMoment, formatNoun, readable } from '@/ui/format.ts'
import { Loaded } from '@/ui/loaded.tsx'
import { useSchedule, useSendingStatus, useSimulation, useThisCampaign } from '../data.ts'
import { inOrder, NextSend, ReasonCount, withoutCount } from '../sending/reasons.tsx'
import { Funnel } from './funnel.tsx'
import { ReadinessCard } from './readiness.tsx'
import { ResultsChart } from './results-chart.tsx'
import { VariantsCard } from './variants.tsx'

export function OverviewTab() {
  const campaign = useThisCampaign()
  const isNew = campaign.metrics.emailsSentCount === 0
  const readiness = <ReadinessCard campaign={campaign} />
  const sending = <SendingCard campaign={campaign} />
  // Before the first email there are no results, so the checks come first.
  if (isNew) {
    return (
      <div className="grid items-start gap-5 lg:grid-cols-2">
        {readiness}
        <div className="flex flex-col gap-5">
          {sending}
          <OutlookCard campaign={campaign} />
        </div>
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-5">
      <Funnel campaign={campaign} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <ResultsChart campaign={campaign} />
          <VariantsCard campaign={campaign} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          {sending}
          {readiness}
        </div>
      </div>
    </div>
  )
}

const HORIZON_DAYS = 365
const OUTLOOKS: Partial<Record<Campaign['status'], string>> = {
  draft: 'If you activate now',
  paused: 'If you resume now',
  attention_needed: 'If you resume now',
}

/** The forecast of an activation. If nothing can be simulated yet, the readiness tells why. */
function OutlookCard({ campaign }: { campaign: Campaign }) {
  const { data } = useSimulation(campaign, HORIZON_DAYS)
  const { data: schedule } = useSchedule(campaign.id)
  if (!data || data.sends === 0 || !data.startsAt || !data.endsAt) return null
  const zone = schedule?.timezone
  return (
    <Card
      title={OUTLOOKS[campaign.status] ?? 'Forecast'}
      actions={
        <Link to="/campaigns/$campaignId/simulation" params={{ campaignId: campaign.id }} className={buttonClass('secondary', 'sm')}>
          View by day
        </Link>
      }
    >
      <p className="text-base">
        {formatNoun(data.sends, 'email')} {campaign.status === 'active' ? 'will' : 'would'} be sent, the first on{' '}
        {formatMoment(data.startsAt, zone)}, the last on {formatMoment(data.endsAt, zone)}.
      </p>
      <p className="mt-1 text-soft">{readable(data.bindingLimit.message)}</p>
    </Card>
  )
}

/** A summary of the Sending tab. */
function SendingCard({ campaign }: { campaign: Campaign }) {
  return (
    <Card
      title="Sending"
      actions={
        <Link to="/campaigns/$campaignId/sending" params={{ campaignId: campaign.id }} className={buttonClass('secondary', 'sm')}>
          View details
        </Link>
      }
    >
      <Loaded query={useSendingStatus(campaign.id)} lines={2} className="py-4">
        {status => (
          <>
            <p className="font-medium text-base">
              <NextSend status={status} />
            </p>
            {status.attentionReason ? <p className="mt-1 text-bad">{asSentence(status.attentionReason)}</p> : null}
            {status.reasons.length > 0 ? (
              <ul className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-soft">
                {inOrder(status.reasons).map(reason => (
                  <li key={reason.reason + reason.text} className="col-span-2 grid grid-cols-subgrid">
                    <ReasonCount campaignId={campaign.id} reason={reason.reason} count={reason.count} className="font-medium text-ink" />
                    {withoutCount(reason)}
                  </li>
                ))}
              </ul>
            ) : (
              <p className="mt-1 text-soft">{status.summary}</p>
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}
