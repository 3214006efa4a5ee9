import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '@/app/shell-route.tsx'

export const peopleRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/people',
    component: lazyRouteComponent(() => import('./people-screen.tsx'), 'PeopleScreen'),
  }),
] as const
