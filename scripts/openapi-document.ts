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

interface Shape {
  $ref?: string
  description?: string
  examples?: unknown[]
  anyOf?: Shape[]
  properties?: Record<string, Shape>
}

interface Described {
  paths: Record<
    string,
    Record<string, { operationId: string; requestBody?: { content: Record<string, { schema: Shape; example?: unknown }> } }>
  >
  components: { schemas: Record<string, Shape> }
}

/** Properties and parameters without a description, and bodies without an example. */
export function findUndescribed({ paths, components }: Described): string[] {
  const at = ({ $ref }: Shape): Shape => components.schemas[$ref!.split('/').at(-1)!]!
  const isDescribed = (shape: Shape): boolean =>
    Boolean(shape.description || (shape.$ref && at(shape).description) || shape.anyOf?.some(option => option.$ref && isDescribed(option)))
  const missing: string[] = []
  const look = (part: unknown, where: string): void => {
    if (part === null || typeof part !== 'object') return
    const { in: place, name, schema } = part as { in?: string; name?: string; schema?: Shape }
    if (typeof place === 'string' && schema && !isDescribed(schema) && !isDescribed(part as Shape))
      missing.push(`${where} ${name} has no description`)
    for (const [key, value] of Object.entries(part)) {
      if (key === 'examples' || key === 'example') continue
      const fields = key === 'properties' ? Object.entries(value as Record<string, Shape>) : []
      for (const [field, property] of fields) if (!isDescribed(property)) missing.push(`${where}.${field} has no description`)
      look(value, `${where}/${key}`)
    }
  }
  look({ paths, components }, '')
  for (const { operationId, requestBody } of Object.values(paths).flatMap(methods => Object.values(methods)))
    for (const { schema, example } of Object.values(requestBody?.content ?? {}))
      if (example === undefined && !(schema.$ref ? at(schema) : schema).examples) missing.push(`the body of ${operationId} has no example`)
  return missing
}
