import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '@/app/lazy-screen.ts'
import { shellRoute } from '@/app/shell-route.tsx'

/** One campaign. Every tab is a route below it, in whichever folder its screen is. */
export const campaignLayoutRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/campaigns/$campaignId',
  component: lazyScreen(() => import('./layout.tsx'), 'CampaignLayout'),
})
