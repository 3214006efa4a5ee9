import type { Campaign } from '@overture/sdk'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { contactedOf } from '@/screens/campaign/data.ts'
import { Status, statusWords } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { Progress, Sparkline } from '@/ui/chart.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { ACTIONS, type Column, DataTable } from '@/ui/data-table.tsx'
import { FormDialog } from '@/ui/dialog.tsx'
import { Field, Input, Switch } from '@/ui/field.tsx'
import { FilterBar } from '@/ui/filter-bar.tsx'
import { formatCount, formatNoun, formatPercent, formatShort } from '@/ui/format.ts'
import { CampaignIcon, PlusIcon, SearchIcon } from '@/ui/icons.tsx'
import { PageHeader } from '@/ui/page.tsx'
import { campaignEvents, NumberLink } from '@/ui/quick-link.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { CampaignActions } from './campaign-actions.tsx'
import { useCampaigns, useSentByDay } from './data.ts'

const STATUSES = ['draft', 'active', 'paused', 'attention_needed', 'completed', 'archived'] as const
const STATUS_OPTIONS = STATUSES.map(value => ({ value, label: statusWords(value) }))

export function CampaignsScreen() {
  const { q, status, new: isNew } = useSearch({ from: '/shell/campaigns' })
  const navigate = useNavigate()
  const { may } = useWorkspace()
  const pages = useCampaigns({ q, status })
  const sentByDay = useSentByDay()
  const columns = useMemo(() => columnsOf(sentByDay), [sentByDay])
  const setNew = (isOpen: boolean) =>
    void navigate({ to: '/campaigns', search: before => ({ ...before, new: isOpen ? '1' : undefined }), replace: !isOpen })
  const create = may('campaigns:write') ? (
    <Button variant="primary" icon={PlusIcon} onClick={() => setNew(true)}>
      New campaign
    </Button>
  ) : null
  return (
    <>
      <PageHeader
        title="Campaigns"
        description="Your outreach and its results. Opened, Replied and Bounced are percentages of contacted leads."
        actions={
          <>
            <CopyAs call={overture => overture.campaigns.list({ q, status } as object)} />
            {create}
          </>
        }
      />
      <Card isFlush>
        <FilterBar search="Search campaigns" filters={[{ key: 'status', label: 'Status', all: 'Any status', options: STATUS_OPTIONS }]} />
        <DataTable
          label="Campaigns"
          columns={columns}
          pages={pages}
          rowLink={campaign => ({ to: '/campaigns/$campaignId', params: { campaignId: campaign.id } })}
          empty={
            q || status ? (
              <EmptyState icon={SearchIcon} title="No matching campaigns">
                Try another search or clear the filters.
              </EmptyState>
            ) : (
              <EmptyState icon={CampaignIcon} title="No campaigns yet" actions={create}>
                A campaign combines your leads, a sequence of emails and a sending window.
              </EmptyState>
            )
          }
        />
      </Card>
      {isNew && may('campaigns:write') ? <CreateCampaign onClose={() => setNew(false)} /> : null}
    </>
  )
}

interface RateProps {
  campaign: Campaign
  count: number
  /** The event type that is counted. */
  type: string
}

/** In a table, a number is underlined only under the pointer. */
const QUIET = '-m-1.5 inline-block rounded-md p-1.5 not-hover:decoration-transparent!'

/** A count that links to its events, with its share of the contacted leads. */
function Rate({ campaign, count, type }: RateProps) {
  if (count === 0) return <span className="text-faint">0</span>
  const of = campaign.metrics.contactedLeadsCount
  const share = of > 0 ? formatPercent(count / of) : null
  return (
    <NumberLink
      link={campaignEvents(campaign.id, type)}
      title={share ? `${share} of contacted leads. View events` : 'View events'}
      className={QUIET}
    >
      <span className="block">{formatShort(count)}</span>
      {share ? <span className="block text-faint text-xs no-underline max-sm:after:content-['_of_contacted']">{share}</span> : null}
    </NumberLink>
  )
}

function columnsOf(sentByDay: ReadonlyMap<string, readonly number[]>): Column<Campaign>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      card: 'head',
      className: 'max-w-80',
      cell: campaign => (
        <>
          <span className="block truncate">{campaign.name}</span>
          <span className="block font-normal text-faint text-xs">
            {formatNoun(campaign.totalLeads, 'lead')} · updated <Time at={campaign.updatedAt} />
          </span>
        </>
      ),
    },
    { id: 'status', header: 'Status', card: 'mark', cell: campaign => <Status status={campaign.status} /> },
    {
      id: 'progress',
      header: 'Contacted',
      from: 'lg',
      cell: campaign => {
        const { count, of } = contactedOf(campaign)
        return (
          <NumberLink
            link={campaignEvents(campaign.id, 'email.sent')}
            title={`${formatCount(count)} ${of === null ? 'contacted, including removed leads' : `of ${formatNoun(of, 'lead')}`}. View events`}
            className={QUIET}
          >
            {of === null ? formatShort(count) : <Progress part={count} whole={of} label="Leads contacted" />}
            {of ? <span className="text-faint text-xs sm:hidden">of leads</span> : null}
          </NumberLink>
        )
      },
    },
    {
      id: 'sent',
      header: 'Sent',
      align: 'right',
      cell: ({ id, metrics }) => (
        <NumberLink link={campaignEvents(id, 'email.sent')} title="View events" className={QUIET}>
          {formatShort(metrics.emailsSentCount)}
        </NumberLink>
      ),
    },
    {
      id: 'opened',
      header: 'Opened',
      align: 'right',
      from: 'md',
      cell: campaign =>
        campaign.trackOpens || campaign.metrics.uniqueOpenCount > 0 ? (
          <Rate campaign={campaign} count={campaign.metrics.uniqueOpenCount} type="email.opened" />
        ) : (
          <span className="text-faint text-xs" title="Open tracking is off in this campaign">
            off
          </span>
        ),
    },
    {
      id: 'replied',
      header: 'Replied',
      align: 'right',
      cell: campaign => <Rate campaign={campaign} count={campaign.metrics.uniqueReplyCount} type="email.replied" />,
    },
    {
      id: 'bounced',
      header: 'Bounced',
      align: 'right',
      from: 'md',
      cell: campaign => <Rate campaign={campaign} count={campaign.metrics.bouncedCount} type="email.bounced" />,
    },
    {
      id: 'trend',
      header: 'Last 14 days',
      from: 'xl',
      card: 'none',
      cell: campaign => {
        const values = sentByDay.get(campaign.id) ?? []
        const sum = values.reduce((total, value) => total + value, 0)
        return (
          <NumberLink link={campaignEvents(campaign.id, 'email.sent')} title="View events" className={QUIET}>
            <Sparkline values={values} label={`${formatNoun(sum, 'email')} sent in the last 14 days`} />
          </NumberLink>
        )
      },
    },
    { ...ACTIONS, cell: campaign => <CampaignActions campaign={campaign} /> },
  ]
}

/** Asks only for what a draft needs. Everything else is set on the tabs of the campaign. */
function CreateCampaign({ onClose }: { onClose: () => void }) {
  const { api } = useWorkspace()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [trackOpens, setTrackOpens] = useState(false)
  const [trackClicks, setTrackClicks] = useState(false)
  const create = useOperation({
    send: (body: { name: string; trackOpens: boolean; trackClicks: boolean }, { idempotencyKey }) =>
      api.campaigns.create(body, { idempotencyKey }),
    once: 'create campaign',
    touches: [['campaigns']],
    onDone: campaign => {
      void navigate({ to: '/campaigns/$campaignId', params: { campaignId: campaign.id } })
    },
  })
  const nameIssue = issueFor(create.error, 'name')
  return (
    <FormDialog
      isInAddress
      onClose={onClose}
      title="New campaign"
      description="The campaign starts as a draft. Overture sends nothing until you activate it."
      verb="Create campaign"
      operation={create}
      isComplete={name.trim() !== ''}
      onSubmit={() => void create.run({ name, trackOpens, trackClicks })}
      issue={nameIssue}
      className="flex flex-col gap-5"
    >
      <Field label="Name" error={nameIssue} help="Only your team sees this name.">
        <Input value={name} onValueChange={setName} placeholder="Founders in Berlin, spring" autoFocus />
      </Field>
      <div className="flex flex-col gap-3">
        <Switch
          label="Track opens"
          help="Adds an invisible image. May hurt deliverability."
          checked={trackOpens}
          onChange={setTrackOpens}
        />
        <Switch label="Track clicks" help="Routes links through Overture." checked={trackClicks} onChange={setTrackClicks} />
      </div>
    </FormDialog>
  )
}
