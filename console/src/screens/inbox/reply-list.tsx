import type { Reply } from '@overture/sdk'
import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, memo, type ReactNode, useEffect, useRef } from 'react'
import type { Pages } from '@/data/use-answer.ts'
import { readableAddress } from '@/ui/address.ts'
import { Badge, Status } from '@/ui/badge.tsx'
import { cx } from '@/ui/cx.ts'
import { MoreRows } from '@/ui/data-table.tsx'
import { AttachmentIcon, CheckIcon, EyeIcon } from '@/ui/icons.tsx'
import { Skeleton } from '@/ui/skeleton.tsx'
import { ErrorState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'

interface ReplyListProps {
  pages: Pages<Reply>
  selectedId: string | undefined
  campaigns: ReadonlyMap<string, string>
  empty: ReactNode
}

export function ReplyList({ pages, selectedId, campaigns, empty }: ReplyListProps) {
  if (pages.error) return <ErrorState error={pages.error} onRetry={pages.retry} />
  if (pages.isLoading) return <LoadingList />
  if (pages.rows.length === 0) return empty
  return (
    <div aria-busy={pages.isStale} className={cx('transition-opacity', pages.isStale && 'opacity-60')}>
      <ul aria-label="Replies" className="divide-y divide-line">
        {pages.rows.map(reply => (
          <Row key={reply.id} reply={reply} isSelected={reply.id === selectedId} campaign={campaigns.get(reply.campaignId ?? '')} />
        ))}
      </ul>
      <MoreRows pages={pages} className="border-line border-t">
        Show more replies
      </MoreRows>
    </div>
  )
}

/** Memoized, so that a new selection renders only two rows again. */
const Row = memo(({ reply, isSelected, campaign }: { reply: Reply; isSelected: boolean; campaign: string | undefined }) => {
  const row = useRef<HTMLLIElement>(null)
  const router = useRouter()
  const target = { to: '/inbox', search: (before: object) => ({ ...before, reply: reply.id }) } as const
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void router.navigate(target)
  }
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isSelected])
  return (
    <li ref={row} className={cx('relative', isSelected ? 'bg-accent-wash/60' : 'hover:bg-hover/50')}>
      {isSelected ? <span aria-hidden="true" className="absolute inset-y-0 left-0 w-0.5 bg-accent" /> : null}
      <a
        href={router.buildLocation(target).href}
        onClick={follow}
        aria-current={isSelected ? 'true' : undefined}
        className="flex flex-col gap-1 px-4 py-3 focus-visible:-outline-offset-2"
      >
        <span className="flex items-baseline gap-2">
          <span className={cx('min-w-0 flex-1 truncate', reply.handled ? 'text-soft' : 'font-semibold')} title={reply.from ?? undefined}>
            {reply.leadName ?? (reply.from === null ? 'Deleted contact' : readableAddress(reply.from))}
          </span>
          <Time at={reply.receivedAt} className="shrink-0 text-faint text-xs" />
        </span>
        <span className="truncate text-soft">{reply.text?.replace(/\s+/g, ' ') || reply.subject || 'No text'}</span>
        <span className="mt-0.5 flex items-center gap-1.5">
          <Status status={reply.kind} />
          {reply.needsLook && !reply.handled ? (
            <Badge tone="warn">
              <EyeIcon width={12} height={12} />
              Needs review
            </Badge>
          ) : null}
          {reply.attachments.length > 0 ? <AttachmentIcon width={14} height={14} className="text-faint" /> : null}
          <span className="min-w-0 flex-1 truncate text-right text-faint text-xs">{campaign}</span>
          {reply.handled ? (
            <span className="text-good" title="Handled">
              <CheckIcon width={14} height={14} />
              <span className="sr-only">Handled</span>
            </span>
          ) : null}
        </span>
      </a>
    </li>
  )
})

function LoadingList() {
  return (
    <div role="status" aria-label="Loading" aria-busy="true" className="flex flex-col gap-6 p-4">
      {['a', 'b', 'c', 'd', 'e'].map(key => (
        <div key={key} className="flex flex-col gap-2">
          <Skeleton className="w-2/5" />
          <Skeleton className="w-full" />
          <Skeleton className="w-20" />
        </div>
      ))}
    </div>
  )
}
