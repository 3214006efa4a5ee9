import { createRoute, redirect } from '@tanstack/react-router'
import { lazyScreen } from '@/app/lazy-screen.ts'
import { rootRoute, screenRoute, shellRoute } from '@/app/shell-route.tsx'
import { pickSearch } from '@/ui/pick-search.ts'

export const peopleRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/people',
    beforeLoad: (): void => {
      throw redirect({ to: '/people/suppressions', replace: true })
    },
  }),
  screenRoute('/people/suppressions', ['q', 'kind', 'add'], 'SuppressionsScreen', () => import('./suppressions-screen.tsx')),
  screenRoute('/people/erasure', [], 'ErasureScreen', () => import('./erasure-screen.tsx')),
  screenRoute('/people/team', [], 'TeamScreen', () => import('./team-screen.tsx')),
  screenRoute('/people/settings', [], 'SettingsScreen', () => import('./settings-screen.tsx')),
] as const

/** Who is invited may have no session: so it stands outside of the shell. */
export const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/join',
  validateSearch: pickSearch('code'),
  component: lazyScreen(() => import('./join-screen.tsx'), 'JoinScreen'),
})
