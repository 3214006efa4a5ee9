import type { SendingStatus } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import { inOrder, kindOf, ReasonCount, withoutCount } from '@/screens/campaign/sending/reasons.tsx'
import { Card } from '@/ui/card.tsx'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { CampaignIcon } from '@/ui/icons.tsx'
import { NumberLink } from '@/ui/quick-link.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import type { CampaignSending } from './attention.tsx'

const byTime = (a: CampaignSending, b: CampaignSending): number =>
  (a.sending?.nextAttemptAt ?? '9').localeCompare(b.sending?.nextAttemptAt ?? '9')

/** When each campaign sends its next email, and why the others wait. */
export function NextSends({ campaigns, isLoading }: { campaigns: readonly CampaignSending[]; isLoading: boolean }) {
  return (
    <Card title="Up next" isFlush>
      {isLoading ? (
        <SkeletonLines count={4} className="p-4" />
      ) : campaigns.length === 0 ? (
        <EmptyState icon={CampaignIcon} title="No active campaigns" className="py-8">
          Activate a campaign to see when its next email is sent.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {[...campaigns].sort(byTime).map(({ campaign, sending }) => (
            <li key={campaign.id} className="relative flex flex-col gap-1 px-4 py-2.5 hover:bg-hover/50">
              <p className="flex items-baseline gap-2">
                <Link
                  to="/campaigns/$campaignId"
                  params={{ campaignId: campaign.id }}
                  className="min-w-0 flex-1 truncate font-medium after:absolute after:inset-0"
                >
                  {campaign.name}
                </Link>
                <span className="shrink-0 text-sm tabular">{sending ? <When sending={sending} /> : null}</span>
              </p>
              {sending ? <Reasons sending={sending} /> : <p className="text-soft text-xs">…</p>}
              {sending ? <Load mailboxes={sending.mailboxes} /> : null}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** How many leads wait, why and until when. Leads that have received all steps are left out. */
function Reasons({ sending: { campaignId, reasons: all, summary } }: { sending: SendingStatus }) {
  const reasons = inOrder(all).filter(({ reason }) => kindOf(reason) !== 'done')
  if (reasons.length === 0) return <p className="text-soft text-xs">{all.length > 0 ? 'All leads contacted' : summary}</p>
  return (
    <ul className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 gap-y-0.5 text-soft text-xs">
      {reasons.map(({ reason, count, ...rest }) => (
        <li key={reason + rest.text} className="col-span-2 grid grid-cols-subgrid">
          <ReasonCount campaignId={campaignId} reason={reason} count={count} className="font-medium text-ink" />
          {withoutCount({ reason, count, ...rest })}
        </li>
      ))}
    </ul>
  )
}

function When({ sending }: { sending: SendingStatus }) {
  if (sending.readyCount + sending.inFlightCount > 0)
    return (
      <NumberLink
        link={{ to: '/campaigns/$campaignId/leads', params: { campaignId: sending.campaignId } }}
        title="View leads"
        className="text-good"
      >
        {formatNoun(sending.readyCount + sending.inFlightCount, 'email')} now
      </NumberLink>
    )
  if (sending.nextAttemptAt) return <Time at={sending.nextAttemptAt} />
  return <span className="text-faint">nothing scheduled</span>
}

/** The mailboxes may also send for other campaigns. */
function Load({ mailboxes }: Pick<SendingStatus, 'mailboxes'>) {
  const sent = mailboxes.reduce((sum, { sentToday }) => sum + sentToday, 0)
  const limit = mailboxes.reduce((sum, { limitToday }) => sum + limitToday, 0)
  if (limit === 0) return null
  return (
    <span className="flex items-center gap-2 text-faint text-xs tabular">
      <span className="h-1 min-w-0 flex-1 overflow-hidden rounded-full bg-line" aria-hidden="true">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${Math.min(100, (sent / limit) * 100)}%` }} />
      </span>
      <NumberLink link={{ to: '/developers/events', search: { type: 'email.sent' } as never }} title="View sent emails">
        Mailboxes: {formatCount(sent)} of {formatCount(limit)} sent today
      </NumberLink>
    </span>
  )
}
