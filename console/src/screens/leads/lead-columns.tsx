import type { Campaign, Lead } from '@overture/sdk'
import { campaignNow } from '@/data/clock.ts'
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
          {name === lead.email ? null : <span className="block truncate font-normal text-faint text-xs">{lead.email}</span>}
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
    return <span className="text-faint">{lead.status === 'contacted' ? 'Waits for an answer' : '–'}</span>
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
  status === 'draft' ? 'once activated' : `campaign is ${status.replaceAll('_', ' ')}`

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** Why a lead waits, in few words. The timeline of the lead says it in a sentence. */
const WORDS: Record<string, string> = {
  missing_variable: 'a variable is missing',
  template: 'the template cannot be written',
  suppressed: 'the address is suppressed',
  waiting_window: 'outside of the sending window',
  campaign_not_active: 'the campaign does not run',
  campaign_not_started: 'the campaign has not begun',
  campaign_expired: 'the campaign is over',
  due_after_end: 'due after the end of the campaign',
  mailbox_cap: 'the mailbox has sent enough today',
  mailbox_gap: 'the pause between two messages',
  mailbox_disconnected: 'the mailbox is disconnected',
  no_mailbox: 'there is no mailbox',
  domain_throttle: 'enough for this domain for now',
  contacted_elsewhere: 'contacted by another campaign',
  in_other_campaign: 'in another active campaign',
  company_replied: 'somebody at the company has answered',
  recipient_away: 'an automatic reply said when they are back',
  company_limit: 'enough people of this company at once',
}

const holdWords = (reason: string): string => WORDS[reason] ?? reason.replaceAll('_', ' ')
