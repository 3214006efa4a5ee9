import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '@/app/lazy-screen.ts'
import { campaignLayoutRoute } from '@/screens/campaign/layout-route.ts'
import { pickSearch } from '@/ui/pick-search.ts'

export const sequenceRoutes = [
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/sequence',
    validateSearch: pickSearch('step', 'variant', 'lead'),
    component: lazyScreen(() => import('./sequence-screen.tsx'), 'SequenceScreen'),
  }),
] as const
