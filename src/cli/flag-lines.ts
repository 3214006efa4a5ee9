import type { FlagSet } from './flags.ts'

/** The flags for a help text, one per line. */
export function flagLines(flags: FlagSet): string[] {
  const named = Object.entries(flags).map(([name, { value, kind, text }]) => ({
    head: kind === 'switch' ? `--${name}` : `--${name} ${value ?? 'TEXT'}`,
    text: kind === 'list' ? `${text} (repeatable)` : text,
  }))
  const width = Math.max(0, ...named.map(({ head }) => head.length))
  return named.map(({ head, text }) => `  ${head.padEnd(width)}  ${text}`.trimEnd())
}
