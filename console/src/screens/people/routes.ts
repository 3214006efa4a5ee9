import { createRoute, redirect } from '@tanstack/react-router'
import { lazyScreen } from '@/app/lazy-screen.ts'
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
    component: lazyScreen(() => import('./suppressions-screen.tsx'), 'SuppressionsScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/people/erasure',
    component: lazyScreen(() => import('./erasure-screen.tsx'), 'ErasureScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/people/team',
    component: lazyScreen(() => import('./team-screen.tsx'), 'TeamScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/people/settings',
    component: lazyScreen(() => import('./settings-screen.tsx'), 'SettingsScreen'),
  }),
] as const

/** Who is invited may have no session: so it stands outside of the shell. */
export const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/join',
  validateSearch: pickSearch('code'),
  component: lazyScreen(() => import('./join-screen.tsx'), 'JoinScreen'),
})
