import type { Route } from '../http/route.ts'
import type { TSchema } from '../lib/type.ts'
import { statusOfCampaign } from '../modules/campaigns/queries.ts'
import { campaignRoutes } from '../modules/campaigns/routes.ts'
import { campaignTasks } from '../modules/campaigns/tasks.ts'
import { creditRoutes } from '../modules/credits/routes.ts'
import { erasureRoutes } from '../modules/erasures/routes.ts'
import { erasureTasks } from '../modules/erasures/tasks.ts'
import { eventRoutes } from '../modules/events/routes.ts'
import { explainingRoutes } from '../modules/explaining/routes.ts'
import { exportRoutes } from '../modules/exports/routes.ts'
import { healthRoutes } from '../modules/health/routes.ts'
import { healthTasks } from '../modules/health/tasks.ts'
import { leadSearchRoutes } from '../modules/lead-searches/routes.ts'
import { leadSearchTasks } from '../modules/lead-searches/tasks.ts'
import { liftCost, mailboxChangeCost, sequenceCost } from '../modules/leads/cost.ts'
import { freeFromMailbox } from '../modules/leads/queue-queries.ts'
import { csvRoutes, leadRoutes } from '../modules/leads/routes.ts'
import { leadTasks } from '../modules/leads/tasks.ts'
import { lifecycleRoutes } from '../modules/lifecycle/routes.ts'
import { lifecycleTasks } from '../modules/lifecycle/tasks.ts'
import { consentRoutes } from '../modules/mailboxes/consent-routes.ts'
import { providerRoutes } from '../modules/mailboxes/routes.ts'
import { mailboxTasks } from '../modules/mailboxes/tasks.ts'
import { metricRoutes } from '../modules/metrics/routes.ts'
import { auditRoutes, operationRoutes } from '../modules/operations/routes.ts'
import { directoryRoutes } from '../modules/people/routes.ts'
import { directoryTasks } from '../modules/people/tasks.ts'
import { checkApproved } from '../modules/plans/plans.ts'
import { planRoutes, scopesWith } from '../modules/plans/routes.ts'
import { replyRoutes, threadRoutes } from '../modules/replies/routes.ts'
import { replyTasks } from '../modules/replies/tasks.ts'
import { clockRoutes, sandboxRoutes, testMessageRoutes } from '../modules/sandbox/routes.ts'
import { testMessageTasks } from '../modules/sandbox/tasks.ts'
import { sequenceRoutes } from '../modules/sequences/routes.ts'
import { sequenceTasks } from '../modules/sequences/tasks.ts'
import { suppressionRoutes } from '../modules/suppressions/routes.ts'
import { invitationRoutes } from '../modules/team/invitation-routes.ts'
import { teamRoutes } from '../modules/team/routes.ts'
import { spend } from '../modules/tokens/limits.ts'
import { tokenRoutes } from '../modules/tokens/routes.ts'
import { sessionRoutes } from '../modules/tokens/session-routes.ts'
import { trackingHostRoutes, trackingRoutes } from '../modules/tracking/routes.ts'
import { trackingHostTasks } from '../modules/tracking/tasks.ts'
import { webhookRoutes } from '../modules/webhooks/routes.ts'
import { workspaceRoutes } from '../modules/workspaces/routes.ts'
import { acceptStatement } from '../operations/queries.ts'
import { Actions, type Registry } from '../operations/registry.ts'
import type { OperationTasks } from '../operations/tasks.ts'
import { erasePerson } from './erase-person.ts'

/** The routes of all slices. The routes of operations name the actions of all others. */
const direct = (actions: readonly string[]): readonly Route[] => [
  ...campaignRoutes,
  ...metricRoutes,
  ...sequenceRoutes(sequenceCost),
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
  ...providerRoutes(freeFromMailbox, mailboxChangeCost),
  ...consentRoutes(mailboxChangeCost),
  ...healthRoutes,
  ...replyRoutes,
  ...threadRoutes,
  ...suppressionRoutes(liftCost),
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

export const actions = new Actions([...declared, ...planned])

/** Every endpoint under /v1. The server, the OpenAPI document and the generated tests all walk over this list. */
export const routes: readonly Route[] = [...direct(actions.names), ...planned]

export const operationTasks: OperationTasks = {
  ...campaignTasks,
  ...lifecycleTasks,
  ...sequenceTasks,
  ...leadTasks,
  ...leadSearchTasks,
  ...directoryTasks,
  ...erasureTasks(erasePerson),
  ...replyTasks,
  ...mailboxTasks,
  ...healthTasks,
  ...trackingHostTasks,
  ...testMessageTasks,
}

/** The result of every action: the task of an accepted write defines it, the route of any other. */
export function resultsOf(): Record<string, TSchema> {
  const ofRoutes = new Map(routes.flatMap(({ action, result }) => (action && result ? [[action, result] as const] : [])))
  return Object.fromEntries(
    actions.names.map(action => {
      const result = operationTasks[action]?.result ?? ofRoutes.get(action)
      if (!result) throw new Error(`The action ${action} declares no result schema.`)
      return [action, result]
    }),
  )
}

const approvedOf: Registry['checkApproved'] = (tx, ctx, operation) => checkApproved(tx, ctx, operation, scopesWith(findDirect))

/** The registry that the engine of operations needs from the slices. */
export const registry: Registry = { actions, accept: acceptStatement(statusOfCampaign), checkApproved: approvedOf, spend }
