import { Link } from '@tanstack/react-router'
import { campaignNow, useClockOffset } from '@/data/clock.ts'
import { useWorkspace } from '@/data/session.ts'
import { useFirstCampaigns } from '@/data/use-answer.ts'
import { buttonClass } from '@/ui/button.tsx'
import { PlusIcon } from '@/ui/icons.tsx'
import { PageHeader } from '@/ui/page-header.tsx'
import { Attention } from './attention.tsx'
import { useMailboxList, useSendingOf, useTodo } from './data.ts'
import { FirstSteps } from './first-steps.tsx'
import { NextSends } from './next-sends.tsx'
import { ResultsCard } from './results.tsx'
import { TestClock, usePlay } from './test-clock.tsx'
import { TodoReplies } from './todo-replies.tsx'

const today = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' })
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
        description={`${today.format(campaignNow())}${aheadMs > 0 ? ', by the test clock' : ''}`}
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
