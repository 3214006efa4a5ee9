import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '@/app/shell-route.tsx'

export const inboxRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/inbox',
    component: lazyRouteComponent(() => import('./inbox-screen.tsx'), 'InboxScreen'),
  }),
] as const
