import { Link } from '@tanstack/react-router'
import { buttonClass } from '@/ui/button.tsx'
import { CheckIcon, InboxIcon, SearchIcon } from '@/ui/icons.tsx'
import { EmptyState } from '@/ui/states.tsx'
import type { View } from './data.ts'

export function EmptyInbox({ view, isFiltered }: { view: View; isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon={SearchIcon} title="No reply fits">
        Try other words, or clear the filters.
      </EmptyState>
    )
  }
  if (view === 'todo' || view === 'look') {
    return (
      <EmptyState
        icon={CheckIcon}
        title={view === 'todo' ? 'Nothing to do' : 'Nothing is unclear'}
        actions={
          <Link to="/inbox" search={{ view: 'all' }} className={buttonClass()}>
            All replies
          </Link>
        }
      >
        New replies come in here by themselves, and stay until they are answered or marked as handled.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={InboxIcon} title={view === 'handled' ? 'Nothing is handled yet' : 'No replies yet'}>
      When somebody answers a message of a campaign, it is read, sorted and shown here, and nothing more is sent to them.
    </EmptyState>
  )
}
