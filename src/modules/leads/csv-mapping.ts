import { foldText } from '#lead-terms'
import { invalid, refusal } from '../../lib/errors.ts'
import { findHostileValue, findRepeatedKey } from '../../lib/json-bounds.ts'
import { PERSON_HEADERS, withoutQualifiers } from '../../lib/person-headers.ts'
import { MOST_VARIABLES, type NewLead, VARIABLE_PATTERN } from './schema.ts'

export const FIELDS = ['email', 'firstName', 'lastName', 'fullName', 'company', 'jobTitle', 'timezone'] as const
type Field = (typeof FIELDS)[number]

/** The names of the fields in files. The field's own name always matches. */
const HEADERS: Record<Field, string> = {
  ...PERSON_HEADERS,
  timezone: 'timezone, time zone, tz, zeitzone, fuseau horaire, fuseau, zona horaria, huso horario, fuso orario, tijdzone',
}

/** The surname if there is a column of first names, otherwise the full name. */
const NAMES = new Set(['name', 'nom'])
/** The first name if there is a column of surnames, otherwise the full name. */
const NAMES_OR_FIRST = new Set(['nombre', 'nome'])

/** The field of a column that is called only "name", which depends on the other columns of names; undefined for other headers. */
function guessName(header: string, hasFirst: boolean, hasLast: boolean): Field | undefined {
  if (NAMES.has(header)) return hasFirst && !hasLast ? 'lastName' : 'fullName'
  return NAMES_OR_FIRST.has(header) && !hasLast ? 'fullName' : undefined
}

const fold = (header: string): string => foldText(header.replace(/([a-z])([A-Z])/g, '$1 $2'))
const wordsOf = (header: string): string[] => fold(header).split(' ')
const plain = (header: string): string => wordsOf(header).join('')

const fieldByHeader = new Map<string, Field>()
for (const field of FIELDS) for (const name of [field, ...HEADERS[field].split(', ')]) fieldByHeader.set(plain(name), field)

/** The field of each header. A header with an additional word, such as "contact email", counts only when no exact header has that field. */
function guessFields(headers: readonly string[]): (Field | undefined)[] {
  const exact = headers.map(header => fieldByHeader.get(plain(header)))
  return headers.map((header, at) => {
    const shorter = exact[at] ? null : withoutQualifiers(wordsOf(header))
    const loose = shorter ? fieldByHeader.get(shorter.join('')) : undefined
    return exact[at] ?? (loose && !exact.includes(loose) ? loose : undefined)
  })
}

const isField = (target: string): target is Field => (FIELDS as readonly string[]).includes(target)

const VARIABLE = new RegExp(VARIABLE_PATTERN)
export const MOST_COLUMNS = 500
/** A file that is not CSV may begin with a megabyte without a line end. */
const LONGEST_HEADER = 1000

/** The target of a column: a field of the lead, a variable, or null to ignore it. */
export type Mapping = { header: string; target: string | null }[]

interface MappedColumns {
  mapping: Mapping
  /** The headers that are ignored because a lead cannot have more variables. */
  leftOut: string[]
}

/** By the header of a column: the target that the caller wants for it. */
export type Wishes = Record<string, string | null>

export function readWishes(text: string | undefined): Wishes {
  if (text === undefined) return {}
  const wrong = (message: string) => invalid('query', '/mapping', 'mapping', message)
  let wishes: unknown
  try {
    wishes = JSON.parse(text)
  } catch {
    throw wrong('must be JSON, such as {"Mail":"email","Ort":"city","Notes":null}')
  }
  if (typeof wishes !== 'object' || wishes === null || Array.isArray(wishes)) throw wrong('must be an object that maps headers to fields')
  const hostile = findHostileValue(wishes)
  if (hostile) throw invalid('query', '/mapping', 'text', hostile.message)
  const repeated = findRepeatedKey(Buffer.from(text))
  if (repeated) throw invalid('query', '/mapping', repeated.rule, `${JSON.stringify(repeated.path.slice(1))} ${repeated.message}`)
  const targets = Object.values(wishes)
  for (const target of targets) {
    if (target !== null && (typeof target !== 'string' || !VARIABLE.test(target)))
      throw wrong(`${JSON.stringify(target)} is neither a field, nor the name of a variable, nor null`)
  }
  const used = targets.filter(target => target !== null)
  if (new Set(used).size < used.length) throw wrong('two columns cannot map to the same field')
  const variableCount = used.filter(target => !isField(target)).length
  if (variableCount > MOST_VARIABLES) {
    const message = `maps columns to ${variableCount} variables, but a lead has at most ${MOST_VARIABLES}; map the others to null`
    throw refusal('validation_failed', [{ in: 'query', path: '/mapping', rule: 'maxProperties', message }])
  }
  return wishes as Wishes
}

/** The columns that a file of rejected rows begins with. */
export const OUR_HEADERS = ['line', 'reason'] as const

/** Whether this is a file of rejected rows that was corrected. */
export const isCorrected = (headers: readonly string[]): boolean => OUR_HEADERS.every((name, position) => headers[position] === name)

/** The wishes by the position of their column. Throws when a wish names no column of the file. */
function placeWishes(headers: readonly string[], wishes: Wishes): Map<number, string | null> {
  const wishFor = new Map<number, string | null>()
  for (const [name, target] of Object.entries(wishes)) {
    const position = headers.indexOf(name)
    const found = position === -1 ? headers.findIndex(header => plain(header) === plain(name)) : position
    if (found === -1)
      throw invalid('query', '/mapping', 'mapping', `the file has no column ${JSON.stringify(name)}; it has ${headers.join(', ')}`)
    if (wishFor.has(found)) throw invalid('query', '/mapping', 'mapping', `names the column ${JSON.stringify(headers[found])} twice`)
    wishFor.set(found, target)
  }
  if (isCorrected(headers)) for (const position of OUR_HEADERS.keys()) if (!wishFor.has(position)) wishFor.set(position, null)
  return wishFor
}

/** Guesses the target of each column. The caller's wishes win. */
export function mapColumns(headers: readonly string[], wishes: Wishes): MappedColumns {
  if (headers.length > MOST_COLUMNS) throw invalid('body', '', 'columns', `has more than ${MOST_COLUMNS} columns`)
  if (headers.some(header => header.length > LONGEST_HEADER))
    throw invalid('body', '', 'columns', `has a column with a name of more than ${LONGEST_HEADER} characters`)
  const wishFor = placeWishes(headers, wishes)
  const taken = new Set([...wishFor.values()].filter(target => target !== null))
  const guesses = guessFields(headers)
  const hasFirst = guesses.includes('firstName') || taken.has('firstName')
  const hasLast = guesses.includes('lastName') || taken.has('lastName')
  const mapping: Mapping = headers.map((header, position) => {
    if (wishFor.has(position)) return { header, target: wishFor.get(position)! }
    const guess = guessName(plain(header), hasFirst, hasLast) ?? guesses[position]
    if (guess === undefined || taken.has(guess)) return { header, target: null }
    taken.add(guess)
    return { header, target: guess }
  })
  let room = MOST_VARIABLES - [...taken].filter(target => !isField(target)).length
  const leftOut: string[] = []
  const isOurs = isCorrected(headers)
  mapping.forEach((column, position) => {
    if (column.target !== null || wishFor.has(position)) return
    if (room === 0) {
      leftOut.push(column.header || `column ${position + 1}`)
      return
    }
    const exact = isOurs ? exactName(column.header) : undefined
    column.target = exact !== undefined && !taken.has(exact) ? exact : variableName(column.header, position, taken)
    taken.add(column.target)
    room--
  })
  return { mapping, leftOut }
}

const NAMED = 20
const LONGEST_NAMED = 60

/** The warning about columns that are left out; undefined if there are none. */
export function describeLeftOut(leftOut: readonly string[]): string | undefined {
  if (leftOut.length === 0) return undefined
  const named = leftOut.slice(0, NAMED).map(header => JSON.stringify(header.slice(0, LONGEST_NAMED).toWellFormed()))
  const more = leftOut.length > NAMED ? ` and ${leftOut.length - NAMED} more` : ''
  return `a lead has at most ${MOST_VARIABLES} variables, so these columns are left out: ${named.join(', ')}${more}; choose the columns with mapping`
}

export const hasEmail = (mapping: Mapping): boolean => mapping.some(({ target }) => target === 'email')

export function requireEmail(mapping: Mapping): void {
  if (hasEmail(mapping)) return
  const headers = mapping.map(({ header }) => header).join(', ')
  const how = 'Name a column "email", or use mapping={"<header>":"email"}.'
  throw invalid('body', '', 'email_column', `has no column that looks like an email address. ${how} Columns: ${headers}`)
}

/** `Größe der Firma` becomes `grosseDerFirma`. */
function variableName(header: string, position: number, taken: ReadonlySet<string>): string {
  const words = fold(header)
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
  const joined = words.map((word, at) => (at === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1))).join('')
  const base = (/^[a-z]/.test(joined) ? joined : `column${position + 1}`).slice(0, 60)
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}${n}`
    if (!taken.has(name) && !isField(name)) return name
  }
}

/** Before the name of a variable that would not be found again by the name alone. */
const EXACT = 'variables.'

/** The header with which a corrected file has this variable: its name, unless that would be taken for a field or be changed. */
export function headerOf(variable: string): string {
  const isGuessed = guessFields([variable])[0] !== undefined || guessName(plain(variable), false, false) !== undefined
  return !isGuessed && variableName(variable, 0, new Set()) === variable ? variable : `${EXACT}${variable}`
}

function exactName(header: string): string | undefined {
  const name = header.startsWith(EXACT) ? header.slice(EXACT.length) : ''
  return VARIABLE.test(name) && !isField(name) ? name : undefined
}

const LONGEST = { email: 1000, field: 255, variable: 5000 }

/** The row as a lead, or the reason why it is rejected. */
export function toLead(mapping: Mapping, cells: readonly string[]): { lead: NewLead } | { problem: string } {
  if (cells.slice(mapping.length).some(cell => cell.trim() !== ''))
    return { problem: `has ${cells.length} cells, but the header has ${mapping.length}` }
  const lead: NewLead = { email: '' }
  const variables: Record<string, string> = {}
  for (const [position, { target }] of mapping.entries()) {
    const value = (cells[position] ?? '').trim()
    if (target === null || value === '') continue
    const longest = target === 'email' ? LONGEST.email : isField(target) ? LONGEST.field : LONGEST.variable
    if (value.length > longest) return { problem: `${target} is longer than ${longest} characters` }
    if (value.includes('\u0000')) return { problem: `${target} has a character that cannot be stored` }
    if (isField(target)) lead[target] = value
    else variables[target] = value
  }
  if (Object.keys(variables).length > 0) lead.variables = variables
  if (lead.email === '') return { problem: 'email is empty' }
  return { lead }
}
