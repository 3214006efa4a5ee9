// The OpenAPI document, as far as we read it ourselves.

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  format?: string
  minimum?: number
  minLength?: number
  minItems?: number
}

interface OpenApiParameter {
  $ref?: string
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
}

type Content = Record<string, { schema: JsonSchema }>

export interface OpenApiOperation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters: OpenApiParameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
  'x-scope'?: string
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, OpenApiOperation>>
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>
  components: { schemas: Record<string, JsonSchema>; parameters: Record<string, OpenApiParameter> }
}
