import type { Campaign } from '@overture/sdk'
import { Link, type LinkProps } from '@tanstack/react-router'
import { Card } from '@/ui/card.tsx'
import { formatCount, formatPercent, formatShort } from '@/ui/format.ts'
import { contactedOf } from '../data.ts'

interface Stage {
  label: string
  count: number
  /** The total that this stage is a part of, and its name. */
  of: number | null
  ofWhat?: string
  link: Pick<LinkProps, 'to' | 'search'>
  /** Replaces the share. */
  note?: string
  /** There is no number. */
  isOff?: boolean
}

const ACTIVITY = '/campaigns/$campaignId/activity'
const LEADS = '/campaigns/$campaignId/leads'

function stagesOf(campaign: Campaign): Stage[] {
  const { totalLeads, metrics, trackOpens } = campaign
  const { count: contacted, of } = contactedOf(campaign)
  const { uniqueOpenCount, uniqueReplyCount, totalInterested, totalMeetingBooked } = metrics
  const events = (type: string) => ({ to: ACTIVITY, search: { type } }) as Stage['link']
  return [
    { label: 'Leads', count: totalLeads, of: null, note: 'in total', link: { to: LEADS } },
    { label: 'Contacted', count: contacted, of, ofWhat: 'of leads', note: 'including removed leads', link: events('email.sent') },
    {
      label: 'Opened',
      count: uniqueOpenCount,
      of: contacted,
      link: events('email.opened'),
      ...(trackOpens || uniqueOpenCount > 0 ? {} : { isOff: true, of: null, note: 'Tracking off' }),
    },
    { label: 'Replied', count: uniqueReplyCount, of: contacted, link: events('email.replied') },
    { label: 'Positive', count: totalInterested, of: contacted, link: events('ai_sdr.positive_reply') },
    {
      label: 'Meetings',
      count: totalMeetingBooked,
      of: contacted,
      link: { to: LEADS, search: { status: 'meeting_booked' } } as Stage['link'],
    },
  ]
}

/** From all leads to booked meetings. Each number links to its list. */
export function Funnel({ campaign }: { campaign: Campaign }) {
  const stages = stagesOf(campaign)
  const { bouncedCount, unsubscribedCount, emailsSentCount } = campaign.metrics
  const counts = [
    { count: emailsSentCount, one: 'email sent', many: 'emails sent', type: 'email.sent' },
    { count: bouncedCount, one: 'bounced', many: 'bounced', type: 'email.bounced' },
    { count: unsubscribedCount, one: 'unsubscribed', many: 'unsubscribed', type: 'lead.unsubscribed' },
  ]
  return (
    <Card isFlush>
      <h2 className="sr-only">Funnel</h2>
      <ol className="grid grid-cols-2 sm:grid-cols-3 lg:grid-cols-6">
        {stages.map(({ label, count, of, ofWhat, link, note, isOff }) => {
          const share = of === null ? 1 : of > 0 ? Math.min(1, count / of) : 0
          return (
            <li
              key={label}
              className="border-line border-b lg:not-last:border-r lg:border-b-0 max-lg:[&:nth-last-child(-n+2)]:max-sm:border-b-0"
            >
              <Link
                {...(link as LinkProps)}
                params={{ campaignId: campaign.id } as never}
                className="group block h-full px-4 pt-3.5 pb-3 transition-colors hover:bg-hover"
              >
                <span className="block text-faint text-xs group-hover:text-ink">{label}</span>
                <span className="mt-0.5 block font-semibold text-2xl tabular tracking-tight" title={formatCount(count)}>
                  {isOff ? <span className="text-faint">–</span> : formatShort(count)}
                </span>
                <span className="mt-2 block h-1 overflow-hidden rounded-full bg-line" aria-hidden="true">
                  <span
                    className="block h-full rounded-full bg-accent"
                    style={{ width: isOff ? 0 : `${Math.max(share * 100, count > 0 ? 2 : 0)}%` }}
                  />
                </span>
                <span className="mt-1.5 block text-faint text-xs">
                  {of === null ? note : of === 0 ? '–' : [formatPercent(share), ofWhat].filter(Boolean).join(' ')}
                </span>
              </Link>
            </li>
          )
        })}
      </ol>
      <p className="flex flex-wrap gap-x-4 gap-y-1 border-line border-t px-4 py-2.5 text-faint text-xs">
        {counts.map(({ count, one, many, type }) => (
          <Link
            key={type}
            to={ACTIVITY}
            params={{ campaignId: campaign.id }}
            search={{ type }}
            className="underline-offset-2 hover:text-ink hover:underline"
          >
            <span className="font-medium text-soft tabular">{formatCount(count)}</span> {count === 1 ? one : many}
          </Link>
        ))}
        <span className="sm:ml-auto">Percentages are based on contacted leads.</span>
      </p>
    </Card>
  )
}
