import type { Campaign } from '@overture/sdk'
import { Link, type LinkProps } from '@tanstack/react-router'
import { Card } from '@/ui/card.tsx'
import { cx } from '@/ui/cx.ts'
import { formatCount, formatPercent } from '@/ui/format.ts'
import { ArrowRightIcon } from '@/ui/icons.tsx'
import { Time } from '@/ui/time.tsx'
import { FixButton } from '../fixes/fix-button.tsx'
import { KIND_WORDS, type Kind, type SendingReason, sentence, withoutCount } from './reason-kinds.ts'

/** The leads behind a number, where a filter of the list finds just these. */
const LEADS_OF: Record<string, string> = { missing_variable: 'skipped' }

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
  const status = LEADS_OF[reason.reason]
  const number = <span className="block text-right font-semibold text-lg tabular">{formatCount(count)}</span>
  const leads = { to: '/campaigns/$campaignId/leads', params: { campaignId: campaign.id }, search: { status } } as unknown as LinkProps
  return (
    <li className="grid grid-cols-[3rem_minmax(0,1fr)] gap-x-4 gap-y-2 border-line px-4 py-3.5 not-last:border-b sm:grid-cols-[3.5rem_minmax(0,1fr)_auto]">
      <div>
        {status ? (
          <Link {...leads} className="underline decoration-line-strong underline-offset-4 hover:decoration-current">
            {number}
          </Link>
        ) : (
          number
        )}
        <span
          className="mt-1 block h-1 overflow-hidden rounded-full bg-line"
          title={`${formatPercent(count / total)} of all that do not leave now`}
        >
          <span className={cx('block h-full rounded-full', bar)} style={{ width: `${Math.max(4, (count / total) * 100)}%` }} />
        </span>
      </div>
      <div className="min-w-0">
        {/* What programs know the reason by is under the pointer. */}
        <p className="text-base" title={reason.reason}>
          {withoutCount(reason)}
        </p>
        {nextAttemptAt ? (
          <p className="mt-0.5 text-faint text-xs">
            Looked at again <Time at={nextAttemptAt} />
          </p>
        ) : null}
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
