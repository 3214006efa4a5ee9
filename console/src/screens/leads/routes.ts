import { screenRoute } from '@/app/shell-route.tsx'
import { tabRoute } from '@/screens/campaign/layout-route.ts'

export const leadsRoutes = [
  tabRoute('/leads', ['q', 'status', 'timezone', 'new', 'edit'], 'LeadsScreen', () => import('./leads-screen.tsx')),
  tabRoute('/leads/import', [], 'ImportScreen', () => import('./import-screen.tsx')),
] as const

/** A lead has a page of its own, without the tabs of its campaign. */
export const leadRoutes = [
  screenRoute('/campaigns/$campaignId/leads/$leadId', ['edit'], 'LeadScreen', () => import('./lead-screen.tsx')),
] as const
