import type { Export } from '@overture/sdk'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { usePages } from '@/data/use-answer.ts'
import { Status } from '@/ui/badge.tsx'
import { buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { cx } from '@/ui/cx.ts'
import { ACTIONS, type Column, DataTable } from '@/ui/data-table.tsx'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { FindLeadsIcon } from '@/ui/icons.tsx'
import { PageHeader } from '@/ui/page.tsx'
import { NumberLink } from '@/ui/quick-link.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { EmptyState, NoPermission } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useDebounced } from '@/ui/timing.ts'
import { AudienceCard } from './audience-card.tsx'
import { BriefBox } from './brief-box.tsx'
import { type Audience, useAudience, useFilterFields, useProposal } from './data.ts'
import { FilterChips } from './filter-chips.tsx'
import { countryName, type FilterField, type Filters, sizeWords, valueWords } from './filter-document.ts'
import { OrderCard } from './order-card.tsx'

const EDITING_MS = 80
const NONE: Filters = {}

/** Turns a brief into filters, and filters into leads. The URL contains both, so that the user can share a search. */
export function FindLeadsScreen() {
  const { may } = useWorkspace()
  const { brief, filters: edited } = useSearch({ from: '/shell/find-leads' })
  const navigate = useNavigate()
  const proposal = useProposal(brief)
  const fields = useFilterFields()
  const proposed = brief ? proposal.data : undefined
  const filters = edited ?? proposed?.filters ?? NONE
  const isReady = edited !== undefined || !brief || !proposal.isPending
  const text = JSON.stringify(filters)
  // Only edited filters can change again in a moment. Those of a brief are counted immediately.
  const debounced = useDebounced(text, EDITING_MS)
  const settled = edited ? debounced : text
  const asked = useMemo(() => JSON.parse(settled) as Filters, [settled])
  const audience = useAudience(isReady ? asked : null)
  const isStale = audience.isFetching || settled !== text
  const change = (next: Filters) => void navigate({ to: '/find-leads', search: before => ({ ...before, filters: next }), replace: true })

  // Words that the user typed, such as a place, are shown as the service has understood them.
  const understood = audience.data && !audience.isPlaceholderData && settled === text ? JSON.stringify(audience.data.filters) : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new answer changes what is shown
  useEffect(() => {
    if (understood !== null && edited && understood !== text) change(JSON.parse(understood) as Filters)
  }, [understood])

  if (!may('leads:read')) {
    return (
      <>
        <PageHeader title="Find leads" />
        <NoPermission scope="leads:read" />
      </>
    )
  }
  return (
    <>
      <PageHeader
        title="Find leads"
        description="Describe your ideal lead. You see the filters, the matches and the price before you buy."
        actions={<CopyAs call={overture => overture.leadSearches.explore({ filters }).wait()} />}
      />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <BriefBox
            brief={brief}
            proposal={proposed}
            isReading={proposal.isFetching}
            error={brief ? proposal.error : null}
            onRead={words => {
              if (words === brief && proposal.error) void proposal.refetch()
              else void navigate({ to: '/find-leads', search: { brief: words } })
            }}
          />
          {fields ? (
            <FilterChips
              filters={filters}
              fields={fields}
              explanations={proposed?.explanations ?? []}
              matchCount={audience.data?.matchCount}
              onChange={change}
            />
          ) : (
            <SkeletonLines count={4} />
          )}
          <SampleCard audience={audience.data} isStale={isStale} fields={fields ?? []} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <AudienceCard
            audience={audience.data}
            isStale={isStale}
            error={audience.error}
            filters={filters}
            fields={fields ?? []}
            onChange={change}
          />
          <OrderCard filters={filters} audience={audience.data} />
        </div>
      </div>
      <div className="mt-5">
        <ExportsCard />
      </div>
    </>
  )
}

/** A few of the matches: they show sooner than numbers whether the filters find the right people. */
function SampleCard({ audience, isStale, fields }: { audience: Audience | undefined; isStale: boolean; fields: readonly FilterField[] }) {
  const people = audience?.sample ?? []
  if (people.length === 0) return null
  const words = (field: string, value: string | null): string | null => {
    const known = fields.find(({ name }) => name === field)
    return value && known ? valueWords(known, value) : value
  }
  return (
    <Card id="sample" title="Sample" description="Names, companies and email addresses are included when you buy." isFlush>
      <ul aria-label="Sample leads" aria-busy={isStale} className={cx('divide-y divide-line transition-opacity', isStale && 'opacity-60')}>
        {people.map(({ jobTitle, seniority, industry, companySize, country, city }, index) => {
          const company = [words('industries', industry), companySize && `${sizeWords(companySize)} employees`].filter(Boolean)
          const place = [city, country && countryName(country)].filter(Boolean)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: nothing tells them apart, and they come all at once
            <li key={index} className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 py-2.5">
              <span className="font-medium first-letter:uppercase">{jobTitle ?? words('seniorities', seniority) ?? 'Unknown title'}</span>
              <span className="text-faint text-xs">{[...company, place.join(', ')].filter(Boolean).join(' · ')}</span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

const EXPORTS: Column<Export>[] = [
  {
    id: 'leads',
    header: 'Export',
    card: 'head',
    cell: one => <span className="font-medium">{one.status === 'building' ? 'Creating file' : formatNoun(one.leadCount, 'lead')}</span>,
  },
  { id: 'status', header: 'Status', card: 'mark', cell: one => <Status status={one.status} /> },
  { id: 'asked', header: 'Ordered', align: 'right', from: 'md', cell: one => formatCount(one.requestedCount) },
  {
    id: 'credits',
    header: 'Credits',
    align: 'right',
    cell: one => (
      <NumberLink link={{ to: '/developers/operations', search: { id: one.operationId } as never }} title="View the operation">
        {formatCount(one.creditsCharged)}
      </NumberLink>
    ),
  },
  { id: 'when', header: 'Started', cell: one => <Time at={one.createdAt} /> },
  { id: 'until', header: 'Kept until', from: 'lg', cell: one => <Time at={one.expiresAt} /> },
  {
    ...ACTIONS,
    cell: one => (
      <span className="flex items-center justify-end gap-3">
        <Link to="/developers/operations" search={{ id: one.operationId }} className="text-faint text-xs hover:text-ink">
          Operation
        </Link>
        {one.downloadUrl ? (
          <a href={one.downloadUrl} className={buttonClass('secondary', 'sm')} download>
            Download CSV
          </a>
        ) : null}
      </span>
    ),
  },
]

function ExportsCard() {
  const pages = usePages(['exports'], (api, page, options) => api.exports.list(page, options), { limit: 10 })
  return (
    <Card id="exports" title="Exports" description="You can download a file again at no cost until it expires." isFlush>
      <DataTable
        label="Exports"
        columns={EXPORTS}
        pages={pages}
        empty={
          <EmptyState icon={FindLeadsIcon} title="No exports yet" className="py-10!">
            Your exports appear here with their price and file.
          </EmptyState>
        }
      />
    </Card>
  )
}
