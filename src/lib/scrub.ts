import { domainToASCII, domainToUnicode } from 'node:url'
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
/**
 * A line of quoted-printable or of a reply may end anywhere, also where its end is escaped in JSON. Mail programs mark places where a long word
 * may break.
 */
const MARK = String.raw`<wbr\/?>|[\u00ad\u200b\u2060\ufeff]`
const WRAP = String.raw`(?:=?(?:\r?\n|(?:\\r)?\\n)[ \t>]*|${MARK})?`

/** The spellings of a character: plain, in a URL, in HTML, in JSON, in quoted-printable, in bytes that PostgreSQL shows. Both engines read this. */
function spellingsOf(character: string): string {
  const literal = /[a-z0-9]|\P{ASCII}/u.test(character) ? character : character === '^' ? '\\^' : `[${character}]`
  const cases = [...new Set([character, character.toUpperCase()])].filter(each => [...each].length === 1)
  const codes = cases.map(each => each.codePointAt(0)!)
  const hex = (digits: number): string => codes.map(code => hexOf(code, digits)).join('|')
  const inBytes = (spell: (byte: number) => string): string => cases.map(each => [...Buffer.from(each)].map(spell).join('')).join('|')
  const bytes = inBytes(byte => `[%=](?:25){0,3}${hexOf(byte, 2)}`)
  // PostgreSQL shows only bytes beyond ASCII in octal.
  const isWide = cases.some(each => Buffer.byteLength(each) > 1)
  const escaped = isWide ? `|${inBytes(byte => String.raw`\\{1,2}` + byte.toString(8))}` : ''
  const names = NAMED[character] ? `|${NAMED[character]}` : ''
  return `(?:${literal}|${bytes}|&(?:amp;){0,3}(?:#0*(?:${codes.join('|')})|#x0*(?:${hex(0)})${names});|${String.raw`\\`}{1,4}u(?:${hex(4)})${escaped})`
}

const hexOf = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')

/** A character that is no part of an address may be encoded, too: the last digit of its code does not belong to the address. */
const BEFORE = String.raw`(?<=%(?:25){0,3}(?:0[9ad]|2[0236789acf]|3[abcdef]|5[bd]|60|7[bcd])|=(?:0[9ad]|2[02c]|3[acde])|\\u00(?:0[9ad]|2[0267]|3[ce])|\\[nrtbf])`

/** `letter` is the class of letters and digits. An address that continues before or after the match belongs to another person. */
const boundedBy = (letter: string, isReturned: string, body: string): string =>
  `(?:${BEFORE}|${isReturned}|(?<!${letter}[._%+'-]{0,4}(?:${MARK})?))${body}(?!-{0,4}${letter}|[.]${letter})`

/** The parts of a base64 text that hold these characters, in any case, wherever they begin in it. */
function inBase64(text: string): string[] {
  const capitals = text.replace(/[a-z]+/g, letters => letters.toUpperCase())
  const parts = [0, 1, 2].map(shift => {
    const [whole, other] = [text, capitals].map(each => {
      const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(each)])
      return bytes.toString('base64').slice(shift === 0 ? 0 : shift + 1, Math.floor((bytes.length * 8) / 6))
    })
    // The case of a letter is one bit, and so one of two characters.
    return [...whole!].map((character, at) => `[${character}${other![at]}]`)
  })
  // A shorter part could be in any text.
  return parts.filter(part => part.length >= LEAST_IN_BASE64).map(part => part.join(String.raw`[\r\n]*`))
}

const LEAST_IN_BASE64 = 6

/** The Unicode form of an internationalized domain. Node has none for domains that it takes for numbers. */
function unicodeDomain(domain: string): string {
  const unicode = domainToUnicode(domain)
  return /\P{ASCII}/u.test(unicode) && domainToASCII(unicode) === domain ? unicode : domain
}

export function personOf(email: string): Person {
  const address = asciiAddress(email.trim()).toLowerCase()
  const at = address.lastIndexOf('@') + 1
  // An internationalized domain is stored in its ASCII form, and written in both.
  const forms = [...new Set([address, address.slice(0, at) + unicodeDomain(address.slice(at))])]
  // A returned message names its recipient within the address of its sender: `bounces+ada=example.com@sender.example`.
  const spelled = (form: string): string[] =>
    [...form].map((each, n) => (n === at - 1 ? `(?:${spellingsOf(each)}|${spellingsOf('=')})` : spellingsOf(each)))
  const body = `(?:${forms.map(form => spelled(form).join(WRAP)).join('|')})`
  const isReturned = `(?<=[+=]|[%=](?:2b|3d))(?=.{${at - 1},${(at - 1) * 3}}(?:=(?!40)|%3d))`
  const encoded = forms
    .flatMap(inBase64)
    .map(part => `|${part}`)
    .join('')
  const first = `(?=[${/[a-z0-9]/.test(address[0]!) ? address[0] : ''}%=&${String.raw`\\`}]|${spellingsOf(address[0]!)})`
  const inText = `${first}${boundedBy(String.raw`[\p{L}\p{N}]`, isReturned, body)}`
  return {
    address,
    mention: new RegExp(`${inText}${encoded}`, 'giu'),
    pattern: `${body}${encoded}`,
    exactPattern: `${boundedBy('[[:alnum:]]', isReturned, body)}${encoded}`,
  }
}

export const isPerson = (value: unknown, person: Person): boolean =>
  typeof value === 'string' && asciiAddress(value.trim()).toLowerCase() === person.address

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
