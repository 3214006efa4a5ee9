import type { Campaign } from '@overture/sdk'
import { Card } from '@/ui/card.tsx'
import { cx } from '@/ui/cx.ts'
import { formatCount, formatPercent } from '@/ui/format.ts'
import { ArrowRightIcon } from '@/ui/icons.tsx'
import { Time } from '@/ui/time.tsx'
import { FixButton } from '../fixes/fix-button.tsx'
import { ReasonCount } from './reason-count.tsx'
import { KIND_WORDS, type Kind, type SendingReason, sentence, withoutCount } from './reason-kinds.ts'

export function ReasonsCard({
  campaign,
  kind,
  reasons,
  total,
}: {
  campaign: Campaign
  kind: Kind
  reasons: SendingReason[]
  total: number
}) {
  const { title, description, bar } = KIND_WORDS[kind]
  if (reasons.length === 0) return null
  const sum = reasons.reduce((count, reason) => count + reason.count, 0)
  return (
    <Card
      id={kind}
      isFlush
      title={
        <>
          {title} <span className="ml-1 font-normal text-faint tabular">{formatCount(sum)}</span>
        </>
      }
      description={description}
    >
      <ul>
        {reasons.map(reason => (
          <Reason key={reason.reason + reason.text} campaign={campaign} reason={reason} total={total} bar={bar} />
        ))}
      </ul>
    </Card>
  )
}

function Reason({ campaign, reason, total, bar }: { campaign: Campaign; reason: SendingReason; total: number; bar: string }) {
  const { count, nextAttemptAt, fix, ifLifted } = reason
  return (
    <li className="grid grid-cols-[3rem_minmax(0,1fr)] gap-x-4 gap-y-2 border-line px-4 py-3.5 not-last:border-b sm:grid-cols-[3.5rem_minmax(0,1fr)_auto]">
      <div>
        <ReasonCount campaignId={campaign.id} reason={reason.reason} count={count} className="block font-semibold text-lg" />
        <span
          className="mt-1 block h-1 overflow-hidden rounded-full bg-line"
          title={`${formatPercent(count / total)} of all that do not leave now`}
        >
          <span className={cx('block h-full rounded-full', bar)} style={{ width: `${Math.max(4, (count / total) * 100)}%` }} />
        </span>
      </div>
      <div className="min-w-0">
        <p className="text-base">{withoutCount(reason)}</p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-faint text-xs">
          <code className="font-mono">{reason.reason}</code>
          {nextAttemptAt ? (
            <span>
              looked at again <Time at={nextAttemptAt} />
            </span>
          ) : null}
        </p>
        {ifLifted ? (
          <p className="mt-2 flex items-start gap-2 rounded-lg bg-info-wash px-2.5 py-1.5 text-info text-xs">
            <ArrowRightIcon width={13} height={13} className="mt-0.5 shrink-0" />
            <span>{sentence(ifLifted.text)}</span>
          </p>
        ) : null}
      </div>
      <div className="empty:hidden max-sm:col-start-2 sm:self-start">
        <FixButton campaign={campaign} fix={fix} ifLifted={ifLifted} />
      </div>
    </li>
  )
}
