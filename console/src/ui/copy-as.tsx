import { Button } from './button.tsx'
import { copyText } from './copy-button.tsx'
import { CodeIcon, CopyIcon } from './icons.tsx'
import { Menu } from './menu.tsx'
import { toast } from './toast.tsx'

/** The request that a screen makes, to be used in a program. */
export interface ApiCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the address of the service, like `/v1/workspaces/…/campaigns`. */
  path: string
  body?: unknown
  headers?: Record<string, string>
  /** The same with the SDK, like `overture.campaigns.pause('…')`. */
  sdk: string
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export function asCurl({ method, path, body, headers }: ApiCall, origin: string): string {
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${quote(origin + path)}`, `-H "authorization: Bearer $OVERTURE_TOKEN"`]
  for (const [name, value] of Object.entries(headers ?? {})) lines.push(`-H ${quote(`${name}: ${value}`)}`)
  if (body !== undefined) lines.push(`-H 'content-type: application/json'`, `-d ${quote(JSON.stringify(body))}`)
  return lines.join(' \\\n  ')
}

export function asSdk({ sdk }: ApiCall, origin: string): string {
  return [
    `import { Overture } from '@overture/sdk'`,
    '',
    `const overture = new Overture({ baseUrl: '${origin}', token: process.env.OVERTURE_TOKEN })`,
    `await ${sdk}`,
  ].join('\n')
}

export function CopyAs({ call }: { call: ApiCall }) {
  const copy = async (text: string, what: string) => {
    if (await copyText(text)) toast.done(`Copied as ${what}`)
    else toast.failed('The browser did not let us copy')
  }
  return (
    <Menu
      trigger={<Button variant="ghost" icon={CodeIcon} label="Copy as code" />}
      entries={[
        { label: 'Copy as curl', icon: CopyIcon, onSelect: () => copy(asCurl(call, location.origin), 'curl') },
        { label: 'Copy as SDK call', icon: CopyIcon, onSelect: () => copy(asSdk(call, location.origin), 'SDK call') },
      ]}
    />
  )
}
