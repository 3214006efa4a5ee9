import { CodePanel } from './code-panel.tsx'
import type { Document, Endpoint } from './document.ts'
import { FillIn } from './fill-in.tsx'
import { Columns, Section } from './operation-page.tsx'
import { Prose } from './prose.tsx'

const TOPICS: [title: string, text: string][] = [
  [
    'Tokens',
    'Send `Authorization: Bearer <token>` with every request. A personal token acts as a person, an organization key as a program; each has scopes, and every operation names the one that it needs. A local start writes a token to `.overture/local.json`.',
  ],
  [
    'Writes are operations',
    'Most writes are accepted first (202) and done then. The answer names an operation: ask for it until its status is `succeeded` or `failed`, or send `Prefer: wait=20` and get it when it is done.\nA failed operation is an HTTP 200: look at its `status`, not only at the code of the answer. The TypeScript client throws instead.',
  ],
  [
    'Sending a request twice',
    'Every write takes an `idempotency-key`. The same key with the same request is answered with what the first one did, for as long as that is known, so a lost answer is no reason to be careful: send it again.',
  ],
  [
    'Lists',
    'Lists come in pages: `limit` says how many, `cursor` where the next one begins (`meta.pagination.nextCursor`). What is added while one reads moves nothing.',
  ],
  [
    'Two editors',
    'If a request requires `if-match`, send the `updatedAt` that you read last. If the resource has changed since then, nothing is saved and the operation fails with `precondition_failed`.',
  ],
  [
    'Errors',
    'All errors have one shape: `error.code` to decide by, `error.message` for people, `error.requestId` to find it in the log, and `error.details.issues` where fields are wrong. 429 and 503 carry `Retry-After`.',
  ],
  [
    'Webhooks',
    'Deliveries are signed as Standard Webhooks describes it: `webhook-id`, `webhook-timestamp` and `webhook-signature`. The types of events are listed under Event types, each with its data.',
  ],
]

export function IntroPage({ document, endpoints }: { document: Document; endpoints: Endpoint[] }) {
  const { schemas } = document.components
  const first = endpoints.find(endpoint => endpoint.id === 'campaigns.create') ?? endpoints[0]!
  return (
    <Columns
      main={
        <>
          <header>
            <h1 className="font-semibold text-2xl tracking-tight">{document.info.title} API</h1>
            <Prose className="mt-2 text-base text-soft" text={document.info.description} />
            <p className="mt-3 text-faint text-sm">
              Version {document.info.version} · {endpoints.length} operations ·{' '}
              <a href="/openapi.json" className="text-accent-ink underline">
                openapi.json
              </a>{' '}
              ·{' '}
              <a href="/docs/plain" className="text-accent-ink underline">
                all on one plain page
              </a>
            </p>
          </header>
          {TOPICS.map(([title, text]) => (
            <Section key={title} title={title}>
              <div className="-ml-5 flex flex-col gap-2 pt-2.5">
                <Prose className="text-base text-soft" text={text} />
              </div>
            </Section>
          ))}
        </>
      }
      aside={
        <>
          <FillIn endpoint={first} />
          <CodePanel endpoint={first} schemas={schemas} />
        </>
      }
    />
  )
}
