import { shellQuote, stringLiteral } from '../ui/call-text.ts'
import { type Call, callOf, type Filling, urlOf } from './calls.ts'
import { type Endpoint, resolve, type Schemas, successesOf } from './document.ts'

export const LANGUAGES = ['curl', 'typescript', 'python'] as const
export type ExampleLanguage = (typeof LANGUAGES)[number]

export function exampleIn(language: ExampleLanguage, endpoint: Endpoint, schemas: Schemas, filling: Filling): string {
  const call = callOf(endpoint, schemas, filling)
  if (language === 'curl') return curl(call, filling)
  if (language === 'python') return python(call, filling)
  return typescript(endpoint, call, schemas, filling)
}

function curl(call: Call, { origin, token }: Filling): string {
  const { method, isWrite, isAccepted, ifMatch, body, file } = call
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${shellQuote(urlOf(call, origin))}`]
  if (!call.isPublic)
    lines.push(token ? `-H ${shellQuote(`authorization: Bearer ${token}`)}` : '-H "authorization: Bearer $OVERTURE_TOKEN"')
  if (isWrite) lines.push('-H "idempotency-key: $(uuidgen)"')
  if (isAccepted) lines.push("-H 'prefer: wait=20'")
  if (ifMatch) lines.push(`-H ${shellQuote(`if-match: ${ifMatch}`)}`)
  if (body !== undefined) lines.push("-H 'content-type: application/json'", `-d ${shellQuote(JSON.stringify(body, null, 2))}`)
  if (file) lines.push(`-H ${shellQuote(`content-type: ${file.type}`)}`, '--data-binary @leads.csv')
  return lines.join(' \\\n  ')
}

function typescript(endpoint: Endpoint, call: Call, schemas: Schemas, { origin, token, values }: Filling): string {
  if (!endpoint.path.startsWith('/v1/')) return plainFetch(call, origin)
  const settings = [`baseUrl: ${typescriptLiteral(origin)}`, `token: ${token ? typescriptLiteral(token) : 'process.env.OVERTURE_TOKEN!'}`]
  if (values.workspaceId) settings.push(`workspaceId: ${typescriptLiteral(values.workspaceId)}`)
  return [
    "import { Overture } from '@overture/sdk'",
    '',
    `const overture = new Overture({ ${settings.join(', ')} })`,
    '',
    typescriptCall(endpoint, call, schemas),
  ].join('\n')
}

/** The client has no methods for links that people open. */
function plainFetch(call: Call, origin: string): string {
  const options = call.method === 'GET' ? '' : `, { method: ${typescriptLiteral(call.method)} }`
  return `const response = await fetch(${typescriptLiteral(urlOf(call, origin))}${options})\nconsole.log(response.status, await response.text())`
}

function python(call: Call, { origin, token }: Filling): string {
  const { method, isWrite, isAccepted, ifMatch, body, file } = call
  const modules = ['json', ...(token || call.isPublic ? [] : ['os']), 'urllib.request', ...(isWrite ? ['uuid'] : [])]
  const headers: string[] = []
  if (!call.isPublic)
    headers.push(`"authorization": ${token ? pythonLiteral(`Bearer ${token}`) : 'f"Bearer {os.environ[\'OVERTURE_TOKEN\']}"'}`)
  if (isWrite) headers.push('"idempotency-key": str(uuid.uuid4())')
  if (isAccepted) headers.push('"prefer": "wait=20"')
  if (ifMatch) headers.push(`"if-match": ${pythonLiteral(ifMatch)}`)
  if (body !== undefined) headers.push('"content-type": "application/json"')
  if (file) headers.push(`"content-type": ${pythonLiteral(file.type)}`)
  const lines = [...modules.map(name => `import ${name}`), '']
  if (body !== undefined) lines.push(`body = ${pythonLiteral(body)}`)
  lines.push('request = urllib.request.Request(', `    ${pythonLiteral(urlOf(call, origin))},`, `    method="${method}",`)
  if (headers.length > 0) lines.push('    headers={', ...headers.map(header => `        ${header},`), '    },')
  if (body !== undefined) lines.push('    data=json.dumps(body).encode(),')
  if (file) lines.push('    data=open("leads.csv", "rb").read(),')
  lines.push(')', 'with urllib.request.urlopen(request) as response:', ...printPython(call))
  return lines.filter(line => line !== 'import json' || lines.some(other => other.includes('json.'))).join('\n')
}

function printPython({ returns }: Call): string[] {
  if (returns === 'stream') return ['    for line in response:', '        print(line.decode().rstrip())']
  if (returns === 'json') return ['    print(json.load(response))']
  return returns === 'bytes' ? ['    print(response.read())'] : ['    print(response.status)']
}

const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/
const MOST_INLINE = 60

function typescriptLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'string') return stringLiteral(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const items = Array.isArray(value)
    ? value.map(item => typescriptLiteral(item, inner))
    : Object.entries(value).map(
        ([name, item]) => `${PLAIN_NAME.test(name) ? name : typescriptLiteral(name)}: ${typescriptLiteral(item, inner)}`,
      )
  return Array.isArray(value) ? wrap('[', items, ']', indent, '') : wrap('{', items, '}', indent, ' ')
}

function pythonLiteral(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  // A JSON string is also a valid string in Python.
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}    `
  const items = Array.isArray(value)
    ? value.map(item => pythonLiteral(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, inner)}`)
  return Array.isArray(value) ? wrap('[', items, ']', indent, '', '    ') : wrap('{', items, '}', indent, '', '    ')
}

/** On one line if that is short, otherwise with one line for each item. */
function wrap(open: string, items: string[], close: string, indent: string, gap: string, step = '  '): string {
  if (items.length === 0) return open + close
  const inline = `${open}${gap}${items.join(', ')}${gap}${close}`
  if (inline.length <= MOST_INLINE && !inline.includes('\n')) return inline
  return `${open}\n${items.map(item => `${indent}${step}${item},\n`).join('')}${indent}${close}`
}

type Kind = 'list' | 'data' | 'accepted' | 'nothing' | 'raw' | 'stream'

/** The kind of value that the method of the client returns. `scripts/sdk-types` generates it. */
function kindOf(endpoint: Endpoint, { returns, isAccepted }: Call, schemas: Schemas): Kind {
  if (returns === 'nothing' || returns === 'stream') return returns
  if (returns === 'bytes') return 'raw'
  if (isAccepted) return 'accepted'
  const { schema } = successesOf(endpoint).find(response => response.schema)!
  const { properties } = resolve(schema!, schemas).schema
  return properties?.data && properties.meta ? 'list' : 'data'
}

/** The call of the client, which is `overture`. */
export function typescriptCall(endpoint: Endpoint, call: Call, schemas: Schemas): string {
  const kind = kindOf(endpoint, call, schemas)
  const method = `overture.${endpoint.id}`
  if (kind === 'stream') return `for await (const event of ${method}({ after: 0 })) {\n  console.log(event.seq, event.type)\n}`
  const text = `${method}(${argumentsOf(endpoint, call, kind).join(', ')})`
  if (kind === 'list') return `for await (const item of ${text}) {\n  console.log(item)\n}`
  if (kind === 'raw') return `const response = await ${text}\nconsole.log(await response.text())`
  return kind === 'nothing' ? `await ${text}` : `const result = await ${text}${kind === 'accepted' ? '.wait()' : ''}\nconsole.log(result)`
}

/** The ids of the path, then the query, the body or the file, and options. */
function argumentsOf(endpoint: Endpoint, call: Call, kind: Kind): string[] {
  // The client adds the workspace.
  const path = endpoint.path.replace('/v1/workspaces/{workspaceId}/', '')
  const args = [...path.matchAll(/\{(\w+)\}/g)].map(match => typescriptLiteral(call.parts[match[1]!]))
  const takesQuery = kind !== 'stream' && endpoint.parameters.some(parameter => parameter.in === 'query')
  const hasMore = call.body !== undefined || call.file !== null || call.ifMatch !== null
  if (takesQuery && (Object.keys(call.query).length > 0 || hasMore)) args.push(typescriptLiteral(call.query))
  if (call.body !== undefined) args.push(typescriptLiteral(call.body))
  if (call.file) args.push(typescriptLiteral(call.file.text))
  if (call.ifMatch) args.push(`{ ifMatch: ${typescriptLiteral(call.ifMatch)} }`)
  return args
}
