import type { Event } from '../../../packages/sdk/src/types.gen.ts'
import { wrongUsage } from '../../lib/command-failure.ts'
import type { JsonSchema } from '../../lib/openapi.ts'
import { apiDocument } from '../api/document.ts'
import { suggestion } from '../nearest.ts'

/** Every type of event that there is, from the OpenAPI document. */
export const eventTypes = (): string[] => Object.keys(apiDocument().webhooks)

/** What a webhook of this type has as its body. */
export const bodySchemaOf = (type: string): JsonSchema => apiDocument().webhooks[type]!.post.requestBody.content['application/json']!.schema

/** What such a body can look like. */
export function exampleOf(type: string): Record<string, unknown> {
  const { schemas } = apiDocument().components
  const variant = Object.values(schemas).find(({ properties, required }) => properties?.type?.const === type && required?.includes('links'))
  const { links: _, ...body } = variant!.examples![0] as Record<string, unknown>
  return body
}

export function readType(text: string, next: string): Event['type'] {
  const types = eventTypes()
  if (types.includes(text)) return text as Event['type']
  throw wrongUsage(`There is no event "${text}".${suggestion(text, types)}`, next)
}
