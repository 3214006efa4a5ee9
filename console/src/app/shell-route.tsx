import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isSignedOut } from '@/api/errors.ts'
import { queries } from '@/data/queries.ts'
import { sessionQuery } from '@/data/session.ts'
import { pickSearch } from '@/ui/pick-search.ts'
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

/** A screen inside of the shell. `parameters` are those of its address. */
export const screenRoute = <const Path extends string, Key extends string, Name extends string>(
  path: Path,
  parameters: readonly Key[],
  name: Name,
  load: () => Promise<Record<Name, () => ReactNode>>,
) => createRoute({ getParentRoute: () => shellRoute, path, validateSearch: pickSearch(...parameters), component: lazyScreen(load, name) })

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: pickSearch('code', 'back'),
  component: lazyScreen(() => import('./sign-in.tsx'), 'SignIn'),
})
