import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { isSignedOut } from '@/api/errors.ts'
import { queries } from '@/data/queries.ts'
import { sessionQuery } from '@/data/session.ts'
import { ErrorScreen } from './error-screen.tsx'
import { lazyScreen } from './lazy-screen.ts'
import { NotFound } from './not-found.tsx'

export const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: ErrorScreen })

/** Everything that needs somebody to be signed in stands inside of this one. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: lazyScreen(() => import('./shell.tsx'), 'Shell'),
  notFoundComponent: NotFound,
  errorComponent: ErrorScreen,
  beforeLoad: async ({ location }) => {
    const identity = await queries.ensureQueryData(sessionQuery).catch(error => {
      if (isSignedOut(error)) return null
      throw error
    })
    if (!identity) throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { back: location.href } })
  },
})
