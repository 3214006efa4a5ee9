import type { SendingStatus } from '@overture/sdk'
import { cx } from '@/ui/cx.ts'
import { formatCount, formatMoment, formatNoun } from '@/ui/format.ts'
import { NumberLink } from '@/ui/quick-link.tsx'
import { Time } from '@/ui/time.tsx'
import { useSchedule } from '../data.ts'

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

export type SendingReason = SendingStatus['reasons'][number]
export type Kind = 'action' | 'time' | 'done'

/** What it takes until such a message leaves. A code that is new to this console waits for time, as most do. */
const KINDS: Record<string, Kind> = {
  company_replied: 'action',
  campaign_not_active: 'action',
  no_mailbox: 'action',
  mailbox_disconnected: 'action',
  missing_variable: 'action',
  campaign_expired: 'action',
  due_after_end: 'action',
  suppressed: 'done',
  lead_final: 'done',
  sequence_completed: 'done',
}

export const ORDER: readonly Kind[] = ['action', 'time', 'done']

export const kindOf = (reason: string): Kind => KINDS[reason] ?? 'time'

export const KIND_WORDS: Record<Kind, { title: string; description: string; short: string; bar: string }> = {
  action: { title: 'Waiting for you', short: 'wait for you', description: 'They do not leave before somebody acts.', bar: 'bg-warn' },
  time: {
    title: 'Waiting',
    description: 'They leave by themselves. You can lift what holds them back.',
    bar: 'bg-accent',
    short: 'wait',
  },
  done: {
    title: 'Finished',
    description: 'Nothing more is sent to them, and there is nothing to do.',
    bar: 'bg-line-strong',
    short: 'are finished',
  },
}

export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** The sentences of the service begin with the number, which stands beside them here. */
export const withoutCount = ({ text, count }: SendingReason): string => sentence(text.replace(new RegExp(`^${count} `), ''))

/** What somebody has to do first, then what waits, and at the end who needs nothing more. */
export const inOrder = (reasons: readonly SendingReason[]): SendingReason[] =>
  ORDER.flatMap(kind => reasons.filter(({ reason }) => kindOf(reason) === kind))

/** When the next message leaves, in a sentence. */
export function NextSend({ status }: { status: SendingStatus }) {
  const { data: schedule } = useSchedule(status.campaignId)
  const { readyCount, inFlightCount, nextAttemptAt } = status
  if (status.status === 'draft') return <>Nothing is sent before it is activated</>
  if (status.status === 'paused') return <>Paused: nothing leaves</>
  if (status.status === 'archived') return <>Archived: nothing leaves</>
  if (status.status === 'completed') return <>Completed: nothing more leaves</>
  if (status.status === 'attention_needed') return <>It stands still until somebody looks at it</>
  if (inFlightCount > 0) return <>{formatNoun(inFlightCount, 'message')} on the way right now</>
  if (readyCount > 0) return <>{formatNoun(readyCount, 'message')} may leave right now</>
  if (!nextAttemptAt) return <>Nothing will leave by itself</>
  return (
    <>
      The next message leaves <Time at={nextAttemptAt} />: {formatMoment(nextAttemptAt, schedule?.timezone)}
    </>
  )
}
