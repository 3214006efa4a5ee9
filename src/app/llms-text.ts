import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context/context.ts'
import { AppError } from '../lib/errors.ts'

const root = new URL('../..', import.meta.url).pathname
const SKILL = 'skills/overture/SKILL.md'
const TYPES: Record<string, string> = { md: 'text/markdown', yaml: 'application/yaml', yml: 'application/yaml' }

/** The only files of the documentation that can be read over HTTP. */
const documents = (): string[] => {
  const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter(file => /\.(?:md|yaml|yml)$/.test(file))
  return [...files.map(file => `docs/${file.split(sep).join('/')}`).sort(), SKILL]
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
      ...linesOf(/^docs\/(?:guides\/|reference\/)?[^/]+\.md$/),
      '',
      '## Optional',
      ...linesOf(/^docs\/(?:internals|decisions)\//),
      '',
    ].join('\n')
  app.get('/llms.txt', (_, reply) => reply.type('text/plain; charset=utf-8').send(text()))
  const known = new Set(files)
  for (const path of ['/docs/*', '/skills/*']) {
    app.get(path, async (request, reply) => {
      const file = decodeURIComponent(new URL(request.url, 'http://localhost').pathname).slice(1)
      if (!known.has(file)) throw new AppError('not_found', 'There is no such page. /llms.txt lists all pages.')
      return reply.type(`${TYPES[file.split('.').at(-1)!]}; charset=utf-8`).send(await readFile(join(root, file)))
    })
  }
  return ['/llms.txt', '/docs/*', '/skills/*']
}
