import { type ReactNode, useState } from 'react'
import { Button, optionsOf, Segmented } from '@/ui/button.tsx'
import { CopyButton } from '@/ui/copy.tsx'
import { PlayIcon } from '@/ui/icons.tsx'
import { callOf, exampleOf, urlOf } from './calls.ts'
import { type Endpoint, type Response, resultOf, type Schemas, successesOf } from './document.ts'
import { type ExampleLanguage, exampleIn } from './examples.ts'
import { useFilling } from './fill-in.tsx'

const LANGUAGES: Record<ExampleLanguage, string> = { curl: 'curl', typescript: 'TypeScript', python: 'Python' }

export function CodePanel({ endpoint, schemas }: { endpoint: Endpoint; schemas: Schemas }) {
  const filling = useFilling()
  const code = exampleIn(filling.language, endpoint, schemas, filling)
  const result = resultOf(endpoint, schemas)
  const responses = successesOf(endpoint).filter(response => response.type === 'application/json')
  return (
    <>
      <Panel
        name="Request"
        code={code}
        language={filling.language}
        head={
          <Segmented
            label="Language of the example"
            options={optionsOf(LANGUAGES)}
            value={filling.language}
            onChange={filling.setLanguage}
          />
        }
      />
      <TryIt endpoint={endpoint} schemas={schemas} />
      {responses.length > 0 ? <ResponsePanel key={endpoint.id} responses={responses} schemas={schemas} /> : null}
      {result ? <Panel name="Result of the operation" code={JSON.stringify(exampleOf(result, schemas), null, 2)} language="json" /> : null}
    </>
  )
}

function ResponsePanel({ responses, schemas }: { responses: Response[]; schemas: Schemas }) {
  // The usual response comes first: 202, and not the 200 of a repeated request.
  const [status, setStatus] = useState((responses.find(response => response.status !== '200') ?? responses[0]!).status)
  const response = responses.find(candidate => candidate.status === status) ?? responses[0]!
  const value = exampleOf(response.schema!, schemas)
  return (
    <Panel
      name="Response"
      code={JSON.stringify(value, null, 2)}
      language="json"
      head={
        responses.length > 1 ? (
          <Segmented
            label="Status of the response"
            options={responses.map(item => ({ value: item.status, label: item.status }))}
            value={status}
            onChange={setStatus}
          />
        ) : (
          <span className="font-mono text-faint text-xs">{status}</span>
        )
      }
    />
  )
}

type PanelProps = { name: string; code: string; language: ExampleLanguage | 'json'; head?: ReactNode }

export function Panel({ name, code, language, head }: PanelProps) {
  return (
    <section aria-label={`Example: ${name}`} className="overflow-hidden rounded-lg border border-line bg-panel">
      <div className="flex min-h-11 items-center gap-2 border-line border-b px-3 py-1.5">
        <span className="mr-auto font-medium text-sm">{name}</span>
        {head}
        <CopyButton text={code} label={`Copy the ${name.toLowerCase()}`} isIconOnly size="sm" variant="ghost" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an element that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="max-h-112 overflow-auto bg-sunken px-3 py-2.5 font-mono text-xs leading-relaxed">
        <code>
          <Highlighted code={code} language={language} />
        </code>
      </pre>
    </section>
  )
}

const PATTERNS: Record<ExampleLanguage | 'json', RegExp> = {
  curl: /(?<text>'(?:[^']|'\\'')*'|"[^"]*")|(?<word>\bcurl\b)|(?<mark>(?<=\s)-{1,2}[A-Za-z-]+)/g,
  typescript:
    /(?<text>'(?:[^'\\\n]|\\.)*')|(?<word>\b(?:import|from|const|await|new|for|of|process)\b)|(?<mark>\b(?:true|false|null|\d[\d.]*)\b)/g,
  python: /(?<text>f?"(?:[^"\\\n]|\\.)*")|(?<word>\b(?:import|with|as|for|in|print)\b)|(?<mark>\b(?:True|False|None|\d[\d.]*)\b)/g,
  json: /(?<word>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<text>"(?:[^"\\]|\\.)*")|(?<mark>\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*)/g,
}

const LOOKS: Record<string, string> = { text: 'text-good', word: 'text-accent-ink', mark: 'text-warn' }

function Highlighted({ code, language }: Pick<PanelProps, 'code' | 'language'>) {
  const parts: ReactNode[] = []
  let at = 0
  for (const match of code.matchAll(PATTERNS[language])) {
    const kind = Object.keys(LOOKS).find(name => match.groups?.[name] !== undefined)!
    const span = (
      <span key={match.index} className={LOOKS[kind]}>
        {match[0]}
      </span>
    )
    parts.push(code.slice(at, match.index), span)
    at = match.index + match[0].length
  }
  return [...parts, code.slice(at)]
}

/** Sends the request of the example if there is a token. It sends only reads, so that exploring the reference changes nothing. */
function TryIt({ endpoint, schemas }: { endpoint: Endpoint; schemas: Schemas }) {
  const filling = useFilling()
  const [outcome, setOutcome] = useState<{ id: string; status: string; text: string } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const call = callOf(endpoint, schemas, filling)
  if (endpoint.method !== 'GET' || endpoint.isPublic || call.returns !== 'json' || !filling.token) return null

  const send = async () => {
    setBusy(true)
    try {
      const headers = { authorization: `Bearer ${filling.token}`, accept: 'application/json' }
      const response = await fetch(urlOf(call, ''), { headers, credentials: 'omit' })
      const text = JSON.stringify(await response.json(), null, 2)
      setOutcome({ id: endpoint.id, status: `${response.status} ${response.statusText}`, text })
    } catch {
      setOutcome({ id: endpoint.id, status: 'no response', text: 'The service did not respond.' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button icon={PlayIcon} onClick={send} pending={isBusy} className="self-start">
        Send request
      </Button>
      {outcome?.id === endpoint.id ? (
        <Panel
          name="Actual response"
          code={outcome.text}
          language="json"
          head={<span className="font-mono text-faint text-xs">{outcome.status}</span>}
        />
      ) : null}
    </>
  )
}
