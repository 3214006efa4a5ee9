import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { campaignLayoutRoute } from '@/screens/campaign/layout-route.ts'

export const sequenceRoutes = [
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/sequence',
    component: lazyRouteComponent(() => import('./sequence-screen.tsx'), 'SequenceScreen'),
  }),
] as const
