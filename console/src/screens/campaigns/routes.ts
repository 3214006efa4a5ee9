import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '@/app/lazy-screen.ts'
import { shellRoute } from '@/app/shell-route.tsx'
import { pickSearch } from '@/ui/pick-search.ts'

export const campaignRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/campaigns',
    validateSearch: pickSearch('q', 'status', 'new'),
    component: lazyScreen(() => import('./campaigns-screen.tsx'), 'CampaignsScreen'),
  }),
] as const
