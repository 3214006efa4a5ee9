import { screenRoute } from '@/app/shell-route.tsx'

export const campaignRoutes = [
  screenRoute('/campaigns', ['q', 'status', 'new'], 'CampaignsScreen', () => import('./campaigns-screen.tsx')),
] as const
