import type { Campaign, Lead, Schedule } from '@overture/sdk'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { campaignNow, useClockOffset } from '@/data/clock.ts'
import { sentence } from '@/data/field-words.ts'
import { useWorkspace } from '@/data/session.ts'
import { holdWords } from '@/data/words.ts'
import { useSchedule, useThisCampaign } from '@/screens/campaign/data.ts'
import { nextOpening } from '@/screens/campaign/schedule/zones.ts'
import { readableAddress } from '@/ui/address.ts'
import { Status, statusWords } from '@/ui/badge.tsx'
import { Button, buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { ACTIONS, type Column, DataTable } from '@/ui/data-table.tsx'
import { FilterBar } from '@/ui/filter-bar.tsx'
import { zoneWords } from '@/ui/format.ts'
import { CloseIcon, FindLeadsIcon, PeopleIcon, PlusIcon, SearchIcon, UploadIcon } from '@/ui/icons.tsx'
import { EmptyState, NoPermission } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { givenOf, nameOf, useLeads } from './data.ts'
import { LeadDrawer } from './lead-drawer.tsx'
import { LeadMenu } from './lead-menu.tsx'

const STATUSES = [
  ...['not_yet_contacted', 'contacted', 'replied', 'interested', 'not_interested', 'meeting_booked', 'meeting_completed', 'closed'],
  ...['sequence_completed', 'bounced', 'unsubscribed', 'skipped'],
] as const
const STATUS_OPTIONS = STATUSES.map(value => ({ value, label: statusWords(value) }))
const NONE: ReadonlySet<string> = new Set()

export function LeadsScreen() {
  const campaign = useThisCampaign()
  const { q, status, timezone, new: isNew, edit } = useSearch({ from: '/shell/campaigns/$campaignId/leads' })
  const { may } = useWorkspace()
  const navigate = useNavigate()
  const pages = useLeads(campaign.id, { q, status, timezone })
  const { data: schedule } = useSchedule(campaign.id)
  const columns = useMemo(() => leadColumns(campaign, schedule), [campaign, schedule])
  const [chosen, setChosen] = useState(NONE)
  // Leads that are no longer shown are no longer selected.
  const shown = useMemo(() => new Map(pages.rows.map(lead => [lead.id, lead])), [pages.rows])
  const selected = useMemo(() => new Set([...chosen].filter(leadId => shown.has(leadId))), [chosen, shown])
  if (!may('leads:read')) return <NoPermission scope="leads:read" />

  const open = (changed: { new?: string | undefined; edit?: string | undefined }) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...changed }) as never })
  const canAdd = may('leads:write') && campaign.status !== 'archived'
  const params = { campaignId: campaign.id }
  const importLink = (
    <Link to="/campaigns/$campaignId/leads/import" params={params} className={buttonClass('primary')}>
      <UploadIcon />
      Import CSV
    </Link>
  )
  const addButton = (
    <Button icon={PlusIcon} onClick={() => open({ new: '1' })}>
      Add lead
    </Button>
  )
  return (
    <>
      <Card isFlush>
        <FilterBar search="Search leads" filters={[{ key: 'status', label: 'Status', all: 'Any status', options: STATUS_OPTIONS }]}>
          {timezone ? (
            <Link
              to="/campaigns/$campaignId/leads"
              params={params}
              search={givenOf({ q, status }) as never}
              className={buttonClass('ghost')}
            >
              <CloseIcon /> {zoneWords(timezone)}
            </Link>
          ) : null}
          <CopyAs call={overture => overture.leads.list(campaign.id, givenOf({ q, status, timezone }) as object)} />
          {canAdd ? addButton : null}
          {canAdd ? importLink : null}
        </FilterBar>
        <DataTable
          label="Leads"
          columns={columns}
          pages={pages}
          rowLink={lead => ({ to: '/campaigns/$campaignId/leads/$leadId', params: { ...params, leadId: lead.id } })}
          {...(may('leads:write')
            ? {
                selection: {
                  chosen: selected,
                  onChange: setChosen,
                  labelOf: (leadId: string) => (shown.has(leadId) ? nameOf(shown.get(leadId)!) : leadId),
                },
              }
            : {})}
          empty={
            q || status || timezone ? (
              <EmptyState icon={SearchIcon} title="No matching leads">
                Search by part of an email address, name or company, or clear the filters.
              </EmptyState>
            ) : (
              <EmptyState
                icon={PeopleIcon}
                title="No leads yet"
                actions={
                  canAdd ? (
                    <>
                      {importLink}
                      {addButton}
                      <Link to="/find-leads" className={buttonClass('secondary')}>
                        <FindLeadsIcon />
                        Find leads
                      </Link>
                    </>
                  ) : null
                }
              >
                Import a CSV file, add leads one by one, or find new ones. Duplicates and suppressed addresses are skipped.
              </EmptyState>
            )
          }
        />
        {selected.size > 0 ? (
          <BulkBar
            campaign={campaign}
            ids={selected}
            filter={q || timezone ? null : { status }}
            isAllShown={selected.size === shown.size && pages.hasMore}
            onDone={() => setChosen(NONE)}
          />
        ) : null}
      </Card>
      {(isNew && may('leads:write')) || (edit && may('people:write')) ? (
        <LeadDrawer campaignId={campaign.id} leadId={edit} onClose={() => open({ new: undefined, edit: undefined })} />
      ) : null}
    </>
  )
}

const leadColumns = (campaign: Campaign, schedule: Schedule | undefined): Column<Lead>[] => [
  {
    id: 'lead',
    header: 'Lead',
    card: 'head',
    className: 'max-w-72',
    cell: lead => {
      const name = nameOf(lead)
      return (
        <>
          <span className="block truncate">{name}</span>
          {name === lead.email ? null : (
            <span className="block truncate font-normal text-faint text-xs">{readableAddress(lead.email)}</span>
          )}
        </>
      )
    },
  },
  {
    id: 'company',
    header: 'Company',
    from: 'lg',
    className: 'max-w-56',
    cell: lead =>
      lead.company || lead.jobTitle ? (
        <>
          <span className="block truncate">{lead.company ?? '–'}</span>
          {lead.jobTitle ? <span className="block truncate text-faint text-xs">{lead.jobTitle}</span> : null}
        </>
      ) : (
        <span className="text-faint">–</span>
      ),
  },
  { id: 'status', header: 'Status', cell: lead => <Status status={lead.status} /> },
  { id: 'next', header: 'Next step', cell: lead => <NextCell lead={lead} campaignStatus={campaign.status} schedule={schedule} /> },
  {
    id: 'opens',
    header: 'Opens',
    align: 'right',
    from: 'xl',
    card: 'none',
    cell: lead => (lead.emailOpenCount > 0 ? lead.emailOpenCount : <span className="text-faint">0</span>),
  },
  {
    id: 'activity',
    header: 'Last activity',
    from: 'md',
    card: 'none',
    cell: lead => <Time at={lead.updatedAt} className="whitespace-nowrap text-soft" />,
  },
  { ...ACTIONS, card: 'mark', cell: lead => <LeadMenu lead={lead} /> },
]

/** The next step of a lead and its time, or why there is none. */
function NextCell({ lead, campaignStatus, schedule }: { lead: Lead; campaignStatus: Campaign['status']; schedule: Schedule | undefined }) {
  useClockOffset()
  const { next, hold } = lead
  if (!next) {
    if (hold) return <span className="text-warn text-xs">{sentence(holdWords(hold.reason))}</span>
    return <span className="text-faint">{lead.status === 'contacted' ? 'Waiting for a reply' : '–'}</span>
  }
  const runs = campaignStatus === 'active'
  const now = campaignNow()
  const dueAt = new Date(hold?.until ?? next.dueAt)
  // A lead that is due outside the sending window waits for the next opening.
  const at = schedule && nextOpening(schedule, lead.timezone, dueAt > now ? dueAt : now)
  const waits = hold?.reason ?? (dueAt <= now && at && at > now ? 'waiting_window' : null)
  const idle = campaignStatus === 'draft' ? 'after activation' : `campaign ${statusWords(campaignStatus).toLowerCase()}`
  return (
    <>
      <span className="block whitespace-nowrap">
        Step {next.step + 1} <span className="text-faint">·</span>{' '}
        {!runs ? (
          idle
        ) : !schedule ? (
          '…'
        ) : !at ? (
          'no sending window left'
        ) : at <= now ? (
          'as soon as possible'
        ) : (
          <Time at={at.toISOString()} />
        )}
      </span>
      {runs && waits ? <span className="block text-faint text-xs">{holdWords(waits)}</span> : null}
    </>
  )
}
