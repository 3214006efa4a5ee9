import type { Event } from '../../../packages/sdk/src/types.gen.ts'
import { CommandFailed, EXIT, wrongUsage } from '../../lib/command-failure.ts'
import { isEmail } from '../../lib/email.ts'
import { isUuid, newId } from '../../lib/ids.ts'
import type { JsonSchema } from '../../lib/openapi.ts'
import { parseDateTime } from '../../lib/time.ts'
import { apiDocument, put, readValue, schemaAt } from '../api/document.ts'
import type { Call } from '../command.ts'
import { type Flags, suggestion } from '../flags.ts'
import { jsonText, printJson } from '../output.ts'
import { type Forwarded, forward, readReceiver, shownAttempt } from './forward.ts'

/** `overture trigger email.replied --forward-to URL`: an event that never happened, for the author of a receiver. */
export async function trigger({ positionals, flags, shell }: Call): Promise<void> {
  const asJson = flags.isOn('json')
  const [named] = positionals
  if (named === undefined) {
    if (asJson) return printJson(shell, { data: eventTypes() })
    return shell.print(eventTypes().join('\n'))
  }
  const type = readType(named, 'overture trigger')
  const event = withWishes(madeUpEvent(type, new Date()), type, flags)
  if (flags.has('set')) await checkEvent(event, type)
  // Without a receiver, the event is printed.
  if (!flags.has('forward-to')) return printJson(shell, event)
  const receiver = readReceiver(flags, `trigger ${type}`)
  if (!flags.has('secret') && !asJson) shell.print(`Secret: ${receiver.secret}`)
  const outcome = await forward(receiver, event, shell.signal, () => {}, [])
  if (asJson) shell.print(jsonText({ secret: receiver.secret, event, ...outcome }, 2))
  else shell.print(`${type}  ${shownAttempt(outcome)}`)
  if (outcome.isTaken) return
  const why = outcome.status === null ? outcome.error : `it returned ${outcome.status}`
  throw new CommandFailed(
    EXIT.failed,
    'not_taken',
    `${receiver.url} did not accept the event: ${why}.`,
    `overture trigger ${type}   # shows what was sent`,
  )
}

/** `--set email=bob@example.com`: a field of the data, with the type that the event wants. */
function withWishes(event: Forwarded, type: string, flags: Flags): Forwarded {
  for (const wish of flags.list('set')) {
    const at = wish.indexOf('=')
    const path = wish.slice(0, at).split('.')
    const schema = at > 0 ? schemaAt(bodySchemaOf(type), ['data', ...path]) : undefined
    if (!schema) throw wrongUsage(`--set must be FIELD=VALUE with a field of ${type}, not "${wish}".`, `overture trigger ${type}`)
    put(event.data as Record<string, unknown>, path, readValue([wish.slice(at + 1)], schema, path.join('.'), `trigger ${type}`))
  }
  return event
}

const FORMATS = {
  uuid: isUuid,
  email: isEmail,
  uri: (text: string) => URL.canParse(text),
  'date-time': (text: string) => !!parseDateTime(text),
}

/** A receiver is written against the schema, so an event that the service could never send is refused. */
async function checkEvent(event: Forwarded, type: string): Promise<void> {
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const { components } = apiDocument()
  const validate = new Ajv2020({ strict: false, formats: FORMATS, logger: false }).compile({ ...bodySchemaOf(type), components })
  if (validate(event)) return
  const { instancePath, message } = validate.errors![0]!
  throw wrongUsage(`No ${type} can have this: ${instancePath.slice(1).replaceAll('/', '.')} ${message}.`, `overture trigger ${type}`)
}

/** An event of this type that never happened, as a webhook would bring it: the example of the API, with the current time and new ids. */
function madeUpEvent(type: string, now: Date): Forwarded {
  const ids = new Map<string, string>()
  const fresh = (_: string, value: unknown): unknown => {
    if (typeof value !== 'string' || !isUuid(value)) return value
    // Ids that are equal in the example stay equal.
    if (!ids.has(value)) ids.set(value, newId(now.getTime()))
    return ids.get(value)
  }
  return { ...JSON.parse(JSON.stringify(exampleOf(type)), fresh), timestamp: now.toISOString() }
}

export const eventTypes = (): string[] => Object.keys(apiDocument().webhooks)

const bodySchemaOf = (type: string): JsonSchema => apiDocument().webhooks[type]!.post.requestBody.content['application/json']!.schema

function exampleOf(type: string): Record<string, unknown> {
  const { schemas } = apiDocument().components
  const variant = Object.values(schemas).find(({ properties, required }) => properties?.type?.const === type && required?.includes('links'))
  const { links: _, ...body } = variant!.examples![0] as Record<string, unknown>
  return body
}

export function readType(text: string, next: string): Event['type'] {
  const types = eventTypes()
  if (types.includes(text)) return text as Event['type']
  throw wrongUsage(`There is no event "${text}".${suggestion(text, types)}`, next)
}
