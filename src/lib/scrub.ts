import { isRecord } from './canonical-json.ts'
import { asciiAddress } from './email.ts'

// Removes a person from a text or a document.

const GONE = '[erased]'

export interface Person {
  /** In lower case. */
  address: string
  /** Finds the address in a text, but not within a longer one. */
  mention: RegExp
}

export function personOf(email: string): Person {
  const address = asciiAddress(email.trim()).toLowerCase()
  const literal = address.replaceAll(/[^a-z0-9]/g, character => `\\x${character.charCodeAt(0).toString(16)}`)
  return { address, mention: new RegExp(`(?<![\\p{L}\\p{N}._%+'-])${literal}(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`, 'giu') }
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

/** Fields with the words of others, such as the answer of a mail server. */
const REMARKS = ['reason', 'statusReason', 'detail', 'message']

/** For operations and events about ourselves: erased is only what others said about the person. */
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
