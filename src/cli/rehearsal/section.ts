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
  repliedLeadsGetNothingMore: flag('Nothing goes to a lead that has answered.'),
  unsubscribedLeadsGetNothingMore: flag('Nothing goes to a lead that has unsubscribed.'),
  bouncedLeadsGetNothingMore: flag('Nothing goes to an address that does not exist.'),
  noSendOutsideWindow: flag('Everything leaves on the days and in the hours of the schedule, in the time zone that counts for the lead.'),
  noUnfilledVariables: flag('No lead lacks a value that a template needs, and no placeholder is left in an email.'),
  maxPerDay: count('E-mails of all mailboxes on one day of the schedule’s time zone.'),
  maxPerMailboxPerDay: count('E-mails of one mailbox on one day of the mailbox’s time zone.'),
  maxPerDomainPerDay: count('E-mails to one recipient domain on one day of the schedule’s time zone.'),
  everyLeadGets: count('Every lead gets so many emails, unless it bounced, unsubscribed, or it or its company answered.'),
  endsWithinDays: count('The last email leaves within so many days from the beginning, and none is planned after it.'),
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
    description: 'How `overture rehearse` plays the campaign, and what must hold. `plan` and `apply` leave it alone.',
    properties: {
      leads: {
        anyOf: [integer(1, 10_000), { type: 'string', minLength: 1 }],
        description: `How many people are made up, or a CSV file, named from where this file is. Without it: as many as the personas, or ${DEFAULT_LEADS}.`,
      },
      personas: closed(
        eachOf(Object.keys(PERSONAS), () => integer(0, 10_000)),
        'How many of the leads behave in which way. The others are silent.',
      ),
      variables: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Values that every person who is made up has besides a name, a company and a title.',
      },
      mailboxes: {
        type: 'object',
        additionalProperties: closed(eachOf(CAPS, capSchema), 'What limits this mailbox; the rest is as for a new one.'),
        description: 'By the names in `mailboxes`. `overture pull --rehearsal` writes them down.',
      },
      from: {
        type: 'string',
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
        description: 'The day on which it begins, not before today. Without it: the first Monday from which on the schedule has begun.',
      },
      days: integer(1, 366, `How many days are played; ${DEFAULT_DAYS} unless given.`),
      expect: closed(
        eachOf(Object.keys(EXPECTATIONS), name => {
          const { kind, description } = EXPECTATIONS[name as Expectation]
          return kind === 'flag' ? { const: true, description } : integer(name === 'everyLeadGets' ? 1 : 0, 1_000_000, description)
        }),
        'What must hold.',
      ),
    },
  }
}
