import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '@/app/shell-route.tsx'

export const mailboxRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/mailboxes',
    component: lazyRouteComponent(() => import('./mailboxes-screen.tsx'), 'MailboxesScreen'),
  }),
] as const
