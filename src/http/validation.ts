import { Ajv2020 as Ajv, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { isEmail } from '../lib/email.ts'
import { type Issue, refusal } from '../lib/errors.ts'
import { isUuid } from '../lib/ids.ts'
import { isBlank } from '../lib/storable-text.ts'
import { parseDateTime } from '../lib/time.ts'
import type { TSchema } from '../lib/type.ts'
import { NOT_BLANK, ONE_LINE } from './schema.ts'

// Nothing is converted and nothing is dropped: the caller must correct a misspelled field or a number in quotes.
const OPTIONS = { strict: false, verbose: true, coerceTypes: false, removeAdditional: false, useDefaults: false } as const

// The parser of URLs removes blanks around a URL and line breaks within it: the URL that is used would not be the one that was sent.
const isHttpUrl = (text: string): boolean => {
  if (/[\s\p{Cc}]/u.test(text)) return false
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname !== ''
}

function createAjv(allErrors: boolean): Ajv {
  const ajv = new Ajv({ ...OPTIONS, allErrors })
  ajv.addFormat('uuid', isUuid)
  ajv.addFormat('date-time', (text: string) => parseDateTime(text) !== null)
  ajv.addFormat('email', isEmail)
  ajv.addFormat('uri', isHttpUrl)
  ajv.addFormat(NOT_BLANK, (text: string) => !isBlank(text))
  return ajv
}

const quick = createAjv(false)
const thorough = createAjv(true)

/** A list of all problems takes memory in proportion to them, so only small bodies get all of them. */
const isSmall = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length <= 200 && JSON.stringify(value).length < 20_000

export type Check = (value: unknown) => void

/** A function that throws the contract's error when the value does not fit. The validator is compiled on first use. */
export function compileCheck(schema: TSchema, where: Issue['in']): Check {
  let validate: ValidateFunction | undefined
  return value => {
    validate ??= quick.compile(schema)
    if (validate(value)) return
    const full = isSmall(value) ? thorough.compile(schema) : validate
    full(value)
    const [first, ...others] = (full.errors ?? []).slice(0, 50).map(error => describe(error, where))
    // They hold what was sent, and would keep it in memory until the next refusal.
    validate.errors = full.errors = null
    throw refusal(where === 'body' ? 'validation_failed' : 'invalid_request', [first!, ...others])
  }
}

function describe(error: ErrorObject, where: Issue['in']): Issue {
  const { keyword, instancePath: path, params } = error
  const at = { in: where, path, rule: keyword }
  switch (keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params.additionalProperty ?? params.unevaluatedProperty)
      const [pattern] = Object.keys(error.parentSchema?.patternProperties ?? {})
      const message = pattern ? `has a name that does not match ${pattern}` : `is not a known ${where === 'query' ? 'parameter' : 'field'}`
      return { in: where, path: `${path}/${name}`, rule: 'unknown_field', message }
    }
    case 'required':
      return { ...at, path: `${path}/${String(params.missingProperty)}`, message: 'is required' }
    case 'enum':
      return { ...at, message: `must be one of ${(params.allowedValues as unknown[]).slice(0, 60).join(', ')}` }
    case 'format':
      return { ...at, message: FORMATS[String(params.format)] ?? 'has the wrong format' }
    case 'type':
      return { ...at, message: wordType([params.type].flat() as string[], error, where) }
    default:
      return { ...at, message: wordLimit(error) ?? error.message ?? 'is wrong' }
  }
}

/** In the words that the rest of the service uses: those of Ajv are `must NOT have fewer than 1 items` and the source of the pattern. */
function wordLimit({ keyword, params, parentSchema }: ErrorObject): string | undefined {
  const limit = Number(params.limit)
  switch (keyword) {
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} ${COUNTED[keyword]}s`
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return `must have at most ${limit} ${COUNTED[keyword]}${limit === 1 ? '' : 's'}`
    case 'uniqueItems':
      return 'must not have the same item twice'
    case 'pattern': {
      if (params.pattern === ONE_LINE) return 'must not contain line breaks or other control characters'
      const [example] = (parentSchema?.examples ?? []) as unknown[]
      return example === undefined ? undefined : `must be written like ${example}`
    }
  }
}

/** A parameter that was sent twice arrives as an array. */
function wordType(types: string[], error: ErrorObject, where: Issue['in']): string {
  if (where === 'query' && Array.isArray(error.data)) return 'was sent more than once'
  return `must be ${types.map(type => TYPES[type] ?? type).join(' or ')}`
}

const TYPES: Record<string, string> = {
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
}

const COUNTED = {
  minLength: 'character',
  maxLength: 'character',
  minItems: 'item',
  maxItems: 'item',
  minProperties: 'field',
  maxProperties: 'field',
}

const FORMATS: Record<string, string> = {
  uuid: 'must be a uuid',
  'date-time': 'must be an ISO 8601 date-time with an offset, like 2026-01-31T09:00:00Z',
  email: 'must be an email address',
  uri: 'must be an http or https URL',
  [NOT_BLANK]: 'must not be blank',
}

/** Converts the texts of a query string to the types of its schema, without guessing: `1e2` or ` 5` stay texts and are refused. */
export function readQuery(schema: TSchema, query: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(query)
  if (names.length === 0) return {}
  const properties = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {}
  return Object.fromEntries(names.map(name => [name, readValue(properties[name]?.type, query[name])]))
}

function readValue(type: string | undefined, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value)
  if (type === 'boolean' && /^(true|false)$/.test(value)) return value === 'true'
  return value
}
