import type { Campaign } from '@overture/sdk'
import { formatShort } from '@/ui/format.ts'
import { type TabLink, TabLinks } from '@/ui/tab-links.tsx'

const TABS = [
  { to: '/campaigns/$campaignId', label: 'Overview', isExact: true },
  { to: '/campaigns/$campaignId/sending', label: 'Sending' },
  { to: '/campaigns/$campaignId/leads', label: 'Leads' },
  { to: '/campaigns/$campaignId/sequence', label: 'Sequence' },
  { to: '/campaigns/$campaignId/schedule', label: 'Schedule' },
  { to: '/campaigns/$campaignId/simulation', label: 'Simulation' },
  { to: '/campaigns/$campaignId/settings', label: 'Settings' },
  { to: '/campaigns/$campaignId/activity', label: 'Activity' },
] as const satisfies readonly TabLink[]

export function CampaignTabs({ campaign }: { campaign: Campaign }) {
  const count = <span className="rounded-full bg-hover px-1.5 text-2xs text-soft tabular">{formatShort(campaign.totalLeads)}</span>
  const params = { campaignId: campaign.id }
  const tabs = TABS.map(tab => ({ ...tab, params, ...(tab.label === 'Leads' ? { mark: count } : {}) }))
  return <TabLinks label="Campaign" tabs={tabs} />
}
