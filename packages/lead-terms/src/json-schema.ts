import type { Static, TSchema } from 'typebox'

export type { Static, TSchema }

// TypeBox gives the TypeScript types of JSON schemas. These builders write the same schemas, so that the package does not load TypeBox.

type Schema = Record<string, unknown>

/** Marks a property that may be missing. A copy made with `{ ...schema }` loses the mark. */
const OPTIONAL = '~optional'

const builders: Record<'Array' | 'Integer' | 'Object' | 'Optional' | 'String' | 'Union' | 'Unsafe', (...given: never[]) => Schema> = {
  Array: (items: Schema, options: Schema = {}) => ({ type: 'array', items, ...options }),
  Integer: (options: Schema = {}) => ({ type: 'integer', ...options }),
  Object(properties: Record<string, Schema>, options: Schema = {}) {
    const required = Object.keys(properties).filter(name => !Object.hasOwn(properties[name]!, OPTIONAL))
    return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options }
  },
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  String: (options: Schema = {}) => ({ type: 'string', ...options }),
  Union: (anyOf: Schema[], options: Schema = {}) => ({ anyOf, ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
}

export const Type = builders as unknown as Pick<typeof import('typebox').default, keyof typeof builders>
