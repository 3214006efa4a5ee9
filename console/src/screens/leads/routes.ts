import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '@/app/lazy-screen.ts'
import { shellRoute } from '@/app/shell-route.tsx'
import { campaignLayoutRoute } from '@/screens/campaign/layout-route.ts'
import { pickSearch } from '@/ui/pick-search.ts'

export const leadsRoutes = [
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/leads',
    validateSearch: pickSearch('q', 'status', 'timezone', 'new', 'edit'),
    component: lazyScreen(() => import('./leads-screen.tsx'), 'LeadsScreen'),
  }),
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/leads/import',
    component: lazyScreen(() => import('./import-screen.tsx'), 'ImportScreen'),
  }),
] as const

/** A lead has a page of its own, without the tabs of its campaign. */
export const leadRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/campaigns/$campaignId/leads/$leadId',
    validateSearch: pickSearch('edit'),
    component: lazyScreen(() => import('./lead-screen.tsx'), 'LeadScreen'),
  }),
] as const
