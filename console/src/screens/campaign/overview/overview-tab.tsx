import { useThisCampaign } from '../this-campaign.ts'
import { Funnel } from './funnel.tsx'
import { OutlookCard } from './outlook-card.tsx'
import { ReadinessCard } from './readiness.tsx'
import { ResultsChart } from './results-chart.tsx'
import { SendingCard } from './sending-card.tsx'
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
