import type { Event } from '@overture/sdk'
import { Link, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useActorNames } from '@/data/actors.ts'
import { campaignNow } from '@/data/clock.ts'
import { useWorkspace } from '@/data/session.ts'
import { eventWords } from '@/data/words.ts'
import { readableAddress } from '@/ui/address.ts'
import { Badge } from '@/ui/badge.tsx'
import { Button, buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { CodeBlock } from '@/ui/copy.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { MoreRows } from '@/ui/data-table.tsx'
import { FilterBar } from '@/ui/filter-bar.tsx'
import { formatDay, formatTime } from '@/ui/format.ts'
import { CampaignIcon, ChevronDownIcon, ChevronRightIcon, CloseIcon } from '@/ui/icons.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { EmptyState, ErrorState, NoPermission } from '@/ui/states.tsx'
import { asQuery, useCampaignEvents, useThisCampaign } from '../data.ts'
import { LeadLink } from '../lead-link.tsx'
import { CAMPAIGN_TYPES, detailOf, toneOf } from './event-words.ts'

/** Everything that happened in the campaign, newest first. New events appear automatically. */
export function ActivityTab() {
  const campaign = useThisCampaign()
  const { may } = useWorkspace()
  const { type, lead, variant } = useSearch({ from: '/shell/campaigns/$campaignId/activity' })
  const pages = useCampaignEvents(campaign.id, { type, lead, variant })
  const days = useMemo(() => groupByDay(pages.rows), [pages.rows])
  const narrowed = lead ? 'One lead' : variant ? 'One variant' : null
  if (!may('events:read')) return <NoPermission scope="events:read" />
  return (
    <Card isFlush>
      <h2 className="sr-only">Activity</h2>
      <FilterBar filters={[{ key: 'type', label: 'Event type', all: 'All events', options: CAMPAIGN_TYPES }]}>
        {narrowed ? (
          <Link
            to="/campaigns/$campaignId/activity"
            params={{ campaignId: campaign.id }}
            search={type ? { type } : {}}
            className={buttonClass('ghost')}
          >
            <CloseIcon /> {narrowed}
          </Link>
        ) : null}
        <CopyAs call={overture => overture.events.list(asQuery(campaign.id, { type, lead, variant }))} />
      </FilterBar>
      {pages.error ? <ErrorState error={pages.error} onRetry={pages.retry} /> : null}
      {pages.isLoading ? <SkeletonLines count={10} className="p-4" /> : null}
      {!pages.isLoading && !pages.error && pages.rows.length === 0 ? (
        <EmptyState icon={CampaignIcon} title={type || narrowed ? 'No matching events' : 'No activity yet'}>
          {type || narrowed
            ? 'The campaign has no events of this kind.'
            : 'Sent emails, opens, replies and changes appear here as they happen.'}
        </EmptyState>
      ) : null}
      {days.length > 0 ? <p className="px-4 py-2 text-faint text-xs">Times in your time zone</p> : null}
      <div aria-busy={pages.isStale}>
        {days.map(({ day, events }) => (
          <section key={day} aria-label={day}>
            <h3 className="border-line border-b bg-sunken px-4 py-1.5 font-medium text-faint text-xs">{day}</h3>
            <ol>
              {events.map(event => (
                <EventRow key={event.id} event={event} campaignId={campaign.id} />
              ))}
            </ol>
          </section>
        ))}
      </div>
      <MoreRows pages={pages}>Show earlier events</MoreRows>
    </Card>
  )
}

function groupByDay(events: readonly Event[]): { day: string; events: Event[] }[] {
  const today = formatDay(campaignNow())
  const groups = Map.groupBy(events, ({ timestamp }) => formatDay(new Date(timestamp)))
  return [...groups].map(([day, all]) => ({ day: day === today ? 'Today' : day, events: all }))
}

function EventRow({ event, campaignId }: { event: Event; campaignId: string }) {
  const [isOpen, setOpen] = useState(false)
  const { leadId, email } = event.data as { leadId?: string; email?: string | null }
  const detail = detailOf(event, useActorNames())
  const Chevron = isOpen ? ChevronDownIcon : ChevronRightIcon
  return (
    <li className="border-line border-b last:border-b-0">
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2 sm:grid-cols-[4rem_9.5rem_minmax(0,1fr)_auto]">
        <span className="whitespace-nowrap text-faint text-xs tabular max-sm:order-2 max-sm:col-start-3 max-sm:row-start-1">
          {formatTime(event.timestamp)}
        </span>
        <span className="max-sm:col-span-2 max-sm:row-start-1">
          <Badge tone={toneOf(event)}>{eventWords(event.type)}</Badge>
        </span>
        <div className="min-w-0 max-sm:col-span-2 lg:grid lg:grid-cols-[minmax(0,18rem)_minmax(0,1fr)] lg:items-baseline lg:gap-4">
          {leadId && email ? (
            <span className="block truncate">
              <LeadLink campaignId={campaignId} leadId={leadId} className="inline-block max-w-full truncate align-bottom">
                {readableAddress(email)}
              </LeadLink>
            </span>
          ) : null}
          {detail ? <span className="block truncate text-soft text-xs lg:col-start-2">{detail}</span> : null}
        </div>
        <Button
          className="justify-self-end"
          variant="ghost"
          size="sm"
          icon={Chevron}
          label={`${isOpen ? 'Hide' : 'Show'} data of event ${event.seq}`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      {isOpen ? (
        <div className="px-4 pb-3">
          <CodeBlock title={`${event.type}, number ${event.seq}`} code={JSON.stringify(event, null, 2)} />
        </div>
      ) : null}
    </li>
  )
}
