import type { Campaign, SendingStatus } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import { inOrder, kindOf, withoutCount } from '@/screens/campaign/sending/reason-kinds.ts'
import { Card } from '@/ui/card.tsx'
import { formatCount } from '@/ui/format.ts'
import { CampaignIcon } from '@/ui/icons.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'

export interface NextSendsProps {
  campaigns: readonly { campaign: Campaign; sending: SendingStatus | undefined }[]
  isLoading: boolean
}

const byTime = (a: NextSendsProps['campaigns'][number], b: NextSendsProps['campaigns'][number]): number =>
  (a.sending?.nextAttemptAt ?? '9').localeCompare(b.sending?.nextAttemptAt ?? '9')

/** When the next message of each campaign leaves, and what the others wait for. */
export function NextSends({ campaigns, isLoading }: NextSendsProps) {
  return (
    <Card title="What leaves next" isFlush>
      {isLoading ? (
        <div className="p-4">
          <SkeletonLines count={4} />
        </div>
      ) : campaigns.length === 0 ? (
        <EmptyState icon={CampaignIcon} title="No campaign is active" className="py-8">
          An active one shows here when its next message leaves, and why not sooner.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {[...campaigns].sort(byTime).map(({ campaign, sending }) => (
            <li key={campaign.id} className="hover:bg-hover/50">
              <Link
                to="/campaigns/$campaignId"
                params={{ campaignId: campaign.id }}
                className="flex flex-col gap-1 px-4 py-2.5 focus-visible:-outline-offset-2"
              >
                <span className="flex items-baseline gap-2">
                  <span className="min-w-0 flex-1 truncate font-medium">{campaign.name}</span>
                  <span className="shrink-0 text-sm tabular">{sending ? <When sending={sending} /> : null}</span>
                </span>
                {sending ? <Reasons sending={sending} /> : <span className="text-soft text-xs">…</span>}
                {sending ? <Load mailboxes={sending.mailboxes} /> : null}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Why the others have not left yet: how many, and until when. Who has had everything is no news here. */
function Reasons({ sending: { reasons: all, summary } }: { sending: SendingStatus }) {
  const reasons = inOrder(all).filter(({ reason }) => kindOf(reason) !== 'done')
  if (reasons.length === 0) return <span className="text-soft text-xs">{all.length > 0 ? 'Nobody is left to write to.' : summary}</span>
  return (
    <span className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 gap-y-0.5 text-soft text-xs">
      {reasons.map(reason => (
        <span key={reason.reason + reason.text} className="col-span-2 grid grid-cols-subgrid">
          <span className="text-right font-medium text-ink tabular">{formatCount(reason.count)}</span>
          <span>{withoutCount(reason)}</span>
        </span>
      ))}
    </span>
  )
}

function When({ sending }: { sending: SendingStatus }) {
  if (sending.readyCount + sending.inFlightCount > 0)
    return <span className="text-good">{formatCount(sending.readyCount + sending.inFlightCount)} now</span>
  if (sending.nextAttemptAt) return <Time at={sending.nextAttemptAt} />
  return <span className="text-faint">nothing planned</span>
}

function Load({ mailboxes }: Pick<SendingStatus, 'mailboxes'>) {
  const sent = mailboxes.reduce((sum, { sentToday }) => sum + sentToday, 0)
  const limit = mailboxes.reduce((sum, { limitToday }) => sum + limitToday, 0)
  if (limit === 0) return null
  return (
    <span className="flex items-center gap-2 text-faint text-xs tabular">
      <span className="h-1 min-w-0 flex-1 overflow-hidden rounded-full bg-line" aria-hidden="true">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${Math.min(100, (sent / limit) * 100)}%` }} />
      </span>
      {formatCount(sent)} of {formatCount(limit)} today
    </span>
  )
}
