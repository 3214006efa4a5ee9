import { Card } from '@/ui/card.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorState } from '@/ui/states.tsx'
import { useVersionedSchedule } from '../data.ts'
import { useThisCampaign } from '../this-campaign.ts'
import { ScheduleForm } from './schedule-form.tsx'

export function ScheduleTab() {
  const campaign = useThisCampaign()
  const { data, error, refetch } = useVersionedSchedule(campaign.id)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) {
    return (
      <Card>
        <SkeletonLines count={8} />
      </Card>
    )
  }
  return <ScheduleForm key={campaign.id} campaign={campaign} saved={data} />
}
