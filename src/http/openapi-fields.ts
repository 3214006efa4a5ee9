type Json = Record<string, unknown>

/**
 * What fields of these names mean everywhere in the API. A field that means something else, or more, has a description in its schema, which
 * takes precedence.
 */
export const FIELDS: Readonly<Record<string, string>> = {
  action: 'The action of the operation.',
  area: 'A region of several countries, such as DACH.',
  attachments: 'The attachments of the message.',
  body: 'The body of the request.',
  bouncedCount: 'Messages that bounced.',
  campaign: 'The campaign.',
  campaignId: 'The campaign.',
  city: 'The city.',
  code: 'The machine-readable code.',
  company: 'The name of the company.',
  companySize: 'A label for the size of the companies. It does not filter.',
  count: 'How many there are.',
  country: 'The country.',
  createdAt: 'When it was created.',
  createdCount: 'How many are new.',
  creditsCharged: 'The credits that were charged.',
  dailyCap: 'The most messages that the mailbox sends in a day.',
  data: 'The requested resource, or the resources of the page.',
  daysOfWeek: 'The days on which messages may be sent.',
  duplicateCount: 'Rows about leads that the campaign already has, or that are listed twice.',
  email: 'The email address.',
  endDate: 'No message is sent after this time. Null: no end.',
  endpointId: 'The webhook endpoint.',
  error: 'Why it failed; null otherwise.',
  exclude: 'Values that must not match.',
  expiresAt: 'When it expires.',
  exportId: 'The export.',
  exportedCount: 'The people that were delivered.',
  field: 'The name of the field.',
  firstName: 'The first name.',
  fromEmail: 'The address from which the mailbox sends.',
  fromName: 'The name that recipients see as the sender.',
  fullName: 'The full name. Split into first and last name if those are missing.',
  handled: 'Whether a person has dealt with the reply.',
  host: 'The host name.',
  html: 'The content as HTML; null if there is none.',
  id: 'The id of this resource.',
  imap: 'The server that receives.',
  importedCount: 'Leads that were added.',
  include: 'Values of which one must match.',
  increasePerDay: 'By how much the daily number grows each day.',
  index: 'The position in the list of the request, counted from 0.',
  industry: 'The industry.',
  invalid: 'The first 100 invalid rows, with the reason of each.',
  invalidCount: 'Invalid rows. They were not imported.',
  jobTitle: 'The job title.',
  lastFour: 'The last four characters of the token.',
  lastName: 'The last name.',
  leadCount: 'How many leads it concerns.',
  leadId: 'The lead.',
  leadListName: 'A name for the list that the leads come from.',
  line: 'The line in the file, counted from 1.',
  links: 'The URLs of this resource and of related ones.',
  location: 'A label for the location. It does not filter.',
  max: 'The highest value that matches.',
  meetingAt: 'When the meeting takes place.',
  member: 'The member.',
  message: 'An explanation for people. Its wording may change.',
  messageId: 'The Message-ID of the message.',
  meta: 'Where the page is in the list.',
  method: 'The HTTP method.',
  metrics: 'The results of the campaign.',
  min: 'The lowest value that matches.',
  minGapSeconds: 'The least time between two messages of the mailbox, in seconds.',
  name: 'The name.',
  nextAttemptAt: 'When the next attempt is made; null if none is planned.',
  nextSlotAt: 'When the mailbox may send next.',
  niche: 'A label for the niche.',
  operation: 'The `operationId` of the proposed request.',
  operationId: 'The operation.',
  opportunityValue: 'The value of the opportunity, in your own currency.',
  opportunityValueChange: 'By how much the value of the opportunity changed.',
  path: 'The path of the request.',
  pipelineId: 'The id of a pipeline in your CRM.',
  port: 'The port.',
  provider: 'The mailbox.',
  providerId: 'The mailbox.',
  ramp: 'Raises the daily number of messages slowly. Null: no ramp.',
  reason: 'The reason.',
  receivedAt: 'When it arrived.',
  referral: 'The person whom the reply names to contact instead.',
  replyId: 'The reply.',
  requestedCount: 'How many people were ordered.',
  result: 'The result of a successful operation; null otherwise.',
  salesPersonId: 'The id of a sales person in your CRM.',
  scopes: 'The scopes of the token. `*` stands for all of a workspace.',
  self: 'The URL of this resource.',
  sendId: 'The sent message.',
  session: 'The session of the request; null for a token.',
  settings: 'The settings.',
  smtp: 'The server that sends.',
  sourceCampaignId: 'The campaign from which it was copied.',
  sourceUrl: 'The page that the leads come from.',
  startDate: 'No message is sent before this time. Null: at once.',
  startPerDay: 'The daily number of messages on the first day.',
  startedAt: 'When a worker started it; null until then.',
  status: 'The status.',
  step: 'The step, counted from 0.',
  stepCount: 'How many steps the sequence has.',
  steps: 'The steps, in order.',
  subject: 'The subject. Null in a step: it continues the thread of the step before.',
  suppressedCount: 'Rows about suppressed people. They were not imported.',
  text: 'The text.',
  timestamp: 'When it happened.',
  timezone: 'The time zone, as an IANA name such as Europe/Berlin.',
  token: 'The token.',
  trackClicks: 'Whether links are tracked.',
  trackOpens: 'Whether opens are tracked.',
  updatedAt: 'When it was last changed. Send it as `if-match` with a change.',
  updatedCount: 'Existing entries that were updated.',
  url: 'The URL.',
  user: 'The person.',
  value: 'The value.',
  variantId: 'The variant of the step.',
  variants: 'The variants of the step.',
  warnings: 'What may be wrong.',
  weight: 'The share of new leads that get this variant, relative to the others.',
  workspaceId: 'The workspace.',
}

/** What parameters of these names mean in every query. */
const PARAMETERS: Readonly<Record<string, string>> = {
  action: 'Only operations with this action.',
  campaignId: 'Only those of this campaign.',
  code: 'The code that the issuer sends.',
  createdFrom: 'Only those that were created at this time or later.',
  createdTo: 'Only those that were created before this time.',
  email: 'Exactly this address.',
  error: 'Why the issuer refuses.',
  error_description: 'The reason in words.',
  handled: 'Only replies that are, or are not, handled.',
  iss: 'The issuer.',
  kind: 'Only those of this kind.',
  leadId: 'Only those of this lead.',
  leadListName: 'A name for the list that the leads come from.',
  needsLook: 'Only replies that need, or do not need, a review.',
  providerId: 'Only those of this mailbox.',
  reason: 'The reason for all values without their own.',
  state: 'The state of the consent.',
  status: 'Only those with this status.',
  type: 'Only events of these types.',
  updatedFrom: 'Only those that were changed at this time or later.',
  updatedTo: 'Only those that were changed before this time.',
  value: 'Exactly this address or domain.',
}

/** The description of a parameter that has none of its own. */
export function describeParameter(name: string, where: string): string | undefined {
  if (where === 'query') return PARAMETERS[name]
  return name.endsWith('Id') ? `The id of the ${words(name === 'providerId' ? 'mailbox' : name.slice(0, -2))}.` : undefined
}

const words = (name: string): string => name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

type Schemas = Readonly<Record<string, Json>>

/** Gives each property its description: its own, that of the schema that it refers to, or the one of its name. */
export function describeFields(schema: unknown, schemas: Schemas): void {
  if (Array.isArray(schema)) for (const item of schema) describeFields(item, schemas)
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return
  const { properties, items, additionalProperties, anyOf, oneOf } = schema as Record<string, unknown>
  for (const [name, property] of Object.entries((properties ?? {}) as Record<string, Json>)) {
    const meaning = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
    if (meaning !== undefined && !isDescribed(property, schemas)) property.description = meaning
    describeFields(property, schemas)
  }
  for (const part of [items, additionalProperties, anyOf, oneOf]) describeFields(part, schemas)
}

function isDescribed(property: Json, schemas: Schemas): boolean {
  const { description, $ref, anyOf } = property as { description?: string; $ref?: string; anyOf?: Json[] }
  if (description !== undefined) return true
  if ($ref !== undefined) return schemas[$ref.split('/').at(-1)!]?.description !== undefined
  return anyOf?.some(option => '$ref' in option && isDescribed(option, schemas)) ?? false
}
