import { randomUUID } from 'node:crypto'
import { EVENT_DATA, type EventData, type EventType } from '../src/modules/events/data-schema.ts'

interface Schema {
  type?: string | string[]
  format?: string
  enum?: unknown[]
  minimum?: number
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
}

/** The least that fits: null, false, nothing where that is allowed. */
function least(schema: Schema): unknown {
  const { type, format } = schema
  if (Array.isArray(type) || schema.anyOf) return null
  if (schema.enum) return schema.enum[0]
  if (schema.properties) return Object.fromEntries((schema.required ?? []).map(name => [name, least(schema.properties![name]!)]))
  if (type === 'string') return format === 'uuid' ? randomUUID() : format === 'date-time' ? new Date().toISOString() : 'made up'
  return type === 'array' ? [] : type === 'boolean' ? false : (schema.minimum ?? 0)
}

/** The data of an event that never happened. What its kind does not know is left out. */
export function madeUpData<T extends EventType>(type: T, said: object = {}): EventData<T> {
  const schema = EVENT_DATA[type] as Schema
  const known = Object.entries(said).filter(([name]) => name in schema.properties!)
  return { ...(least(schema) as object), ...Object.fromEntries(known) } as EventData<T>
}
