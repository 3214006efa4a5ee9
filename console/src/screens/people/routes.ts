import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { rootRoute, shellRoute } from '@/app/shell-route.tsx'
import { pickSearch } from '@/ui/pick-search.ts'

export const peopleRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/people',
    beforeLoad: (): void => {
      throw redirect({ to: '/people/suppressions', replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/people/suppressions',
    validateSearch: pickSearch('q', 'kind', 'add'),
    component: lazyRouteComponent(() => import('./suppressions-screen.tsx'), 'SuppressionsScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/people/erasure',
    component: lazyRouteComponent(() => import('./erasure-screen.tsx'), 'ErasureScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/people/team',
    component: lazyRouteComponent(() => import('./team-screen.tsx'), 'TeamScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/people/settings',
    component: lazyRouteComponent(() => import('./settings-screen.tsx'), 'SettingsScreen'),
  }),
] as const

/** Who is invited may have no session: so it stands outside of the shell. */
export const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/join',
  validateSearch: pickSearch('code'),
  component: lazyRouteComponent(() => import('./join-screen.tsx'), 'JoinScreen'),
})
