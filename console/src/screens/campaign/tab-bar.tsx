import type { Campaign } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { formatShort } from '@/ui/format.ts'

const TABS = [
  { to: '/campaigns/$campaignId', label: 'Overview' },
  { to: '/campaigns/$campaignId/sending', label: 'Sending' },
  { to: '/campaigns/$campaignId/leads', label: 'Leads' },
  { to: '/campaigns/$campaignId/sequence', label: 'Sequence' },
  { to: '/campaigns/$campaignId/schedule', label: 'Schedule' },
  { to: '/campaigns/$campaignId/simulation', label: 'Simulation' },
  { to: '/campaigns/$campaignId/settings', label: 'Settings' },
  { to: '/campaigns/$campaignId/activity', label: 'Activity' },
] as const

/** Tabs that are links: each has its address, and the way back leads through them. */
export function CampaignTabs({ campaign }: { campaign: Campaign }) {
  const bar = useRef<HTMLElement>(null)
  // On a phone the tab that is looked at may be beyond the edge.
  useEffect(() => {
    bar.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [])
  return (
    <nav ref={bar} aria-label="Campaign" className="-mx-4 mb-6 overflow-x-auto border-line border-b px-4 sm:mx-0 sm:px-0">
      <ul className="flex w-max gap-5">
        {TABS.map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              params={{ campaignId: campaign.id }}
              activeOptions={{ exact: label === 'Overview', includeSearch: false }}
              className="relative flex h-9 items-center gap-1.5 font-medium text-faint text-sm transition-colors hover:text-ink aria-[current=page]:text-ink after:absolute after:inset-x-0 after:-bottom-px after:h-0.5 after:rounded-full aria-[current=page]:after:bg-accent"
            >
              {label}
              {label === 'Leads' ? (
                <span className="rounded-full bg-sunken px-1.5 text-2xs text-soft tabular">{formatShort(campaign.totalLeads)}</span>
              ) : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
