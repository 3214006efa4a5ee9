import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '@/app/lazy-screen.ts'
import { shellRoute } from '@/app/shell-route.tsx'

export const homeRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/',
    component: lazyScreen(() => import('./home-screen.tsx'), 'HomeScreen'),
  }),
] as const
