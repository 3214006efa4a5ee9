/** The personas of a rehearsal, and their names in the sandbox: the part before the `+` of an address. */
export const PERSONAS = {
  interested: 'interested',
  notInterested: 'not-interested',
  later: 'later',
  optsOut: 'opt-out',
  unsubscribes: 'unsubscribe',
  bounces: 'bounce',
  bouncesSoft: 'bounce-soft',
  outOfOffice: 'away',
  opens: 'opens',
  clicks: 'clicks',
  silent: 'silent',
} as const
export type Persona = keyof typeof PERSONAS

/** The settings of a mailbox: all its limits. */
export const CAPS = ['dailyCap', 'minGapSeconds', 'ramp', 'timezone', 'maxPerDomainPerHour'] as const
type Caps = { [name in (typeof CAPS)[number]]?: unknown }

const flag = (description: string) => ({ kind: 'flag', description }) as const
const count = (description: string) => ({ kind: 'count', description }) as const

export const EXPECTATIONS = {
  repliedLeadsGetNothingMore: flag('No email is sent to a lead after a reply.'),
  unsubscribedLeadsGetNothingMore: flag('No email is sent to a lead after an unsubscribe.'),
  bouncedLeadsGetNothingMore: flag('No email is sent to a lead after a hard bounce.'),
  noSendOutsideWindow: flag('Every email is sent within the sending window, in the time zone that applies to the lead.'),
  noUnfilledVariables: flag('Every lead has a value for each variable of the templates, and no email contains an unfilled placeholder.'),
  maxPerDay: count('The most emails from all mailboxes in a day, in the time zone of the schedule.'),
  maxPerMailboxPerDay: count('The most emails from one mailbox in a day, in the time zone of the mailbox.'),
  maxPerDomainPerDay: count('The most emails to one recipient domain in a day, in the time zone of the schedule.'),
  everyLeadGets: count(
    'The least number of emails to each lead, except leads that bounced, unsubscribed or replied, or whose colleague replied.',
  ),
  endsWithinDays: count('The last email is sent within this many days from the start, and none is planned afterwards.'),
} as const
export type Expectation = keyof typeof EXPECTATIONS

/** The section `rehearsal:` of a campaign file. */
export interface Rehearsal {
  leads?: number | string
  personas?: Partial<Record<Persona, number>>
  variables?: Record<string, string>
  mailboxes?: Record<string, Caps>
  from?: string
  days?: number
  expect?: Partial<Record<Expectation, true | number>>
}

export const DEFAULT_LEADS = 20
export const DEFAULT_DAYS = 30

const integer = (minimum: number, maximum: number, description?: string) => ({
  type: 'integer',
  minimum,
  maximum,
  ...(description ? { description } : {}),
})
const closed = (properties: Record<string, unknown>, description: string) => ({
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  description,
  properties,
})
const eachOf = (names: readonly string[], schema: (name: string) => unknown) => Object.fromEntries(names.map(name => [name, schema(name)]))

/** Its JSON Schema. What limits a mailbox is described by the API. */
export function rehearsalSchema(capSchema: (name: string) => unknown): Record<string, unknown> {
  return {
    type: 'object',
    additionalProperties: false,
    description: 'How `overture rehearse` plays the campaign, and what it expects. `plan` and `apply` ignore this section.',
    properties: {
      leads: {
        anyOf: [integer(1, 10_000), { type: 'string', minLength: 1 }],
        description: `The number of invented leads, or the path of a CSV file, relative to this file. Default: the number of personas, or ${DEFAULT_LEADS}.`,
      },
      personas: closed(
        eachOf(Object.keys(PERSONAS), () => integer(0, 10_000)),
        'The number of leads that behave in each way. The others do not reply.',
      ),
      variables: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Variables of every invented lead, in addition to name, company and title.',
      },
      mailboxes: {
        type: 'object',
        additionalProperties: closed(
          eachOf(CAPS, capSchema),
          'The limits of this mailbox. A limit that is left out is that of a new mailbox.',
        ),
        description: 'The limits of each mailbox in `mailboxes`. `overture pull --rehearsal` writes them.',
      },
      from: {
        type: 'string',
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
        description: 'The first day, today or later. Default: the next Monday on which the schedule has started.',
      },
      days: integer(1, 366, `The number of days. Default: ${DEFAULT_DAYS}.`),
      expect: closed(
        eachOf(Object.keys(EXPECTATIONS), name => {
          const { kind, description } = EXPECTATIONS[name as Expectation]
          return kind === 'flag' ? { const: true, description } : integer(name === 'everyLeadGets' ? 1 : 0, 1_000_000, description)
        }),
        'What the rehearsal must show.',
      ),
    },
  }
}
