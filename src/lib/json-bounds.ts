import { parsedJson } from './canonical-json.ts'

/** How large a JSON document may be, in addition to its length in bytes. */
export interface JsonBounds {
  /** Members of one array or object. */
  maxMembers: number
  /** Values in all. */
  maxValues: number
}

interface Excess {
  path: string
  rule: 'depth' | 'maxItems' | 'maxProperties' | 'maxValues' | 'unique'
  message: string
}

const MAX_DEPTH = 32

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

interface Container {
  isList: boolean
  members: number
  /** The position of the latest key in the text. */
  keyStart: number
  keyEnd: number
  readsKey: boolean
  /** The keys so far, while a repeated one is looked for. */
  seen: Set<string> | null
}

/**
 * Checks the size before parsing: three bytes of JSON can become an object of a hundred bytes, so a document of allowed length could use up
 * the memory. One pass over the bytes, up to the first excess. It does not check the syntax. Where nothing is in excess, it returns the number
 * of keys: in valid JSON, each has a colon.
 */
export const measureJson = (bytes: Uint8Array, bounds: JsonBounds): Excess | number => walk(bytes, bounds, false)

/** The first key that one object has twice, with its path. The text must be valid JSON. */
export function findRepeatedKey(bytes: Uint8Array): Excess | null {
  const found = walk(bytes, { maxMembers: Number.POSITIVE_INFINITY, maxValues: Number.POSITIVE_INFINITY }, true)
  return typeof found === 'number' ? null : found
}

function walk(bytes: Uint8Array, { maxMembers, maxValues }: JsonBounds, isUnique: boolean): Excess | number {
  const open: Container[] = []
  let inside: Container | undefined
  let values = 1
  let keys = 0
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE: {
        const start = at + 1
        at = endOfString(bytes, start)
        if (inside?.readsKey) {
          inside.keyStart = start
          inside.keyEnd = at
        }
        break
      }
      case COLON:
        keys++
        if (!inside) break
        inside.readsKey = false
        if (inside.seen) {
          const key = keyIn(bytes.subarray(inside.keyStart, inside.keyEnd))
          if (inside.seen.has(key)) {
            return { path: `${pathOf(bytes, open.slice(0, -1))}/${key}`, rule: 'unique', message: 'was sent more than once' }
          }
          inside.seen.add(key)
        }
        break
      case OPEN_LIST:
      case OPEN_OBJECT: {
        if (open.length >= MAX_DEPTH) {
          return { path: pathOf(bytes, open), rule: 'depth', message: `is nested deeper than ${MAX_DEPTH} levels` }
        }
        const isList = bytes[at] === OPEN_LIST
        inside = { isList, members: 1, keyStart: at, keyEnd: at, readsKey: !isList, seen: isUnique && !isList ? new Set() : null }
        open.push(inside)
        values++
        break
      }
      case COMMA:
        if (!inside) break
        inside.members++
        inside.readsKey = !inside.isList
        values++
        if (inside.members > maxMembers) return tooManyMembers(bytes, open, maxMembers)
        if (values > maxValues) return { path: '', rule: 'maxValues', message: `has more than ${maxValues} values` }
        break
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        open.pop()
        inside = open.at(-1)
        break
    }
  }
  return keys
}

function endOfString(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return Math.min(at, bytes.length)
}

function tooManyMembers(bytes: Uint8Array, open: Container[], maxMembers: number): Excess {
  const path = pathOf(bytes, open.slice(0, -1))
  return open.at(-1)!.isList
    ? { path, rule: 'maxItems', message: `must have at most ${maxMembers} items` }
    : { path, rule: 'maxProperties', message: `must have at most ${maxMembers} fields` }
}

/** Keeps a byte order mark: within JSON it is a letter of the key. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function pathOf(bytes: Uint8Array, open: Container[]): string {
  const segments = open.map(({ isList, members, keyStart, keyEnd }) =>
    isList ? String(members - 1) : keyIn(bytes.subarray(keyStart, keyEnd)).slice(0, 100),
  )
  return segments.map(segment => `/${segment}`).join('')
}

/** The key as its sender means it; as it is written where it is not valid JSON. */
function keyIn(bytes: Uint8Array): string {
  const text = decoder.decode(bytes)
  return (parsedJson(`"${text}"`) as string | undefined) ?? text
}

interface HostileValue {
  path: string
  message: string
}

/**
 * JSON can contain values that PostgreSQL cannot store (NUL, half a surrogate pair), and nesting that is too deep for recursive code.
 * Returns the place and the reason, or the number of keys when all is harmless.
 */
export function inspectJson(root: unknown): HostileValue | number {
  const stack: { value: unknown; path: string; depth: number }[] = [{ value: root, path: '', depth: 0 }]
  let keys = 0
  while (stack.length > 0) {
    const { value, path, depth } = stack.pop()!
    if (typeof value === 'string') {
      const message = badText(value)
      if (message) return { path, message }
    } else if (value !== null && typeof value === 'object') {
      if (depth >= MAX_DEPTH) return { path, message: `is nested deeper than ${MAX_DEPTH} levels` }
      const members = Object.entries(value)
      if (!Array.isArray(value)) keys += members.length
      for (const [key, member] of members) {
        const message = badText(key)
        if (message) return { path, message: `has a key that ${message}` }
        if (typeof member === 'string' || (member !== null && typeof member === 'object')) {
          stack.push({ value: member, path: `${path}/${key}`, depth: depth + 1 })
        }
      }
    }
  }
  return keys
}

export function findHostileValue(root: unknown): HostileValue | null {
  const inspected = inspectJson(root)
  return typeof inspected === 'number' ? null : inspected
}

function badText(text: string): string | null {
  if (text.includes('\u0000')) return 'contains a NUL character'
  if (!text.isWellFormed()) return 'contains half of a surrogate pair'
  return null
}
