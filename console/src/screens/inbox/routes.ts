import { screenRoute } from '@/app/shell-route.tsx'

export const inboxRoutes = [
  screenRoute('/inbox', ['q', 'view', 'campaign', 'kind', 'reply'], 'InboxScreen', () => import('./inbox-screen.tsx')),
] as const
