import pkg from '../../package.json' with { type: 'json' }
import { buildOpenApi } from '../http/openapi.ts'
import type { TSchema } from '../lib/type.ts'
import { WEBHOOK_BODIES } from '../modules/events/schema.ts'
import { describeOperations } from '../modules/operations/schema.ts'
import { actions, operationTasks, routes } from './routes.ts'

/** The result of every action: the task of an accepted write defines it, the route of any other. */
export function resultsOf(): Record<string, TSchema> {
  const direct = new Map(routes.flatMap(({ action, result }) => (action && result ? [[action, result] as const] : [])))
  return Object.fromEntries(
    actions.names.map(action => {
      const result = operationTasks[action]?.result ?? direct.get(action)
      if (!result) throw new Error(`The action ${action} declares no result schema.`)
      return [action, result]
    }),
  )
}

/** The progress that some operations show while they run. */
const progressOf = (): Record<string, TSchema> =>
  Object.fromEntries(
    Object.entries(operationTasks).flatMap(([action, task]) => (task.kind === 'outside' && task.progress ? [[action, task.progress]] : [])),
  )

export const openApiDocument = (): Record<string, unknown> =>
  buildOpenApi({ routes, version: pkg.version, schemas: [describeOperations(resultsOf(), progressOf())], webhookBodies: WEBHOOK_BODIES })
