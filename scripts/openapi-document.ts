import pkg from '../package.json' with { type: 'json' }
import { operationTasks, resultsOf, routes } from '../src/app/routes.ts'
import type { TSchema } from '../src/lib/type.ts'
import { WEBHOOK_BODIES } from '../src/modules/events/schema.ts'
import { describeOperations } from '../src/modules/operations/schema.ts'
import { buildOpenApi } from './openapi.ts'

/** The progress that some operations show while they run. */
const progressOf = (): Record<string, TSchema> =>
  Object.fromEntries(
    Object.entries(operationTasks).flatMap(([action, task]) => (task.kind === 'outside' && task.progress ? [[action, task.progress]] : [])),
  )

/** `npm run generate` writes it to `openapi.json`, which the service and the command line read. */
export const openApiDocument = (): Record<string, unknown> =>
  buildOpenApi({ routes, version: pkg.version, schemas: [describeOperations(resultsOf(), progressOf())], webhookBodies: WEBHOOK_BODIES })
