import type { Route } from '../http/route.ts'
import { strict } from '../http/schema.ts'
import { type Static, type TObject, type TProperties, Type } from '../lib/type.ts'
import { Marking, NOTICE } from './untrusted.ts'

/** A request to our own API, with the token of the caller. */
interface Outgoing {
  method: string
  url: string
  headers: Record<string, string>
  body?: unknown
}

export type Send = (request: Outgoing) => Promise<{ status: number; body: unknown }>

/** The base of the tools: the routes of the API, and the function that calls them. */
export interface Backend {
  send: Send
  routes: ReadonlyMap<string, Pick<Route, 'method' | 'path' | 'write' | 'action' | 'replies'>>
  /** The schema of the result of an operation. */
  resultOf(action: string): object | undefined
  workspaceId?: string | undefined
}

/** The API refused, and said why. */
export class Refusal extends Error {
  readonly code: string
  readonly details: unknown

  constructor(code: string, message: string, details: unknown = null) {
    super(message)
    this.code = code
    this.details = details
  }
}

interface Asked {
  params?: Record<string, string> | undefined
  query?: Record<string, string | number | boolean | undefined> | undefined
  body?: unknown
  headers?: Record<string, string>
  /** The result is made only from what the caller sent, so it has no text of strangers. */
  isOwn?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: the schema of a route describes its responses
type Json = any

const WAIT_SECONDS = 20

/**
 * The API as the tools see it, made for each call of a tool. It marks everything that it reads before the tool sees it, so no tool can
 * forget to.
 */
export class Api {
  readonly #backend: Backend
  readonly #marking: Marking
  #workspaceId: string | undefined

  constructor(backend: Backend, own: Iterable<string> = []) {
    this.#backend = backend
    this.#marking = new Marking(own)
    this.#workspaceId = backend.workspaceId
  }

  /** Null when no text of strangers was read. */
  get notice(): string | null {
    return this.#marking.count > 0 ? NOTICE : null
  }

  /** Tools work in one workspace. A caller with several must name one. */
  async choose(workspaceId: string | undefined): Promise<void> {
    if (workspaceId) this.#workspaceId = workspaceId
    if (this.#workspaceId) return
    const { data } = await this.#request('sessions.getIdentity', {})
    const [first, second] = data.workspaces as { id: string; name: string }[]
    if (!first) throw new Refusal('not_found', 'The token cannot access any workspace.')
    if (second) throw new Refusal('workspace_needed', 'The token can access several workspaces: send workspaceId.', data.workspaces)
    this.#workspaceId = first.id
  }

  /** The response to a read; for a write, the result of its operation, once that has succeeded. */
  async call(id: string, asked: Asked = {}): Promise<Json> {
    const { write, action, replies } = this.#route(id)
    const body = await this.#request(id, asked)
    if (write !== 'accepted') return this.#marking.mark(body, replies[200]?.schema ?? replies[201]?.schema)
    if (body.status === 'queued') return { operationId: body.id, status: 'queued' }
    const operation = await this.#request('operations.get', { params: { operationId: body.id } })
    if (operation.status === 'failed') throw new Refusal(operation.error.code, operation.error.message, { operationId: operation.id })
    return asked.isOwn ? operation.result : this.#marking.mark(operation.result, this.#backend.resultOf(action!))
  }

  /** The response without marks, for tools that need one of its values. A tool must mark every part of it that it shows. */
  peek(id: string, asked: Asked = {}): Promise<Json> {
    return this.#request(id, asked)
  }

  mark(value: unknown, schema: object): Json {
    return this.#marking.mark(value, schema)
  }

  async #request(id: string, { params = {}, query = {}, body, headers = {} }: Asked): Promise<Json> {
    const { method, path, write } = this.#route(id)
    const values: Record<string, string> = { workspaceId: this.#workspaceId ?? '', ...params }
    const url = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
    const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]]))
    const search = new URLSearchParams(given).toString()
    const answer = await this.#backend.send({
      method,
      url: search ? `${url}?${search}` : url,
      headers: { ...(write === 'accepted' ? { prefer: `wait=${WAIT_SECONDS}` } : {}), ...headers },
      ...(method === 'GET' ? {} : { body: body ?? {} }),
    })
    if (answer.status < 400 && answer.body !== undefined) return answer.body
    const { error } = (answer.body ?? {}) as { error?: { code: string; message: string; details: unknown } }
    throw new Refusal(error?.code ?? 'unreadable_answer', error?.message ?? `The API returned ${answer.status}.`, error?.details)
  }

  #route(id: string) {
    const found = this.#backend.routes.get(id)
    if (!found) throw new Error(`There is no request ${id}.`)
    return found
  }
}

interface ToolSpec<P extends TProperties> {
  name: string
  title: string
  about: string
  input: P
  /** `reads`: changes nothing. `drafts`: changes only drafts, which send nothing. `plans`: proposes. `applies`: carries out a plan. */
  does: 'reads' | 'drafts' | 'plans' | 'applies'
  /** Fields whose texts are ours or the workspace's own. Every other text of a response is marked as written by strangers. */
  own?: readonly string[]
  run(api: Api, input: Static<TObject<P>>): Promise<Record<string, unknown>>
}

export interface Tool extends Omit<ToolSpec<TProperties>, 'input' | 'run'> {
  input: TObject
  run(api: Api, input: never): Promise<Record<string, unknown>>
}

const WorkspaceId = Type.Optional(
  Type.String({ format: 'uuid', description: 'Needed only when the token can access more than one workspace.' }),
)

export const tool = <P extends TProperties>(spec: ToolSpec<P>): Tool =>
  ({ ...spec, input: strict({ ...spec.input, workspaceId: WorkspaceId }) }) as Tool

export const CampaignId = Type.String({ format: 'uuid', description: 'From list_campaigns or draft_campaign.' })
export const PageSize = Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 }))
export const Cursor = Type.Optional(Type.String({ description: 'The `nextCursor` of the previous page.' }))
