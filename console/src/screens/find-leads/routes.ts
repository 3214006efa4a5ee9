import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '@/app/lazy-screen.ts'
import { shellRoute } from '@/app/shell-route.tsx'
import { isRecord } from '@/ui/is-record.ts'
import type { Filters } from './filter-document.ts'

interface FindLeadsSearch {
  brief?: string | undefined
  /** The filter document, as far as it is not what the brief says. */
  filters?: Filters | undefined
}

export const findLeadsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/find-leads',
    validateSearch: (search: Record<string, unknown>): FindLeadsSearch => ({
      ...(search.brief === undefined || search.brief === '' ? {} : { brief: String(search.brief) }),
      ...(isRecord(search.filters) ? { filters: search.filters } : {}),
    }),
    component: lazyScreen(() => import('./find-leads-screen.tsx'), 'FindLeadsScreen'),
  }),
] as const
