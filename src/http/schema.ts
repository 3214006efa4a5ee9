import Type, { type Static, type TSchema } from 'typebox'

/** A schema that gets a name of its own under `components` in the OpenAPI document. */
export function named<T extends TSchema>(name: string, schema: T): T {
  return Object.assign(schema, { title: name })
}

/** `null` is a value like another here: the type list keeps error messages about the real type. */
export function nullable<T extends TSchema>(schema: T) {
  const { type, enum: values, ...rest } = schema as TSchema & { type?: string; enum?: unknown[] }
  if (typeof type !== 'string') return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] })
  return Type.Unsafe<Static<T> | null>({ ...rest, type: [type, 'null'], ...(values ? { enum: [...values, null] } : {}) })
}

/** An object that refuses what it does not know. */
export function strict<T extends Record<string, TSchema>>(properties: T, options: Record<string, unknown> = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

export function oneOf<const T extends readonly string[]>(values: T, options: Record<string, unknown> = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })
}

export const Uuid = Type.String({ format: 'uuid' })
export const DateTime = Type.String({ format: 'date-time' })
export const Url = Type.String({ format: 'uri' })
export const Links = strict({ self: Url })

export const dataOf = <T extends TSchema>(schema: T) => strict({ data: schema })

export const listOf = <T extends TSchema>(schema: T) =>
  strict({
    data: Type.Array(schema),
    links: strict({ self: Url, next: nullable(Url) }),
    meta: strict({
      pagination: strict({
        nextCursor: nullable(Type.String()),
        hasMore: Type.Boolean(),
        limit: Type.Integer(),
      }),
    }),
  })

export const PageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'How many to return.' })),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 8192, description: '`meta.pagination.nextCursor` of the page before, unchanged.' }),
  ),
}
