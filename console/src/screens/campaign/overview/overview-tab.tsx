import type { Campaign } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { formatMoment, formatNoun } from '@/ui/format.ts'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorNote } from '@/ui/states.tsx'
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
  // Before the first message there is no result to look at, but something to do.
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

/** What an activation would lead to. Where nothing can be simulated yet, the readiness says why. */
function OutlookCard({ campaign }: { campaign: Campaign }) {
  const { data } = useSimulation(campaign, HORIZON_DAYS)
  const { data: schedule } = useSchedule(campaign.id)
  if (!data || data.sends === 0 || !data.startsAt || !data.endsAt) return null
  const zone = schedule?.timezone
  return (
    <Card
      title={campaign.status === 'draft' ? 'If you activate now' : 'Forecast'}
      actions={
        <Link to="/campaigns/$campaignId/simulation" params={{ campaignId: campaign.id }} className={buttonClass('secondary', 'sm')}>
          View by day
        </Link>
      }
    >
      <p className="text-base">
        {formatNoun(data.sends, 'email')} would be sent, the first on {formatMoment(data.startsAt, zone)}, the last on{' '}
        {formatMoment(data.endsAt, zone)}.
      </p>
      <p className="mt-1 text-soft">{data.bindingLimit.message}</p>
    </Card>
  )
}

/** In a few lines what the tab "Sending" says at length. */
function SendingCard({ campaign }: { campaign: Campaign }) {
  const { data, error } = useSendingStatus(campaign.id)
  return (
    <Card
      title="Sending"
      actions={
        <Link to="/campaigns/$campaignId/sending" params={{ campaignId: campaign.id }} className={buttonClass('secondary', 'sm')}>
          See options
        </Link>
      }
    >
      {data ? (
        <>
          <p className="font-medium text-base">
            <NextSend status={data} />
          </p>
          {data.attentionReason ? <p className="mt-1 text-bad">{data.attentionReason}</p> : null}
          {data.reasons.length > 0 ? (
            <ul className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-soft">
              {inOrder(data.reasons).map(reason => (
                <li key={reason.reason + reason.text} className="col-span-2 grid grid-cols-subgrid">
                  <ReasonCount campaignId={campaign.id} reason={reason.reason} count={reason.count} className="font-medium text-ink" />
                  {withoutCount(reason)}
                </li>
              ))}
            </ul>
          ) : (
            <p className="mt-1 text-soft">{data.summary}</p>
          )}
        </>
      ) : error ? (
        <ErrorNote error={error} />
      ) : (
        <SkeletonLines count={2} />
      )}
    </Card>
  )
}
