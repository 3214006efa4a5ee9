import type { Provider } from '@overture/sdk'
import { Badge } from '@/ui/badge.tsx'
import { formatCount } from '@/ui/format.ts'
import { QuickLink } from '@/ui/quick-link.tsx'
import { Time } from '@/ui/time.tsx'

/** The emails sent today, of the limit of today. */
export function Load({ mailbox }: { mailbox: Provider }) {
  const { sentToday, limitToday } = mailbox.load
  const percent = limitToday > 0 ? Math.min(100, (sentToday / limitToday) * 100) : 0
  return (
    <span className="flex items-center gap-2">
      <span className="h-1.5 w-16 shrink-0 overflow-hidden rounded-full bg-line" aria-hidden="true">
        <span className={`block h-full rounded-full ${percent >= 100 ? 'bg-warn' : 'bg-accent'}`} style={{ width: `${percent}%` }} />
      </span>
      <QuickLink
        link={{ to: '/developers/events', search: { type: 'email.sent', providerId: mailbox.id } }}
        className="relative z-1 whitespace-nowrap text-xs tabular underline-offset-2 hover:underline"
      >
        {formatCount(sentToday)} of {formatCount(limitToday)}
        <span className="sr-only"> sent, view events</span>
      </QuickLink>
      {mailbox.resting ? (
        <Badge tone="warn">
          paused, resumes <Time at={mailbox.resting.until} />
        </Badge>
      ) : null}
    </span>
  )
}

const INBOX: Record<'readable' | 'unread' | 'unreadable', readonly [words: string, tone: 'good' | 'neutral' | 'bad']> = {
  readable: ['Working', 'good'],
  unread: ['Not checked yet', 'neutral'],
  unreadable: ['Not working', 'bad'],
}

export function InboxState({ mailbox }: { mailbox: Provider }) {
  if (mailbox.kind === 'sandbox') return <Badge tone="good">Working</Badge>
  if (!mailbox.settings.imap) return <span className="text-faint text-xs">none</span>
  const [words, tone] = INBOX[mailbox.inbox?.status ?? 'unread']
  return (
    <span title={mailbox.inbox?.reason ?? undefined}>
      <Badge tone={tone}>{words}</Badge>
    </span>
  )
}
