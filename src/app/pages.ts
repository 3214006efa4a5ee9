import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context/context.ts'
import { acceptedLanguage, preferredForm } from '../lib/accept.ts'
import { AppError } from '../lib/errors.ts'
import { escapeHtml as html, htmlPage } from '../lib/html-page.ts'
import type { JsonSchema, OpenApiDocument, OpenApiOperation } from '../lib/openapi.ts'
import failureTexts from './failure-pages.data.json' with { type: 'json' }

/** The API reference as one plain page, made from the OpenAPI document: without scripts, and without external style sheets or fonts. */
export function renderDocs({ paths, components }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )
  const byTag = Map.groupBy(operations, operation => operation.tags[0] ?? 'Other')
  const nav = [...byTag].map(
    ([tag, list]) =>
      `<h3>${html(tag)}</h3><ul>${list.map(item => `<li><a href="#${item.operationId}">${html(item.summary)}</a></li>`).join('')}</ul>`,
  )
  const main = [...byTag].map(([tag, list]) => `<h2>${html(tag)}</h2>${list.map(item => renderOperation(item, components)).join('')}`)
  const schemas = Object.entries(components.schemas)
  const shapes = schemas.map(([name, schema]) => `<section id="schema-${name}"><h4>${name}</h4>${renderFields(schema)}</section>`)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Overture API</title><style>${STYLE}</style></head>
<body><nav><h1><a href="/">Overture</a></h1><p><a href="/openapi.json">openapi.json</a></p>${nav.join('')}<h3><a href="#shapes">Shapes</a></h3></nav>
<main><h1>API reference</h1><p>Send <code>Authorization: Bearer &lt;ACCESS_TOKEN&gt;</code> with every request. Writes take <code>idempotency-key</code>. Errors have one shape: <a href="#schema-Error">Error</a>.</p>
${main.join('')}<h2 id="shapes">Shapes</h2>${shapes.join('')}</main></body></html>`
}

/** The definition under `components` of a reference. */
function resolve<T>(part: T, components: Record<string, Record<string, unknown>>): T {
  const { $ref } = part as { $ref?: string }
  const [kind, name] = $ref?.split('/').slice(-2) ?? []
  return kind && name ? (components[kind]![name] as T) : part
}

function renderOperation(operation: OpenApiOperation & { path: string; method: string }, components: OpenApiDocument['components']) {
  const parameters = operation.parameters
    .map(part => resolve(part, components))
    .map(
      parameter =>
        `<tr><td><code>${parameter.name}</code></td><td>${parameter.in}${parameter.required ? ', required' : ''}</td><td>${typeOf(parameter.schema)}</td><td>${prose(parameter.description ?? parameter.schema.description ?? '')}</td></tr>`,
    )
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema
  const replies = Object.entries(operation.responses).map(([status, part]) => {
    const reply = resolve(part, components)
    const schema = Object.values(reply.content ?? {})[0]?.schema
    return `<tr><td><code>${status}</code></td><td>${schema ? typeOf(schema) : ''}</td><td>${prose(reply.description)}</td></tr>`
  })
  return `<section id="${operation.operationId}"><h3>${html(operation.summary)}</h3>
<p class="line"><b class="${operation.method}">${operation.method.toUpperCase()}</b> <code>${html(operation.path)}</code></p><p>${prose(operation.description)}</p>
${parameters.length > 0 ? `<h4>Parameters</h4><table>${parameters.join('')}</table>` : ''}${body ? `<h4>Body</h4>${renderFields(body)}` : ''}<h4>Replies</h4><table>${replies.join('')}</table></section>`
}

function renderFields(schema: JsonSchema): string {
  const { properties, required = [] } = schema
  if (!properties) return `<p>${typeOf(schema)}</p>`
  const rows = Object.entries(properties).map(
    ([name, property]) =>
      `<tr><td><code>${html(name)}</code></td><td>${required.includes(name) ? 'always' : 'optional'}</td><td>${typeOf(property)}</td><td>${prose(property.description ?? '')}</td></tr>`,
  )
  return `<table>${rows.join('')}</table>`
}

function typeOf({ $ref, type, format, items, properties, ...either }: JsonSchema): string {
  if ($ref) return `<a href="#schema-${$ref.split('/').at(-1)}">${$ref.split('/').at(-1)}</a>`
  const options = either.anyOf ?? either.oneOf
  if (options) return options.map(typeOf).join(' or ')
  if (either.const !== undefined) return `<code>${html(String(either.const))}</code>`
  const values = either.enum
  if (values)
    return values.length > 30 ? `one of ${values.length} values` : values.map(value => `<code>${html(String(value))}</code>`).join(' ')
  if (items) return `list of ${typeOf(items)}`
  if (properties)
    return `{ ${Object.entries(properties)
      .map(([name, property]) => `${html(name)}: ${typeOf(property)}`)
      .join(', ')} }`
  return html([[type ?? 'any'].flat().join(' or '), format].filter(Boolean).join(', '))
}

const prose = (text: string): string =>
  html(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll('\n\n', '<br>')

const STYLE = `:root{color-scheme:light dark;--line:#8883;--accent:#c2410c}*{box-sizing:border-box}body{margin:0;font:15px/1.5 system-ui,sans-serif;display:grid;grid-template-columns:280px 1fr}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem 1.25rem;border-right:1px solid var(--line)}nav h1{font-size:1.2rem;margin:0}nav h3{margin:1rem 0 .25rem;font-size:.8rem;text-transform:uppercase;letter-spacing:.06em;opacity:.7}nav ul{list-style:none;margin:0;padding:0}nav li{padding:.1rem 0}
a{color:inherit;text-decoration-color:var(--accent)}nav a{text-decoration:none}nav a:hover{color:var(--accent)}main{padding:1.5rem 2.5rem;max-width:70rem;min-width:0}main h2{margin-top:3rem;border-bottom:2px solid var(--accent);padding-bottom:.25rem}section{margin:0 0 2.5rem}h4{margin:1rem 0 .25rem}
table{border-collapse:collapse;width:100%;font-size:.9em}td{border-top:1px solid var(--line);padding:.3rem .75rem .3rem 0;vertical-align:top}code{font:0.92em ui-monospace,monospace}.line b{display:inline-block;min-width:4.2rem;color:var(--accent)}@media(max-width:800px){body{display:block}nav{position:static;height:auto}main{padding:1rem}}`

/** Paths for programs. They return the error envelope to every client. */
const FOR_PROGRAMS = /^\/(v1|mcp|openapi\.json|healthz|readyz|metrics|assets)(?=[/?#]|$)/
const FROM_MAIL = /^\/(u|t)(?=[/?#]|$)/

type Asked = Pick<FastifyRequest, 'url' | 'headers' | 'id'>

/** The page for a person whose request failed; null for programs, which get the error envelope. */
export function failurePage({ url, headers, id }: Asked, failure: AppError, baseUrl: string): string | null {
  if (FOR_PROGRAMS.test(url) || preferredForm(headers.accept) !== 'html') return null
  const language = acceptedLanguage(headers['accept-language']) ?? 'en'
  const words = failureTexts[language]
  if (failure.status === 429 || failure.status >= 500) {
    return htmlPage({ title: words.later, body: `<p>${words.laterWhy}</p><p class="soft">${words.request} ${id}</p>`, language })
  }
  if (FROM_MAIL.test(url)) return htmlPage({ title: words.broken, body: `<p>${words.brokenWhy}</p><p>${words.stop}</p>`, language })
  // A tracking host only serves links, so there is no page to link to.
  const hasStart = baseUrl === '' || new URL(baseUrl).host === headers.host
  const start = hasStart ? `<p><a href="/">${words.start}</a></p>` : ''
  return htmlPage({ title: words.missing, body: `<p>${words.missingWhy}</p>${start}`, language })
}

const root = new URL('../..', import.meta.url).pathname
const SKILL = 'skills/overture/SKILL.md'
const SECURITY = 'SECURITY.md'
const TYPES: Record<string, string> = { md: 'text/markdown', yaml: 'application/yaml', yml: 'application/yaml' }

/** The only files of the documentation that can be read over HTTP. */
const documents = (): string[] => {
  const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter(file => /\.(?:md|yaml|yml)$/.test(file))
  return [...files.map(file => `docs/${file.split(sep).join('/')}`).sort(), SECURITY, SKILL]
}

/** The heading of a page, and the first sentence below it. */
function describe(file: string): { title: string; sentence: string } {
  const text = readFileSync(join(root, file), 'utf8').replace(/^---\n[\s\S]*?\n---\n/, '')
  const [, title = file, rest = ''] = /^# (.+)\n([\s\S]*)$/m.exec(text) ?? []
  const paragraph = /^(?![#|`<-])\S[\s\S]*?(?=\n\n|$)/m.exec(rest)?.[0] ?? ''
  const plain = paragraph.replace(/\s+/g, ' ').replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
  return { title, sentence: /^.{10,240}?[.:](?= |$)/.exec(plain)?.[0] ?? '' }
}

const line = ({ title, sentence }: { title: string; sentence: string }, url: string): string =>
  `- [${title}](${url})${sentence ? `: ${sentence}` : ''}`

/** `/llms.txt`, as llmstxt.org describes it: an index for language models, and the pages in Markdown. */
export function mountLlmsText(app: FastifyInstance, { link }: Pick<Context, 'link'>): readonly string[] {
  const files = documents()
  // Read at the first request, so that the start is faster.
  const linesOf = (which: RegExp): string[] => files.filter(file => which.test(file)).map(file => line(describe(file), link(`/${file}`)))
  const text = () =>
    [
      '# Overture',
      '',
      '> Self-hosted cold email over an API: leads, sequences, schedules, and no step that is sent twice. Agents use the tools at',
      `> ${link('/mcp')} (Model Context Protocol). A person approves every request that sends, spends or deletes.`,
      '',
      '## For agents',
      line({ title: 'Skill', sentence: 'How to work with Overture, in one page.' }, link(`/${SKILL}`)),
      line({ title: 'OpenAPI document', sentence: 'Every endpoint, with schemas and examples.' }, link('/openapi.json')),
      line({ title: 'API reference', sentence: 'The same as a page.' }, link('/docs')),
      '',
      '## Docs',
      ...linesOf(/^(?:docs\/(?:guides\/|reference\/)?[^/]+|SECURITY)\.md$/),
      '',
      '## Optional',
      ...linesOf(/^docs\/(?:internals|decisions)\//),
      '',
    ].join('\n')
  app.get('/llms.txt', (_, reply) => reply.type('text/plain; charset=utf-8').send(text()))
  const known = new Set(files)
  const paths = ['/docs/*', `/${SECURITY}`, '/skills/*']
  for (const path of paths) {
    app.get(path, async (request, reply) => {
      const file = decodeURIComponent(new URL(request.url, 'http://localhost').pathname).slice(1)
      if (!known.has(file)) throw new AppError('not_found', 'There is no such page. /llms.txt lists all pages.')
      return reply.type(`${TYPES[file.split('.').at(-1)!]}; charset=utf-8`).send(await readFile(join(root, file)))
    })
  }
  return ['/llms.txt', ...paths]
}
