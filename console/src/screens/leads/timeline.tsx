import type { Event, TimelineEntry } from '@overture/sdk'
import { botWords, bounceWords, causeWords, eventWords, fieldWords } from '@/data/words.ts'
import { statusWords, type Tone } from '@/ui/badge.tsx'
import { cx } from '@/ui/cx.ts'
import { Time } from '@/ui/time.tsx'

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

interface TimelineWords {
  title: string
  /** Why, or what exactly. */
  detail?: string | null
  tone?: Tone
}

const SOURCES: Record<string, string> = {
  csv_import: 'from a CSV file',
  api_import: 'manually or through the API',
  scraped_lead: 'from Find leads',
  manual: 'manually',
}

const stepWords = (step: number | null | undefined): string => (step === null || step === undefined ? 'An email' : `Step ${step + 1}`)

/** What an entry of the timeline says, and why it came to be. A kind that is new to this console is named as it is. */
function wordEntry({ type, data }: TimelineEntry): TimelineWords {
  if (type === 'lead.added') {
    const { source, leadListName } = data as { source: string; leadListName: string | null }
    return { title: 'Added to the campaign', detail: [SOURCES[source] ?? source, leadListName].filter(Boolean).join(', ') }
  }
  if (type === 'decision.waiting') {
    const { text, step, current, reason } = data as { text: string; step: number; current: boolean; reason: string }
    if (reason === 'sequence_completed') return { title: 'Every step was sent', detail: 'Waiting for a reply' }
    return { title: `${stepWords(step)} ${current ? 'is waiting' : 'was delayed'}`, detail: text, tone: current ? 'warn' : 'neutral' }
  }
  return wordEvent({ type, data } as unknown as Event)
}

function wordEvent(event: Event): TimelineWords {
  switch (event.type) {
    case 'email.sent':
      return { title: `${stepWords(event.data.step)} was sent`, detail: event.data.subject, tone: 'info' }
    case 'email.opened':
      return event.data.machine
        ? {
            title: `${stepWords(event.data.step)} was opened by a bot`,
            detail: botWords(event.data.judgedBy),
          }
        : { title: `${stepWords(event.data.step)} was opened`, tone: 'good' }
    case 'email.clicked':
      return event.data.machine
        ? { title: `A link was opened by a bot`, detail: botWords(event.data.judgedBy) }
        : { title: `A link in ${stepWords(event.data.step).toLowerCase()} was clicked`, detail: event.data.url, tone: 'good' }
    case 'email.bounced':
      return {
        title: `${stepWords(event.data.step)} bounced`,
        detail: [bounceWords(event.data.kind), event.data.status, event.data.diagnostic].filter(Boolean).join(' · '),
        tone: 'bad',
      }
    case 'email.replied':
      return { title: `Replied: ${statusWords(event.data.kind).toLowerCase()}`, detail: event.data.text, tone: 'accent' }
    case 'email.auto_replied':
      return { title: 'Auto-reply received', detail: 'The sequence continues.' }
    case 'email.answered':
      return { title: 'Answer sent', detail: event.data.subject, tone: 'info' }
    case 'reply.updated': {
      const { kind, previousKind, handled } = event.data
      if (kind === previousKind) return { title: handled ? 'Reply marked as handled' : 'Reply reopened' }
      return {
        title: `Reply category changed to ${statusWords(kind).toLowerCase()}`,
        detail: `Previously ${statusWords(previousKind).toLowerCase()}`,
      }
    }
    case 'ai_sdr.positive_reply':
      return { title: 'Marked interested', tone: 'good' }
    case 'lead.status_changed':
      return { title: `Became ${statusWords(event.data.to).toLowerCase()}`, detail: causeWords(event.data.by) }
    case 'lead.updated':
      return {
        title: 'Details changed',
        detail: [event.data.changed && fieldWords(event.data.changed), causeWords(event.data.by)].filter(Boolean).join(', '),
      }
    case 'lead.unsubscribed':
      return { title: 'Unsubscribed', detail: causeWords(event.data.by), tone: 'warn' }
    default:
      return { title: eventWords((event as Event).type) }
  }
}
