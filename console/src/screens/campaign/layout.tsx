import type { Campaign } from '@overture/sdk'
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { Status } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { formatShort } from '@/ui/format.ts'
import { PlayIcon } from '@/ui/icons.tsx'
import { PageHeader, type TabLink, TabLinks } from '@/ui/page.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorState } from '@/ui/states.tsx'
import { CampaignActions } from '../campaigns/campaign-actions.tsx'
import { useCampaign, useTransition } from '../campaigns/data.ts'
import { CampaignContext } from './data.ts'

/** The header and the tabs of a campaign. */
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

/** The actions of the list, and a button to activate a draft or resume a stopped campaign. */
function CampaignHeaderActions({ campaign }: { campaign: Campaign }) {
  const { may } = useWorkspace()
  const { status } = campaign
  const activate = useTransition(campaign, 'activate', { outcome: 'activated', toastsErrors: 'until elsewhere' })
  const resume = useTransition(campaign, 'resume', { outcome: 'resumed', toastsErrors: 'until elsewhere' })
  const { pathname } = useLocation()
  // The fix is on another tab, so leaving this one clears the failure.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only going somewhere ends it
  useEffect(() => {
    for (const { phase, reset } of [activate, resume]) if (phase === 'failed') reset()
  }, [pathname])
  return (
    <>
      {may('campaigns:write') && (status === 'draft' || activate.isBusy) ? (
        <Button variant="primary" icon={PlayIcon} phase={activate.phase} onClick={() => void activate.run(null)}>
          Activate
        </Button>
      ) : null}
      {may('campaigns:write') && (status === 'attention_needed' || (resume.isBusy && status !== 'paused')) ? (
        <Button icon={PlayIcon} phase={resume.phase} onClick={() => void resume.run(null)}>
          Resume
        </Button>
      ) : null}
      <CampaignActions campaign={campaign} />
    </>
  )
}

const TABS = [
  { to: '/campaigns/$campaignId', label: 'Overview', isExact: true },
  { to: '/campaigns/$campaignId/sending', label: 'Sending' },
  { to: '/campaigns/$campaignId/leads', label: 'Leads' },
  { to: '/campaigns/$campaignId/sequence', label: 'Sequence' },
  { to: '/campaigns/$campaignId/schedule', label: 'Schedule' },
  { to: '/campaigns/$campaignId/simulation', label: 'Forecast' },
  { to: '/campaigns/$campaignId/settings', label: 'Settings' },
  { to: '/campaigns/$campaignId/activity', label: 'Activity' },
] as const satisfies readonly TabLink[]

function CampaignTabs({ campaign }: { campaign: Campaign }) {
  const count = <span className="rounded-full bg-hover px-1.5 text-2xs text-soft tabular">{formatShort(campaign.totalLeads)}</span>
  const params = { campaignId: campaign.id }
  const tabs = TABS.map(tab => ({ ...tab, params, ...(tab.label === 'Leads' ? { mark: count } : {}) }))
  return <TabLinks label="Campaign" tabs={tabs} />
}
