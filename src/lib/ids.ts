import { createHash, randomFillSync } from 'node:crypto'

const pool = Buffer.alloc(16 * 256)
let used = pool.length

/**
 * A UUID of version 7: random, but ordered by time, so that new rows land at the right edge of an index
 * instead of on a random page of it.
 */
export function newId(nowMs: number = Date.now()): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = pool.subarray(used, used + 16)
  used += 16
  bytes.writeUIntBE(nowMs, 0, 6)
  return toUuid(bytes, 7)
}

/** A UUID of version 8, which is always the same for the same name: for objects that are not rows of a table. */
export const derivedId = (name: string): string => toUuid(createHash('sha256').update(name).digest().subarray(0, 16), 8)

function toUuid(bytes: Buffer, version: number): string {
  bytes[6] = (bytes[6]! & 0x0f) | (version << 4)
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (value: string): boolean => UUID.test(value)

/** FNV-1a with a finishing mix: small, seedable and the same on every machine. Not for secrets. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
