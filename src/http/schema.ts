import { OPERATION_ERROR_CODES } from '../lib/errors.ts'
import { type Static, type TSchema, Type } from '../lib/type.ts'

/** A schema that gets a name of its own under `components` in the OpenAPI document. */
export const named = <T extends TSchema>(name: string, schema: T): T => Object.assign(schema, { title: name })

/** Allows null in the list of types, where that is possible: then an error message names the other type, and not `anyOf`. */
export function nullable<T extends TSchema>(schema: T) {
  const { type, enum: values, ...rest } = schema as TSchema & { type?: string; enum?: unknown[] }
  // A schema with a name cannot be changed: all places that use it would allow null, too.
  if (typeof type !== 'string' || 'title' in schema) return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] })
  return Type.Unsafe<Static<T> | null>({ ...rest, type: [type, 'null'], ...(values ? { enum: [...values, null] } : {}) })
}

/** The OpenAPI document shows `shown` instead, for a schema that says less than its rules. */
export const shownAs = <T extends TSchema>(schema: T, shown: object): T => Object.assign(schema, { 'x-shown': shown })

/** The same schema with a description. An optional property is described within: `Type.Optional(about(...))`. */
export const about = <T extends TSchema>(schema: T, description: string): T => ({ ...schema, description })

/** An object that refuses unknown fields. */
export const strict = <T extends Record<string, TSchema>>(properties: T, options: Record<string, unknown> = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** The same with a name of its own in the OpenAPI document. */
export const namedObject = <T extends Record<string, TSchema>>(name: string, properties: T, options: Record<string, unknown> = {}) =>
  named(name, strict(properties, options))

export const oneOf = <const T extends readonly string[]>(values: T, options: Record<string, unknown> = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })

/**
 * The format of a text that must have something to see: `isBlank` decides. Validators refuse a format that they do not know, so the OpenAPI
 * document has the pattern `\S` instead.
 */
export const NOT_BLANK = 'not-blank'

/** No line breaks and no other control characters: they could pass for other text where a name is shown. */
export const ONE_LINE = '^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029]*$'

/** A text of one line, such as a name. */
export const line = (options: { minLength?: number; maxLength: number; description?: string }) =>
  Type.String({ ...options, pattern: ONE_LINE })

/** The name of something: one line with something to see. */
export const nameOf = (maxLength: number, description?: string) => ({
  ...line({ minLength: 1, maxLength, ...(description ? { description } : {}) }),
  format: NOT_BLANK,
})

export const Uuid = Type.String({ format: 'uuid' })
export const DateTime = Type.String({ format: 'date-time' })
export const Url = Type.String({ format: 'uri' })
export const Count = Type.Integer({ minimum: 0 })

export const Links = namedObject('Links', { self: Url })

export const Fix = namedObject(
  'Fix',
  {
    method: about(oneOf(['POST', 'PUT', 'PATCH']), 'The HTTP method.'),
    path: Type.String(),
    body: Type.Record(Type.String(), Type.Unknown()),
  },
  {
    examples: [
      {
        method: 'PATCH',
        path: '/v1/workspaces/0197b1c2-4f6a-7000-8000-000000000001/providers/0197b1c2-4f6a-7000-8000-000000000002',
        body: { dailyCap: 45 },
      },
    ],
    description: 'The request that solves the problem. Replace the values in angle brackets. A PUT also needs `if-match`.',
  },
)

/** The rest of a record in a result when its person has been erased. */
const ErasedRecord = named(
  'ErasedRecord',
  Type.Object({ id: Uuid }, { description: 'The person was erased later. Only ids, types and times are left; the other fields are null.' }),
)

export const orErased = <T extends TSchema>(schema: T) => Type.Unsafe<Static<T>>({ anyOf: [schema, ErasedRecord] })

/** The result of an operation that has nothing else to return, such as a deletion. */
export const IdResult = namedObject('IdResult', { id: Uuid })

export const OperationError = namedObject('OperationError', {
  code: about(oneOf(OPERATION_ERROR_CODES), 'The machine-readable code.'),
  message: about(Type.String(), 'The problem, for people. Its wording may change.'),
  retryable: Type.Boolean({
    description: 'True: nothing was saved or charged, and the same request with a new idempotency key may succeed.',
  }),
})

/** The envelope of a schema with a name gets a name, too. */
const namedAfter = <T extends TSchema>(inner: TSchema, suffix: string, schema: T): T => {
  const { title } = inner as { title?: string }
  return title ? named(`${title}${suffix}`, schema) : schema
}

export const dataOf = <T extends TSchema>(schema: T) => namedAfter(schema, 'Envelope', strict({ data: schema }))

const PageLinks = namedObject('PageLinks', { self: Url, next: about(nullable(Url), 'The URL of the next page; null on the last one.') })

const PageMeta = namedObject('PageMeta', {
  pagination: about(
    strict({
      nextCursor: about(nullable(Type.String()), 'Send it as `cursor` for the next page; null on the last one.'),
      hasMore: about(Type.Boolean(), 'Whether there is another page.'),
      limit: about(Type.Integer(), 'The most entries of a page.'),
    }),
    'Where the page is in the list.',
  ),
})

export const listOf = <T extends TSchema>(schema: T) =>
  namedAfter(schema, 'Page', strict({ data: Type.Array(schema), links: PageLinks, meta: PageMeta }))

/** For a list that begins with the oldest. */
export const Order = Type.Optional(oneOf(['asc', 'desc'], { default: 'asc', description: '`desc`: newest first.' }))

export const PageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'How many to return.' })),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 8192, description: 'The `meta.pagination.nextCursor` of the previous page, unchanged.' }),
  ),
}
