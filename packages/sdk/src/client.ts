import { type Api, TABLE } from './api.gen.ts'
import type { AcceptedOptions, Page, StreamOptions, WaitOptions } from './calls.ts'
import { OvertureError } from './errors.ts'
import { type BodyFile, Http, type Options, unlessAborted } from './http.ts'
import { list } from './lists.ts'
import { accepted, waitFor } from './operations.ts'
import { pathPart } from './paths.ts'
import { streamEvents } from './stream.ts'
import type { Operation, OperationReference, Workspace } from './types.gen.ts'

/** A client with one method for each endpoint, grouped by resource. */
export interface Overture extends Api {
  /** Waits for an operation that was started elsewhere. Throws `OperationFailed` if it fails. */
  wait(operationId: string, options?: WaitOptions): Promise<Operation>
}

type AnyOptions = AcceptedOptions & { ifMatch?: string }
type Query = Record<string, string | number | boolean | undefined>

const WORKSPACES = '/v1/workspaces'

/** A UUID of version 7: ordered by time, so that the service writes new keys to one part of its index. */
function newKey(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  // `crypto.randomUUID` is missing in browsers on pages served over plain http.
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(10)), byte => byte.toString(16).padStart(2, '0')).join('')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(1, 4)}-8${hex.slice(5, 8)}-${hex.slice(8)}`
}

function withQuery(path: string, query: Query): string {
  const asked = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]]))
  return asked.length > 0 ? `${path}?${new URLSearchParams(asked)}` : path
}

class Client {
  readonly #http: Http
  #workspaceId: Promise<string> | string | undefined

  constructor(options: Options) {
    this.#http = new Http(options)
    this.#workspaceId = options.workspaceId
    for (const [group, methods] of Object.entries(TABLE)) {
      const made = Object.entries(methods).map(([verb, entry]) => [verb, this.#method(entry)])
      Object.assign(this, { [group]: Object.fromEntries(made) })
    }
  }

  wait(operationId: string, options?: WaitOptions): Promise<Operation> {
    return waitFor(this.#http, operationId, options)
  }

  /** The given workspace, or the only one of the token. */
  async #workspace(named: string | undefined, own: AbortSignal | undefined): Promise<string> {
    const known = named ?? this.#workspaceId
    if (typeof known === 'string') return known
    const signal = this.#http.until(own)
    signal?.throwIfAborted()
    // Calls share the lookup: the signal of one call stops its own waiting, but not the lookup of the others.
    return unlessAborted(known ?? this.#lookUpWorkspace(), signal)
  }

  #lookUpWorkspace(): Promise<string> {
    const found = this.#http.json<Page<Workspace>>({ method: 'GET', path: `${WORKSPACES}?limit=2` }).then(({ data }) => {
      if (data.length === 1) return data[0]!.id
      throw new OvertureError('The token can access several workspaces, or none. Pass a `workspaceId`.', { code: 'workspace_unknown' })
    })
    this.#workspaceId = found
    // A failed request is repeated.
    found.catch(() => (this.#workspaceId = undefined))
    return found
  }

  /** An entry of the table: `list GET w/campaigns?`. */
  #method(entry: string): (...args: unknown[]) => unknown {
    const [kind, method, target] = entry.split(' ') as [string, string, string]
    const template = target.replace(/[?!#-]+$/, '')
    const marks = target.slice(template.length)
    const names = template.match(/:\w+/g) ?? []

    return (...args) => {
      const path = names.reduce((text, name, at) => text.replace(name, pathPart(name.slice(1), args[at])), template)
      const given = args.slice(names.length)
      // The options of a stream include its filters.
      const query = (marks.includes('?') ? given.shift() : undefined) as Query | undefined
      const file = marks.includes('#') ? (given.shift() as BodyFile) : undefined
      const body = marks.includes('!')
        ? (given.shift() ?? {})
        : (method === 'POST' || method === 'PUT') && file === undefined
          ? {}
          : undefined
      const options = (given.shift() ?? {}) as AnyOptions
      const { signal, ifMatch } = options
      const headers = {
        ...(method === 'GET' || (marks.includes('-') && options.idempotencyKey === undefined)
          ? {}
          : { 'idempotency-key': options.idempotencyKey ?? newKey() }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...options.headers,
      }
      const locate = async () =>
        path.startsWith('w/')
          ? `${WORKSPACES}/${pathPart('workspaceId', await this.#workspace(options.workspaceId, signal))}${path.slice(1)}`
          : path
      const send = async <T>(extra: { query?: Query; headers?: Record<string, string> } = {}): Promise<T> =>
        this.#http.json<T>({
          method,
          path: withQuery(await locate(), { ...query, ...extra.query }),
          headers: { ...headers, ...extra.headers },
          body,
          file,
          signal,
        })

      if (kind === 'list') return list(cursor => send<Page<unknown>>(cursor === undefined ? {} : { query: { cursor } }))
      if (kind === 'accepted') return accepted(this.#http, options.wait, prefer => send<OperationReference>({ headers: prefer }))
      if (kind === 'stream') return this.#stream(locate, options as StreamOptions)
      if (kind === 'raw') return locate().then(found => this.#http.raw({ method, path: withQuery(found, query ?? {}), headers, signal }))
      return send<{ data: unknown }>().then(answer => (kind === 'data' ? answer.data : answer))
    }
  }

  async *#stream(locate: () => Promise<string>, options: StreamOptions) {
    yield* streamEvents(this.#http, await locate(), options)
  }
}

export const Overture = Client as unknown as new (options: Options) => Overture
