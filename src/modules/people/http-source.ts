import type { FilterDocument } from '#lead-terms'
import { AppError } from '../../lib/errors.ts'
import { PERSON_FIELDS, type PersonField, type RawPerson } from './person-input.ts'

interface SourcePage {
  people: RawPerson[]
  /** Where the next page starts; null after the last. */
  cursor: string | null
}

/** Somebody else's directory. What it finds is imported into ours, with its name as provenance. */
export interface LeadSource {
  readonly name: string
  search(filters: FilterDocument, limit: number, cursor: string | null): Promise<SourcePage>
}

/**
 * The description of a provider's API, written by an operator. `{limit}`, `{cursor}`, `{key}`, `{filters}` and paths
 * into the filters such as `{filters.jobTitles.include}` are filled in, in the address, the headers and the body. A
 * text that is nothing but one of them becomes the value itself; a member of the body whose value is absent is left out.
 */
export interface HttpSourceShape {
  name: string
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: unknown
  /** Where the people are in the answer: `data.people`. Empty or absent: the answer is the list. */
  items?: string
  /** Where the cursor of the next page is. Absent: there is only one page. */
  cursor?: string
  /** Where each value is within a person: `{"email": "contact.email", "company": "organization.name"}`. */
  fields: Partial<Record<PersonField, string>>
}

const TIMEOUT_MS = 20_000
const ANSWER_LIMIT_BYTES = 20 * 1024 * 1024

export class HttpSource implements LeadSource {
  readonly name: string
  readonly #shape: HttpSourceShape
  readonly #key: string

  constructor(shape: HttpSourceShape, key = '') {
    const unknown = Object.keys(shape.fields ?? {}).filter(field => !(PERSON_FIELDS as readonly string[]).includes(field))
    if (!shape.name || !shape.url || !shape.fields) throw new Error('A source needs name, url and fields.')
    if (unknown.length > 0) throw new Error(`A source cannot fill ${unknown.join(', ')}. Fields: ${PERSON_FIELDS.join(', ')}`)
    this.name = shape.name
    this.#shape = shape
    this.#key = key
  }

  async search(filters: FilterDocument, limit: number, cursor: string | null): Promise<SourcePage> {
    const values = { filters, limit, cursor: cursor ?? undefined, key: this.#key }
    const { method = 'GET', headers = {}, body } = this.#shape
    const filled = body === undefined ? undefined : JSON.stringify(fill(body, values))
    const answer = await this.#send(fillText(this.#shape.url, values, encodeURIComponent), {
      method,
      headers: {
        accept: 'application/json',
        ...(filled ? { 'content-type': 'application/json' } : {}),
        ...(fill(headers, values) as Record<string, string>),
      },
      body: filled ?? null,
    })
    const items = this.#shape.items ? at(answer, this.#shape.items) : answer
    if (!Array.isArray(items)) throw this.#failure(`the answer has no list at ${this.#shape.items ?? 'its top'}`)
    const next = this.#shape.cursor ? at(answer, this.#shape.cursor) : undefined
    return { people: items.map(item => this.#person(item)), cursor: next == null || next === '' ? null : String(next) }
  }

  async #send(url: string, options: { method: 'GET' | 'POST'; headers: Record<string, string>; body: string | null }): Promise<unknown> {
    try {
      const { request } = await import('undici')
      const answer = await request(url, { ...options, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS })
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > ANSWER_LIMIT_BYTES) throw this.#failure('the answer is too large')
        chunks.push(chunk)
      }
      if (answer.statusCode < 200 || answer.statusCode > 299) throw this.#failure(`it answered ${answer.statusCode}`)
      return JSON.parse(Buffer.concat(chunks).toString('utf8'))
    } catch (error) {
      if (error instanceof AppError) throw error
      throw this.#failure(error instanceof SyntaxError ? 'the answer is not JSON' : 'it could not be reached')
    }
  }

  #person(item: unknown): RawPerson {
    const raw: RawPerson = {}
    for (const [field, path] of Object.entries(this.#shape.fields) as [PersonField, string][]) {
      const value = at(item, path)
      if (value == null || typeof value === 'object') {
        if (Array.isArray(value)) raw[field] = value.filter(part => typeof part !== 'object').join(';')
      } else raw[field] = String(value)
    }
    return raw
  }

  #failure(what: string): AppError {
    return new AppError('upstream_unavailable', `The lead source ${this.name} returned no people: ${what}.`)
  }
}

/** The value at a dotted path; `*` takes every element of a list. */
export function at(value: unknown, path: string): unknown {
  const [name, ...rest] = path.split('.') as [string, ...string[]]
  if (value == null || typeof value !== 'object') return undefined
  if (name === '*')
    return Array.isArray(value) ? value.map(element => (rest.length > 0 ? at(element, rest.join('.')) : element)) : undefined
  const member = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
  return rest.length > 0 ? at(member, rest.join('.')) : member
}

const PLACEHOLDER = /\{((?:filters|limit|cursor|key)[\w.*]*)\}/g

function fillText(text: string, values: unknown, encode: (text: string) => string = String): string {
  return text.replace(PLACEHOLDER, (_, path: string) => {
    const value = at(values, path)
    return value === undefined ? '' : encode(typeof value === 'object' ? JSON.stringify(value) : String(value))
  })
}

function fill(template: unknown, values: unknown): unknown {
  if (typeof template === 'string') {
    const whole = new RegExp(`^${PLACEHOLDER.source}$`).exec(template)
    return whole ? at(values, whole[1]!) : fillText(template, values)
  }
  if (Array.isArray(template)) return template.map(element => fill(element, values)).filter(element => element !== undefined)
  if (template === null || typeof template !== 'object') return template
  const members = Object.entries(template).map(([name, value]) => [name, fill(value, values)] as const)
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}
