import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pickSearch } from '@/ui/pick-search.ts'
import { campaignLayoutRoute } from './layout-route.ts'

export const campaignTabRoutes = [
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/',
    validateSearch: pickSearch('interval', 'by', 'metric', 'days'),
    component: lazyRouteComponent(() => import('./overview/overview-tab.tsx'), 'OverviewTab'),
  }),
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/sending',
    component: lazyRouteComponent(() => import('./sending/sending-tab.tsx'), 'SendingTab'),
  }),
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/schedule',
    component: lazyRouteComponent(() => import('./schedule/schedule-tab.tsx'), 'ScheduleTab'),
  }),
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/simulation',
    component: lazyRouteComponent(() => import('./simulation/simulation-tab.tsx'), 'SimulationTab'),
  }),
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('./settings/settings-tab.tsx'), 'SettingsTab'),
  }),
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/activity',
    validateSearch: pickSearch('type', 'lead', 'variant'),
    component: lazyRouteComponent(() => import('./activity/activity-tab.tsx'), 'ActivityTab'),
  }),
] as const
