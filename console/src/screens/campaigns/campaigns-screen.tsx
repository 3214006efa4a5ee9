import type { Campaign } from '@overture/sdk'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
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
        description="Who is written to, with what, and what came of it."
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
              <EmptyState icon={SearchIcon} title="No campaign fits">
                Try other words, or clear the filters.
              </EmptyState>
            ) : (
              <EmptyState icon={CampaignIcon} title="No campaigns yet" actions={create}>
                A campaign holds the people you write to, the messages in their order, and when they may leave.
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
  /** What it is a part of. */
  whole?: keyof typeof WHOLES
  /** The events that are counted. */
  type: string
}

const WHOLES = { 'leads contacted': 'contactedLeadsCount', 'messages sent': 'emailsSentCount' } as const

/** In a table of numbers the line comes with the pointer. */
const QUIET = '-m-1.5 inline-block rounded-md p-1.5 not-hover:decoration-transparent!'

/** A count that leads to the events behind it, and below it how much of the whole that is. */
function Rate({ campaign, count, whole, type }: RateProps) {
  if (count === 0) return <span className="text-faint">0</span>
  const of = whole ? campaign.metrics[WHOLES[whole]] : 0
  return (
    <NumberLink
      link={campaignEvents(campaign.id, type)}
      title={of > 0 ? `${formatPercent(count / of)} of ${whole}. See the events` : 'See the events'}
      className={QUIET}
    >
      <span className="block">{formatShort(count)}</span>
      {of > 0 ? <span className="block text-faint text-xs no-underline">{formatPercent(count / of)}</span> : null}
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
            {formatNoun(campaign.totalLeads, 'lead')} · changed <Time at={campaign.updatedAt} />
          </span>
        </>
      ),
    },
    { id: 'status', header: 'Status', card: 'mark', cell: campaign => <Status status={campaign.status} /> },
    {
      id: 'progress',
      header: 'Contacted',
      from: 'lg',
      card: 'none',
      cell: ({ id, metrics, totalLeads }) => (
        <NumberLink
          link={campaignEvents(id, 'email.sent')}
          title={`${formatCount(metrics.contactedLeadsCount)} of ${formatNoun(totalLeads, 'lead')}. See the events`}
          className={QUIET}
        >
          <Progress part={metrics.contactedLeadsCount} whole={totalLeads} label="Leads contacted" />
        </NumberLink>
      ),
    },
    {
      id: 'sent',
      header: 'Sent',
      align: 'right',
      cell: campaign => <Rate campaign={campaign} count={campaign.metrics.emailsSentCount} type="email.sent" />,
    },
    {
      id: 'opened',
      header: 'Opened',
      align: 'right',
      from: 'md',
      cell: campaign =>
        campaign.trackOpens || campaign.metrics.uniqueOpenCount > 0 ? (
          <Rate campaign={campaign} count={campaign.metrics.uniqueOpenCount} whole="leads contacted" type="email.opened" />
        ) : (
          <span className="text-faint text-xs" title="Opens are not tracked in this campaign">
            off
          </span>
        ),
    },
    {
      id: 'replied',
      header: 'Replied',
      align: 'right',
      cell: campaign => <Rate campaign={campaign} count={campaign.metrics.uniqueReplyCount} whole="leads contacted" type="email.replied" />,
    },
    {
      id: 'bounced',
      header: 'Bounced',
      align: 'right',
      from: 'md',
      cell: campaign => <Rate campaign={campaign} count={campaign.metrics.bouncedCount} whole="messages sent" type="email.bounced" />,
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
          <NumberLink link={campaignEvents(campaign.id, 'email.sent')} title="See the events" className={QUIET}>
            <Sparkline values={values} label={`${formatNoun(sum, 'message')} sent in the last 14 days`} />
          </NumberLink>
        )
      },
    },
    { ...ACTIONS, cell: campaign => <CampaignActions campaign={campaign} /> },
  ]
}

/** Asks for no more than a draft needs; everything else is set where it can be seen in its place. */
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
      description="It begins as a draft. Nothing is sent before you activate it."
      verb="Create campaign"
      operation={create}
      isComplete={name.trim() !== ''}
      onSubmit={() => void create.run({ name, trackOpens, trackClicks })}
      issue={nameIssue}
      className="flex flex-col gap-5"
    >
      <Field label="Name" error={nameIssue} help="Only you and your team see it.">
        <Input value={name} onChange={event => setName(event.target.value)} placeholder="Founders in Berlin, spring" autoFocus />
      </Field>
      <div className="flex flex-col gap-3">
        <Switch
          label="Track opens"
          help="Adds an invisible image. Spam filters do not like it."
          checked={trackOpens}
          onChange={setTrackOpens}
        />
        <Switch label="Track clicks" help="Leads links through this service." checked={trackClicks} onChange={setTrackClicks} />
      </div>
    </FormDialog>
  )
}
