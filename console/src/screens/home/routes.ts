import { screenRoute } from '@/app/shell-route.tsx'

export const homeRoutes = [screenRoute('/', [], 'HomeScreen', () => import('./home-screen.tsx'))] as const
