import { MAX_DEPTH } from './json-bounds.ts'

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

/** The first hostile value, or null when there is none. */
export function findHostileValue(root: unknown): HostileValue | null {
  const inspected = inspectJson(root)
  return typeof inspected === 'number' ? null : inspected
}

function badText(text: string): string | null {
  if (text.includes('\u0000')) return 'contains a NUL character'
  if (!text.isWellFormed()) return 'contains half of a surrogate pair'
  return null
}
