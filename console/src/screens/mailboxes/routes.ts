import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '@/app/shell-route.tsx'

export const mailboxRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/mailboxes',
    component: lazyRouteComponent(() => import('./mailboxes-screen.tsx'), 'MailboxesScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/mailboxes/new',
    component: lazyRouteComponent(() => import('./connect-screen.tsx'), 'ConnectScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/mailboxes/$providerId',
    component: lazyRouteComponent(() => import('./mailbox-screen.tsx'), 'MailboxScreen'),
  }),
] as const
