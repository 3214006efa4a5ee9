import type { UnreadMessage } from '@overture/sdk'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useUnread } from './data.ts'

const REASONS: Record<UnreadMessage['reason'], string> = {
  too_expensive: 'Too much to read',
  unreadable: 'No message',
  not_recorded: 'Could not be stored',
  unproven_bounce: 'A bounce that proves nothing',
}

/** Messages of the inbox that were not understood. The mailbox still has them, in the folder that is shown. */
export function SetAside({ providerId }: { providerId: string }) {
  const pages = useUnread(providerId)
  return (
    <Card title="Set aside" description="Messages of the inbox that could not be read. The rest was read on behind them.">
      <ErrorNote error={pages.error} />
      {pages.isLoading ? (
        <SkeletonLines count={2} />
      ) : pages.rows.length === 0 && !pages.error ? (
        <p className="text-faint">None. Everything that came in was read.</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {pages.rows.map(message => (
            <li key={message.id} className="flex flex-col gap-0.5 py-2.5 first:pt-0 last:pb-0">
              <p className="flex items-baseline justify-between gap-3">
                <span className="font-medium">{REASONS[message.reason]}</span>
                <Time at={message.receivedAt} className="text-faint text-xs" />
              </p>
              <p className="break-words text-soft">{message.detail}</p>
              <p className="break-all font-mono text-2xs text-faint">
                {message.folder} · {message.uid}
                {message.messageId ? ` · ${message.messageId}` : ''}
              </p>
            </li>
          ))}
        </ul>
      )}
      {pages.hasMore ? (
        <Button variant="ghost" size="sm" pending={pages.isLoadingMore} onClick={pages.loadMore}>
          More
        </Button>
      ) : null}
    </Card>
  )
}
