import { cx } from '@/ui/cx.ts'
import { formatCount } from '@/ui/format.ts'
import { NumberLink } from '@/ui/number-link.tsx'

/** Where a filter of the list finds just the leads of a reason. For the others the list says of each lead what it waits for. */
const STATUS_OF: Record<string, string> = { missing_variable: 'skipped' }

/** How many leads have this reason. It opens them. */
export function ReasonCount({
  campaignId,
  reason,
  count,
  className,
}: {
  campaignId: string
  reason: string
  count: number
  className: string
}) {
  const status = STATUS_OF[reason]
  return (
    <NumberLink
      link={{ to: '/campaigns/$campaignId/leads', params: { campaignId }, search: (status ? { status } : {}) as never }}
      title={status ? 'See these leads' : 'See the leads, and what each of them waits for'}
      className={cx('text-right tabular', className)}
    >
      {formatCount(count)}
    </NumberLink>
  )
}
