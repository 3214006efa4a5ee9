import type { Event } from '@overture/sdk'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useActorNames } from '@/data/actors.ts'
import { useLiveState } from '@/data/live-state.ts'
import { EVENT_TYPES, eventWords } from '@/data/words.ts'
import { detailOf } from '@/screens/campaign/activity/event-words.ts'
import { readableAddress } from '@/ui/address.ts'
import { Badge, type Tone } from '@/ui/badge.tsx'
import { Button, buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { CodeBlock } from '@/ui/copy.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { type Column, DataTable } from '@/ui/data-table.tsx'
import { Sheet } from '@/ui/dialog.tsx'
import { FilterBar } from '@/ui/filter-bar.tsx'
import { CloseIcon, CodeIcon, PauseIcon, PlayIcon } from '@/ui/icons.tsx'
import { OperationLink } from '@/ui/quick-link.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { EmptyState, ErrorState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useEventById, useEventTail } from './data.ts'
import { Page } from './page.tsx'

const TYPE_OPTIONS = EVENT_TYPES.map(value => ({ value, label: eventWords(value) }))

function toneOf(type: string): Tone {
  if (/failed|bounced|disconnected|attention|unreadable/.test(type)) return 'bad'
  if (/positive|succeeded|completed|activated|readable/.test(type)) return 'good'
  return /replied|clicked|opened|answered/.test(type) ? 'accent' : 'neutral'
}

/** The person or object of an event, and the most useful details. */
function Gist({ event }: { event: Event }) {
  const { email, name } = { ...event.data } as { email?: string | null; name?: string | null }
  const words = [email && readableAddress(email), name, detailOf(event, useActorNames())].filter(Boolean).join(' · ')
  return <span className="block truncate text-soft">{words || '–'}</span>
}

const COLUMNS: Column<Event>[] = [
  {
    id: 'type',
    header: 'Event',
    card: 'head',
    cell: event => <Badge tone={toneOf(event.type)}>{eventWords(event.type)}</Badge>,
  },
  { id: 'gist', header: 'About', className: 'max-w-md', cell: event => <Gist event={event} /> },
  { id: 'seq', header: 'Number', align: 'right', from: 'md', cell: event => <span className="text-faint">{event.seq}</span> },
  { id: 'when', header: 'When', align: 'right', card: 'mark', cell: event => <Time at={event.timestamp} className="text-faint" /> },
]

export function EventsScreen() {
  const { id, ...filters } = useSearch({ from: '/shell/developers/events' })
  const [isFollowing, setFollowing] = useState(true)
  const live = useLiveState()
  const tail = useEventTail(filters, isFollowing)
  const narrowed = filters.providerId ? 'One mailbox' : filters.leadId ? 'One lead' : filters.campaignId ? 'One campaign' : null
  return (
    <Page
      title="Events"
      description="All events in order. New events appear automatically."
      scope="events:read"
      call={overture => overture.events.list({ ...(filters as object), order: 'desc' })}
    >
      <Card isFlush>
        <FilterBar filters={[{ key: 'type', label: 'Type', all: 'Any type', options: TYPE_OPTIONS }]}>
          {narrowed ? (
            <Link to="/developers/events" search={filters.type ? { type: filters.type } : {}} className={buttonClass('ghost')}>
              <CloseIcon /> {narrowed}
            </Link>
          ) : null}
          <span role="status" className="text-faint text-xs">
            {!isFollowing ? 'Paused' : live === 'live' ? 'Live' : 'Not connected'}
            {tail.addedCount > 0 ? ` · ${tail.addedCount} new` : ''}
          </span>
          <Button size="sm" icon={isFollowing ? PauseIcon : PlayIcon} onClick={() => setFollowing(!isFollowing)}>
            {isFollowing ? 'Pause updates' : 'Resume updates'}
          </Button>
        </FilterBar>
        <DataTable
          label="Events"
          columns={COLUMNS}
          pages={tail}
          rowLink={event => ({ to: '/developers/events', search: { ...filters, id: event.id } as never })}
          empty={
            <EmptyState icon={CodeIcon} title={Object.values(filters).some(Boolean) ? 'No matching events' : 'No events yet'}>
              New events appear here as they happen.
            </EmptyState>
          }
        />
      </Card>
      <EventSheet id={id} filters={filters} rows={tail.rows} />
    </Page>
  )
}

type EventSheetProps = { id: string | undefined; filters: Record<string, string | undefined>; rows: readonly Event[] }

function EventSheet({ id, filters, rows }: EventSheetProps) {
  const navigate = useNavigate()
  const known = rows.find(event => event.id === id)
  const asked = useEventById(known ? undefined : id)
  const event = known ?? asked.data
  const { campaignId, operationId } = (event?.data ?? {}) as { campaignId?: string; operationId?: string }
  return (
    <Sheet
      isInAddress
      open={Boolean(id)}
      onClose={() => void navigate({ to: '/developers/events', search: filters as never })}
      title={event ? event.type : 'Event'}
      description={event ? <Time at={event.timestamp} /> : undefined}
    >
      {asked.error ? <ErrorState error={asked.error} /> : null}
      {event ? (
        <div className="flex flex-col gap-4">
          <div className="flex items-center gap-4">
            {campaignId ? (
              <Link to="/campaigns/$campaignId" params={{ campaignId }} className="text-accent-ink hover:underline">
                Campaign
              </Link>
            ) : null}
            {operationId ? <OperationLink id={operationId}>Operation</OperationLink> : null}
            <span className="ml-auto">
              <CopyAs call={overture => overture.events.get(event.id)} />
            </span>
          </div>
          <CodeBlock code={JSON.stringify(event, null, 2)} />
        </div>
      ) : asked.error ? null : (
        <SkeletonLines count={8} />
      )}
    </Sheet>
  )
}
