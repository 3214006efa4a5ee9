import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '@/app/lazy-screen.ts'
import { shellRoute } from '@/app/shell-route.tsx'
import { pickSearch } from '@/ui/pick-search.ts'

export const inboxRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/inbox',
    validateSearch: pickSearch('q', 'view', 'campaign', 'kind', 'reply'),
    component: lazyScreen(() => import('./inbox-screen.tsx'), 'InboxScreen'),
  }),
] as const
