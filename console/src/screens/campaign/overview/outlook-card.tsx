import type { Campaign } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { formatNoun } from '@/ui/format.ts'
import { useSchedule, useSimulation } from '../data.ts'
import { wordMoment } from '../moments.ts'

const HORIZON_DAYS = 365

/** What an activation would lead to. Where nothing can be simulated yet, the readiness says why. */
export function OutlookCard({ campaign }: { campaign: Campaign }) {
  const { data } = useSimulation(campaign, HORIZON_DAYS)
  const { data: schedule } = useSchedule(campaign.id)
  if (!data || data.sends === 0 || !data.startsAt || !data.endsAt) return null
  const zone = schedule?.timezone
  return (
    <Card
      title={campaign.status === 'draft' ? 'If you activate it now' : 'When it goes on'}
      actions={
        <Link to="/campaigns/$campaignId/simulation" params={{ campaignId: campaign.id }} className={buttonClass('secondary', 'sm')}>
          Day by day
        </Link>
      }
    >
      <p className="text-base">
        {formatNoun(data.sends, 'message')} would leave, the first on {wordMoment(data.startsAt, zone)}, the last on{' '}
        {wordMoment(data.endsAt, zone)}.
      </p>
      <p className="mt-1 text-soft">{data.bindingLimit.message}</p>
    </Card>
  )
}
