import type { Reply } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import { Badge, Status } from '@/ui/badge.tsx'
import { Card } from '@/ui/card.tsx'
import { CheckIcon } from '@/ui/icons.tsx'
import { EyeIcon } from '@/ui/more-icons.ts'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { EmptyState, ErrorState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import type { useTodo } from './data.ts'

/** The replies that wait for a person; those of which nobody is sure what they mean come first. */
export function TodoReplies({ todo }: { todo: ReturnType<typeof useTodo> }) {
  const { data, error, refetch } = todo
  return (
    <Card
      title="Replies that wait for you"
      isFlush
      actions={
        <Link to="/inbox" className="text-accent-ink text-sm underline-offset-2 hover:underline">
          {data?.hasMore ? 'All of them' : 'Inbox'}
        </Link>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-8" />
      ) : !data ? (
        <SkeletonLines count={4} className="p-4" />
      ) : data.replies.length === 0 ? (
        <EmptyState icon={CheckIcon} title="Nothing waits for you" className="py-8">
          {data.hasAny ? 'Every reply is handled.' : 'When somebody answers, it is read, sorted and shown here.'}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {data.replies.map(reply => (
            <Row key={reply.id} reply={reply} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Row({ reply }: { reply: Reply }) {
  return (
    <li className="hover:bg-hover/50">
      <Link to="/inbox" search={{ reply: reply.id }} className="flex flex-col gap-0.5 px-4 py-2.5 focus-visible:-outline-offset-2">
        <span className="flex items-center gap-2">
          <span className="min-w-0 truncate font-medium">{reply.leadName ?? reply.from ?? 'Erased'}</span>
          {reply.needsLook ? (
            <Badge tone="warn">
              <EyeIcon width={12} height={12} />
              Look
            </Badge>
          ) : (
            <Status status={reply.kind} />
          )}
          <Time at={reply.receivedAt} className="ml-auto shrink-0 text-faint text-xs" />
        </span>
        <span className="truncate text-soft">{reply.text?.replace(/\s+/g, ' ') || reply.subject}</span>
      </Link>
    </li>
  )
}
