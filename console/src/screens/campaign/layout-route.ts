import { createRoute } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { lazyScreen } from '@/app/lazy-screen.ts'
import { shellRoute } from '@/app/shell-route.tsx'
import { pickSearch } from '@/ui/pick-search.ts'

/** One campaign. Every tab is a route below it, in whichever folder its screen is. */
export const campaignLayoutRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/campaigns/$campaignId',
  component: lazyScreen(() => import('./layout.tsx'), 'CampaignLayout'),
})

/** A tab of a campaign. `parameters` are those of its address. */
export const tabRoute = <const Path extends string, Key extends string, Name extends string>(
  path: Path,
  parameters: readonly Key[],
  name: Name,
  load: () => Promise<Record<Name, () => ReactNode>>,
) =>
  createRoute({
    getParentRoute: () => campaignLayoutRoute,
    path,
    validateSearch: pickSearch(...parameters),
    component: lazyScreen(load, name),
  })
