import { shellQuote } from '../ui/call-text.ts'
import { type Call, callOf, type Filling, urlOf } from './calls.ts'
import type { Endpoint, Schemas } from './document.ts'
import { pythonLiteral, typescriptLiteral } from './literals.ts'
import { typescriptCall } from './typescript.ts'

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

/** Links for people are no part of the client. */
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

function printPython({ answers }: Call): string[] {
  if (answers === 'stream') return ['    for line in response:', '        print(line.decode().rstrip())']
  if (answers === 'json') return ['    print(json.load(response))']
  return answers === 'bytes' ? ['    print(response.read())'] : ['    print(response.status)']
}
