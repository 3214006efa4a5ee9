import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '@/app/lazy-screen.ts'
import { shellRoute } from '@/app/shell-route.tsx'

export const planRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/plans',
    component: lazyScreen(() => import('./plans-screen.tsx'), 'PlansScreen'),
  }),
] as const
