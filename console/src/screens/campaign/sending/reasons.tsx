import type { SendingStatus } from '@overture/sdk'
import { sentence } from '@/data/field-words.ts'
import { cx } from '@/ui/cx.ts'
import { formatCount, formatMoment, formatNoun, readable } from '@/ui/format.ts'
import { NumberLink } from '@/ui/quick-link.tsx'
import { useSchedule } from '../data.ts'

/** The status filter that finds the leads of a reason. For other reasons, the list shows what each lead is waiting for. */
const STATUS_OF: Record<string, string> = { missing_variable: 'skipped' }

/** The number of leads with this reason, which links to them. */
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
      title={status ? 'View these leads' : 'View leads and what each one is waiting for'}
      className={cx('text-right tabular', className)}
    >
      {formatCount(count)}
    </NumberLink>
  )
}

export type SendingReason = SendingStatus['reasons'][number]
type Kind = 'action' | 'time' | 'done'

/** The condition for sending such an email. Codes that are newer than this console count as waiting, like most. */
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

const ORDER: readonly Kind[] = ['action', 'time', 'done']

export const kindOf = (reason: string): Kind => KINDS[reason] ?? 'time'

const KIND_WORDS: Record<Kind, { title: string; description: string; short: string; bar: string }> = {
  action: { title: 'Needs attention', short: 'need attention', description: 'Overture does not send these until you act.', bar: 'bg-warn' },
  time: { title: 'Waiting', short: 'waiting', description: 'These emails are sent automatically.', bar: 'bg-accent' },
  done: {
    title: 'No more emails',
    description: 'These leads received every step, or are suppressed.',
    bar: 'bg-line-strong',
    short: 'getting no more emails',
  },
}

/** The reasons by kind, with the number of leads and the words for them. */
export const groupsOf = ({ status, reasons: all }: Pick<SendingStatus, 'status' | 'reasons'>) =>
  ORDER.map(kind => {
    const reasons = all.filter(({ reason }) => kindOf(reason) === kind)
    const count = reasons.reduce((sum, reason) => sum + reason.count, 0)
    const words = { ...KIND_WORDS[kind] }
    if (kind === 'time' && reasons.some(({ fix, ifLifted }) => fix ?? ifLifted)) words.description += ' To send sooner, remove the limit.'
    if (kind === 'action' && count === 1) words.short = 'needs attention'
    // Nothing is wrong with a campaign that you have not activated yet, or have paused.
    const isYours = kind === 'action' && (status === 'draft' || status === 'paused')
    return { kind, reasons, count, ...words, ...(isYours ? { title: 'Waiting for you', short: 'waiting for you' } : {}) }
  })

/** The sentences of the service start with the count, which this screen shows separately. */
export const withoutCount = ({ text }: SendingReason): string => sentence(readable(text.replace(/^[\d,]+ /, '')))

/** First the reasons that need an action, then the waiting leads, then the finished leads. */
export const inOrder = (reasons: readonly SendingReason[]): SendingReason[] =>
  ORDER.flatMap(kind => reasons.filter(({ reason }) => kindOf(reason) === kind))

/** When the next email is sent, in a sentence. */
export function NextSend({ status }: { status: SendingStatus }) {
  const { data: schedule } = useSchedule(status.campaignId)
  const { readyCount, inFlightCount, nextAttemptAt } = status
  if (status.status === 'draft') return <>Not sending. Activate the campaign to start.</>
  if (status.status === 'paused') return <>Paused. Not sending.</>
  if (status.status === 'archived') return <>Archived. Not sending.</>
  if (status.status === 'completed') return <>Completed. Nothing left to send.</>
  if (status.status === 'attention_needed') return <>Stopped. Needs your attention.</>
  if (inFlightCount > 0) return <>Sending {formatNoun(inFlightCount, 'email')} now</>
  if (readyCount > 0) return <>{formatNoun(readyCount, 'email')} ready to send</>
  if (!nextAttemptAt) return <>Nothing scheduled</>
  return <>Next email: {formatMoment(nextAttemptAt, schedule?.timezone)}</>
}
