import type { Route } from '../http/route.ts'
import { campaignRoutes } from '../modules/campaigns/routes.ts'
import { creditRoutes } from '../modules/credits/routes.ts'
import { erasureRoutes } from '../modules/erasures/routes.ts'
import { eventRoutes } from '../modules/events/routes.ts'
import { explainingRoutes } from '../modules/explaining/routes.ts'
import { exportRoutes } from '../modules/exports/routes.ts'
import { healthRoutes } from '../modules/health/routes.ts'
import { leadSearchRoutes } from '../modules/lead-searches/routes.ts'
import { freeFromMailbox } from '../modules/leads/queue-queries.ts'
import { csvRoutes, leadRoutes } from '../modules/leads/routes.ts'
import { lifecycleRoutes } from '../modules/lifecycle/routes.ts'
import { consentRoutes } from '../modules/mailboxes/consent-routes.ts'
import { providerRoutes } from '../modules/mailboxes/routes.ts'
import { metricRoutes } from '../modules/metrics/routes.ts'
import { auditRoutes, operationRoutes } from '../modules/operations/routes.ts'
import { directoryRoutes } from '../modules/people/routes.ts'
import { planRoutes } from '../modules/plans/routes.ts'
import { replyRoutes, threadRoutes } from '../modules/replies/routes.ts'
import { clockRoutes, sandboxRoutes, testMessageRoutes } from '../modules/sandbox/routes.ts'
import { sequenceRoutes } from '../modules/sequences/routes.ts'
import { suppressionRoutes } from '../modules/suppressions/routes.ts'
import { invitationRoutes } from '../modules/team/invitation-routes.ts'
import { teamRoutes } from '../modules/team/routes.ts'
import { tokenRoutes } from '../modules/tokens/routes.ts'
import { sessionRoutes } from '../modules/tokens/session-routes.ts'
import { trackingHostRoutes, trackingRoutes } from '../modules/tracking/routes.ts'
import { webhookRoutes } from '../modules/webhooks/routes.ts'
import { workspaceRoutes } from '../modules/workspaces/routes.ts'
import { Actions } from '../operations/registry.ts'

/** What people and programs ask for directly. The routes of operations name the actions of all others. */
const direct = (actions: readonly string[]): readonly Route[] => [
  ...campaignRoutes,
  ...metricRoutes,
  ...sequenceRoutes,
  ...lifecycleRoutes,
  ...explainingRoutes,
  ...leadRoutes,
  ...csvRoutes,
  ...leadSearchRoutes,
  ...exportRoutes,
  ...directoryRoutes,
  ...operationRoutes(actions),
  ...eventRoutes,
  ...webhookRoutes,
  ...providerRoutes(freeFromMailbox),
  ...consentRoutes,
  ...healthRoutes,
  ...replyRoutes,
  ...threadRoutes,
  ...suppressionRoutes,
  ...erasureRoutes,
  ...creditRoutes,
  ...workspaceRoutes,
  ...tokenRoutes,
  ...sessionRoutes,
  ...teamRoutes,
  ...invitationRoutes,
  ...auditRoutes,
  ...trackingRoutes,
  ...trackingHostRoutes,
  ...sandboxRoutes,
  ...clockRoutes,
  ...testMessageRoutes,
]

/** The list, as far as it can be made without the names of its actions. */
const declared = direct([])

function findDirect(id: string): Route {
  const found = declared.find(route => route.id === id)
  if (!found) throw new Error(`There is no request ${id} that can be proposed as a plan.`)
  return found
}

const planned = planRoutes(findDirect)

/** The actions of all routes. */
export const actions = new Actions([...declared, ...planned])

/** Every endpoint under /v1. The server, the OpenAPI document and the generated tests all walk over this list. */
export const routes: readonly Route[] = [...direct(actions.names), ...planned]
