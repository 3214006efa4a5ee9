import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '@/app/lazy-screen.ts'
import { pickSearch } from '@/ui/pick-search.ts'
import { campaignLayoutRoute } from './layout-route.ts'

export const campaignTabRoutes = [
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/',
    validateSearch: pickSearch('interval', 'by', 'metric', 'days'),
    component: lazyScreen(() => import('./overview/overview-tab.tsx'), 'OverviewTab'),
  }),
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/sending',
    component: lazyScreen(() => import('./sending/sending-tab.tsx'), 'SendingTab'),
  }),
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/schedule',
    component: lazyScreen(() => import('./schedule/schedule-tab.tsx'), 'ScheduleTab'),
  }),
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/simulation',
    component: lazyScreen(() => import('./simulation/simulation-tab.tsx'), 'SimulationTab'),
  }),
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/settings',
    component: lazyScreen(() => import('./settings/settings-tab.tsx'), 'SettingsTab'),
  }),
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path: '/activity',
    validateSearch: pickSearch('type', 'lead', 'variant'),
    component: lazyScreen(() => import('./activity/activity-tab.tsx'), 'ActivityTab'),
  }),
] as const
