import { comment, printObject, printType } from './print-type.ts'
import type { Document } from './schema-types.ts'

export const HEADER = '// Made from openapi.json by scripts/sdk-types.ts. Do not edit: run `npm run generate`.\n'

/** Every named schema of the document as a type of the same name. */
export function printModels(document: Document): string {
  const models = Object.entries(document.components.schemas).map(([name, schema]) => {
    const isObject = schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0
    const body = isObject ? `interface ${name} ${printObject(schema, '')}` : `type ${name} = ${printType(schema)}`
    return `${comment(schema.description, '')}export ${body}\n`
  })
  return [HEADER, ...models].join('\n')
}
