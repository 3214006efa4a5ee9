import { type AnyRoute, createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isSignedOut } from '@/api/errors.ts'
import { queries } from '@/data/queries.ts'
import { sessionQuery } from '@/data/session.ts'
import type { Filters } from '@/screens/find-leads/filter-document.ts'
import { isRecord } from '@/ui/json.ts'
import { lazyScreen } from '@/ui/lazy.ts'
import { ErrorScreen, NotFound } from './error-screen.tsx'

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: ErrorScreen })

/** The parent of all routes that need a signed-in user. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: lazyScreen(() => import('./shell.tsx'), 'Shell'),
  notFoundComponent: NotFound,
  errorComponent: ErrorScreen,
  beforeLoad: async ({ location }) => {
    const identity = await queries.ensureQueryData(sessionQuery).catch(error => {
      if (isSignedOut(error)) return null
      throw error
    })
    if (!identity) throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { back: location.href } })
  },
})

/** For `validateSearch` of a route: only these parameters, as texts. */
const pickSearch =
  <Key extends string>(...keys: Key[]) =>
  (search: Record<string, unknown>): { [Name in Key]?: string | undefined } =>
    Object.fromEntries(
      keys.flatMap(key => (search[key] === undefined || search[key] === '' ? [] : [[key, String(search[key])]])),
    ) as Partial<Record<Key, string>>

/** Creates routes below this one: a path, its search parameters, and the screen that is loaded for it. */
const below =
  <Parent extends AnyRoute>(parent: Parent) =>
  <const Path extends string, Key extends string, Name extends string>(
    path: Path,
    parameters: readonly Key[],
    name: Name,
    load: () => Promise<Record<Name, () => ReactNode>>,
  ) =>
    createRoute({ getParentRoute: () => parent, path, validateSearch: pickSearch(...parameters), component: lazyScreen(load, name) })

const door = below(rootRoute)
const screen = below(shellRoute)

/** One campaign. Every tab is a route below it, even if its screen is in another folder. */
const campaign = screen('/campaigns/$campaignId', [], 'CampaignLayout', () => import('@/screens/campaign/layout.tsx'))
const tab = below(campaign)

/** The path of a section redirects to its first screen. */
const section = <const Path extends string>(path: Path, to: '/people/suppressions' | '/developers/operations') =>
  createRoute({
    getParentRoute: () => shellRoute,
    path,
    beforeLoad: (): void => {
      throw redirect({ to, replace: true })
    },
  })

/** `filters` is the filter document if the user has changed what the brief says. */
type FindLeadsSearch = { brief?: string | undefined; filters?: Filters | undefined }

const findLeads = createRoute({
  getParentRoute: () => shellRoute,
  path: '/find-leads',
  validateSearch: (search: Record<string, unknown>): FindLeadsSearch => ({
    ...(search.brief === undefined || search.brief === '' ? {} : { brief: String(search.brief) }),
    ...(isRecord(search.filters) ? { filters: search.filters } : {}),
  }),
  component: lazyScreen(() => import('@/screens/find-leads/find-leads-screen.tsx'), 'FindLeadsScreen'),
})

/** Every path of the console. */
const routeTree = rootRoute.addChildren([
  door('/sign-in', ['code', 'back'], 'SignIn', () => import('./sign-in.tsx')),
  // Invited people may have no session, so this route is outside the shell.
  door('/join', ['code'], 'JoinScreen', () => import('@/screens/people/join-screen.tsx')),
  shellRoute.addChildren([
    screen('/', [], 'HomeScreen', () => import('@/screens/home/home-screen.tsx')),
    screen('/campaigns', ['q', 'status', 'new'], 'CampaignsScreen', () => import('@/screens/campaigns/campaigns-screen.tsx')),
    campaign.addChildren([
      tab('/', ['interval', 'by', 'metric', 'days'], 'OverviewTab', () => import('@/screens/campaign/overview/overview-tab.tsx')),
      tab('/sending', [], 'SendingTab', () => import('@/screens/campaign/sending/sending-tab.tsx')),
      tab('/schedule', [], 'ScheduleTab', () => import('@/screens/campaign/schedule/schedule-tab.tsx')),
      tab('/simulation', [], 'SimulationTab', () => import('@/screens/campaign/simulation/simulation-tab.tsx')),
      tab('/settings', [], 'SettingsTab', () => import('@/screens/campaign/settings/settings-tab.tsx')),
      tab('/activity', ['type', 'lead', 'variant'], 'ActivityTab', () => import('@/screens/campaign/activity/activity-tab.tsx')),
      tab('/leads', ['q', 'status', 'timezone', 'new', 'edit'], 'LeadsScreen', () => import('@/screens/leads/leads-screen.tsx')),
      tab('/leads/import', [], 'ImportScreen', () => import('@/screens/leads/import-screen.tsx')),
      tab('/sequence', ['step', 'variant', 'lead'], 'SequenceScreen', () => import('@/screens/sequence/sequence-screen.tsx')),
    ]),
    // A lead has a page of its own, without the tabs of its campaign.
    screen('/campaigns/$campaignId/leads/$leadId', ['edit'], 'LeadScreen', () => import('@/screens/leads/lead-screen.tsx')),
    findLeads,
    screen('/inbox', ['q', 'view', 'campaign', 'kind', 'reply'], 'InboxScreen', () => import('@/screens/inbox/inbox-screen.tsx')),
    screen('/mailboxes', [], 'MailboxesScreen', () => import('@/screens/mailboxes/mailboxes-screen.tsx')),
    // `campaign` is the campaign that gets the new mailbox.
    screen('/mailboxes/new', ['campaign'], 'ConnectScreen', () => import('@/screens/mailboxes/connect-screen.tsx')),
    screen('/mailboxes/$providerId', [], 'MailboxScreen', () => import('@/screens/mailboxes/mailbox-screen.tsx')),
    screen('/plans', [], 'PlansScreen', () => import('@/screens/plans/plans-screen.tsx')),
    section('/people', '/people/suppressions'),
    screen('/people/suppressions', ['q', 'kind', 'add'], 'SuppressionsScreen', () => import('@/screens/people/suppressions-screen.tsx')),
    screen('/people/erasure', [], 'ErasureScreen', () => import('@/screens/people/erasure-screen.tsx')),
    screen('/people/team', [], 'TeamScreen', () => import('@/screens/people/team-screen.tsx')),
    screen('/people/settings', [], 'SettingsScreen', () => import('@/screens/people/settings-screen.tsx')),
    section('/developers', '/developers/operations'),
    screen(
      '/developers/operations',
      ['status', 'action', 'campaignId', 'id'],
      'OperationsScreen',
      () => import('@/screens/developers/operations-screen.tsx'),
    ),
    screen(
      '/developers/events',
      ['type', 'campaignId', 'leadId', 'providerId', 'id'],
      'EventsScreen',
      () => import('@/screens/developers/events-screen.tsx'),
    ),
    screen('/developers/webhooks', ['new'], 'WebhooksScreen', () => import('@/screens/developers/webhooks-screen.tsx')),
    screen('/developers/webhooks/$webhookId', ['status', 'id'], 'WebhookScreen', () => import('@/screens/developers/webhook-screen.tsx')),
    screen('/developers/keys', [], 'KeysScreen', () => import('@/screens/developers/keys-screen.tsx')),
    screen('/developers/sessions', [], 'SessionsScreen', () => import('@/screens/developers/sessions-screen.tsx')),
    screen('/developers/credits', [], 'CreditsScreen', () => import('@/screens/developers/credits-screen.tsx')),
    screen('/developers/audit', ['action', 'actorId'], 'AuditScreen', () => import('@/screens/developers/audit-screen.tsx')),
  ]),
])

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorScreen,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
