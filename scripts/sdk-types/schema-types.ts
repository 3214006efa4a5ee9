/** A JSON Schema, as far as our OpenAPI document uses it. */
export interface Schema {
  $ref?: string
  description?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  discriminator?: object
  allOf?: Schema[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  items?: Schema
}

interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  schema: Schema
}

type Content = { content?: Record<string, { schema: Schema }> }

export interface OperationObject {
  operationId: string
  summary: string
  description: string
  'x-action'?: string
  parameters: (Parameter | { $ref: string })[]
  requestBody?: Content & { required: boolean }
  responses: Record<string, Content | { $ref: string }>
}

export interface Document {
  paths: Record<string, Record<string, OperationObject>>
  components: {
    schemas: Record<string, Schema>
    parameters?: Record<string, Parameter>
    responses?: Record<string, Content>
  }
}

export const nameOf = (ref: string): string => ref.split('/').at(-1)!

export const parametersOf = (document: Document, operation: OperationObject): Parameter[] =>
  operation.parameters.map(parameter => ('$ref' in parameter ? document.components.parameters![nameOf(parameter.$ref)]! : parameter))

/** What a successful answer carries: its media type and its schema. */
export function successOf(document: Document, operation: OperationObject): { type: string; schema: Schema } | undefined {
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!status.startsWith('2')) continue
    const { content } = '$ref' in response ? document.components.responses![nameOf(response.$ref)]! : response
    const [type, media] = Object.entries(content ?? {})[0] ?? []
    if (type && media) return { type, schema: media.schema }
  }
  return undefined
}

/** Follows references until there is a schema that says something itself. */
export function resolve(document: Document, schema: Schema): Schema {
  return schema.$ref ? resolve(document, document.components.schemas[nameOf(schema.$ref)]!) : schema
}
