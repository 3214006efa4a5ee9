import { createRouter } from '@tanstack/react-router'
import { campaignLayoutRoute } from '@/screens/campaign/layout-route.ts'
import { campaignTabRoutes } from '@/screens/campaign/routes.ts'
import { campaignRoutes } from '@/screens/campaigns/routes.ts'
import { developerRoutes } from '@/screens/developers/routes.ts'
import { findLeadsRoutes } from '@/screens/find-leads/routes.ts'
import { homeRoutes } from '@/screens/home/routes.ts'
import { inboxRoutes } from '@/screens/inbox/routes.ts'
import { leadRoutes, leadsRoutes } from '@/screens/leads/routes.ts'
import { mailboxRoutes } from '@/screens/mailboxes/routes.ts'
import { joinRoute, peopleRoutes } from '@/screens/people/routes.ts'
import { planRoutes } from '@/screens/plans/routes.ts'
import { sequenceRoutes } from '@/screens/sequence/routes.ts'
import { ErrorScreen } from './error-screen.tsx'
import { NotFound } from './not-found.tsx'
import { rootRoute, shellRoute, signInRoute } from './shell-route.tsx'

const routeTree = rootRoute.addChildren([
  signInRoute,
  joinRoute,
  shellRoute.addChildren([
    ...homeRoutes,
    ...campaignRoutes,
    campaignLayoutRoute.addChildren([...campaignTabRoutes, ...leadsRoutes, ...sequenceRoutes]),
    ...leadRoutes,
    ...findLeadsRoutes,
    ...inboxRoutes,
    ...mailboxRoutes,
    ...planRoutes,
    ...peopleRoutes,
    ...developerRoutes,
  ]),
])

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorScreen,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
