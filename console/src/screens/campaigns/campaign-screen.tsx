import { Link, useParams } from '@tanstack/react-router'
import { Status } from '@/ui/badge.tsx'
import { Card } from '@/ui/card.tsx'
import { formatCount } from '@/ui/format.ts'
import { KeyValue } from '@/ui/key-value.tsx'
import { PageHeader } from '@/ui/page-header.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { CampaignActions } from './campaign-actions.tsx'
import { useCampaign } from './data.ts'

export function CampaignScreen() {
  const { campaignId } = useParams({ from: '/shell/campaigns/$campaignId' })
  const { data: campaign, error, refetch } = useCampaign(campaignId)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!campaign) return <SkeletonLines count={6} />
  const { metrics } = campaign
  return (
    <>
      <PageHeader
        title={campaign.name}
        mark={<Status status={campaign.status} />}
        above={<Link to="/campaigns">Campaigns</Link>}
        actions={<CampaignActions campaign={campaign} />}
      />
      <Card title="Overview">
        <KeyValue
          items={[
            ['Leads', formatCount(campaign.totalLeads)],
            ['Sent', formatCount(metrics.emailsSentCount)],
            ['Replied', formatCount(metrics.uniqueReplyCount)],
            ['Created', <Time key="created" at={campaign.createdAt} />],
          ]}
        />
      </Card>
    </>
  )
}
