import { CampaignIcon, CodeIcon, FindLeadsIcon, HomeIcon, type Icon, InboxIcon, MailboxIcon, PeopleIcon, PlanIcon } from '@/ui/icons.tsx'

export interface Section {
  to: '/' | '/campaigns' | '/find-leads' | '/inbox' | '/mailboxes' | '/plans' | '/people' | '/developers'
  label: string
  icon: Icon
  /** Pressed after g: `g c` goes to the campaigns. */
  letter: string
  /** Other words that one might look for. */
  words: string
}

export const SECTIONS: readonly Section[] = [
  { to: '/', label: 'Home', icon: HomeIcon, letter: 'h', words: 'overview dashboard results' },
  { to: '/campaigns', label: 'Campaigns', icon: CampaignIcon, letter: 'c', words: 'sequences outreach sending' },
  { to: '/find-leads', label: 'Find leads', icon: FindLeadsIcon, letter: 'f', words: 'search brief directory credits exports' },
  { to: '/inbox', label: 'Inbox', icon: InboxIcon, letter: 'i', words: 'replies answers conversations' },
  { to: '/mailboxes', label: 'Mailboxes', icon: MailboxIcon, letter: 'm', words: 'providers smtp imap accounts senders' },
  { to: '/plans', label: 'Plans', icon: PlanIcon, letter: 'a', words: 'agents approve reject approvals mcp proposals' },
  { to: '/people', label: 'People & data', icon: PeopleIcon, letter: 'p', words: 'suppressions erasure privacy import unsubscribed' },
  { to: '/developers', label: 'Developers', icon: CodeIcon, letter: 'd', words: 'api keys tokens webhooks events operations logs' },
]
