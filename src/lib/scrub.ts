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

/** A record of the person keeps its position and its ids; in other records only the address is removed. */
export function scrubJson(value: unknown, person: Person): unknown {
  if (typeof value === 'string') return scrubText(value, person)
  if (Array.isArray(value)) return value.map(item => scrubJson(item, person))
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value)
  if (entries.some(([key, inner]) => NAMES_SOMEBODY.includes(key) && isPerson(inner, person))) {
    return Object.fromEntries(
      entries.flatMap(([key, inner]) => (KEPT.test(key) ? [[key, inner]] : NAMES_SOMEBODY.includes(key) ? [[key, GONE]] : [])),
    )
  }
  return Object.fromEntries(entries.map(([key, inner]) => [scrubText(key, person), scrubJson(inner, person)]))
}
