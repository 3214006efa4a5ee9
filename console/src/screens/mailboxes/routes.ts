import { screenRoute } from '@/app/shell-route.tsx'

export const mailboxRoutes = [
  screenRoute('/mailboxes', [], 'MailboxesScreen', () => import('./mailboxes-screen.tsx')),
  // The campaign that it is connected for.
  screenRoute('/mailboxes/new', ['campaign'], 'ConnectScreen', () => import('./connect-screen.tsx')),
  screenRoute('/mailboxes/$providerId', [], 'MailboxScreen', () => import('./mailbox-screen.tsx')),
] as const
