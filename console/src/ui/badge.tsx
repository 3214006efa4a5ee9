import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info' | 'accent'

const TONES: Record<Tone, string> = {
  neutral: 'bg-hover text-soft',
  good: 'bg-good-wash text-good',
  warn: 'bg-warn-wash text-warn',
  bad: 'bg-bad-wash text-bad',
  info: 'bg-info-wash text-info',
  accent: 'bg-accent-wash text-accent-ink',
}

export function Badge({ tone = 'neutral', children, className }: { tone?: Tone; children: ReactNode; className?: string }) {
  return (
    <span
      className={cx('inline-flex h-5 items-center gap-1 rounded-md px-1.5 font-medium text-xs whitespace-nowrap', TONES[tone], className)}
    >
      {children}
    </span>
  )
}

/** The tone of every status that the API has. Others are neutral. */
const TONE_OF = new Map<string, Tone>(
  Object.entries({
    good: [
      ...['active', 'succeeded', 'connected', 'ready', 'delivered', 'approved', 'applied'],
      ...['positive', 'interested', 'meeting_booked', 'meeting_completed', 'closed'],
    ],
    warn: ['paused', 'opt_out', 'unsubscribed', 'skipped'],
    bad: ['attention_needed', 'failed', 'disconnected', 'negative', 'bounced'],
    info: ['completed', 'running', 'processing', 'building', 'sequence_completed', 'contacted'],
    accent: ['replied'],
  }).flatMap(([tone, statuses]) => statuses.map(status => [status, tone as Tone])),
)

const WORDS: Record<string, string> = {
  attention_needed: 'Needs attention',
  building: 'In progress',
  auto_reply: 'Auto-reply',
  opt_out: 'Opted out',
  sequence_completed: 'Sequence finished',
  applied: 'Done',
}

/** A status without words of its own is shown as its code, without the underscores. */
export const statusWords = (status: string): string =>
  WORDS[status] ?? status.replaceAll('_', ' ').replace(/^./, letter => letter.toUpperCase())

export function Status({ status, className }: { status: string; className?: string }) {
  return (
    <Badge tone={TONE_OF.get(status) ?? 'neutral'} className={cx('gap-1.5 rounded-full px-2', className)}>
      <span className="relative flex size-1.5">
        {status === 'running' ? (
          <span className="absolute inset-0 animate-ping rounded-full bg-current opacity-40 [animation-duration:2.4s]" />
        ) : null}
        <span className="size-1.5 rounded-full bg-current" />
      </span>
      {statusWords(status)}
    </Badge>
  )
}
