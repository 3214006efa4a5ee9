import { csvRows } from '../../lib/csv-rows.ts'

/** What the CSV exports of other tools mean. Their headers vary by version, so they are compared by letters and figures alone. */

export const TOOLS = ['instantly', 'smartlead', 'lemlist'] as const
export type Tool = (typeof TOOLS)[number]

export interface ReadExport {
  /** The header, and those who are still to be written to. */
  rows: string[][]
  /** Who must not be written to: they unsubscribed, bounced or complained. */
  suppressed: string[]
  /** Who has answered, and is left to people. */
  answeredCount: number
  /** Who has got everything that the other tool had for them. */
  finishedCount: number
}

const FIELDS: Record<string, string> = {
  email: 'email',
  emailaddress: 'email',
  leademail: 'email',
  firstname: 'firstName',
  lastname: 'lastName',
  fullname: 'fullName',
  companyname: 'company',
  company: 'company',
  jobtitle: 'jobTitle',
  timezone: 'timezone',
}

interface Meaning {
  /** Columns that tell what has become of somebody, by word or by number. */
  states: readonly string[]
  /** Numbers in those columns that stand for who must not be written to. */
  suppressedCodes?: readonly string[]
  /** Numbers in those columns that stand for who has got everything. */
  finishedCodes?: readonly string[]
  /** Columns with anything in them but 0 and false for who has answered. */
  replies: readonly string[]
  /** What the tool keeps for itself. */
  own: readonly string[]
}

const MEANINGS: Record<Tool, Meaning> = {
  instantly: {
    states: ['status', 'leadstatus', 'statussummary', 'intereststatus', 'label'],
    suppressedCodes: ['-1', '-2'],
    finishedCodes: ['3'],
    // A lead that somebody has judged, for better or worse, has answered.
    replies: ['replycount', 'emailreplycount', 'replies', 'replied', 'emailreplied', 'ltintereststatus', 'timestamplastreply'],
    own: ['verificationstatus', 'espcode', 'uploadedbyuser', 'uploadmethod', 'assignedto', 'personalizationstatus', 'sendingaccount'],
  },
  smartlead: {
    states: ['status', 'category', 'leadcategory', 'isunsubscribed', 'isinterested', 'isbounced'],
    replies: ['replycount', 'replytime'],
    own: ['campaignleadmapid', 'unsubscribedclientidmap', 'lastemailsequencesent', 'customfields'],
  },
  lemlist: {
    states: ['status', 'state', 'laststate', 'emailstate', 'isunsubscribed'],
    replies: ['emailsreplied', 'replied', 'repliedcount', 'repliedat', 'lastreplieddate'],
    own: ['emailstatus', 'leadid', 'contactid', 'picture', 'sendusername', 'senduseremail'],
  },
}

/** What all of them count and stamp. */
const COUNTED = new RegExp(
  [
    'id',
    'campaign(?:id|name)?',
    '(?:emails?|links?|total)?(?:open|opened|opens|click|clicked|clicks|reply|replied|replies|sent)(?:count)?',
    'timestamp.*',
    '(?:created|updated|added|sent|opened|clicked|replied|bounced|contacted)(?:at|date|on)',
    'last(?:contact|contacted|step|email|activity).*',
  ]
    .map(name => `^${name}$`)
    .join('|'),
)

const SUPPRESSED = /unsubscri|bounce|do ?not ?contact|block|opted ?out|complain|spam/i
const ANSWERED = /repl|interested|meeting|booked|won\b|lost\b|wrong ?person|information|closed/i
const FINISHED = /complet|finish|stopped|\bdone\b/i
const NOTHING = /^(?:|0|false|no|null|n\/?a|-)$/i

const plain = (header: string): string => header.toLowerCase().replace(/[^a-z0-9]/g, '')

export function readExport(tool: Tool, bytes: Buffer): ReadExport {
  const [header = [], ...rows] = csvRows(bytes)
  const names = header.map(plain)
  const meaning = MEANINGS[tool]
  const emailAt = names.findIndex(name => FIELDS[name] === 'email')
  const kept = header.flatMap((title, at) => (isOfPerson(names[at]!, meaning) ? [{ title: FIELDS[names[at]!] ?? title, at }] : []))
  const customAt = names.indexOf('customfields')
  const customs = customAt < 0 ? [] : rows.map(row => customFieldsOf(row[customAt]))
  const customNames = [...new Set(customs.flatMap(fields => Object.keys(fields)))]
  const fates = rows.map(row => fateOf(row, names, meaning))
  const addressOf = (row: string[]): string => row[emailAt]?.trim().toLowerCase() ?? ''
  // One address in several rows: what it said in one of them holds for all.
  const suppressed = new Set(rows.filter((_, at) => fates[at] === 'suppressed').map(addressOf))
  suppressed.delete('')
  const goesOn = (row: string[], at: number): boolean => fates[at] === 'open' && !suppressed.has(addressOf(row))
  return {
    rows: [
      [...kept.map(({ title }) => title), ...customNames],
      ...rows.flatMap((row, at) =>
        goesOn(row, at) ? [[...kept.map(column => row[column.at] ?? ''), ...customNames.map(name => customs[at]?.[name] ?? '')]] : [],
      ),
    ],
    suppressed: [...suppressed],
    answeredCount: fates.filter(fate => fate === 'answered').length,
    finishedCount: fates.filter(fate => fate === 'finished').length,
  }
}

const isOfPerson = (name: string, { states, replies, own }: Meaning): boolean =>
  FIELDS[name] !== undefined || !(states.includes(name) || replies.includes(name) || own.includes(name) || COUNTED.test(name))

function fateOf(
  row: string[],
  names: string[],
  { states, suppressedCodes, finishedCodes, replies }: Meaning,
): 'suppressed' | 'answered' | 'finished' | 'open' {
  const said = names.flatMap((name, at) => {
    const value = row[at]?.trim() ?? ''
    if (!states.includes(name) || NOTHING.test(value)) return []
    // "is_unsubscribed: true" says by its name what it means.
    return [/^(?:true|1|yes)$/i.test(value) && name.startsWith('is') ? name : value]
  })
  if (said.some(value => SUPPRESSED.test(value) || suppressedCodes?.includes(value))) return 'suppressed'
  const hasReplied = names.some((name, at) => replies.includes(name) && !NOTHING.test(row[at]?.trim() ?? ''))
  if (hasReplied || said.some(value => ANSWERED.test(value))) return 'answered'
  return said.some(value => FINISHED.test(value) || finishedCodes?.includes(value)) ? 'finished' : 'open'
}

/** Smartlead keeps the columns of the file that was uploaded there as JSON in one cell. */
function customFieldsOf(cell: string | undefined): Record<string, string> {
  try {
    const fields: unknown = JSON.parse(cell ?? '')
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return {}
    return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])))
  } catch {
    return {}
  }
}
