import type { Campaign, Lead } from '@overture/sdk'
import { campaignNow } from '@/data/clock.ts'
import { holdWords, sentence } from '@/data/words.ts'
import { readableAddress } from '@/ui/address.ts'
import { Status } from '@/ui/badge.tsx'
import { ACTIONS, type Column } from '@/ui/data-table.tsx'
import { Time } from '@/ui/time.tsx'
import { nameOf } from './data.ts'
import { LeadMenu } from './lead-menu.tsx'

export const leadColumns = (campaign: Campaign): Column<Lead>[] => [
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
  { id: 'next', header: 'Next step', cell: lead => <NextCell lead={lead} campaignStatus={campaign.status} /> },
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

/** What comes next for a lead and when, or why nothing does. */
function NextCell({ lead, campaignStatus }: { lead: Lead; campaignStatus: Campaign['status'] }) {
  const { next, hold } = lead
  if (!next) {
    if (hold) return <span className="text-warn text-xs">{sentence(holdWords(hold.reason))}</span>
    return <span className="text-faint">{lead.status === 'contacted' ? 'Waiting for a reply' : '–'}</span>
  }
  const runs = campaignStatus === 'active'
  const isDue = Date.parse(next.dueAt) <= campaignNow().getTime()
  return (
    <>
      <span className="block whitespace-nowrap">
        Step {next.step + 1} <span className="text-faint">·</span>{' '}
        {runs ? (
          hold?.until ? (
            <Time at={hold.until} />
          ) : isDue ? (
            'as soon as possible'
          ) : (
            <Time at={next.dueAt} />
          )
        ) : (
          whenIdle(campaignStatus)
        )}
      </span>
      {runs && hold ? <span className="block text-faint text-xs">{holdWords(hold.reason)}</span> : null}
    </>
  )
}

const whenIdle = (status: Campaign['status']): string =>
  status === 'draft' ? 'after activation' : `campaign ${status === 'attention_needed' ? 'needs action' : status}`
