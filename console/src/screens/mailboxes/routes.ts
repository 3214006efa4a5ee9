import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '@/app/lazy-screen.ts'
import { shellRoute } from '@/app/shell-route.tsx'
import { pickSearch } from '@/ui/pick-search.ts'

export const mailboxRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/mailboxes',
    component: lazyScreen(() => import('./mailboxes-screen.tsx'), 'MailboxesScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/mailboxes/new',
    // The campaign that it is connected for.
    validateSearch: pickSearch('campaign'),
    component: lazyScreen(() => import('./connect-screen.tsx'), 'ConnectScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/mailboxes/$providerId',
    component: lazyScreen(() => import('./mailbox-screen.tsx'), 'MailboxScreen'),
  }),
] as const
