import { CodePanel } from './code-panel.tsx'
import type { Document, Endpoint } from './document.ts'
import { FillIn } from './fill-in.tsx'
import { Columns, Section } from './operation-page.tsx'
import { Prose } from './prose.tsx'

const TOPICS = {
  Tokens:
    'Send `Authorization: Bearer <token>` with every request. A personal token acts as a person, a workspace key as a program. Each has scopes, and every endpoint states the scope that it requires. A local installation stores a token in `.overture/local.json`.',
  'Writes are operations':
    'Most writes return 202 with an operation. Poll the operation until its status is `succeeded` or `failed`, or send `Prefer: wait=20` to wait for the result.\nA failed operation returns HTTP 200, so check its `status`. The TypeScript client throws an error instead.',
  'Repeating a request':
    'Every write takes an `idempotency-key`. If you send the same request again with the same key, you get the stored response of the first request. If a response is lost, repeat the request.',
  Lists:
    'Lists have pages: `limit` sets the page size, and `cursor` selects the next page (`meta.pagination.nextCursor`). New entries do not shift the pages that you read.',
  'Concurrent edits':
    'If a request requires `if-match`, send the `updatedAt` that you read last. If the resource has changed since then, nothing is saved and the operation fails with `precondition_failed`.',
  Errors:
    'All errors have the same format: `error.code` for programs, `error.message` for people, `error.requestId` for the log, and `error.details.issues` for invalid fields. 429 and 503 include `Retry-After`.',
  Webhooks:
    'Deliveries are signed according to Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature`. Event types lists every type with its data.',
}

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
                plain HTML page
              </a>
            </p>
          </header>
          {Object.entries(TOPICS).map(([title, text]) => (
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
