import type { FlagSet } from './flags.ts'

/** The flags for a help text, one a line. */
export function flagLines(flags: FlagSet): string[] {
  const named = Object.entries(flags).map(([name, { value, kind, text }]) => ({
    head: kind === 'switch' ? `--${name}` : `--${name} ${value ?? 'TEXT'}`,
    text: kind === 'list' ? `${text} (again for more)` : text,
  }))
  const width = Math.max(0, ...named.map(({ head }) => head.length))
  return named.map(({ head, text }) => `  ${head.padEnd(width)}  ${text}`.trimEnd())
}
