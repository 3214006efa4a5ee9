import type { Reply } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import { campaignNow, useClockOffset } from '@/data/clock.ts'
import { useWorkspace } from '@/data/session.ts'
import { useFirstCampaigns } from '@/data/use-answer.ts'
import { Badge, Status } from '@/ui/badge.tsx'
import { buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { formatToday } from '@/ui/format.ts'
import { CheckIcon, EyeIcon, PlusIcon } from '@/ui/icons.tsx'
import { Loaded } from '@/ui/loaded.tsx'
import { PageHeader } from '@/ui/page.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { Attention } from './attention.tsx'
import { useMailboxList, useSendingOf, useTodo } from './data.ts'
import { FirstSteps } from './first-steps.tsx'
import { NextSends } from './next-sends.tsx'
import { ResultsCard } from './results.tsx'
import { TestClock, usePlay } from './test-clock.tsx'

const SHOWN = 6

export function HomeScreen() {
  const { may } = useWorkspace()
  const todo = useTodo()
  const { data: campaigns = [], isPending } = useFirstCampaigns()
  const { data: mailboxes = [], isSuccess: areMailboxesKnown } = useMailboxList()
  const play = usePlay()
  const aheadMs = useClockOffset()
  const sending = useSendingOf(campaigns.filter(({ status }) => status === 'active' || status === 'attention_needed').slice(0, SHOWN))
  const isNew = todo.data?.hasAny === false && !isPending && areMailboxesKnown && may('campaigns:write')
  return (
    <>
      <PageHeader
        title="Home"
        description={`${formatToday(campaignNow())}${aheadMs > 0 ? ', by the test clock' : ''}`}
        actions={
          may('campaigns:write') ? (
            <Link to="/campaigns" search={{ new: '1' }} className={buttonClass(isNew ? 'secondary' : 'primary')}>
              <PlusIcon />
              New campaign
            </Link>
          ) : null
        }
      />
      {isNew ? <FirstSteps mailboxes={mailboxes} campaigns={campaigns} play={play} /> : <TestClock play={play} />}
      <Attention campaigns={sending} mailboxes={mailboxes} />
      {isNew && campaigns.length === 0 ? null : (
        <>
          <div className="mb-5 grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <TodoReplies todo={todo} />
            <NextSends campaigns={sending.filter(({ campaign }) => campaign.status === 'active')} isLoading={isPending} />
          </div>
          <ResultsCard />
        </>
      )}
    </>
  )
}

/** The replies to handle. Replies with an uncertain classification come first. */
function TodoReplies({ todo }: { todo: ReturnType<typeof useTodo> }) {
  return (
    <Card
      title="Replies to handle"
      isFlush
      actions={
        <Link to="/inbox" className="text-accent-ink text-sm underline-offset-2 hover:underline">
          {todo.data?.hasMore ? 'View all' : 'Open inbox'}
        </Link>
      }
    >
      <Loaded query={todo} className="p-4">
        {({ replies, hasAny }) =>
          replies.length === 0 ? (
            <EmptyState icon={CheckIcon} title="No replies to handle" className="py-8">
              {hasAny ? 'You have handled every reply.' : 'New replies appear here, sorted by what they mean.'}
            </EmptyState>
          ) : (
            <ul className="divide-y divide-line">
              {replies.map(reply => (
                <Row key={reply.id} reply={reply} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function Row({ reply }: { reply: Reply }) {
  return (
    <li className="hover:bg-hover/50">
      <Link to="/inbox" search={{ reply: reply.id }} className="flex flex-col gap-0.5 px-4 py-2.5 focus-visible:-outline-offset-2">
        <span className="flex items-center gap-2">
          <span className="min-w-0 truncate font-medium">{reply.leadName ?? reply.from ?? 'Deleted contact'}</span>
          {reply.needsLook ? (
            <Badge tone="warn">
              <EyeIcon width={12} height={12} />
              Needs review
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
