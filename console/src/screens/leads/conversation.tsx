import type { Lead } from '@overture/sdk'
import { useRef } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { AnswerForm } from '@/screens/inbox/answer-form.tsx'
import { useReply } from '@/screens/inbox/data.ts'
import { Message } from '@/screens/inbox/thread.tsx'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { MailboxIcon } from '@/ui/icons.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { EmptyState, ErrorState } from '@/ui/states.tsx'
import { useThread } from './data.ts'

/** What went to and fro with a lead. The last message that somebody wrote can be answered in place. */
export function Conversation({ lead }: { lead: Lead }) {
  const { may } = useWorkspace()
  const pages = useThread(lead.campaignId, lead.id)
  const field = useRef<HTMLTextAreaElement>(null)
  const last = pages.rows.findLast(({ direction, replyId }) => direction === 'in' && replyId !== null)
  const { data: reply } = useReply(last?.replyId ?? undefined)
  const newest = pages.rows.at(-1)
  return (
    <Card title="Conversation" isFlush={pages.rows.length === 0}>
      {pages.error ? (
        <ErrorState error={pages.error} onRetry={pages.retry} />
      ) : pages.isLoading ? (
        <SkeletonLines count={5} className="p-4" />
      ) : pages.rows.length === 0 ? (
        <EmptyState icon={MailboxIcon} title="Nothing was sent yet">
          What is sent to {lead.email}, and what comes back, will stand here as it was written.
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-3">
          <ol aria-label="Messages" className="flex flex-col gap-3">
            {pages.rows.map(message => (
              <li key={message.id}>
                <Message
                  message={message}
                  said={reply && message.direction === 'in' && message.replyId === reply.id ? reply.text : null}
                  isOpen={message.direction === 'in' || message.kind === 'answer' || message === newest}
                />
              </li>
            ))}
          </ol>
          {pages.hasMore ? (
            <Button variant="ghost" pending={pages.isLoadingMore} onClick={pages.loadMore}>
              Later messages
            </Button>
          ) : null}
          {reply?.from && may('leads:write') ? (
            <AnswerForm key={reply.id} reply={reply} field={field} onAnswered={() => field.current?.blur()} />
          ) : null}
        </div>
      )}
    </Card>
  )
}
