import { apiDocument, propertiesOf, resolved, type Schema } from '../api/document.ts'

const named = (name: string): Schema => apiDocument().components.schemas[name]!

/** The fields of `campaign:`: whatever the settings of a campaign take, and its rules have a section of their own. */
export const settingNames = (): string[] =>
  Object.keys(propertiesOf(named('SettingsUpdate')).properties).filter(name => name !== 'contactRules')

/** Without the references into the API's document: an editor has this one alone. */
function whole(schema: Schema): Schema {
  const { examples: _, ...own } = resolved(schema) as Schema & { examples?: unknown }
  const inner = (each: Record<string, Schema>) => Object.fromEntries(Object.entries(each).map(([name, value]) => [name, whole(value)]))
  return {
    ...own,
    ...(own.properties ? { properties: inner(own.properties) } : {}),
    ...(own.items ? { items: whole(own.items) } : {}),
    ...(own.anyOf ? { anyOf: own.anyOf.map(whole) } : {}),
  }
}

const count = (description: string, maximum: number) => ({ type: 'integer', minimum: 1, maximum, description })
const flag = (description: string) => ({ type: 'boolean', description })

/** The JSON Schema of a campaign file, made from that of the API. */
export function fileSchema(): Record<string, unknown> {
  const settings = propertiesOf(named('SettingsUpdate')).properties
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
        description: 'What is left out is left alone.',
        properties: {
          id: { type: 'string', format: 'uuid', description: 'The campaign that is meant. Without it, the one of this name.' },
          ...Object.fromEntries(settingNames().map(name => [name, whole(settings[name]!)])),
        },
      },
      schedule: {
        ...whole(named('ScheduleUpdate')),
        description: 'What is left out is left alone; the three of the window come together.',
      },
      mailboxes: {
        type: 'array',
        minItems: 1,
        maxItems: 51,
        uniqueItems: true,
        items: { type: 'string', minLength: 1 },
        description: 'Addresses of mailboxes, or their ids. First contacts are shared out to all of them.',
      },
      contactRules: whole(named('ContactOverrides')),
      sequence: whole(steps),
      rehearsal: rehearsalSchema(),
    },
  }
}

const rehearsalSchema = (): Record<string, unknown> => ({
  type: 'object',
  additionalProperties: false,
  description: 'What `overture rehearse` plays and checks. Nothing of it reaches the service.',
  properties: {
    leads: { ...count('How many made-up people are written to.', 500), default: 20 },
    days: { ...count('How long it is played at most.', 366), default: 90 },
    dailyCap: count('The daily cap of each mailbox.', 100000),
    expect: {
      type: 'object',
      additionalProperties: false,
      properties: {
        nothingAfterReply: flag('A lead that replies gets nothing more.'),
        nothingAfterOptOut: flag('Whoever opts out gets nothing more.'),
        onlyInsideWindow: flag('Nothing leaves outside the days and hours of the schedule.'),
        nobodyTwice: flag('No lead gets the same step twice.'),
        atMostPerDay: count('All mailboxes together, by the days of the schedule.', 1000000),
        atMostPerLead: count('E-mails to one lead.', 100),
        atLeastSent: count('E-mails in all.', 1000000),
        everybodyContacted: flag('Every lead gets a first e-mail, unless something is in the way of all e-mail to it.'),
        finishedWithinDays: count('From the first e-mail to the last.', 366),
      },
    },
  },
})
