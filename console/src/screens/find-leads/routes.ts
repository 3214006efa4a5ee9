import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '@/app/shell-route.tsx'

export const findLeadsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/find-leads',
    component: lazyRouteComponent(() => import('./find-leads-screen.tsx'), 'FindLeadsScreen'),
  }),
] as const
