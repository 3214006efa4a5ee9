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

/** Every status that the API knows, in one place: its words and its meaning for the user. */
const STATUSES: Record<string, [words: string, tone: Tone]> = {
  draft: ['Draft', 'neutral'],
  active: ['Active', 'good'],
  paused: ['Paused', 'warn'],
  completed: ['Completed', 'info'],
  archived: ['Archived', 'neutral'],
  attention_needed: ['Needs attention', 'bad'],
  queued: ['Queued', 'neutral'],
  running: ['Running', 'info'],
  succeeded: ['Succeeded', 'good'],
  failed: ['Failed', 'bad'],
  connected: ['Connected', 'good'],
  disconnected: ['Disconnected', 'bad'],
  pending: ['Pending', 'neutral'],
  processing: ['Processing', 'info'],
  building: ['In progress', 'info'],
  ready: ['Ready', 'good'],
  expired: ['Expired', 'neutral'],
  delivered: ['Delivered', 'good'],
  positive: ['Positive', 'good'],
  negative: ['Negative', 'bad'],
  neutral: ['Neutral', 'neutral'],
  auto_reply: ['Auto-reply', 'neutral'],
  opt_out: ['Opted out', 'warn'],
  interested: ['Interested', 'good'],
  not_interested: ['Not interested', 'neutral'],
  meeting_booked: ['Meeting booked', 'good'],
  meeting_completed: ['Meeting completed', 'good'],
  closed: ['Closed', 'good'],
  not_yet_contacted: ['Not yet contacted', 'neutral'],
  sequence_completed: ['Sequence finished', 'info'],
  contacted: ['Contacted', 'info'],
  replied: ['Replied', 'accent'],
  bounced: ['Bounced', 'bad'],
  unsubscribed: ['Unsubscribed', 'warn'],
  skipped: ['Skipped', 'warn'],
  approved: ['Approved', 'good'],
  applied: ['Done', 'good'],
  rejected: ['Rejected', 'neutral'],
}

/** A word of ours that has no entry is shown as it is, only without its underscores. */
export const statusWords = (status: string): string =>
  STATUSES[status]?.[0] ?? status.replaceAll('_', ' ').replace(/^./, letter => letter.toUpperCase())

export function Status({ status, className }: { status: string; className?: string }) {
  const tone = STATUSES[status]?.[1] ?? 'neutral'
  return (
    <Badge tone={tone} className={cx('gap-1.5 rounded-full px-2', className)}>
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
