import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { nothingHere } from '../http/failures.ts'
import { acceptsCoding, preferredForm } from '../lib/accept.ts'

/** The first part of the path of every screen. The console's own router decides what is shown. */
const SCREENS = ['sign-in', 'join', 'campaigns', 'find-leads', 'inbox', 'mailboxes', 'plans', 'people', 'developers', 'settings']

/** All paths of the console. Other code must not use them. */
export const CONSOLE_PATHS = ['/', '/theme.js', '/favicon.svg', '/assets/*', ...SCREENS.flatMap(name => [`/${name}`, `/${name}/*`])]

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // A preview of an email is a sandboxed frame, which inherits this policy, and mail is styled by attributes.
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "base-uri 'none'",
].join('; ')

const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

interface StoredFile {
  type: string
  etag: string
  cacheControl: string
  /** By coding. `identity` is always there. */
  codings: Map<string, Buffer>
}

/** The files of a build by their address. They are 2 MB, and kept in memory: the folder may be replaced while the process runs. */
class ConsoleFiles {
  readonly #files: ReadonlyMap<string, StoredFile>

  private constructor(files: ReadonlyMap<string, StoredFile>) {
    this.#files = files
  }

  static async load(folder: string): Promise<ConsoleFiles> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
    const contents = new Map(await Promise.all(paths.map(async path => [path, await readFile(path)] as const)))
    const files = new Map<string, StoredFile>()
    for (const [path, bytes] of contents) {
      const type = TYPES[extname(path)]
      if (!type) continue
      const address = `/${relative(folder, path).split(sep).join('/')}`
      const codings = new Map([['identity', bytes]])
      for (const [coding, ending] of [
        ['br', '.br'],
        ['gzip', '.gz'],
      ] as const) {
        const packed = contents.get(path + ending)
        if (packed) codings.set(coding, packed)
      }
      const etag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
      const cacheControl = address.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
      files.set(address, { type, etag, cacheControl, codings })
    }
    return new ConsoleFiles(files)
  }

  send(address: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const file = this.#files.get(address)
    if (!file) throw nothingHere()
    const accepted = request.headers['accept-encoding']
    // The smallest encoding that the client accepts.
    const coding = ['br', 'gzip'].find(name => file.codings.has(name) && acceptsCoding(accepted, name)) ?? 'identity'
    const etag = coding === 'identity' ? `"${file.etag}"` : `"${file.etag}-${coding}"`
    const vary = file.type === TYPES['.html'] ? 'accept, accept-encoding' : 'accept-encoding'
    reply.headers({ etag, vary, 'cache-control': file.cacheControl, 'content-type': file.type })
    if (file.type.startsWith('text/html')) reply.headers(PAGE_HEADERS)
    const known = String(request.headers['if-none-match'] ?? '').split(',')
    if (known.some(tag => tag.trim().replace(/^W\//, '') === etag)) return reply.code(304).send()
    if (coding !== 'identity') reply.header('content-encoding', coding)
    return reply.send(file.codings.get(coding)!)
  }
}

const sendPlain = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .type(TYPES['.html']!)
    .headers({ 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'", 'cache-control': 'no-cache', vary: 'accept' })
    .send(html)

/** Serves the console. It may be built while the service already runs; until then, a landing page is shown. */
export class Console {
  #files: ConsoleFiles | null = null

  async serve(folder: string | null): Promise<void> {
    this.#files = folder === null ? null : await ConsoleFiles.load(folder)
  }

  /** `plainDocs` is the reference as one page. It is for clients without scripts: programs, and browsers while nothing is built. */
  mount(app: FastifyInstance, about: Record<string, unknown>, plainDocs: () => string): void {
    const page = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      if (this.#files) return this.#files.send('/index.html', request, reply)
      return sendPlain(reply, LANDING_PAGE)
    }
    const docs = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      if (this.#files && preferredForm(request.headers.accept) === 'html') return this.#files.send('/docs.html', request, reply)
      return sendPlain(reply, plainDocs())
    }
    app.get('/docs', docs)
    app.get('/docs/plain', (_, reply) => sendPlain(reply, plainDocs()))
    const file = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      if (!this.#files) throw nothingHere()
      return this.#files.send(request.url.split('?')[0]!, request, reply)
    }
    for (const path of CONSOLE_PATHS) {
      if (path === '/')
        app.get(path, (request, reply) => (preferredForm(request.headers.accept) === 'json' ? reply.send(about) : page(request, reply)))
      else app.get(path, SCREENS.includes(path.split('/')[1]!) ? page : file)
    }
  }
}

/** The page at `/` while there is no console. */
const LANDING_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Overture</title>
<style>:root{color-scheme:light dark}body{font:17px/1.6 system-ui,sans-serif;max-width:36rem;margin:12vh auto;padding:0 1.5rem}h1{font-size:2.4rem;margin:0}a{color:inherit;text-decoration-color:#c2410c}code{font:.9em ui-monospace,monospace}</style></head>
<body><h1>Overture</h1><p>Cold email over an API: leads, sequences, schedules, and no step that is sent twice.</p>
<ul><li><a href="/docs">API reference</a></li><li><a href="/openapi.json">OpenAPI document</a></li><li><a href="/readyz">Readiness</a> and <a href="/metrics">metrics</a> of this process</li></ul>
<p>A local installation stores its address and tokens in <code>.overture/local.json</code>.</p></body></html>`
