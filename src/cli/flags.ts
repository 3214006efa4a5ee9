import { parseArgs } from 'node:util'
import { wrongUsage } from '../lib/command-failure.ts'

/** `text` takes a value, `list` one each time it is given, a `switch` none. */
type FlagKind = 'text' | 'list' | 'switch'

interface Flag {
  kind: FlagKind
  /** Its description in the help. */
  text: string
  /** The name of its value in the help. */
  value?: string
}

export type FlagSet = Record<string, Flag>

export class Flags {
  readonly #given = new Map<string, string[]>()

  add(name: string, value: string): void {
    this.#given.set(name, [...(this.#given.get(name) ?? []), value])
  }

  has(name: string): boolean {
    return this.#given.has(name)
  }

  /** The last one counts, so that an alias can hold a default. */
  text(name: string): string | undefined {
    return this.#given.get(name)?.at(-1)
  }

  list(name: string): string[] {
    return this.#given.get(name) ?? []
  }

  isOn(name: string): boolean {
    return (this.text(name) ?? 'false') !== 'false'
  }

  names(): string[] {
    return [...this.#given.keys()]
  }
}

interface ReadArgs {
  positionals: string[]
  flags: Flags
}

const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Reads the arguments of a command. `campaign-id` is taken for `campaignId` if only that is known to `kindOf`. */
export function readArgs(
  args: readonly string[],
  kindOf: (name: string) => FlagKind | undefined,
  names: readonly string[],
  command: string,
): ReadArgs {
  const nameOf = (written: string): string => (kindOf(written) ? written : camel(written))
  const next = `overture ${command} --help`
  // The fields of an operation are too many to list, so only the flags that are written are declared.
  const written = args.flatMap(arg => /^--([^=]+)/.exec(arg)?.slice(1) ?? []).filter(name => kindOf(nameOf(name)))
  const declared = written.map(name => [name, { type: kindOf(nameOf(name)) === 'switch' ? 'boolean' : 'string' }] as const)
  const options = { ...Object.fromEntries(declared), help: { type: 'boolean', short: 'h' } } as const
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
  const flags = new Flags()
  const positionals: string[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const arg = args[token.index]!
    if (!arg.startsWith('--') && arg !== '-h') {
      // No other short option exists, and the letters of `-abc` are tokens with one index.
      if (tokens[at - 1]?.index !== token.index) positionals.push(arg)
      continue
    }
    const kind = kindOf(nameOf(token.name))
    if (!kind) throw wrongUsage(`There is no --${token.name}.${suggestion(token.name, names, '--')}`, next)
    let { value } = token
    if (kind === 'switch' && value === undefined) {
      const following = tokens[at + 1]
      const isSaid = following?.kind === 'positional' && following.index === token.index + 1 && /^(?:true|false)$/.test(following.value)
      value = isSaid ? following.value : 'true'
      if (isSaid) at++
    }
    if (value === undefined) throw wrongUsage(`--${token.name} needs a value.`, next)
    flags.add(nameOf(token.name), value)
  }
  return { positionals, flags }
}

export const CONNECTION_FLAGS: FlagSet = {
  profile: { kind: 'text', value: 'NAME', text: 'use this profile of `overture login`' },
  workspace: { kind: 'text', value: 'ID', text: 'use this workspace, if the token can access several' },
  json: { kind: 'switch', text: 'print JSON, including errors' },
}

/** The flags for a help text, one per line. */
export function flagLines(flags: FlagSet): string[] {
  const named = Object.entries(flags).map(([name, { value, kind, text }]) => ({
    head: kind === 'switch' ? `--${name}` : `--${name} ${value ?? 'TEXT'}`,
    text: kind === 'list' ? `${text} (repeatable)` : text,
  }))
  const width = Math.max(0, ...named.map(({ head }) => head.length))
  return named.map(({ head, text }) => `  ${head.padEnd(width)}  ${text}`.trimEnd())
}

/** The edit distance: the number of letters to change, add or remove. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let at = 1; at <= left.length; at++) {
    const next = [at]
    for (let to = 1; to <= right.length; to++) {
      const change = row[to - 1]! + (left[at - 1] === right[to - 1] ? 0 : 1)
      next.push(Math.min(row[to]! + 1, next[to - 1]! + 1, change))
    }
    row = next
  }
  return row[right.length]!
}

/** For the end of an error about a name that does not exist: the name that was most likely meant. */
export function suggestion(written: string, names: readonly string[], prefix = ''): string {
  const meant = nearest(written, names)
  return meant === undefined ? '' : ` Did you mean ${prefix}${meant}?`
}

/** The name that was most likely meant; undefined when none is close. */
function nearest(written: string, names: readonly string[]): string | undefined {
  // Very long texts are not compared, because the time grows with the product of the lengths.
  const asked = written.slice(0, 64).toLowerCase()
  const ranked = names.map(name => ({ name, far: distance(asked, name.toLowerCase()) })).sort((left, right) => left.far - right.far)
  const best = ranked[0]
  return best && best.far <= Math.max(2, Math.floor(asked.length / 3)) ? best.name : undefined
}
