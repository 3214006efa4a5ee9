import { isRecord, parsedJson } from '../../lib/canonical-json.ts'
import { wrongUsage } from '../../lib/command-failure.ts'
import { csvRows } from '../../lib/csv-stream.ts'
import known from './other-tools.data.json' with { type: 'json' }

/** The meaning of the CSV exports of other tools. Headers vary by version, so only their letters and digits are compared. */

export const TOOLS = ['instantly', 'smartlead', 'lemlist'] as const
export type Tool = (typeof TOOLS)[number]

export interface ReadExport {
  /** The header, and the people who still get messages. */
  rows: string[][]
  /** The people who must get no messages: they unsubscribed, bounced or complained. */
  suppressed: string[]
  /** The people who have answered; a person should handle them. */
  answeredCount: number
  /** The people who got all messages of the other tool. */
  finishedCount: number
}

const FIELDS = new Map(Object.entries(known.fields))

interface Meaning {
  /** Columns with the status of a person, as a word or a number. */
  states: readonly string[]
  /** The numbers in those columns that mean "must get no messages". */
  suppressedCodes?: readonly string[]
  /** The numbers in those columns that mean "got all messages". */
  finishedCodes?: readonly string[]
  /** Columns that mean "has answered" with any value but 0 and false. A lead with an assessment, good or bad, has answered. */
  replies: readonly string[]
  /** Internal columns of the tool, which are ignored. */
  own: readonly string[]
}

const MEANINGS: Record<Tool, Meaning> = known.tools

/** The counters and timestamps of all tools. */
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

/** The service takes files with 500 columns. */
const MOST_CUSTOM = 500

const plain = (header: string): string => header.toLowerCase().replace(/[^a-z0-9]/g, '')

export function readExport(tool: Tool, bytes: Buffer): ReadExport {
  const [header = [], ...rows] = csvRows(bytes)
  const names = header.map(plain)
  const meaning = MEANINGS[tool]
  const emailAt = names.findIndex(name => FIELDS.get(name) === 'email')
  const kept = header.flatMap((title, at) => (isOfPerson(names[at]!, meaning) ? [{ title: FIELDS.get(names[at]!) ?? title, at }] : []))
  const customAt = names.indexOf('customfields')
  const customs = customAt < 0 ? [] : rows.map(row => customFieldsOf(row[customAt]))
  const customNames = [...new Set(customs.flatMap(fields => Object.keys(fields)))]
  // Otherwise, names that differ in each row would make a table of rows by rows.
  if (customNames.length > MOST_CUSTOM) throw wrongUsage(`The file has more than ${MOST_CUSTOM} custom fields.`, 'split the file')
  const fates = rows.map(row => fateOf(row, names, meaning))
  const addressOf = (row: string[]): string => row[emailAt]?.trim().toLowerCase() ?? ''
  // An address that is suppressed in one row is suppressed in all its rows.
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
  FIELDS.has(name) || !(states.includes(name) || replies.includes(name) || own.includes(name) || COUNTED.test(name))

function fateOf(row: string[], names: string[], { states, suppressedCodes, finishedCodes, replies }: Meaning) {
  const said = names.flatMap((name, at) => {
    const value = row[at]?.trim() ?? ''
    if (!states.includes(name) || NOTHING.test(value)) return []
    // In "is_unsubscribed: true", the name of the column is the status.
    return [/^(?:true|1|yes)$/i.test(value) && name.startsWith('is') ? name : value]
  })
  if (said.some(value => SUPPRESSED.test(value) || suppressedCodes?.includes(value))) return 'suppressed'
  const hasReplied = names.some((name, at) => replies.includes(name) && !NOTHING.test(row[at]?.trim() ?? ''))
  if (hasReplied || said.some(value => ANSWERED.test(value))) return 'answered'
  return said.some(value => FINISHED.test(value) || finishedCodes?.includes(value)) ? 'finished' : 'open'
}

/** Smartlead keeps the columns of the file that was uploaded there as JSON in one cell. */
function customFieldsOf(cell: string | undefined): Record<string, string> {
  const fields = parsedJson(cell ?? '')
  if (!isRecord(fields)) return {}
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])))
}
