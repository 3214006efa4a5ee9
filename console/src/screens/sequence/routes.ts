import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { campaignLayoutRoute } from '@/screens/campaign/layout-route.ts'
import { pickSearch } from '@/ui/pick-search.ts'

export const sequenceRoutes = [
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/sequence',
    validateSearch: pickSearch('step', 'variant', 'lead'),
    component: lazyRouteComponent(() => import('./sequence-screen.tsx'), 'SequenceScreen'),
  }),
] as const
