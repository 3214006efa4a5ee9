import { Ajv2020 as Ajv, type ValidateFunction } from 'ajv/dist/2020.js'
import { openApiDocument } from '../../scripts/openapi-document.ts'
import { isEmail } from '../../src/lib/email.ts'
import { isUuid } from '../../src/lib/ids.ts'

const MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

interface Response {
  headers?: Record<string, object>
  content?: Record<string, { schema: object }>
}

interface Described {
  'x-action'?: string
  responses: Record<string, Response | { $ref: string }>
}

const document = openApiDocument() as {
  paths: Record<string, Record<string, Described>>
  components: { headers: Record<string, object>; responses: Record<string, Response>; schemas: Record<string, object> }
}
const DOCUMENTED_HEADERS = Object.keys(document.components.headers)
// Each test file compiles what it meets, and uses it a few times: to make the code small would take longer than to run it.
const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false, inlineRefs: false, code: { optimize: false } })
ajv.addFormat('uuid', isUuid)
ajv.addFormat('date-time', MILLISECONDS)
ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/)
ajv.addFormat('email', isEmail)
ajv.addFormat('uri', (text: string) => URL.canParse(text))
ajv.addSchema({ $id: 'openapi', ...document })

const paths = Object.entries(document.paths).map(([path, methods]) => ({
  path,
  methods,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  // A fixed segment is more precise than a parameter: /tokens/current before /tokens/{tokenId}.
  parameters: path.split('{').length,
}))

export function findDescription(method: string, url: string): { path: string; described: Described } | undefined {
  const { pathname } = new URL(url)
  const found = paths
    .filter(entry => entry.pattern.test(pathname) && entry.methods[method.toLowerCase()])
    .sort((a, b) => a.parameters - b.parameters)[0]
  return found && { path: found.path, described: found.methods[method.toLowerCase()]! }
}

/** The document says of every accepted write which operation it makes. */
export function assertIsActionOf(method: string, path: string, action: string): void {
  const described = findDescription(method, new URL(path, 'http://localhost').href)?.described['x-action']
  if (described !== action) throw new Error(`${method} ${path} made ${action}, but its description says ${described}`)
}

/** Validates against a schema of the document, or against the one that its discriminator names for the value. */
export function problemsWith(component: string, value: Record<string, unknown>): string | null {
  const union = document.components.schemas[component] as { discriminator?: { propertyName: string; mapping: Record<string, string> } }
  const { propertyName, mapping } = union.discriminator ?? {}
  const reference = mapping ? mapping[String(value[propertyName!])] : `#/components/schemas/${component}`
  if (!reference) return `${value[propertyName!]} is no ${propertyName} of ${component}`
  const validate = ajv.getSchema(`openapi${reference}`)!
  return validate(value) ? null : ajv.errorsText(validate.errors)
}

export function problemsWithSchema(schema: object, value: unknown): string | null {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')) as object)
  return validate(value) ? null : ajv.errorsText(validate.errors)
}

const validators = new Map<string, ValidateFunction>()

/** Every status that leaves must be documented for its route, and every body must have the documented shape. */
export function assertMatchesContract(
  method: string,
  url: string,
  reply: { status: number; headers: Record<string, unknown>; body: unknown },
): void {
  const requestId = reply.headers['x-request-id']
  if (typeof requestId !== 'string') throw new Error(`${method} ${url}: the answer has no x-request-id`)
  if ((reply.status === 503 || reply.status === 429) && !/^\d+$/.test(String(reply.headers['retry-after'])))
    throw new Error(`${method} ${url}: a ${reply.status} has no Retry-After`)
  const isPage = String(reply.headers['content-type']).startsWith('text/html')
  const failure = (reply.body as { error?: { requestId?: string } } | null)?.error
  if (reply.status >= 400 && !isPage && failure?.requestId !== requestId)
    throw new Error(`${method} ${url}: error.requestId is not x-request-id`)
  const found = findDescription(method, url)
  if (!found) return
  const said = found.described.responses[String(reply.status)]
  const response = said && '$ref' in said ? document.components.responses[said.$ref.split('/').at(-1)!] : said
  if (!response)
    throw new Error(`${method} ${found.path} answered ${reply.status}, which its description does not name: ${JSON.stringify(reply.body)}`)
  for (const name of DOCUMENTED_HEADERS) {
    if (reply.headers[name] !== undefined && !response.headers?.[name])
      throw new Error(`${method} ${found.path} answered ${reply.status} with ${name}, which its description does not name`)
  }
  if (reply.status === 201 && typeof reply.headers.location !== 'string')
    throw new Error(`${method} ${found.path} answered 201 without location`)
  if (isPage && !response.content?.['text/html']) throw new Error(`${method} ${found.path} answered ${reply.status} with a page`)
  const schema = isPage ? undefined : response.content?.['application/json']?.schema
  if (!schema) return
  const key = `${method} ${found.path} ${reply.status}`
  let validate = validators.get(key)
  if (!validate) {
    validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')) as object)
    validators.set(key, validate)
  }
  if (!validate(reply.body)) {
    throw new Error(`${key}: the body is not as documented: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(reply.body, null, 2)}`)
  }
}
