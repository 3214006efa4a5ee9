import { screenRoute } from '@/app/shell-route.tsx'

export const planRoutes = [screenRoute('/plans', [], 'PlansScreen', () => import('./plans-screen.tsx'))] as const
