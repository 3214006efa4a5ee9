import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '@/app/shell-route.tsx'
import { campaignLayoutRoute } from '@/screens/campaign/layout-route.ts'
import { pickSearch } from '@/ui/pick-search.ts'

export const leadsRoutes = [
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/leads',
    validateSearch: pickSearch('q', 'status', 'new', 'edit'),
    component: lazyRouteComponent(() => import('./leads-screen.tsx'), 'LeadsScreen'),
  }),
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/leads/import',
    component: lazyRouteComponent(() => import('./import-screen.tsx'), 'ImportScreen'),
  }),
] as const

/** A lead has a page of its own, without the tabs of its campaign. */
export const leadRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/campaigns/$campaignId/leads/$leadId',
    validateSearch: pickSearch('edit'),
    component: lazyRouteComponent(() => import('./lead-screen.tsx'), 'LeadScreen'),
  }),
] as const
