import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '@/app/shell-route.tsx'

/** One campaign. Every tab is a route below it, in whichever folder its screen is. */
export const campaignLayoutRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/campaigns/$campaignId',
  component: lazyRouteComponent(() => import('./layout.tsx'), 'CampaignLayout'),
})
