import { useThisCampaign } from '@/screens/campaign/this-campaign.ts'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorState } from '@/ui/states.tsx'
import { useSequence } from './data.ts'
import { SequenceEditor } from './sequence-editor.tsx'

export function SequenceScreen() {
  const campaign = useThisCampaign()
  const { data, error, refetch } = useSequence(campaign.id)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonLines count={10} />
  return <SequenceEditor key={campaign.id} campaign={campaign} sequence={data} />
}
