import type { JsonSchema } from '../../lib/openapi.ts'
import { apiDocument, propertiesOf, resolved } from '../api/document.ts'
import { rehearsalSchema } from '../rehearsal/section.ts'

const named = (name: string): JsonSchema => apiDocument().components.schemas[name]!

/** The fields of `campaign:`: the settings of a campaign, without its rules, which have their own section. */
export const settingNames = (): string[] =>
  Object.keys(propertiesOf(named('SettingsUpdate')).properties).filter(name => name !== 'contactRules')

/** Without references into the API's document, because an editor has only this file. */
function whole(schema: JsonSchema): JsonSchema {
  const { examples: _, ...own } = resolved(schema)
  const inner = (each: Record<string, JsonSchema>) => Object.fromEntries(Object.entries(each).map(([name, value]) => [name, whole(value)]))
  return {
    ...own,
    ...(own.properties ? { properties: inner(own.properties) } : {}),
    ...(own.items ? { items: whole(own.items) } : {}),
    ...(own.anyOf ? { anyOf: own.anyOf.map(whole) } : {}),
  }
}

/** The JSON Schema of a campaign file, made from that of the API. */
export function fileSchema(): Record<string, unknown> {
  const settings = propertiesOf(named('SettingsUpdate')).properties
  const mailbox = propertiesOf(named('NewProvider')).properties
  const steps = propertiesOf(named('NewSequence')).properties.steps!
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A campaign of Overture',
    type: 'object',
    required: ['campaign'],
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      campaign: {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        description: 'Settings that you leave out do not change.',
        properties: {
          id: { type: 'string', format: 'uuid', description: 'The id of the campaign. Without it, the campaign with this name is used.' },
          ...Object.fromEntries(settingNames().map(name => [name, whole(settings[name]!)])),
        },
      },
      schedule: {
        ...whole(named('ScheduleUpdate')),
        description: 'Fields that you leave out do not change. Send the three fields of the window together.',
      },
      mailboxes: {
        type: 'array',
        minItems: 1,
        maxItems: 51,
        uniqueItems: true,
        items: { type: 'string', minLength: 1 },
        description: 'Addresses of mailboxes, or their ids. First contacts are distributed among all of them.',
      },
      contactRules: whole(named('ContactOverrides')),
      sequence: whole(steps),
      rehearsal: rehearsalSchema(name => whole(mailbox[name]!)),
    },
  }
}
