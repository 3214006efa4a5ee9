import {
  about,
  Count,
  DateTime,
  Links,
  line,
  named,
  namedObject,
  nullable,
  oneOf,
  orErased,
  shownAs,
  strict,
  Url,
  Uuid,
} from '../../http/schema.ts'
import { type Static, type TSchema, Type } from '../../lib/type.ts'
import { CAMPAIGN_STATUSES } from '../campaigns/schema.ts'

/** The lead has replied: a person may report each of these. */
export const ANSWERED_STATUSES = ['replied', 'interested', 'not_interested', 'meeting_booked', 'meeting_completed', 'closed'] as const

export const LEAD_STATUSES = [
  ...(['not_yet_contacted', 'contacted', 'sequence_completed'] as const),
  ...ANSWERED_STATUSES,
  ...(['bounced', 'unsubscribed', 'skipped'] as const),
] as const
export type LeadStatus = (typeof LEAD_STATUSES)[number]

/** A lead that may still be written to. Every other status ends its sequence. */
export const OPEN_STATUSES = ['not_yet_contacted', 'contacted'] as const satisfies readonly LeadStatus[]

const LEAD_SOURCES = ['scraped_lead', 'csv_import', 'api_import', 'manual'] as const
export type LeadSource = (typeof LEAD_SOURCES)[number]

/** The outcomes that people report. The service itself sets the other statuses. */
const OUTCOMES = [...ANSWERED_STATUSES, 'unsubscribed', 'skipped'] as const

const Text = nullable(Type.String())

export const Lead = namedObject('Lead', {
  id: Uuid,
  workspaceId: Uuid,
  campaignId: Uuid,
  firstName: Text,
  lastName: Text,
  fullName: Text,
  email: Type.String({ format: 'email' }),
  company: Text,
  jobTitle: Text,
  timezone: Text,
  variables: about(Type.Record(Type.String(), Type.String()), 'Your own fields, for templates.'),
  warnings: Type.Array(strict({ field: Type.String(), message: Type.String() }), {
    description: 'Values of the lead that cannot be used, such as an unknown time zone.',
  }),
  leadListName: Text,
  status: about(oneOf(LEAD_STATUSES), 'Where the lead is: waiting, in the sequence, or finished with an outcome.'),
  source: about(oneOf(LEAD_SOURCES), 'How the lead was added.'),
  emailOpenCount: about(Type.Integer({ minimum: 0 }), 'Opens by the lead.'),
  emailBounceCount: about(Type.Integer({ minimum: 0 }), 'Bounces of messages to the lead.'),
  emailSent: about(Type.Boolean(), 'Whether a message was sent to the lead.'),
  isProspect: Type.Boolean({ description: 'The lead is interested, or has a later status.' }),
  opportunityValue: nullable(Type.Number()),
  meetingAt: nullable(DateTime),
  next: about(
    nullable(strict({ step: Type.Integer({ minimum: 0 }), dueAt: about(DateTime, 'The earliest time for the step.') })),
    'The next planned step, counted from 0, and the earliest time at which it can be sent. Null: nothing is planned, or the message is being sent.',
  ),
  hold: about(
    nullable(
      strict({
        reason: about(Type.String(), 'The code of the reason.'),
        until: about(nullable(DateTime), 'When the reason will pass; null if that is unknown.'),
      }),
    ),
    'Why nothing was sent when the sender last checked the lead, and when the reason will pass. The timeline explains it.',
  ),
  createdAt: DateTime,
  updatedAt: DateTime,
  links: Links,
})

/** The names that templates can use for a variable. */
export const VARIABLE_PATTERN = '^[A-Za-z][A-Za-z0-9_]{0,62}$'
export const MOST_VARIABLES = 50

const variablesOf = <T extends TSchema>(value: T, description: string) =>
  Type.Optional(
    Type.Record(Type.String({ pattern: VARIABLE_PATTERN }), value, {
      additionalProperties: false,
      maxProperties: MOST_VARIABLES,
      description,
    }),
  )

const Short = Type.Optional(nullable(Type.String({ maxLength: 255 })))

/** The data about a person, except the address and the variables. */
const known = { firstName: Short, lastName: Short, fullName: Short, company: Short, jobTitle: Short, timezone: Short }

export const NewLead = namedObject('NewLead', {
  // Validated row by row: one bad address is reported, the others are imported.
  email: Type.String({ maxLength: 1000 }),
  ...known,
  variables: variablesOf(Type.String({ maxLength: 5000 }), 'Your own fields, for templates.'),
})
export type NewLead = Static<typeof NewLead>

const Leads = Type.Array(NewLead, {
  minItems: 1,
  maxItems: 5000,
  description: 'The leads. For more, send several requests, or a CSV file.',
})
const ExportId = { ...Uuid, description: 'Instead of `leads`: the people of an export that the workspace bought.' }
const howToImport = {
  leadListName: Type.Optional(about(nullable(line({ maxLength: 255 })), 'A name for the list that the leads come from.')),
  onDuplicate: Type.Optional(
    oneOf(['skip', 'update'], {
      description:
        'The treatment of a lead that the campaign already has, or that an earlier row has added. `update` changes the fields that you send. Defaults to `skip`.',
    }),
  ),
}

/** Exactly one of the two: the route checks it and explains it in one sentence. */
export const LeadImport = named(
  'LeadImport',
  shownAs(strict({ leads: Type.Optional(Leads), exportId: Type.Optional(ExportId), ...howToImport }), {
    oneOf: [
      namedObject(
        'LeadImportOfPeople',
        { leads: Leads, ...howToImport },
        { examples: [{ leads: [{ email: 'ann@example.com', firstName: 'Ann', variables: { city: 'Rome' } }], onDuplicate: 'update' }] },
      ),
      namedObject('LeadImportOfExport', { exportId: ExportId, ...howToImport }),
    ],
  }),
)
export type LeadImport = Static<typeof LeadImport>

const Lines = Type.Array(strict({ line: Type.Integer({ minimum: 1 }), reason: Type.String() }), { maxItems: 100 })

export const CsvTrial = namedObject('CsvTrial', {
  encoding: oneOf(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'], {
    description: 'Detected from the file. Cells that are not UTF-8 are read as Windows-1252.',
  }),
  delimiter: about(oneOf([',', ';', '\t', '|']), 'The separator of the file.'),
  columns: Type.Array(
    strict({
      header: about(Type.String(), 'The header in the file.'),
      target: nullable(Type.String({ description: 'A field of the lead, or the name of a variable. Null: the column is ignored.' })),
    }),
    { description: 'To correct a column, send it in `mapping`.' },
  ),
  firstRows: about(
    Type.Array(Type.Array(Type.String())),
    'The first rows of the file: at most 500 cells of each, cut after 200 characters.',
  ),
  rowCount: about(Count, 'Rows, without the header.'),
  validCount: about(Count, 'Rows that can be imported.'),
  invalidCount: Count,
  invalid: Lines,
  warningCount: about(Count, 'Rows that can be imported without one of their values.'),
  warnings: Lines,
})

const Listed = Type.Array(strict({ index: Count, reason: Type.String() }), { description: 'The first 100.' })

export const LeadImportResult = namedObject('LeadImportResult', {
  campaignId: Uuid,
  importedCount: Count,
  duplicateCount: Count,
  suppressedCount: Count,
  updatedCount: Count,
  invalidCount: Count,
  invalid: Listed,
  warningCount: Type.Integer({
    minimum: 0,
    description: 'Rows that were imported, but with a value that was ignored. One entry is for the columns of a file that were left out.',
  }),
  warnings: Listed,
})
export type ListResult = Omit<Static<typeof LeadImportResult>, 'campaignId'>

export const CsvImportResult = namedObject('CsvImportResult', {
  ...LeadImportResult.properties,
  invalid: Lines,
  warnings: Lines,
  rejectedRowsUrl: nullable({ ...Url, description: 'The URL of a file with all rejected rows.' }),
})
export type CsvResult = Omit<Static<typeof CsvImportResult>, 'campaignId' | 'rejectedRowsUrl'>

export const LeadPatch = namedObject(
  'LeadPatch',
  {
    ...known,
    variables: variablesOf(
      nullable(Type.String({ maxLength: 5000 })),
      'Changes only the variables that you send. Null removes a variable. A lead has at most 50.',
    ),
    status: Type.Optional(oneOf(OUTCOMES)),
    opportunityValue: Type.Optional(
      nullable(Type.Number({ minimum: 0, maximum: 1e12, description: 'In your own currency, with at most two decimals.' })),
    ),
    meetingAt: Type.Optional(nullable(DateTime)),
  },
  { examples: [{ firstName: 'Ann', variables: { city: 'Rome', hobby: null } }] },
)
export type LeadPatch = Static<typeof LeadPatch>

const Ids = Type.Array(Uuid, { minItems: 1, maxItems: 1000, uniqueItems: true })
const LeadFilter = about(
  strict({ status: Type.Optional(oneOf(LEAD_STATUSES)), email: Type.Optional(Type.String({ minLength: 3, maxLength: 254 })) }),
  'Instead of `ids`: every lead that matches. An empty filter matches all leads.',
)
const whatToDo = {
  action: about(oneOf(['delete', 'requeue', 'set_status', 'move']), 'The change to make.'),
  status: Type.Optional({
    ...oneOf(OUTCOMES),
    description: 'The new status. Required for `set_status`, and refused for any other action.',
  }),
  targetCampaignId: Type.Optional({ ...Uuid, description: 'The other campaign. Required for `move`, and refused for any other action.' }),
}

/** Exactly one of the two, as for an import. */
export const LeadBulk = named(
  'LeadBulk',
  shownAs(strict({ ...whatToDo, ids: Type.Optional(Ids), filter: Type.Optional(LeadFilter) }), {
    oneOf: [
      namedObject('LeadBulkByIds', { ...whatToDo, ids: about(Ids, 'The ids of the leads.') }),
      namedObject(
        'LeadBulkByFilter',
        { ...whatToDo, filter: LeadFilter },
        { examples: [{ action: 'requeue', filter: { status: 'skipped' } }] },
      ),
    ],
  }),
)
export type LeadBulk = Static<typeof LeadBulk>

export const LeadBulkInput = strict({
  ...LeadBulk.properties,
  /** The status of the other campaign for which a move was accepted. Omitted: it may have any. */
  targetStatus: Type.Optional(oneOf(CAMPAIGN_STATUSES)),
  /** The number of leads that a token with limits paid for. Omitted: it may change any number. */
  maxCount: Type.Optional(Type.Integer({ minimum: 0 })),
  /** A person approved the leads as they were then: those that changed or came later are left out. */
  until: Type.Optional(DateTime),
  /** The last lifted suppression when a person approved a move: suppressed leads are not moved. */
  lift: Type.Optional(Type.String()),
})
export type LeadBulkInput = Static<typeof LeadBulkInput>

export const LeadBulkResult = namedObject('LeadBulkResult', {
  campaignId: Uuid,
  action: LeadBulk.properties.action,
  matchedCount: Type.Integer({ minimum: 0, description: 'Leads of the campaign that match the filter or have one of the ids.' }),
  changedCount: about(Count, 'Leads that were changed.'),
  unchangedCount: Type.Integer({ minimum: 0, description: 'Matched leads whose state the action does not apply to.' }),
})

export const LeadResult = namedObject('LeadResult', { lead: orErased(Lead) })

/** The recipient of a message, and the data that its text may use. */
export type Recipient = Pick<Static<typeof Lead>, 'email' | 'firstName' | 'lastName' | 'fullName' | 'company' | 'jobTitle' | 'variables'>
