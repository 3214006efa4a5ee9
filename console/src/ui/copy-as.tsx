import { Overture } from '@overture/sdk'
import { useWorkspace } from '@/data/session.ts'
import { Button } from './button.tsx'
import { shellQuote, writeCall } from './call-text.ts'
import { copyText } from './copy.tsx'
import { CodeIcon, CopyIcon } from './icons.tsx'
import { Menu } from './menu.tsx'
import { toast } from './toast.tsx'

/** A request of a screen, as code for a program: `api => api.campaigns.pause('…')`. It is written down and never sent. */
export type ApiCall = (api: Overture) => unknown

export function asCurl(url: string, { method = 'GET', headers, body }: RequestInit): string {
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${shellQuote(url)}`, `-H "authorization: Bearer $OVERTURE_TOKEN"`]
  for (const [name, value] of new Headers(headers)) {
    if (name === 'if-match' || name === 'content-type') lines.push(`-H ${shellQuote(`${name}: ${value}`)}`)
  }
  if (body) lines.push(body instanceof File ? `--data-binary @${shellQuote(body.name)}` : `-d ${shellQuote(String(body))}`)
  return lines.join(' \\\n  ')
}

/** The SDK builds the request, which is intercepted before it is sent. */
const curlOf = (call: ApiCall, workspaceId: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const fetch = async (url: RequestInfo | URL, init: RequestInit = {}): Promise<never> => {
      resolve(asCurl(String(url), init))
      throw new Error('This request is never sent.')
    }
    const api = new Overture({ baseUrl: location.origin, workspaceId, fetch, retries: 0 })
    Promise.resolve(call(api)).catch(reject)
  })

const asProgram = (sdk: string): string =>
  [
    `import { Overture } from '@overture/sdk'`,
    '',
    `const overture = new Overture({ baseUrl: '${location.origin}', token: process.env.OVERTURE_TOKEN })`,
    `await ${sdk}`,
  ].join('\n')

/** `call` is an object if the SDK has no method for the request. */
export function CopyAs({ call }: { call: ApiCall | { curl: string; sdk: string } }) {
  const { id } = useWorkspace()
  const isCall = typeof call === 'function'
  const copy = async (text: string, what: string) => {
    if (await copyText(text)) toast.done(`Copied as ${what}`)
    else toast.failed('Could not copy. Check your browser permissions.')
  }
  const copyCurl = async () => copy(isCall ? await curlOf(call, id) : call.curl, 'curl')
  const copyProgram = () => copy(asProgram(isCall ? writeCall(call) : call.sdk), 'SDK call')
  return (
    <Menu
      trigger={<Button variant="ghost" icon={CodeIcon} label="Copy as code" />}
      entries={[
        { label: 'Copy as curl', icon: CopyIcon, onSelect: () => void copyCurl() },
        { label: 'Copy as SDK call', icon: CopyIcon, onSelect: () => void copyProgram() },
      ]}
    />
  )
}
