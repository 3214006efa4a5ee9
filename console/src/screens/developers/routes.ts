import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '@/app/shell-route.tsx'

export const developerRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/developers',
    component: lazyRouteComponent(() => import('./developers-screen.tsx'), 'DevelopersScreen'),
  }),
] as const
