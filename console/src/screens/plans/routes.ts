import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '@/app/shell-route.tsx'

export const planRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/plans',
    component: lazyRouteComponent(() => import('./plans-screen.tsx'), 'PlansScreen'),
  }),
] as const
