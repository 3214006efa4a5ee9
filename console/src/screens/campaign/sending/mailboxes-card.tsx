import type { SendingStatus } from '@overture/sdk'
import { Status } from '@/ui/badge.tsx'
import { Card } from '@/ui/card.tsx'
import { cx } from '@/ui/cx.ts'
import { formatCount } from '@/ui/format.ts'
import { NumberLink } from '@/ui/number-link.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'

/** How much each mailbox has sent today, of what it may. */
export function MailboxesCard({ mailboxes }: { mailboxes: SendingStatus['mailboxes'] }) {
  return (
    <Card isFlush title="Mailboxes today" description="Counted over all campaigns that use them">
      {mailboxes.length === 0 ? (
        <EmptyState title="No mailbox" className="py-8">
          Choose one in the settings of the campaign.
        </EmptyState>
      ) : (
        <ul>
          {mailboxes.map(({ id, name, status, sentToday, limitToday, nextSlotAt }) => {
            const share = limitToday > 0 ? Math.min(1, sentToday / limitToday) : 1
            return (
              <li key={id} className="border-line px-4 py-3 not-last:border-b">
                <p className="flex items-center justify-between gap-3">
                  <span className="truncate font-medium">{name}</span>
                  {status === 'connected' ? null : <Status status={status} />}
                </p>
                <div
                  role="progressbar"
                  aria-label={`${name}: sent today`}
                  aria-valuemin={0}
                  aria-valuemax={limitToday}
                  aria-valuenow={Math.min(sentToday, limitToday)}
                  className="mt-2 h-1.5 overflow-hidden rounded-full bg-line"
                >
                  <div className={cx('h-full rounded-full', share >= 1 ? 'bg-warn' : 'bg-accent')} style={{ width: `${share * 100}%` }} />
                </div>
                <p className="mt-1.5 flex justify-between gap-3 text-faint text-xs tabular">
                  <NumberLink
                    link={{ to: '/developers/events', search: { type: 'email.sent', providerId: id } as never }}
                    title="See what it has sent"
                  >
                    <span className="text-ink">{formatCount(sentToday)}</span> of {formatCount(limitToday)} sent
                  </NumberLink>
                  {nextSlotAt && Date.parse(nextSlotAt) > Date.now() ? (
                    <span>
                      next slot <Time at={nextSlotAt} />
                    </span>
                  ) : share < 1 && status === 'connected' ? (
                    <span>may send now</span>
                  ) : null}
                </p>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}
