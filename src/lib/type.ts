import type { Static, TObject, TProperties, TSchema } from 'typebox'

export type { Static, TObject, TProperties, TSchema }

// TypeBox is used only for the TypeScript types of JSON schemas. Its own functions come with 370 modules, which take a fifth of the start
// time; these few write the same schemas.

type TypeBox = typeof import('typebox').default
type Used =
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'
type Schema = Record<string, unknown>

const plain =
  (type: string) =>
  (options: Schema = {}): Schema => ({ type, ...options })

/** Marks a property that may be missing. A copy made with `{ ...schema }` loses the mark. */
const OPTIONAL = '~optional'

const builders: Record<Used, (...given: never[]) => Schema> = {
  Array: (items: Schema, options: Schema = {}) => ({ type: 'array', items, ...options }),
  Boolean: plain('boolean'),
  Integer: plain('integer'),
  Literal: (value: string | number | boolean, options: Schema = {}) => ({ type: typeof value, const: value, ...options }),
  Null: plain('null'),
  Number: plain('number'),
  Object(properties: Record<string, Schema>, options: Schema = {}) {
    const required = Object.keys(properties).filter(name => !Object.hasOwn(properties[name]!, OPTIONAL))
    return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options }
  },
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  Record(key: { pattern?: string }, value: Schema, options: Schema = {}) {
    return { type: 'object', patternProperties: { [key.pattern ?? '^.*$']: value }, ...options }
  },
  String: plain('string'),
  Union: (anyOf: Schema[], options: Schema = {}) => ({ anyOf, ...options }),
  Unknown: (options: Schema = {}) => ({ ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
}

export const Type = builders as unknown as Pick<TypeBox, Used>
