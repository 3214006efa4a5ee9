import { tabRoute } from './layout-route.ts'

export const campaignTabRoutes = [
  tabRoute('/', ['interval', 'by', 'metric', 'days'], 'OverviewTab', () => import('./overview/overview-tab.tsx')),
  tabRoute('/sending', [], 'SendingTab', () => import('./sending/sending-tab.tsx')),
  tabRoute('/schedule', [], 'ScheduleTab', () => import('./schedule/schedule-tab.tsx')),
  tabRoute('/simulation', [], 'SimulationTab', () => import('./simulation/simulation-tab.tsx')),
  tabRoute('/settings', [], 'SettingsTab', () => import('./settings/settings-tab.tsx')),
  tabRoute('/activity', ['type', 'lead', 'variant'], 'ActivityTab', () => import('./activity/activity-tab.tsx')),
] as const
