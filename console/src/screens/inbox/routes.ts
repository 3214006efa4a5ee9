import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '@/app/shell-route.tsx'
import { pickSearch } from '@/ui/pick-search.ts'

export const inboxRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/inbox',
    validateSearch: pickSearch('q', 'view', 'campaign', 'kind', 'reply'),
    component: lazyRouteComponent(() => import('./inbox-screen.tsx'), 'InboxScreen'),
  }),
] as const
