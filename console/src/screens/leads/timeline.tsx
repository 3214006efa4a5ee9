import type { TimelineEntry } from '@overture/sdk'
import type { Tone } from '@/ui/badge.tsx'
import { cx } from '@/ui/cx.ts'
import { Time } from '@/ui/time.tsx'
import { wordEntry } from './timeline-words.ts'

const DOTS: Record<Tone, string> = {
  neutral: 'bg-line-strong',
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
  info: 'bg-info',
  accent: 'bg-accent',
}

/** Everything that happened to a lead, and everything that did not and why; the newest first. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className="flex flex-col">
      {entries.map(entry => {
        const { title, detail, tone = 'neutral' } = wordEntry(entry)
        const isCurrent = entry.data.current === true
        return (
          <li key={entry.id} className="group relative flex gap-3 pb-4 last:pb-0">
            <span aria-hidden="true" className="absolute top-4 bottom-0 left-[0.3125rem] w-px bg-line group-last:hidden" />
            <span aria-hidden="true" className={cx('mt-1.5 size-2.5 shrink-0 rounded-full ring-4 ring-panel', DOTS[tone])} />
            <div className="min-w-0 flex-1">
              <p className="flex items-baseline justify-between gap-3">
                <span className="font-medium">{title}</span>
                <span className="shrink-0 text-faint text-xs">{isCurrent ? 'now' : <Time at={entry.timestamp} />}</span>
              </p>
              {detail ? <p className="line-clamp-3 break-words text-soft text-xs">{detail}</p> : null}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
