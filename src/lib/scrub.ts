import { isRecord } from './canonical-json.ts'
import { asciiAddress } from './email.ts'

// Removes a person from a text or a document.

const GONE = '[erased]'

export interface Person {
  /** In lower case. */
  address: string
  /** Finds the address in a text, but not within a longer one. */
  mention: RegExp
  /** For PostgreSQL, which ignores the case: finds the address, also within a longer text such as the id of a message. */
  pattern: string
  /** The same as `mention`. PostgreSQL spells letters and digits in another way. */
  exactPattern: string
}

const NAMED: Readonly<Record<string, string>> = { '@': 'commat', '.': 'period', '+': 'plus', _: 'lowbar', "'": 'apos' }
/** A line of quoted-printable or of a reply may end anywhere, also where its end is escaped in JSON. */
const WRAP = String.raw`(?:=?(?:\r?\n|(?:\\r)?\\n)[ \t>]*)?`

/** The ways to write a character: as it is, in a URL, in HTML, in JSON, in quoted-printable. Both engines read this. */
function spellingsOf(character: string): string {
  const literal = /[a-z0-9]/.test(character) ? character : character === '^' ? '\\^' : `[${character}]`
  const codes = [...new Set([character, character.toUpperCase()])].map(each => each.charCodeAt(0))
  const hex = codes.map(code => code.toString(16).padStart(2, '0')).join('|')
  const names = NAMED[character] ? `|${NAMED[character]}` : ''
  return `(?:${literal}|[%=](?:25)?(?:${hex})|&(?:#0*(?:${codes.join('|')})|#x0*(?:${hex})${names});|${String.raw`\\`}{1,4}u00(?:${hex}))`
}

/** A character that is no part of an address may be encoded, too: the last digit of its code does not belong to the address. */
const BEFORE = String.raw`(?<=%(?:25)?(?:0[9ad]|2[0236789acf]|3[abcdef]|5[bd]|60|7[bcd])|=(?:0[9ad]|2[02c]|3[ace])|\\u00(?:0[9ad]|2[0267]|3[ce])|\\[nrtbf])`

/** `letter` is the class of letters and digits. An address that continues before or after the match belongs to another person. */
const boundedBy = (letter: string, body: string): string =>
  `(?:${BEFORE}|(?<!${letter}[._%+'-]{0,4}))${body}(?!-{0,4}${letter}|[.]${letter})`

/** The parts of a base64 text that hold these bytes, wherever they begin in it. */
function inBase64(text: string): string[] {
  return [0, 1, 2].map(shift => {
    const encoded = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]).toString('base64')
    const whole = encoded.slice(shift === 0 ? 0 : shift + 1, Math.floor(((shift + text.length) * 8) / 6))
    return [...whole].map(character => (character === '+' ? '[+]' : character)).join(String.raw`[\r\n]*`)
  })
}

export function personOf(email: string): Person {
  const given = asciiAddress(email.trim())
  const address = given.toLowerCase()
  const body = [...address].map(spellingsOf).join(WRAP)
  const encoded = [...new Set([address, given])].flatMap(inBase64).join('|')
  const first = `(?=[${/[a-z0-9]/.test(address[0]!) ? address[0] : ''}%=&${String.raw`\\`}]|${spellingsOf(address[0]!)})`
  const inText = `${first}${boundedBy(String.raw`[\p{L}\p{N}]`, body)}`
  return {
    address,
    mention: new RegExp(`${inText}|${encoded}`, 'giu'),
    pattern: `${body}|${encoded}`,
    exactPattern: `${boundedBy('[[:alnum:]]', body)}|${encoded}`,
  }
}

export const isPerson = (value: unknown, person: Person): boolean =>
  typeof value === 'string' && value.trim().toLowerCase() === person.address

export const mentions = (text: string, person: Person): boolean => text.search(person.mention) !== -1

export const scrubText = (text: string, person: Person): string => text.replace(person.mention, GONE)

/** Fields that name the person of a record. */
const NAMES_SOMEBODY = ['email', 'value']
/** Fields that a record keeps: its identity, but not the person's. */
const KEPT = /^(id|\w+Id|kind|status|source|createdAt|updatedAt|links)$/

const isAbout = (record: Record<string, unknown>, person: Person): boolean => NAMES_SOMEBODY.some(key => isPerson(record[key], person))

/** For requests. A record of the person keeps its position and its ids; in other records only the address is removed. */
export function scrubJson(value: unknown, person: Person): unknown {
  if (!isRecord(value)) return scrubOthers(value, person, scrubJson)
  if (!isAbout(value, person)) return scrubFields(value, person, scrubJson)
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (KEPT.test(key) ? [[key, inner]] : NAMES_SOMEBODY.includes(key) ? [[key, GONE]] : [])),
  )
}

/**
 * For what is read afterwards: every key stays, as its schema says. `from` of the whole has the mailboxes that send: they belong to the
 * workspace, and erasing a person leaves them alone.
 */
export function scrubAnswer(value: unknown, person: Person): unknown {
  const scrubbed = scrubInner(value, person)
  return isRecord(value) && isRecord(scrubbed) && 'from' in value ? { ...scrubbed, from: value.from } : scrubbed
}

/** The fields of a record of the person become null. A `value` without an id, such as that of a filter, is a text like others. */
function scrubInner(value: unknown, person: Person): unknown {
  if (!isRecord(value)) return scrubOthers(value, person, scrubInner)
  if (isPerson(value.email, person) || ('id' in value && isAbout(value, person))) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, KEPT.test(key) ? inner : NAMES_SOMEBODY.includes(key) ? GONE : null]),
    )
  }
  return scrubFields(value, person, scrubInner)
}

/** Operations and events that concern the workspace itself: those who work with it, its mailboxes, and texts that they wrote. */
export const isAboutOurselves = (name: string): boolean =>
  /^(team|provider|webhook|workspace|tracking_host|token|api_key|session|credits)\./.test(name)

/** Fields with the words of others, such as the response of a mail server. */
const REMARKS = ['reason', 'statusReason', 'detail', 'message']

/** For operations and events about ourselves: only text from others about the person is erased. */
export function scrubRemarks(value: unknown, person: Person): unknown {
  if (Array.isArray(value)) return value.map(item => scrubRemarks(item, person))
  if (!isRecord(value)) return value
  const scrub = (key: string, inner: unknown): unknown =>
    REMARKS.includes(key) && typeof inner === 'string' ? scrubText(inner, person) : scrubRemarks(inner, person)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, scrub(key, inner)]))
}

type Scrub = (value: unknown, person: Person) => unknown

function scrubOthers(value: unknown, person: Person, scrub: Scrub): unknown {
  if (Array.isArray(value)) return value.map(item => scrub(item, person))
  return typeof value === 'string' ? scrubText(value, person) : value
}

const scrubFields = (record: Record<string, unknown>, person: Person, scrub: Scrub): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([key, inner]) => [scrubText(key, person), scrub(inner, person)]))
