import { Fragment } from 'react'
import { Badge } from '@/ui/badge.tsx'
import { CopyButton } from '@/ui/copy.tsx'
import { exampleOf } from './calls.ts'
import { CodePanel, Panel } from './code-panel.tsx'
import { type Body, type Endpoint, errorsOf, type Parameter, type Response, resultOf, type Schemas, successesOf } from './document.ts'
import { FillIn } from './fill-in.tsx'
import { Inline, Method, Prose } from './prose.tsx'
import { describe, Field, insideOf, SchemaTree } from './schema-tree.tsx'

const PLACES: Record<Parameter['in'], string> = { path: 'In the path', query: 'In the query', header: 'Headers', cookie: 'Cookies' }

export function OperationPage({ endpoint, schemas }: { endpoint: Endpoint; schemas: Schemas }) {
  const { body } = endpoint
  const result = resultOf(endpoint, schemas)
  return (
    <Columns
      main={
        <>
          <Heading endpoint={endpoint} />
          {(Object.keys(PLACES) as Parameter['in'][]).map(place => (
            <Parameters key={place} place={place} endpoint={endpoint} schemas={schemas} />
          ))}
          {body && !isEmpty(body, schemas) ? (
            <Section title="Body" note={`${body.type}${body.isRequired ? '' : ', optional'}`}>
              <SchemaTree schema={body.schema} schemas={schemas} label="the body" />
            </Section>
          ) : null}
          <Section title="Responses">
            {successesOf(endpoint).map(response => (
              <Success key={response.status} response={response} schemas={schemas} />
            ))}
          </Section>
          {result ? (
            <Section title="Result" note="of the operation after it has succeeded">
              <SchemaTree schema={result} schemas={schemas} label="the result" />
            </Section>
          ) : null}
          <Errors responses={errorsOf(endpoint)} />
        </>
      }
      aside={
        <>
          <FillIn endpoint={endpoint} />
          <CodePanel endpoint={endpoint} schemas={schemas} />
        </>
      }
    />
  )
}

/** A body that can only be `{}` is not shown. */
const isEmpty = ({ type, schema }: Body, schemas: Schemas): boolean => {
  const { fields, variants } = insideOf(schema, schemas)
  return type === 'application/json' && fields.length === 0 && variants.length === 0 && describe(schema, schemas).type === 'object'
}

/** One event type, as it is delivered to webhook endpoints. */
export function WebhookPage({ endpoint, schemas }: { endpoint: Endpoint; schemas: Schemas }) {
  const type = endpoint.id.slice('on.'.length)
  const example = { ...(exampleOf(endpoint.body!.schema, schemas) as object), type }
  return (
    <Columns
      main={
        <>
          <header>
            <p className="mb-1 text-faint text-xs">Event</p>
            <h1 className="break-words font-mono font-semibold text-xl tracking-tight">{type}</h1>
            <Prose
              className="mt-2 text-base text-soft"
              text={`Sent to every webhook endpoint that subscribes to it, listed by \`GET /v1/workspaces/{workspaceId}/events\`, and sent in the event stream. Return any 2xx status. Overture retries all other results for up to three days.`}
            />
          </header>
          <Parameters place="header" endpoint={endpoint} schemas={schemas} />
          <Section title="Body">
            <SchemaTree schema={endpoint.body!.schema} schemas={schemas} label="the event" />
          </Section>
        </>
      }
      aside={<Panel name="Delivery" code={JSON.stringify(example, null, 2)} language="json" />}
    />
  )
}

export const Columns = ({ main, aside }: { main: React.ReactNode; aside: React.ReactNode }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,29rem)]">
    <div className="flex min-w-0 flex-col gap-8">{main}</div>
    <div className="min-w-0">
      <div className="flex flex-col gap-4 xl:sticky xl:top-20">{aside}</div>
    </div>
  </div>
)

function Heading({ endpoint }: { endpoint: Endpoint }) {
  const { method, path, scope, action, summary, about } = endpoint
  return (
    <header>
      <p className="mb-1 text-faint text-xs">{endpoint.tag}</p>
      <h1 className="font-semibold text-2xl tracking-tight">{summary}</h1>
      <p className="mt-3 flex items-center gap-2 rounded-lg border border-line bg-panel py-1 pr-1 pl-3">
        <Method method={method} className="text-xs" />
        <code className="mr-auto min-w-0 font-mono text-xs [overflow-wrap:anywhere]">
          <Path path={path} />
        </code>
        <CopyButton text={path} label="Copy the path" isIconOnly size="sm" variant="ghost" />
      </p>
      <p className="mt-3 flex flex-wrap gap-1.5">
        {scope ? <Badge tone="info">scope {scope}</Badge> : <Badge>{endpoint.isPublic ? 'no token' : 'any token'}</Badge>}
        {action ? <Badge tone="accent">operation {action}</Badge> : null}
        <Badge>{endpoint.id}</Badge>
      </p>
      <Prose className="mt-3 text-base text-soft" text={about} />
    </header>
  )
}

/** Allows a line break before each part of the path. */
const Path = ({ path }: { path: string }) =>
  path.split(/(?=\/)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path keep their order
    <Fragment key={index}>
      <wbr />
      {part}
    </Fragment>
  ))

export function Section({ title, note, children }: { title: string; note?: string; children: React.ReactNode }) {
  return (
    <section>
      <h2 className="flex items-baseline gap-2 border-line border-b pb-2 font-semibold text-base">
        {title}
        {note ? <span className="font-normal text-faint text-xs">{note}</span> : null}
      </h2>
      <div className="pl-5">{children}</div>
    </section>
  )
}

function Parameters({ place, endpoint, schemas }: { place: Parameter['in']; endpoint: Endpoint; schemas: Schemas }) {
  const parameters = endpoint.parameters.filter(parameter => parameter.in === place)
  if (parameters.length === 0) return null
  return (
    <Section title={PLACES[place]}>
      <ul className="divide-y divide-line">
        {parameters.map(({ name, schema, description, required }) => (
          <Field
            key={name}
            name={name}
            schema={description ? { ...schema, description } : schema}
            schemas={schemas}
            isRequired={required ?? false}
          />
        ))}
      </ul>
    </Section>
  )
}

function Success({ response, schemas }: { response: Response; schemas: Schemas }) {
  return (
    <details className="border-line border-b py-2.5 last:border-b-0">
      <summary className="cursor-pointer rounded">
        <code className="font-medium font-mono text-good text-xs">{response.status}</code>{' '}
        <span className="text-soft">
          <Inline text={response.about} />
        </span>
      </summary>
      {response.schema && response.type === 'application/json' ? (
        <div className="pl-5">
          <SchemaTree schema={response.schema} schemas={schemas} label={`the response ${response.status}`} />
        </div>
      ) : response.type ? (
        <p className="mt-1 font-mono text-faint text-xs">{response.type}</p>
      ) : null}
      <h3 className="mt-3 font-medium text-sm">Headers</h3>
      <dl className="mt-1 flex flex-col gap-1.5">
        {response.headers.map(({ name, about }) => (
          <div key={name}>
            <dt className="font-mono text-xs">{name}</dt>
            <dd className="text-soft text-sm">
              <Inline text={about} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function Errors({ responses }: { responses: Response[] }) {
  return (
    <Section title="Errors" note="error.code">
      <ul className="divide-y divide-line">
        {responses.map(({ status, codes }) => (
          <li key={status} className="flex items-baseline gap-3 py-2">
            <code className="font-mono text-bad text-xs">{status}</code>
            <span className="flex flex-wrap gap-1">
              {codes.map(code => (
                <code key={code} className="rounded bg-sunken px-1.5 py-px font-mono text-2xs text-soft">
                  {code}
                </code>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
