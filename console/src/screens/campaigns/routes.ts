import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '@/app/shell-route.tsx'
import { pickSearch } from '@/ui/pick-search.ts'

export const campaignRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/campaigns',
    validateSearch: pickSearch('q', 'status', 'new'),
    component: lazyRouteComponent(() => import('./campaigns-screen.tsx'), 'CampaignsScreen'),
  }),
] as const
