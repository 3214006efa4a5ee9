import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { campaignLayoutRoute } from '@/screens/campaign/layout-route.ts'

export const leadsRoutes = [
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/leads',
    component: lazyRouteComponent(() => import('./leads-screen.tsx'), 'LeadsScreen'),
  }),
] as const
