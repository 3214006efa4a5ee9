import { createRoute, redirect } from '@tanstack/react-router'
import { lazyScreen } from '@/app/lazy-screen.ts'
import { shellRoute } from '@/app/shell-route.tsx'
import { pickSearch } from '@/ui/pick-search.ts'

export const developerRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/developers',
    beforeLoad: (): void => {
      throw redirect({ to: '/developers/operations', replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/developers/operations',
    validateSearch: pickSearch('status', 'action', 'campaignId', 'id'),
    component: lazyScreen(() => import('./operations-screen.tsx'), 'OperationsScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/developers/events',
    validateSearch: pickSearch('type', 'campaignId', 'leadId', 'providerId', 'id'),
    component: lazyScreen(() => import('./events-screen.tsx'), 'EventsScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/developers/webhooks',
    validateSearch: pickSearch('new'),
    component: lazyScreen(() => import('./webhooks-screen.tsx'), 'WebhooksScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/developers/webhooks/$webhookId',
    validateSearch: pickSearch('status', 'id'),
    component: lazyScreen(() => import('./webhook-screen.tsx'), 'WebhookScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/developers/keys',
    component: lazyScreen(() => import('./keys-screen.tsx'), 'KeysScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/developers/sessions',
    component: lazyScreen(() => import('./sessions-screen.tsx'), 'SessionsScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/developers/credits',
    component: lazyScreen(() => import('./credits-screen.tsx'), 'CreditsScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/developers/audit',
    validateSearch: pickSearch('action', 'actorId'),
    component: lazyScreen(() => import('./audit-screen.tsx'), 'AuditScreen'),
  }),
] as const
