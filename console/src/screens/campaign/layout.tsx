import { Link, Outlet, useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useCampaign } from '@/screens/campaigns/data.ts'
import { Status } from '@/ui/badge.tsx'
import { PageHeader } from '@/ui/page-header.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorState } from '@/ui/states.tsx'
import { CampaignHeaderActions } from './header-actions.tsx'
import { CampaignTabs } from './tab-bar.tsx'
import { CampaignContext } from './this-campaign.ts'

/** Around every tab of a campaign: what it is called, how it is, what can be done with it, and the way to its other tabs. */
export function CampaignLayout() {
  const { campaignId } = useParams({ from: '/shell/campaigns/$campaignId' })
  const { data: campaign, error, refetch } = useCampaign(campaignId)
  if (error && !campaign) return <ErrorState page="Campaign" error={error} onRetry={() => void refetch()} />
  if (!campaign) return <SkeletonLines count={6} />
  return (
    <CampaignContext value={campaign}>
      <PageHeader
        title={campaign.name}
        mark={<Status status={campaign.status} />}
        above={
          <Link to="/campaigns" className="hover:text-ink">
            Campaigns
          </Link>
        }
        actions={<CampaignHeaderActions campaign={campaign} />}
      />
      <CampaignTabs campaign={campaign} />
      <Suspense fallback={<SkeletonLines count={8} />}>
        <Outlet />
      </Suspense>
    </CampaignContext>
  )
}
