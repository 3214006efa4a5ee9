import { tabRoute } from '@/screens/campaign/layout-route.ts'

export const sequenceRoutes = [
  tabRoute('/sequence', ['step', 'variant', 'lead'], 'SequenceScreen', () => import('./sequence-screen.tsx')),
] as const
