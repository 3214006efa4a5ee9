import { createRoute, redirect } from '@tanstack/react-router'
import { screenRoute, shellRoute } from '@/app/shell-route.tsx'

export const developerRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/developers',
    beforeLoad: (): void => {
      throw redirect({ to: '/developers/operations', replace: true })
    },
  }),
  screenRoute(
    '/developers/operations',
    ['status', 'action', 'campaignId', 'id'],
    'OperationsScreen',
    () => import('./operations-screen.tsx'),
  ),
  screenRoute(
    '/developers/events',
    ['type', 'campaignId', 'leadId', 'providerId', 'id'],
    'EventsScreen',
    () => import('./events-screen.tsx'),
  ),
  screenRoute('/developers/webhooks', ['new'], 'WebhooksScreen', () => import('./webhooks-screen.tsx')),
  screenRoute('/developers/webhooks/$webhookId', ['status', 'id'], 'WebhookScreen', () => import('./webhook-screen.tsx')),
  screenRoute('/developers/keys', [], 'KeysScreen', () => import('./keys-screen.tsx')),
  screenRoute('/developers/sessions', [], 'SessionsScreen', () => import('./sessions-screen.tsx')),
  screenRoute('/developers/credits', [], 'CreditsScreen', () => import('./credits-screen.tsx')),
  screenRoute('/developers/audit', ['action', 'actorId'], 'AuditScreen', () => import('./audit-screen.tsx')),
] as const
