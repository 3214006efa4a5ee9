import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { CampaignIcon, CodeIcon, FindLeadsIcon, HomeIcon, type Icon, InboxIcon, MailboxIcon, PeopleIcon, PlanIcon } from '@/ui/icons.tsx'
import { isTyping } from '@/ui/keyboard.tsx'

interface Section {
  to: '/' | '/campaigns' | '/find-leads' | '/inbox' | '/mailboxes' | '/plans' | '/people' | '/developers'
  label: string
  icon: Icon
  /** The shortcut after g: `g c` opens the campaigns. */
  letter: string
  /** Other words that users may search for. */
  words: string
}

export const SECTIONS: readonly Section[] = [
  { to: '/', label: 'Home', icon: HomeIcon, letter: 'h', words: 'overview dashboard results' },
  { to: '/campaigns', label: 'Campaigns', icon: CampaignIcon, letter: 'c', words: 'sequences outreach sending' },
  { to: '/find-leads', label: 'Find leads', icon: FindLeadsIcon, letter: 'f', words: 'search brief directory credits exports' },
  { to: '/inbox', label: 'Inbox', icon: InboxIcon, letter: 'i', words: 'replies answers conversations' },
  { to: '/mailboxes', label: 'Mailboxes', icon: MailboxIcon, letter: 'm', words: 'providers smtp imap accounts senders' },
  { to: '/plans', label: 'Approvals', icon: PlanIcon, letter: 'a', words: 'agents approve reject plans mcp proposals requests' },
  {
    to: '/people',
    label: 'Settings & privacy',
    icon: PeopleIcon,
    letter: 'p',
    words: 'people data team workspace suppressions erasure erase delete import unsubscribed',
  },
  { to: '/developers', label: 'Developers', icon: CodeIcon, letter: 'd', words: 'api keys tokens webhooks events operations logs' },
]

const GO_MS = 1200

/** Cmd-K or Ctrl-K opens the palette; g and a letter open a section. Keys in text fields are ignored. */
export function useShortcuts(togglePalette: () => void): void {
  const navigate = useNavigate()
  useEffect(() => {
    let goUntil = 0
    const press = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return togglePalette()
      }
      const target = event.target as HTMLElement
      if (isTyping(target) || event.metaKey || event.ctrlKey || event.altKey || target.closest('[role=dialog],[role=menu]')) return
      if (event.key === 'g') goUntil = Date.now() + GO_MS
      else if (Date.now() < goUntil) {
        goUntil = 0
        const section = SECTIONS.find(({ letter }) => letter === event.key)
        if (section) void navigate({ to: section.to })
      }
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [navigate, togglePalette])
}
